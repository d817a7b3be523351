#include "core/lazy_array.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "core/ids.hpp"
#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;

TEST(LazyArray, TakesMemoryOnlyWhereItIsWritten) {
  constexpr std::size_t n = 1'000'000'000, places = 10, page = 4096;
  const std::size_t before = resident_bytes();
  LazyArray<double> x(n);
  for (std::size_t i = 0; i < places; ++i) x[i * (n / places) + 7] = 1.0 + static_cast<double>(i);
  const std::size_t after = resident_bytes();
  // Ten pages of entries, their page tables, and what the process does besides.
  EXPECT_LT(after, before + places * 4 * page + (std::size_t{1} << 20));
  EXPECT_EQ(x[7], 1.0);
  EXPECT_EQ(x[9 * (n / places) + 7], 10.0);
  EXPECT_EQ(x[n - 1], 0.0);
}

TEST(LazyArray, CopiesAreAsThin) {
  constexpr std::size_t n = 20'000'000;
  LazyArray<double> x(n);
  x[n / 2] = 3;
  const std::size_t before = resident_bytes();
  LazyArray<double> y = x;
  y.resize(n + 1000);
  EXPECT_EQ(y[n / 2], 3.0);
  y.resize(100);
  y.resize(n);
  EXPECT_EQ(y[n / 2], 0.0);
  EXPECT_LT(resident_bytes(), before + n);  // of 8 n bytes
}

TEST(LazyArray, IsAValue) {
  LazyArray<double> x{1, 2, 3};
  LazyArray<double> y = x;
  x[1] = 5;
  EXPECT_THAT(y, ElementsAre(1, 2, 3));
  EXPECT_NE(x, y);
  y = x;
  EXPECT_EQ(x, y);
  const double* const place = x.data();
  const LazyArray<double> moved = std::move(x);
  EXPECT_EQ(moved.data(), place);
  y = std::vector<double>{4};
  EXPECT_THAT(y, ElementsAre(4));
  EXPECT_NE(y, moved);
}

TEST(LazyArray, GrowsByEntriesAndKeepsThem) {
  LazyArray<BodyId> bodies;
  EXPECT_TRUE(bodies.empty());
  constexpr std::size_t n = 300'000;  // over the border between heap and pages
  for (std::size_t i = 0; i < n; ++i) bodies.push_back(BodyId(i));
  ASSERT_EQ(bodies.size(), n);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(bodies[i], BodyId(i));
  EXPECT_EQ(bodies.front(), BodyId(0));
  EXPECT_EQ(bodies.back(), BodyId(n - 1));
}

TEST(LazyArray, NewEntriesAreZeroAfterShrinking) {
  LazyArray<double> x{1, 2, 3};
  x.resize(1);
  x.resize(3);
  EXPECT_THAT(x, ElementsAre(1, 0, 0));
  x.push_back(4);
  x.resize(6);
  EXPECT_THAT(x, ElementsAre(1, 0, 0, 4, 0, 0));
}

TEST(LazyArray, PassesAsSpan) {
  LazyArray<double> x(4);
  const std::span<double> writable = x;
  writable[2] = 3;
  const std::span<const double> readable = x;
  EXPECT_EQ(readable.size(), 4U);
  EXPECT_EQ(readable[2], 3.0);
}

}  // namespace
}  // namespace cosimo
