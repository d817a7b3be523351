#include "core/random.hpp"

namespace cosimo {
namespace {

constexpr std::uint32_t low_word(std::uint64_t x) {
  return static_cast<std::uint32_t>(x);
}
constexpr std::uint32_t high_word(std::uint64_t x) {
  return static_cast<std::uint32_t>(x >> 32);
}

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t multiplier_0 = 0xD2511F53;
  constexpr std::uint64_t multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t golden_ratio = 0x9E3779B9;
  constexpr std::uint32_t sqrt_3 = 0xBB67AE85;
  constexpr int rounds = 10;
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product_0 = multiplier_0 * counter[0];
    const std::uint64_t product_1 = multiplier_1 * counter[2];
    counter = {high_word(product_1) ^ counter[1] ^ key[0], low_word(product_1),
               high_word(product_0) ^ counter[3] ^ key[1], low_word(product_0)};
    key[0] += golden_ratio;
    key[1] += sqrt_3;
  }
  return counter;
}

double RandomStream::uniform(std::uint64_t index) const {
  const auto words = philox({low_word(index), high_word(index), low_word(stream_), high_word(stream_)},
                            {low_word(seed_), high_word(seed_)});
  const std::uint64_t bits = (std::uint64_t{words[0]} << 32) | words[1];
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace cosimo
