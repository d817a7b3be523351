#include "control/controller.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/archive_testing.hpp"
#include "core/check.hpp"

namespace cosimo {
namespace {

/// Scaled derivatives and an a-priori norm as given; records what was asked.
class Norms : public DerivativeNorms {
 public:
  explicit Norms(std::vector<double> sdn, double a_priori_norm = 0)
      : sdn_(std::move(sdn)), norm_(a_priori_norm) {}
  int available() const override { return static_cast<int>(sdn_.size()); }
  double scaled_derivative(int j) const override { return sdn_.at(static_cast<std::size_t>(j - 1)); }
  double a_priori(int kappa, double H) const override {
    EXPECT_LT(kappa, available());
    asked_H = H;
    asked_kappa = kappa;
    return norm_;
  }
  mutable double asked_H = 0;
  mutable int asked_kappa = -1;

 private:
  std::vector<double> sdn_;
  double norm_;
};

/// The first `degrees` members of a smooth, decreasing sequence.
Norms smooth(int degrees, double a_priori_norm = 0) {
  std::vector<double> sdn;
  for (int j = 1; j <= degrees; ++j) sdn.push_back(std::pow(0.25, j));
  return Norms(sdn, a_priori_norm);
}

ErrorNorms coupling(double u) {
  return {.level = ErrorLevel::coupling, .u = u};
}

/// The coupling norm for which (3.27) gives the factor r at safety 6.
ErrorNorms norm_for(double r, int kappa) {
  return coupling(std::pow(r, -(kappa + 1)) / 6);
}

ControlOptions options(double first_step = 1e-3) {
  ControlOptions o;
  o.first_step = first_step;
  return o;
}

/// A controller behind its start phase with kappa = 2 decided and nothing counted.
Controller running(ControlOptions o = options()) {
  Controller c(o, 0, 1);
  c.failed(0, 1e-3, 2);
  return c;
}

TEST(Controller, StartDoublesAndRaises) {
  Controller c(options(), 0, 1);
  Decision d = c.first();
  EXPECT_EQ(d.H, 1e-3);
  EXPECT_EQ(d.kappa, 0);
  for (int n = 1; n <= 5; ++n) {
    EXPECT_TRUE(c.starting());
    d = c.accepted(0.1, d.H, d.H, d.kappa, coupling(1e-9), smooth(n));
    EXPECT_DOUBLE_EQ(d.H, 1e-3 * std::pow(2, n));
    EXPECT_EQ(d.kappa, n);
  }
  EXPECT_FALSE(c.starting());  // kappa_max is reached: now limited by r_max
  const double H = d.H;
  d = c.accepted(0.1, H, H, 5, coupling(1e-12), smooth(6));
  EXPECT_DOUBLE_EQ(d.H, 1.5 * H);
  EXPECT_EQ(d.kappa, 5);
}

TEST(Controller, StartEndsWhenTheStepHasToShrink) {
  Controller c(options(), 0, 1);
  c.accepted(0.1, 1e-3, 1e-3, 0, coupling(1e-9), smooth(1));
  const Decision d = c.accepted(0.1, 2e-3, 2e-3, 1, norm_for(0.8, 1), smooth(2));
  EXPECT_FALSE(c.starting());
  EXPECT_NEAR(d.H, 1.6e-3, 1e-15);
  EXPECT_EQ(d.kappa, 1);
}

TEST(Controller, StartEndsWhenTheOrderHasToShrink) {
  Controller c(options(), 0, 1);
  c.accepted(0.1, 1e-3, 1e-3, 0, coupling(1e-9), smooth(1));
  const Norms flat({1.0, 2.0}, std::pow(0.5, -1) / 6);  // a priori: half the step at kappa = 0
  const Decision d = c.accepted(0.1, 2e-3, 2e-3, 1, coupling(1e-9), flat);
  EXPECT_FALSE(c.starting());
  EXPECT_EQ(d.kappa, 0);
  EXPECT_EQ(flat.asked_kappa, 0);
  EXPECT_EQ(flat.asked_H, 2e-3);
  EXPECT_NEAR(d.H, 1e-3, 1e-15);
}

TEST(Controller, StartEndsWithAFailure) {
  Controller c(options(), 0, 1);
  Decision d = c.rejected(0, 1e-3, 0, coupling(5), smooth(0));
  EXPECT_FALSE(c.starting());
  EXPECT_EQ(d.kappa, 0);
  EXPECT_DOUBLE_EQ(d.H, 0.25e-3);  // 0.9 / 30 is limited
  Controller e(options(), 0, 1);
  d = e.failed(0, 1e-3, 0);
  EXPECT_FALSE(e.starting());
  EXPECT_DOUBLE_EQ(d.H, 0.25e-3);
}

TEST(Controller, StartWaitsForThePointsOfTheEstimator) {
  ControlOptions o = options();
  o.spare_points = 1;  // exLE, exMD: kappa <= N - 1
  Controller c(o, 0, 1);
  Decision d = c.first();
  for (int n = 1; n <= 6; ++n) {
    d = c.accepted(0.1, d.H, d.H, d.kappa, {.level = ErrorLevel::state, .pos = 1e-9, .vel = 1e-9}, smooth(n));
    EXPECT_EQ(d.kappa, n - 1);
    EXPECT_DOUBLE_EQ(d.H, 1e-3 * std::pow(2, n));
  }
}

TEST(Controller, OrderZeroHasNoStartPhase) {
  ControlOptions o = options();
  o.order_max = 0;
  Controller c(o, 0, 1);
  const Decision d = c.accepted(0.1, 1e-3, 1e-3, 0, coupling(0), smooth(1));
  EXPECT_DOUBLE_EQ(d.H, 1.5e-3);
  EXPECT_EQ(d.kappa, 0);
}

TEST(Controller, StepFollowsTheError) {
  const auto next = [](double r) {
    return running().accepted(0.1, 1e-3, 1e-3, 2, norm_for(r, 2), smooth(3)).H;
  };
  EXPECT_DOUBLE_EQ(next(1.6), 1.5e-3);
  EXPECT_DOUBLE_EQ(next(1.2), 1e-3);
  EXPECT_NEAR(next(0.7), 0.7e-3, 1e-15);
  EXPECT_DOUBLE_EQ(next(0.98), 0.9e-3);
  ControlOptions o = options();
  o.dead_zone = false;
  EXPECT_NEAR(running(o).accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(3)).H, 1.2e-3, 1e-15);
  EXPECT_DOUBLE_EQ(running().accepted(0.1, 1e-3, 1e-3, 2, coupling(0), smooth(3)).H, 1.5e-3);
}

TEST(Controller, OrderRisesAfterEnoughSuccesses) {
  Controller c = running();
  Decision d{.H = 1e-3, .kappa = 2};
  for (int n = 1; n <= 2; ++n) {
    d = c.accepted(0.1, d.H, d.H, d.kappa, norm_for(1.2, 2), smooth(6));
    EXPECT_EQ(d.kappa, 2) << n;
  }
  const Norms norms = smooth(6, std::pow(1.7, -4) / 6);
  d = c.accepted(0.1, d.H, d.H, d.kappa, norm_for(1.2, 2), norms);  // the third with kappa = 2
  EXPECT_EQ(d.kappa, 3);
  EXPECT_EQ(norms.asked_kappa, 3);
  EXPECT_DOUBLE_EQ(d.H, 1.5e-3);  // from (3.26), not from the dead zone of the old order
  for (int n = 1; n <= 3; ++n) {
    d = c.accepted(0.1, d.H, d.H, d.kappa, norm_for(1.2, 3), smooth(6));
    EXPECT_EQ(d.kappa, 3) << n;
  }
  EXPECT_EQ(c.accepted(0.1, d.H, d.H, 3, norm_for(1.2, 3), smooth(6)).kappa, 4);
}

TEST(Controller, AReductionOfTheStepRestartsTheCount) {
  Controller c = running();
  c.accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(6));
  c.accepted(0.1, 1e-3, 1e-3, 2, norm_for(0.8, 2), smooth(6));
  double H = 0.8e-3;
  for (int n = 1; n <= 2; ++n) EXPECT_EQ(c.accepted(0.1, H, H, 2, norm_for(1.2, 2), smooth(6)).kappa, 2) << n;
  EXPECT_EQ(c.accepted(0.1, H, H, 2, norm_for(1.2, 2), smooth(6)).kappa, 3);
}

