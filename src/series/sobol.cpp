#include "series/sobol.hpp"

#include <bit>
#include <vector>

#include "core/check.hpp"
#include "series/design.hpp"

namespace cosimo::series {

namespace {

/// The first numbers m_1 ... m_s of the coordinates from the second one on, s the degree of its polynomial:
/// m_k is odd and below 2^k, so that bits 1 ... k - 1 tell it; those of m_2, m_3 ... from the lowest bit up.
constexpr std::array<std::uint64_t, sobol_dimensions - 1> first_numbers = {
    0x0,
    0x1,
    0x1,
    0x0,
    0xA,
    0x35,
    0x214,
    0x94,
    0x26E,
    0x4,
    0x148,
    0x3D5,
    0x60E3,
    0x2AB8,
    0x6371,
    0x8F8,
    0x31B9,
    0x7A54,
    0x199EEF,
    0x111DB7,
    0xFC4F2,
    0xD3025,
    0x1AC531,
    0x7FB51,
    0xF526C,
    0x11184D,
    0x2436,
    0xEA597,
    0xA3B22,
    0xD82F5,
    0x4758F,
    0x116889,
    0x342D4,
    0x1EF81E,
    0xC79A6,
    0x86C53,
    0xF4C1BF9,
    0x60FF7FD,
    0xF931569,
    0x91D769,
    0x2D416BE,
    0x4F03F0F,
    0xCC09641,
    0x9C72A64,
    0xB96402F,
    0x47391CB,
    0x1BDCDEF,
    0xE183D42,
    0xB0E56C8,
    0x469221F,
    0xD5EFF51,
    0x84D5552,
    0xEFACBA395,
    0x2209B006B,
    0xAB045CE10,
    0xF96679F11,
    0x5B68FA168,
    0xB5E78392C,
    0xBF06A5A7C,
    0x6E894A7DF,
    0x29DFB9EC8,
    0x5018D9FF4,
    0x80569DF32,
    0x92F9F6AA8,
    0xA14EE0D6E,
    0x410341A14,
    0xEDFB00EF6,
    0x5940D505,
    0xF3FE31BF2,
    0x3F5B67C83,
    0x767FEA40A,
    0x90F293EDC,
    0xF5B7D6A2C,
    0xACD031810,
    0x1007CF03A,
    0x57CF454E9,
    0x18FEFB5C1,
    0x98ABA7B4D,
    0x4AF8E040C,
    0x4F0C3F092,
    0x708DA14E8,
    0x8765E7753,
    0x393ACE165,
    0xD147F5AC6,
    0x256DA0AD2,
    0xE279094FE,
    0xE01A7990F,
    0x7589CE79,
    0xBD9124000,
    0xF10C755F9,
    0xD7835364E,
    0xAEC25C48B,
    0x943A9B51B,
    0x4EF032162,
    0x6ABC8733F,
    0x6C5326D06,
    0x7C705B673,
    0xEFFC0D6CD,
    0x6C74B0954,
    0x497A84B9B,
    0xE56FE2908B9,
    0xF343FEFCC96,
    0x12B6CF958D19,
    0x7BB5E01DD32,
    0x170044221A77,
    0x1529F281F655,
    0x18A672A3FFCC,
    0x54F82E0CDA6,
    0x1C4CF1382299,
    0x3F526F1BC47,
    0x1A765774F82C,
    0x1117604F933,
    0xEAD05EFB9DE,
    0xC06A3919321,
    0xAA133995FF5,
    0x113B6ADF73CA,
    0x161E19D0F187,
    0x1E2D659A1A98,
    0x464E76B6624,
    0x17240096D99F,
    0x11D4B8D0F2C7,
    0x4EBB6B75E2A,
    0x1C95432AA953,
    0x138E34396DCC,
    0x129AC2E72C25,
    0x126A19A7609F,
    0x166823DFD09B,
    0x1F84043D2E1F,
    0x983DCE54D72,
    0x24732F787A2,
    0x81DC15D3821,
    0x169DBD3F4EB1,
    0x1821859CFE0E,
    0x241F6B94177,
    0x58DA86FF194,
    0xF1D02F77F5A,
    0xB18BE03AC2,
    0x12F6D6426F3A,
    0x99C4FACA4D9,
    0x1A84A46F0B,
    0xCEEF2D02330,
    0x16B6AA18E35E,
    0x1AC7D28A8AC5,
    0x1A1BF569F95B,
    0x1CDFC0670DBA,
    0xFADE9CBBC87,
    0x12E39922541A,
    0x1F4E3D3D80B3,
    0x1A525F20A592,
    0x126B2F96A41F,
    0xCD8BC5B3020,
    0x255F86EF2F9,
    0xAEBFFC9ABBC,
    0x1EA6396F5A53,
    0x468DAF935,
    0x1E99A6953369,
    0x15AEDFC8E6B,
    0x1CF8915ECEA6,
    0xDA97F2BD1F6,
    0x167CC62384D8,
};

/// x generates all residues of this polynomial over two elements; bit k is the coefficient of x^k.
bool is_primitive(std::uint32_t polynomial) {
  const int degree = std::bit_width(polynomial) - 1;
  const std::uint32_t all = (1U << degree) - 1;
  std::uint32_t power = 1, steps = 0;
  do {
    power <<= 1;
    if ((power >> degree) != 0) power ^= polynomial;
    ++steps;
  } while (power > 1);
  return power == 1 && steps == all;
}

/// One per coordinate from the second one on, in ascending order.
std::vector<std::uint32_t> primitive_polynomials() {
  std::vector<std::uint32_t> out;
  for (std::uint32_t p = 3; out.size() < first_numbers.size(); p += 2)
    if (is_primitive(p)) out.push_back(p);
  return out;
}

}  // namespace

std::array<std::uint32_t, sobol_bits> direction_numbers(std::size_t dimension) {
  COSIMO_CHECK(dimension < sobol_dimensions, "a coordinate of Sobol' points");
  std::array<std::uint32_t, sobol_bits> v{};
  const auto fraction = [](std::uint64_t m, std::size_t k) {
    return static_cast<std::uint32_t>(m << (static_cast<std::size_t>(sobol_bits) - k - 1));
  };
  if (dimension == 0) {
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = fraction(1, k);
    return v;
  }
  static const std::vector<std::uint32_t> polynomials = primitive_polynomials();
  const std::uint32_t polynomial = polynomials[dimension - 1];
  const auto degree = static_cast<std::size_t>(std::bit_width(polynomial) - 1);
  std::uint64_t packed = first_numbers[dimension - 1];
  for (std::size_t k = 0; k < degree; ++k) {
    v[k] = fraction(2 * (packed & ((std::uint64_t{1} << k) - 1)) + 1, k);
    packed >>= k;
  }
  for (std::size_t k = degree; k < v.size(); ++k) {
    v[k] = v[k - degree] ^ (v[k - degree] >> degree);
    for (std::size_t i = 1; i < degree; ++i)
      if (((polynomial >> (degree - i)) & 1) != 0) v[k] ^= v[k - i];
  }
  return v;
}

}  // namespace cosimo::series
