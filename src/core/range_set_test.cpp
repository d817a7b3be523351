#include "core/range_set.hpp"

#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>

#include "core/random.hpp"

namespace cosimo {
namespace {

TEST(RangeSet, AgreesWithASetOfNumbers) {
  constexpr std::size_t n = 40;
  const RandomStream random(3, 1);
  std::uint64_t draw = 0;
  const auto number = [&] { return static_cast<std::size_t>(random.uniform(draw++, 0, n + 0.5)); };
  for (int round = 0; round < 50; ++round) {
    RangeSet set;
    std::bitset<n + 1> wanted;
    for (int step = 0; step < 8; ++step) {
      const std::size_t a = number(), b = number();
      const Range range{std::min(a, b), std::max(a, b)};
      std::bitset<n + 1> gaps;
      for (const Range& gap : set.missing(range)) {
        EXPECT_GT(gap.size(), 0U);
        for (std::size_t i = gap.first; i < gap.last; ++i) gaps.set(i);
      }
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_EQ(gaps[i], i >= range.first && i < range.last && !wanted[i]);
      set.add(range);
      for (std::size_t i = range.first; i < range.last; ++i) wanted.set(i);
      for (std::size_t i = 0; i <= n; ++i) EXPECT_EQ(set.contains(i), wanted[i]);
      for (std::size_t i = 1; i < set.ranges().size(); ++i)
        EXPECT_LT(set.ranges()[i - 1].last, set.ranges()[i].first) << "disjoint, not even touching";
    }
  }
}

TEST(RangeSet, BeginsEmpty) {
  RangeSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_FALSE(set.contains(0));
  set.add({4, 4});
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(RangeSet({2, 5}).ranges().size(), 1U);
}

}  // namespace
}  // namespace cosimo
