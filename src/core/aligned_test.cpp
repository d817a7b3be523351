#include "core/aligned.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>

#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

TEST(AlignedVector, IsAlignedZeroedAndPadded) {
  for (std::size_t n = 1; n < 40; ++n) {
    const AlignedVector x(n);
    EXPECT_EQ(x.size(), n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(x.data()) % 64, 0u);
    for (std::size_t i = 0; i < n + 8; ++i) EXPECT_EQ(x.data()[i], 0.0);
  }
}

TEST(AlignedVector, CopiesAndMovesLikeAValue) {
  AlignedVector x(3);
  x[1] = 5;
  AlignedVector copy = x;
  x[1] = 7;
  EXPECT_EQ(copy[1], 5.0);
  const double* const place = copy.data();
  copy = x;  // equal sizes: no new memory
  EXPECT_EQ(copy.data(), place);
  EXPECT_EQ(copy[1], 7.0);
  const AlignedVector moved = std::move(copy);
  EXPECT_EQ(moved.data(), place);
  AlignedVector longer(9);
  longer = moved;
  EXPECT_EQ(longer.size(), 3u);
  EXPECT_EQ(longer[1], 7.0);
}

TEST(AlignedVector, ResizeForgets) {
  AlignedVector x(3);
  x[0] = 1;
  x.resize(5);
  for (const double value : x) EXPECT_EQ(value, 0.0);
  EXPECT_TRUE(AlignedVector().empty());
}

TEST(AlignedVector, LargeOnesTakeMemoryWhereTheyAreWritten) {
  constexpr std::size_t n = 20'000'000;
  const std::size_t before = resident_bytes();
  AlignedVector x(n);
  x[n / 2] = 2;
  const AlignedVector copy = x, from_span{std::span<const double>(x)};
  EXPECT_EQ(copy[n / 2], 2.0);
  EXPECT_EQ(from_span[n / 2], 2.0);
  EXPECT_EQ(copy[n - 1], 0.0);
  EXPECT_EQ(copy.data()[n + 7], 0.0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copy.data()) % 64, 0u);
  // Huge pages, where the system gives them unasked, are far below the whole as well.
  EXPECT_LT(resident_bytes(), before + n);
}

TEST(AlignedVector, PassesAsSpan) {
  AlignedVector x(4);
  const std::span<double> writable = x;
  writable[2] = 3;
  const std::span<const double> readable = x;
  EXPECT_EQ(readable.size(), 4u);
  EXPECT_EQ(readable[2], 3.0);
}

}  // namespace
}  // namespace cosimo
