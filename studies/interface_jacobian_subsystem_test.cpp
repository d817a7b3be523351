// The one-mass subsystem against closed solutions of its variational equation.
#include "studies/interface_jacobian_subsystem.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cosimo::studies {
namespace {

TEST(OneMassGradient, OfADampedMassIsTheExponential) {
  const OneMass body{.m = 2, .c = 0, .d = 3, .H = 0.7};
  const double r = body.d / body.m, decay = std::exp(-r * body.H);
  const Gradient g = exact(body, 0);
  EXPECT_NEAR(g.v, (1 - decay) / body.d, 1e-14);
  EXPECT_NEAR(g.x, (body.H - (1 - decay) / r) / body.d, 1e-14);
}

TEST(OneMassGradient, OfAnUndampedMassIsTheSine) {
  const OneMass body{.m = 1, .c = 9, .d = 0, .H = 0.5};
  const Gradient g = exact(body, 0);
  EXPECT_NEAR(g.v, std::sin(3 * body.H) / 3, 1e-14);
  EXPECT_NEAR(g.x, (1 - std::cos(3 * body.H)) / 9, 1e-14);
}

TEST(OneMassGradient, SeriesConvergesToIt) {
  const OneMass body{.m = 1, .c = 5, .d = 2, .H = 0.3};
  for (const int kappa : {0, 1, 2, 5}) {
    const Gradient truth = exact(body, kappa), sum = series(body, kappa, 20);
    EXPECT_NEAR(sum.x, truth.x, 1e-14);
    EXPECT_NEAR(sum.v, truth.v, 1e-14);
  }
}

TEST(OneMassGradient, SingleStepsHaveTheirOrders) {
  const struct {
    const char* method;
    int order;
  } methods[] = {{"rk2", 2}, {"rk4", 4}, {"radau3", 3}, {"radau5", 5}, {"gauss6", 6}};
  for (const auto& m : methods) {
    const auto error = [&](double H) {
      const OneMass body{.m = 1, .c = 1, .d = 3, .H = H};  // no leading term cancels
      return std::fabs(one_step(body, 0, m.method).v - exact(body, 0).v);
    };
    EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), m.order + 1, 0.4) << m.method;
  }
}

TEST(OneMassGradient, NewestPolynomialIsThatOfLagrange) {
  const std::vector<double> p = newest_polynomial(3, {1.5, 4});
  const auto at = [&](double s) { return p[0] + s * (p[1] + s * (p[2] + s * p[3])); };
  EXPECT_NEAR(at(1), 1, 1e-15);
  for (const double older : {0.0, -0.5, -3.0}) EXPECT_NEAR(at(older), 0, 1e-15);
}

TEST(OneMassGradient, QuadraticGuessesMeetTheMacroPoints) {
  const NonlinearStep step = nonlinear_step({}, {});
  for (const double s : {0.0, -1.0, -2.0}) {
    EXPECT_NEAR(step.guesses[2].x(s), step.truth.x(s), 1e-15);
    EXPECT_NEAR(step.guesses[2].v(s) / step.truth.v(s), 1, 1e-12);
  }
}

}  // namespace
}  // namespace cosimo::studies
