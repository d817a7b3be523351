#include "core/macro_time.hpp"

#include <gtest/gtest.h>

namespace cosimo {
namespace {

TEST(MacroTime, DoesNotDrift) {
  constexpr int steps = 10000000;
  MacroTime time;
  double naive = 0;
  for (int i = 0; i < steps; ++i) {
    time.advance(1e-7);
    naive += 1e-7;
  }
  EXPECT_DOUBLE_EQ(time.value(), 1.0);
  EXPECT_GT(std::abs(naive - 1.0), 1e-11);  // what the compensation is for
}

TEST(MacroTime, KeepsStepsBelowTheSpacingOfNumbers) {
  MacroTime time(1.0);
  for (int i = 0; i < 1000; ++i) time.advance(0x1p-60);
  EXPECT_EQ(time.value(), 1.0 + 1000 * 0x1p-60);
}

TEST(MacroTime, KeepsASmallTimeUnderALargeStep) {
  MacroTime time(1.0);
  time.advance(0x1p60);
  time.advance(-0x1p60);
  EXPECT_EQ(time.value(), 1.0);
}

TEST(MacroTime, IsAValue) {
  MacroTime time(0.1);
  time.advance(0.2);
  const MacroTime mark = time;
  const double ahead = time.after(0.3);
  EXPECT_EQ(time, mark);
  time.advance(0.3);
  EXPECT_EQ(time.value(), ahead);
  EXPECT_NE(time, mark);
  time = mark;
  EXPECT_EQ(time.value(), mark.value());
}

TEST(MacroTime, SetForgetsWhatWasRoundedOff) {
  MacroTime time(1.0);
  time.advance(0x1p-60);
  time.set(2.0);
  EXPECT_EQ(time, MacroTime(2.0));
}

}  // namespace
}  // namespace cosimo
