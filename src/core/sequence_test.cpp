#include "core/sequence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"

namespace cosimo {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

const RandomStream stream(7, 3);

TEST(Sequence, NumberStaysOneNumber) {
  EXPECT_THAT(expand(2.5, 1000000, stream), ElementsAre(2.5));
}

TEST(Sequence, ListIsTakenAsItIs) {
  const std::vector<double> list{3, 1, 2};
  EXPECT_EQ(expand(list, 3, stream), list);
  EXPECT_THROW(expand(list, 4, stream), Bug);
}

TEST(Sequence, UniformTakesEntryIFromPlaceIOfTheStream) {
  const auto values = expand(Uniform{-1, 3}, 5, stream);
  ASSERT_EQ(values.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(values[i], stream.uniform(i, -1, 3));
}

TEST(Sequence, HalfSineRepeatsItsArch) {
  const auto values = expand(HalfSine{100, 9, 10}, 25, stream);
  ASSERT_EQ(values.size(), 25u);
  EXPECT_DOUBLE_EQ(values[0], 100);
  EXPECT_DOUBLE_EQ(values[5], 1000);
  EXPECT_DOUBLE_EQ(values[3], 100 * (1 + 9 * std::sin(0.3 * std::acos(-1.0))));
  EXPECT_NEAR(values[7], 100 * (1 + 9 * std::sin(0.3142 * 7)), 0.5);  // as printed in Section 5.4
  for (std::size_t i = 0; i + 10 < 25; ++i) EXPECT_EQ(values[i], values[i + 10]);
  EXPECT_THROW(expand(HalfSine{1, 1, 0}, 3, stream), Bug);
}

TEST(Sequence, RampMeetsBothEndsExactly) {
  EXPECT_THAT(expand(Ramp{1, 3}, 5, stream), ElementsAre(1, 1.5, 2, 2.5, 3));
  EXPECT_THAT(expand(Ramp{1, 3}, 1, stream), ElementsAre(1));
  EXPECT_TRUE(expand(Ramp{1, 3}, 0, stream).empty());
  const auto uneven = expand(Ramp{0.1, 0.7}, 8, stream);
  EXPECT_EQ(uneven.front(), 0.1);
  EXPECT_EQ(uneven.back(), 0.7);
  EXPECT_THAT(uneven[1], DoubleEq(0.1 + 0.6 / 7));
}

TEST(Sequence, BlocksFollowEachOther) {
  const std::vector<Block> blocks{{2, 5.0}, {0, 9.0}, {3, 1.0}};
  EXPECT_THAT(expand(blocks, 5, stream), ElementsAre(5, 5, 1, 1, 1));
  EXPECT_THROW(expand(blocks, 6, stream), Bug);
  EXPECT_THROW(expand(std::vector<Block>{{-1, 5.0}}, 0, stream), Bug);
}

TEST(Sequence, ARangeHasTheNumbersOfTheWholeRow) {
  constexpr std::size_t n = 29;
  std::vector<double> list(n);
  for (std::size_t i = 0; i < n; ++i) list[i] = static_cast<double>(i * i);
  for (const Sequence& sequence :
       {Sequence{2.5}, Sequence{list}, Sequence{Uniform{-1, 3}}, Sequence{HalfSine{100, 9, 10}},
        Sequence{Ramp{0.1, 0.7}}, Sequence{std::vector<Block>{{7, 5.0}, {0, 9.0}, {12, 1.0}, {10, 2.0}}}}) {
    std::vector<double> whole = expand(sequence, n, stream);
    EXPECT_EQ(is_constant(sequence), whole.size() == 1);
    if (is_constant(sequence)) whole.assign(n, whole.front());
    for (std::size_t first = 0; first <= n; ++first)
      for (std::size_t last = first; last <= n; ++last) {
        std::vector<double> some(last - first);
        expand(sequence, n, stream, {first, last}, some);
        for (std::size_t i = 0; i < some.size(); ++i) ASSERT_EQ(some[i], whole[first + i]);
      }
  }
  std::vector<double> out(3);
  EXPECT_THROW(expand(Ramp{0, 1}, 5, stream, {3, 6}, out), Bug);
  EXPECT_THROW(expand(Ramp{0, 1}, 5, stream, {0, 2}, out), Bug);
}

}  // namespace
}  // namespace cosimo
