#include "model/spring_damper.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cosimo {
namespace {

double signed_power(double y, double e) {
  return std::copysign(std::pow(std::fabs(y), e), y);
}

class SpringLawExponent : public ::testing::TestWithParam<double> {};

TEST_P(SpringLawExponent, IsFormula29) {
  const double e = GetParam();
  const SpringLaw law{.c = 2.0, .d = 0.3, .C = 5.0, .D = 0.7, .ex = e, .ev = e};
  for (const double dx : {-1.7, -0.2, 0.0, 1e-3, 0.9, 2.5})
    for (const double dv : {-2.1, 0.0, 0.4}) {
      const double expected = 2.0 * dx + 0.3 * dv + 5.0 * signed_power(dx, e) + 0.7 * signed_power(dv, e);
      EXPECT_NEAR(law.force(dx, dv), expected, 1e-13 * (1 + std::fabs(expected))) << dx << " " << dv;
      EXPECT_EQ(law.force(-dx, -dv), -law.force(dx, dv)) << "the law is odd";
    }
}

TEST_P(SpringLawExponent, SlopesAreDerivatives) {
  const double e = GetParam();
  const SpringLaw law{.c = 2.0, .d = 0.3, .C = 5.0, .D = 0.7, .ex = e, .ev = e};
  for (const double y : {-1.3, -0.4, 0.6, 2.0}) {
    const double h = 1e-6;
    const double stiffness = (law.force(y + h, 0) - law.force(y - h, 0)) / (2 * h);
    const double damping = (law.force(0, y + h) - law.force(0, y - h)) / (2 * h);
    EXPECT_NEAR(law.stiffness(y), stiffness, 1e-7 * std::fabs(stiffness));
    EXPECT_NEAR(law.damping(y), damping, 1e-7 * std::fabs(damping));
    const double gradient = (law.potential(y + h) - law.potential(y - h)) / (2 * h);
    EXPECT_NEAR(law.force(y, 0), gradient, 1e-7 * std::fabs(gradient));
  }
}

INSTANTIATE_TEST_SUITE_P(Exponents, SpringLawExponent,
                         ::testing::Values(0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 11.0));

TEST(SpringLaw, ExponentsMayDiffer) {
  const SpringLaw law{.c = 1, .d = 1, .C = 2, .D = 3, .ex = 6, .ev = 3};
  EXPECT_DOUBLE_EQ(law.force(-2, 3), -2 + 3 - 2 * 64 + 3 * 27);
}

TEST(SpringLaw, LinearLawIgnoresExponents) {
  const SpringLaw law{.c = 4, .d = 5, .C = 0, .D = 0, .ex = 0.1, .ev = 0.1};
  EXPECT_DOUBLE_EQ(law.force(2, 3), 23);
  EXPECT_EQ(law.stiffness(0), 4);
  EXPECT_EQ(law.damping(0), 5);
}

TEST(SpringLaw, StaysFiniteAtRest) {
  const SpringLaw law{.c = 1, .d = 1, .C = 2, .D = 3, .ex = 0.5, .ev = 2.5};
  EXPECT_EQ(law.force(0, 0), 0);
  EXPECT_TRUE(std::isfinite(law.stiffness(0)));
  EXPECT_EQ(law.damping(0), 1);
}

}  // namespace
}  // namespace cosimo
