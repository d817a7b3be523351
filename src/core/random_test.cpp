#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

namespace cosimo {
namespace {

// The vectors published with the reference implementation (Random123, kat_vectors).
TEST(Philox, GivesThePublishedNumbers) {
  using Words = std::array<std::uint32_t, 4>;
  constexpr std::uint32_t ones = 0xFFFFFFFF;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, IsBuiltFromThoseNumbers) {
  // The first two words of the zero vector, the upper 53 bits of the 64.
  EXPECT_EQ(RandomStream(0, 0).uniform(0), std::ldexp(static_cast<double>(0x6627e8d5e169c58dULL >> 11), -53));
}

TEST(RandomStream, DependsOnSeedStreamAndIndexAlone) {
  const RandomStream stream(7, 1);
  const double last = stream.uniform(1000000);
  EXPECT_NE(stream.uniform(0), last);
  EXPECT_EQ(stream.uniform(1000000), last);
  EXPECT_EQ(RandomStream(7, 1).uniform(1000000), last);
  EXPECT_NE(RandomStream(8, 1).uniform(1000000), last);
  EXPECT_NE(RandomStream(7, 2).uniform(1000000), last);
  EXPECT_NE(RandomStream(std::uint64_t{7} << 32, 1).uniform(1000000), last);
  EXPECT_NE(stream.uniform(std::uint64_t{1} << 32), stream.uniform(0));
}

TEST(RandomStream, IsUniform) {
  constexpr std::size_t n = 100000;
  constexpr std::size_t bins = 20;
  const RandomStream stream(42, 3);
  std::array<double, bins> count{};
  double mean = 0, lag = 0, previous = 0.5;
  for (std::size_t i = 0; i < n; ++i) {
    const double u = stream.uniform(i);
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    count[static_cast<std::size_t>(u * bins)] += 1;
    mean += u / n;
    lag += (u - 0.5) * (previous - 0.5) / n;
    previous = u;
  }
  double chi_square = 0;
  for (const double c : count) chi_square += (c - n / bins) * (c - n / bins) / (n / bins);
  EXPECT_LT(chi_square, 43.8);  // 99.9 % quantile for 19 degrees of freedom
  EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(lag, 0.0, 4.0 / 12 / std::sqrt(double{n}));
}

TEST(RandomStream, ScalesToAnInterval) {
  const RandomStream stream(1, 1);
  for (std::uint64_t i = 0; i < 100; ++i) {
    const double u = stream.uniform(i, -100, 300);
    EXPECT_GE(u, -100);
    EXPECT_LT(u, 300);
    EXPECT_DOUBLE_EQ(u, -100 + 400 * stream.uniform(i));
  }
}

}  // namespace
}  // namespace cosimo