TEST(Controller, AFailureRestartsTheCount) {
  Controller c = running();
  c.accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(6));
  c.accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(6));
  c.rejected(0.1, 1e-3, 2, coupling(2), smooth(6));
  EXPECT_EQ(c.accepted(0.1, 5e-4, 5e-4, 2, norm_for(1.2, 2), smooth(6)).kappa, 2);
}

TEST(Controller, RejectionsShrinkTheStepAndThenTheOrder) {
  Controller c(options(), 0, 1);
  double H = 1e-3;
  Decision d = c.rejected(0.1, H, 3, coupling(1.5), smooth(4));
  EXPECT_NEAR(d.H, H * 0.9 * std::pow(9, -0.25), 1e-15);
  EXPECT_EQ(d.kappa, 3);
  for (int n = 2; n <= 6; ++n) {
    H = d.H;
    d = c.rejected(0.1, H, d.kappa, coupling(1.5), smooth(4));
    EXPECT_DOUBLE_EQ(d.H, 0.25 * H);
    EXPECT_EQ(d.kappa, n > 5 ? 0 : n > 3 ? 1 : 3) << n;
  }
  // A success forgets the failures.
  d = c.accepted(0.1, d.H, d.H, 0, norm_for(0.7, 0), smooth(4));
  d = c.rejected(0.1, 1e-3, 0, coupling(1.0001), smooth(4));
  EXPECT_GT(d.H, 0.25e-3 - 1e-18);
}

