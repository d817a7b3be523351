// Sums that are exact until they are rounded once at the end: their bits depend on the numbers alone, not on
// the order in which they are added nor on how they are spread over ranks.
//
//   ExactSum sum;
//   for (double x : numbers) sum.add(x);
//   exchange.sum(sum.words());            other ranks' sums: plain integer addition
//   double result = sum.value();          correctly rounded
//
// A fixed-point number as wide as the range of doubles (Kulisch's accumulator), in digits of 32 bits that
// stand in words of 64: 2^31 numbers can be added before a carry is due. Infinities and NaNs are counted
// apart and come back as such.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace cosimo {

class ExactSum {
 public:
  /// 2098 bits from the smallest subnormal to the largest number, room for 2^63 of them, and a word for what
  /// is not finite.
  static constexpr std::size_t digits = 68, size = digits + 1;

  void add(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto exponent = static_cast<unsigned>(bits >> 52U) & 0x7ffU;
    if (exponent == 0x7ffU) return add_special(bits);
    std::uint64_t mantissa = bits & 0xfffffffffffffU;
    unsigned shift = 0;
    if (exponent != 0) {
      mantissa |= 1ULL << 52U;
      shift = exponent - 1;
    }
    const unsigned first = shift / 32, offset = shift % 32;
    const std::uint64_t low = mantissa << offset;
    const std::uint64_t high = offset == 0 ? 0 : mantissa >> (64U - offset);
    const std::int64_t sign = (bits >> 63U) != 0 ? -1 : 1;
    words_[first] += sign * static_cast<std::int64_t>(low & 0xffffffffU);
    words_[first + 1] += sign * static_cast<std::int64_t>(low >> 32U);
    words_[first + 2] += sign * static_cast<std::int64_t>(high);
  }

  /// The nearest double, ties to even.
  double value() const;

  /// As integers that may be added word by word to those of another sum.
  std::span<std::int64_t> words() { return words_; }

 private:
  void add_special(std::uint64_t bits);

  std::array<std::int64_t, size> words_{};
};

}  // namespace cosimo
