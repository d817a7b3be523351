#include "numerics/exact_sum.hpp"

#include <cmath>
#include <limits>

namespace cosimo {

namespace {

// How often each kind was added, in one word: NaN, +inf and -inf have 20 bits each.
constexpr std::int64_t one_nan = std::int64_t{1} << 40U, one_plus = std::int64_t{1} << 20U, one_minus = 1;

double special(std::int64_t counts) {
  if (counts >= one_nan) return std::numeric_limits<double>::quiet_NaN();
  const bool plus = counts >= one_plus, minus = counts % one_plus != 0;
  if (plus && minus) return std::numeric_limits<double>::quiet_NaN();
  return plus ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
}

}  // namespace

/// Ranks and couplings are far fewer than 2^20, and a count that ran over would still not be finite.
void ExactSum::add_special(std::uint64_t bits) {
  const bool nan = (bits & 0xfffffffffffffU) != 0, negative = (bits >> 63U) != 0;
  std::int64_t& counts = words_[digits];
  if (nan)
    counts += one_nan;
  else if (negative ? counts % one_plus < one_plus - 1 : counts % one_nan < one_nan - one_plus)
    counts += negative ? one_minus : one_plus;
}

double ExactSum::value() const {
  if (words_[digits] != 0) return special(words_[digits]);
  // Carries, from the lowest digit: every digit ends in [0, 2^32), the sign in what is left over.
  std::array<std::uint32_t, digits> digit{};
  std::int64_t carry = 0;
  const auto normalise = [&](std::int64_t sign) {
    carry = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      const std::int64_t sum = sign * words_[i] + carry;
      digit[i] = static_cast<std::uint32_t>(sum & 0xffffffff);
      carry = sum >> 32;
    }
  };
  normalise(1);
  const bool negative = carry < 0;
  if (negative) normalise(-1);

  std::size_t top = digits;
  while (top > 0 && digit[top - 1] == 0) --top;
  if (top == 0) return 0;
  // The highest 64 bits, left aligned, and whether anything stands below.
  const auto at = [&](std::size_t k) { return top >= k ? std::uint64_t{digit[top - k]} : 0; };
  const auto zeros = static_cast<unsigned>(std::countl_zero(digit[top - 1]));
  std::uint64_t head = at(1) << 32U | at(2);
  if (zeros > 0) head = head << zeros | at(3) >> (32U - zeros);
  bool below = (at(3) << zeros & 0xffffffffU) != 0;
  for (std::size_t k = 4; k <= top && !below; ++k) below = at(k) != 0;

  // Bit 63 of head has the weight 2^highest in units of the smallest subnormal.
  const int highest = static_cast<int>(32 * top) - 1 - static_cast<int>(zeros);
  const int kept = std::min(53, highest + 1);  // subnormals keep fewer bits
  const auto dropped = static_cast<unsigned>(64 - kept);
  std::uint64_t mantissa = head >> dropped;
  const std::uint64_t rest = head << static_cast<unsigned>(kept);
  const std::uint64_t half = std::uint64_t{1} << 63U;
  if (rest > half || (rest == half && (below || (mantissa & 1U) != 0))) ++mantissa;
  const double magnitude = std::ldexp(static_cast<double>(mantissa), highest + 1 - kept - 1074);
  return negative ? -magnitude : magnitude;
}

}  // namespace cosimo