TEST(Controller, ARejectionMayLowerTheOrderAtOnce) {
  Controller c(options(), 0, 1);
  const Norms rough({1, 2, 3, 4}, std::pow(0.6, -3) / 6);
  const Decision d = c.rejected(0.1, 1e-3, 3, coupling(50), rough);
  EXPECT_EQ(d.kappa, 2);
  EXPECT_EQ(rough.asked_kappa, 2);
  EXPECT_NEAR(d.H, 0.9 * 0.6e-3, 1e-15);  // a priori, not by the failed estimate
}

/// (3.26) doubles with every degree less.
class Doubling final : public DerivativeNorms {
 public:
  int available() const override { return 4; }
  double scaled_derivative(int j) const override { return j; }  // growing: the order must fall
  double a_priori(int kappa, double) const override { return 100 * std::pow(2, -kappa); }
};

TEST(Controller, AChangeOfOrderMayBeJudgedRelativeToTheErrorFound) {
  ErrorNorms norms{.level = ErrorLevel::state};
  norms.pos = 1e-9;
  norms.vel = std::pow(0.7, -4) / 6 / 2;  // for degree 2 twice that: r = 0.7
  for (const bool calibrate : {false, true}) {
    ControlOptions o = options();
    o.calibrate = calibrate;
    Controller c = running(o);
    const Decision d = c.accepted(0.1, 1e-3, 1e-3, 3, norms, Doubling());
    EXPECT_EQ(d.kappa, 2);
    EXPECT_NEAR(d.H, calibrate ? 0.7e-3 : 0.5e-3, 1e-15) << "25 tolerances of u would halve the step";
  }
}

TEST(Controller, WhereStatesDecideAChangeOfOrderIsJudgedByTheErrorFound) {
  const double vel = std::pow(0.7, -4) / 6 / 2;  // for degree 2 twice that: r = 0.7
  for (const bool light : {false, true}) {
    Controller c = running(options());
    const ErrorNorms norms{.level = ErrorLevel::both, .vel = vel, .u = light ? 1e-9 : 2 * vel};
    const Decision d = c.accepted(0.1, 1e-3, 1e-3, 3, norms, Doubling());
    EXPECT_NEAR(d.H, light ? 0.7e-3 : 0.5e-3, 1e-15);
  }
}

TEST(Controller, NormsThatAreNotFiniteCountAsFailure) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(Controller::passes(coupling(bad)));
    EXPECT_FALSE(Controller::passes({.level = ErrorLevel::state, .pos = 0.1, .vel = bad}));
    Controller c(options(), 0, 1);
    const Decision d = c.rejected(0.1, 1e-3, 3, coupling(bad), smooth(4));
    EXPECT_DOUBLE_EQ(d.H, 0.25e-3);
    EXPECT_EQ(d.kappa, 3);
  }
  EXPECT_TRUE(Controller::passes(coupling(1.0)));
}

TEST(Controller, FailuresOfSubsystemsLowerTheOrderToo) {
  Controller c(options(), 0, 1);
  Decision d{.H = 1e-3, .kappa = 4};
  for (int n = 1; n <= 6; ++n) {
    const double H = d.H;
    d = c.failed(0.1, H, d.kappa);
    EXPECT_DOUBLE_EQ(d.H, 0.25 * H);
    EXPECT_EQ(d.kappa, n > 5 ? 0 : n > 3 ? 1 : 4) << n;
  }
}

