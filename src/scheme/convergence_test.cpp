#include "scheme/convergence.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cosimo {
namespace {

constexpr double tau = 0.33;

/// One macro step with these changes; whether the last of them may end it.
bool ends(Convergence& c, std::initializer_list<double> changes) {
  c.begin();
  bool end = false;
  for (const double change : changes) end = c.converged(change);
  return end;
}

TEST(Convergence, TheVeryFirstIterationAssumesARateOfOneHalf) {
  // R / (1 - R) = 1: the change itself is what is left.
  Convergence c(tau);
  EXPECT_TRUE(ends(c, {0.99 * tau}));
  EXPECT_FALSE(ends(c, {1.01 * tau}));
}

TEST(Convergence, TheRestOfTheErrorFollowsFromTheRate) {
  // (2.31): R = 0.2, so a quarter of the last change is left.
  Convergence c(tau);
  EXPECT_TRUE(ends(c, {5 * 3.9 * tau, 3.9 * tau}));
  EXPECT_NEAR(c.rate(), 0.2, 1e-15);
  EXPECT_FALSE(ends(c, {5 * 4.1 * tau, 4.1 * tau}));
}

TEST(Convergence, TheRateIsCarriedOverOnlyFromAcceptedSteps) {
  Convergence c(tau);
  EXPECT_TRUE(ends(c, {1, 0.2}));
  c.forget();
  EXPECT_FALSE(ends(c, {2 * tau})) << "0.5, as if nothing had happened";
  EXPECT_TRUE(ends(c, {1, 0.2}));
  c.keep();
  EXPECT_TRUE(ends(c, {3.9 * tau})) << "0.2, from the step before";
  EXPECT_FALSE(ends(c, {4.1 * tau}));
}

TEST(Convergence, OneLuckyRateDoesNotMakeTheNextStepCareless) {
  Convergence c(tau);
  EXPECT_TRUE(ends(c, {1, 1e-9}));
  EXPECT_EQ(c.rate(), 0.05);
  c.keep();
  EXPECT_FALSE(ends(c, {20 * tau}));
  EXPECT_TRUE(ends(c, {18.9 * tau}));
}

TEST(Convergence, ARateOfOneAndMoreIsDivergence) {
  // R / (1 - R) is negative beyond 1 and infinite at 1: neither is below tau in truth.
  Convergence c(tau);
  EXPECT_FALSE(ends(c, {0.4, 0.4}));
  EXPECT_FALSE(ends(c, {0.4, 0.8}));
  EXPECT_FALSE(c.diverges()) << "growing once may be an accident of the first iterate";
  EXPECT_FALSE(ends(c, {0.4, 0.8, 0.9}));
  EXPECT_TRUE(c.diverges());
  EXPECT_FALSE(ends(c, {0.8, 0.9, 0.4, 0.5}));
  EXPECT_FALSE(c.diverges()) << "the count starts again with every change that shrinks";
}

TEST(Convergence, ChangesInTheNoiseOfTheSolversEndTheIteration) {
  Convergence c(tau);
  EXPECT_TRUE(ends(c, {0.01 * tau, 0.02 * tau}));
  EXPECT_GE(c.rate(), 1);
  EXPECT_FALSE(ends(c, {0.11 * tau, 0.22 * tau}));
  EXPECT_TRUE(ends(c, {0, 0})) << "0 / 0 is no rate";
}

TEST(Convergence, NumbersThatAreNotFiniteDivergeAtOnce) {
  for (const double bad : {INFINITY, NAN}) {
    Convergence c(tau);
    EXPECT_FALSE(ends(c, {bad}));
    EXPECT_TRUE(c.diverges());
    c.begin();
    EXPECT_FALSE(c.diverges());
    EXPECT_EQ(c.iterations(), 0);
  }
}

TEST(Convergence, SlowMeansThatABetterJacobianWouldHelp) {
  Convergence c(tau);
  ends(c, {1, 0.29});
  EXPECT_FALSE(c.slow());
  ends(c, {1, 0.31});
  EXPECT_TRUE(c.slow());
}

}  // namespace
}  // namespace cosimo
