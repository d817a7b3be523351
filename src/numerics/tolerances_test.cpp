#include "numerics/tolerances.hpp"

#include <gtest/gtest.h>

namespace cosimo {
namespace {

MotionScale moving() {
  MotionScale scale;
  scale.seen = {{2e-9, 3e-6}, {0, 0}};
  return scale;
}

TEST(Tolerances, FollowTheScaleWhereNoneIsGiven) {
  const MotionScale scale = moving();
  const Tolerances followed{1e-6, 0, 0, &scale};
  EXPECT_DOUBLE_EQ(followed.absolute().length.position, 2e-18);
  EXPECT_DOUBLE_EQ(followed.absolute().length.velocity, 3e-14);
  const Tolerances half{1e-6, 1e-8, 0, &scale};
  EXPECT_EQ(half.absolute().length.position, 1e-8);
  EXPECT_EQ(half.absolute().angle.position, 1e-8) << "a number holds for all coordinates";
  EXPECT_DOUBLE_EQ(half.absolute().length.velocity, 3e-14);
  const Tolerances given{1e-6, 1e-8, 1e-5};
  EXPECT_EQ(given.absolute().length.velocity, 1e-5);
}

TEST(Tolerances, AreNotBelowWhatRoundingLeaves) {
  MotionScale scale = moving();
  scale.rounding = {{1e-12, 1e-10}, {}};
  EXPECT_EQ(scale.absolute(1e-6).length.position, 1e-12);
  EXPECT_EQ(scale.absolute(1e-6).length.velocity, 1e-10);
}

TEST(Tolerances, OfLengthsAndAnglesAreTiedByTheArm) {
  MotionScale scale = moving();
  EXPECT_LT(scale.absolute(1e-6).angle.velocity, 1e-90) << "no arm, no angles";
  scale.least_arm = 0.5;
  scale.largest_arm = 4;
  EXPECT_DOUBLE_EQ(scale.absolute(1e-6).angle.velocity, 1e-8 * 1e-3 * 3e-6 / 4);
  scale.seen.angle.velocity = 100;
  EXPECT_DOUBLE_EQ(scale.absolute(1e-6).length.velocity, 1e-8 * 0.1 * 0.5);
}

TEST(Tolerances, AreLargeEnoughForProductsOfAFew) {
  const MotionSize least = Tolerances{1e-6, 1e-200, 1e-300}.absolute().length;
  EXPECT_GT(least.position * least.velocity * least.velocity, 0);
  EXPECT_LT(least.position, 1e-90);
}

TEST(Tolerances, OfAModelAtRestAreOrdinary) {
  const MotionScale scale;
  EXPECT_EQ(scale.absolute(1e-6).length.position, 1e-9);
  EXPECT_EQ(scale.absolute(1e-6).angle.velocity, 1e-6);
}

}  // namespace
}  // namespace cosimo