TEST(Controller, ShortenedStepsKeepThePlannedSize) {
  const auto next = [](double H, double r) {
    return running().accepted(0.1, H, 1e-3, 2, norm_for(r, 2), smooth(3)).H;
  };
  EXPECT_DOUBLE_EQ(next(1e-5, 1.1), 1e-3);
  EXPECT_DOUBLE_EQ(next(1e-5, 100), 1e-3);         // a tiny step proves nothing about a larger one
  EXPECT_DOUBLE_EQ(next(0.9e-3, 2), 1.35e-3);      // nearly as planned: may grow
  EXPECT_NEAR(next(0.5e-3, 0.7), 0.35e-3, 1e-15);  // even the short step was too long
}

TEST(Controller, ShortenedStepsCountAsSuccess) {
  Controller c = running();
  c.accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(6));
  EXPECT_EQ(c.accepted(0.1, 1e-5, 1e-3, 2, norm_for(3, 2), smooth(6)).kappa, 2);
  const Norms norms = smooth(6, std::pow(1.2, -4) / 6);
  const Decision d = c.accepted(0.1, 1e-5, 1e-3, 2, norm_for(3, 2), norms);
  EXPECT_EQ(d.kappa, 3);
  EXPECT_EQ(norms.asked_H, 1e-3);  // (3.26) judges the planned size
  EXPECT_DOUBLE_EQ(d.H, 1e-3);
}

TEST(Controller, ShortenedStepOfTheStartPhase) {
  Controller c(options(), 0, 1);
  EXPECT_DOUBLE_EQ(c.accepted(0.1, 1e-4, 1e-3, 0, coupling(1e-9), smooth(1)).H, 1e-3);
  EXPECT_DOUBLE_EQ(c.accepted(0.1, 0.8e-3, 1e-3, 1, coupling(1e-9), smooth(2)).H, 1.6e-3);
}

TEST(Controller, AStretchedStepDoesNotRatchetTheSize) {
  Controller c = running();
  EXPECT_DOUBLE_EQ(c.accepted(0.1, 1.01e-3, 1e-3, 2, norm_for(1.2, 2), smooth(3)).H, 1e-3);
}

TEST(Controller, FixedOrderRisesWithTheHistoryAndStays) {
  ControlOptions o = options();
  o.order_fixed = true;
  o.order_max = 3;
  Controller c(o, 0, 1);
  // The start ends at once, the order still rises.
  Decision d = c.accepted(0.1, 1e-3, 1e-3, 0, norm_for(0.8, 0), smooth(1));
  EXPECT_FALSE(c.starting());
  EXPECT_EQ(d.kappa, 1);
  EXPECT_NEAR(d.H, 0.8e-3, 1e-15);
  const Norms rough({1, 2, 3, 4, 5, 6});  // order control would lower it
  d = c.accepted(0.1, 1e-3, 1e-3, 2, norm_for(2, 2), smooth(3));
  EXPECT_EQ(d.kappa, 3);
  d = c.accepted(0.1, 1e-3, 1e-3, 3, norm_for(0.7, 3), rough);
  EXPECT_EQ(d.kappa, 3);
  EXPECT_NEAR(d.H, 0.7e-3, 1e-15);
  for (int n = 1; n <= 7; ++n) EXPECT_EQ(c.rejected(0.1, 1e-3, 3, coupling(4), rough).kappa, 3);
  EXPECT_EQ(c.failed(0.1, 1e-3, 3).kappa, 3);
}

TEST(Controller, FixedStepFollowsListing51) {
  ControlOptions o = options(0.01);
  o.step_fixed = true;
  o.order_fixed = true;
  o.order_max = 2;
  Controller c(o, 5.0, 6.0);
  Decision d = c.first();
  double t = 5.0;
  for (int n = 1; n < 60; ++n) {
    const double H = d.H;
    t += H;
    d = c.accepted(t, H, H, d.kappa, coupling(1e6), smooth(n));  // the estimate is only recorded
    EXPECT_EQ(d.kappa, std::min(n, 2));
    EXPECT_FALSE(d.too_small);
    if (n <= 17) {
      EXPECT_DOUBLE_EQ(H, 1e-7 * std::pow(2, n - 1));
    } else if (n > 18) {
      EXPECT_DOUBLE_EQ(H, 0.01);
    }
  }
  EXPECT_TRUE(c.failed(t, d.H, 2).too_small);
}

TEST(Controller, LimitsOfTheStep) {
  ControlOptions o = options();
  o.max_step = 1.2e-3;
  o.min_step = 1e-4;
  EXPECT_DOUBLE_EQ(running(o).accepted(0.1, 1e-3, 1e-3, 2, coupling(0), smooth(3)).H, 1.2e-3);
  EXPECT_DOUBLE_EQ(running(o).accepted(0.1, 1.1e-4, 1.1e-4, 2, norm_for(0.6, 2), smooth(3)).H, 1e-4);
  Controller c = running(o);
  Decision d = c.failed(0.1, 2e-4, 2);
  EXPECT_DOUBLE_EQ(d.H, 1e-4);  // the smallest step gets its chance
  EXPECT_FALSE(d.too_small);
  d = c.failed(0.1, d.H, 2);
  EXPECT_TRUE(d.too_small);
  o.first_step = 1e-5;
  EXPECT_DOUBLE_EQ(Controller(o, 0, 1).first().H, 1e-4);
  o.first_step = 1;
  EXPECT_DOUBLE_EQ(Controller(o, 0, 1).first().H, 1.2e-3);
}

TEST(Controller, StepsBelowTheResolutionOfTimeEndTheRun) {
  Controller c(options(), 0, 100);
  EXPECT_DOUBLE_EQ(c.smallest_step(0), 1e-12);
  EXPECT_DOUBLE_EQ(c.smallest_step(-200), 2e-12);
  Decision d{.H = 1e-3};
  int attempts = 0;
  while (!d.too_small && ++attempts < 100) d = c.failed(0.1, d.H, 0);
  EXPECT_EQ(attempts, 16);  // 1e-3 / 4^14 is the last above 1e-12, then the minimum itself, then the end
}

TEST(Controller, IsAValue) {
  Controller a = running();
  a.accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(6));
  a.accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(6));
  Controller b = a;
  b.rejected(0.1, 1e-3, 2, coupling(2), smooth(6));
  EXPECT_EQ(a.accepted(0.1, 1e-3, 1e-3, 2, norm_for(1.2, 2), smooth(6)).kappa, 3);
}

TEST(Controller, RefusesImpossibleOptions) {
  EXPECT_THROW(Controller(options(0), 0, 1), Bug);
  ControlOptions o = options();
  o.order_max = max_degree;
  EXPECT_THROW(Controller(o, 0, 1), Bug);
}

/// A course of steps good and bad; the decisions of one that is loaded from bytes at any moment are the same.
TEST(Controller, ComesBackFromBytes) {
  const auto decide = [](Controller& c, int k) {
    const double H = 1e-3 * (1 + k % 3);
    if (k % 11 == 7) return c.failed(0.1 * k, H, k % 4);
    if (k % 7 == 5 || (k > 40 && k < 46)) return c.rejected(0.1 * k, H, k % 4, coupling(1.5), smooth(6));
    return c.accepted(0.1 * k, H, H, std::min(k, 3), norm_for(0.8 + 0.05 * (k % 13), std::min(k, 3)),
                      smooth(std::min(k + 1, 6), 1e-2));
  };
  for (const bool fixed : {false, true}) {
    ControlOptions o = options();
    o.step_fixed = fixed;
    for (int begin = 0; begin < 60; ++begin) {
      Controller saved(o, 0, 1), loaded(o, 0, 1);
      for (int k = 0; k < begin; ++k) decide(saved, k);
      for (int k = 0; k < begin % 5; ++k) decide(loaded, k + 3);
      testing::load(testing::archived(saved), loaded);
      EXPECT_EQ(loaded.starting(), saved.starting());
      for (int k = begin; k < begin + 30; ++k) {
        const Decision a = decide(saved, k), b = decide(loaded, k);
        ASSERT_EQ(a.H, b.H) << begin << " " << k;
        ASSERT_EQ(a.kappa, b.kappa) << begin << " " << k;
        ASSERT_EQ(a.too_small, b.too_small) << begin << " " << k;
      }
    }
  }
}

TEST(Controller, RefusesTruncatedBytes) {
  Controller c = running();
  const auto bytes = testing::archived(c);
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW(testing::load(std::span(bytes).first(n), c), ArchiveError);
}

}  // namespace
}  // namespace cosimo
