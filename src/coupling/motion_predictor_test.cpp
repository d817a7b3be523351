#include "coupling/motion_predictor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/check.hpp"
#include "coupling/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using samples::Cuts;

/// The motion of one end of a coupling.
struct Motion {
  std::function<double(double)> x, v, a;
};
using MotionOfEnd = std::function<Motion(std::size_t end)>;

/// x of degree kappa + 2, so that the acceleration has degree kappa.
Motion polynomial_motion(std::size_t end, int kappa) {
  const RandomStream random(end, 21);
  std::vector<double> b;
  for (int j = 0; j <= kappa + 2; ++j) b.push_back(random.uniform(static_cast<std::uint64_t>(j), -1, 1));
  const auto derivative = [b](int order) {
    return [b, order](double t) {
      double sum = 0;
      for (std::size_t j = static_cast<std::size_t>(order); j < b.size(); ++j) {
        double factor = b[j];
        for (int l = 0; l < order; ++l) factor *= static_cast<double>(j) - l;
        sum += factor * std::pow(t, static_cast<double>(j) - order);
      }
      return sum;
    };
  };
  return {derivative(0), derivative(1), derivative(2)};
}

Motion oscillation(std::size_t end) {
  const double w = 1.0 + 0.3 * static_cast<double>(end), shift = static_cast<double>(end);
  return {[=](double t) { return std::sin(w * t + shift); },
          [=](double t) { return w * std::cos(w * t + shift); },
          [=](double t) { return -w * w * std::sin(w * t + shift); }};
}

/// A non-equidistant grid of macro points that ends at t.
std::vector<double> grid(double t, double H, std::size_t points) {
  const std::vector<double> back{0, 0.8, 2.1, 2.9, 4.4, 5.1};
  std::vector<double> times;
  for (std::size_t j = points; j-- > 0;) times.push_back(t - H * back[j]);
  return times;
}

struct Prediction {
  std::vector<Polynomial> polynomials;
  CutStates end;
  int degree = -1;
};

CutStates states_at(const Cuts& cuts, const MotionOfEnd& motion, double t) {
  CutStates y(cuts.couplings());
  for (std::size_t c = 0; c < cuts.couplings(); ++c) {
    const Motion from = motion(2 * c), to = motion(2 * c + 1);
    y.from_x[c] = from.x(t);
    y.from_v[c] = from.v(t);
    y.to_x[c] = to.x(t);
    y.to_v[c] = to.v(t);
  }
  return y;
}

/// One step from t to t + H with `points` accelerations known.
Prediction predict(const Cuts& cuts, const MotionOfEnd& motion, int kappa, std::size_t points, double t,
                   double H) {
  History accelerations(2 * cuts.couplings(), 6);
  for (const double past : grid(t, H, points)) {
    std::vector<double> a;
    for (std::size_t end = 0; end < 2 * cuts.couplings(); ++end) a.push_back(motion(end).a(past));
    accelerations.push(past, a);
  }
  MotionPredictor predictor(cuts.conditions, kappa);
  predictor.predict(accelerations, states_at(cuts, motion, t), t + H);
  Prediction result{std::vector<Polynomial>(cuts.conditions.size()), predictor.end_states(),
                    predictor.degree_used()};
  predictor.polynomials(result.polynomials);
  return result;
}

/// Largest difference between the polynomials and the true coupling variables during the step; of forces or
/// of motions.
double largest_error(const Cuts& cuts, const MotionOfEnd& motion, const Prediction& p, double t, double H,
                     bool forces) {
  double worst = 0;
  std::vector<double> u(cuts.conditions.size());
  for (int k = 0; k <= 20; ++k) {
    const double at = t + H * k / 20;
    cuts.conditions.evaluate(at, states_at(cuts, motion, at), u);
    for (std::size_t i = 0; i < u.size(); ++i)
      if ((cuts.conditions.variables()[i].quantity == Quantity::force) == forces)
        worst = std::max(worst, std::abs(p.polynomials[i](at) - u[i]));
  }
  return worst;
}

TEST(MotionPredictor, ExactForPolynomialAccelerations) {
  const Cuts cuts(samples::mixed_cuts(), false);
  for (int kappa = 0; kappa <= max_acceleration_degree; ++kappa) {
    const MotionOfEnd motion = [=](std::size_t end) { return polynomial_motion(end, kappa); };
    const double t = 0.7, H = 0.3;
    const Prediction p = predict(cuts, motion, kappa, static_cast<std::size_t>(kappa) + 1, t, H);
    EXPECT_EQ(p.degree, kappa);
    EXPECT_LT(largest_error(cuts, motion, p, t, H, false), 1e-12) << kappa;
    EXPECT_LT(largest_error(cuts, motion, p, t, H, true), 1e-11) << kappa;
    const CutStates end = states_at(cuts, motion, t + H);
    for (std::size_t c = 0; c < cuts.couplings(); ++c) {
      EXPECT_NEAR(p.end.from_x[c], end.from_x[c], 1e-12);
      EXPECT_NEAR(p.end.from_v[c], end.from_v[c], 1e-12);
      EXPECT_NEAR(p.end.to_x[c], end.to_x[c], 1e-12);
      EXPECT_NEAR(p.end.to_v[c], end.to_v[c], 1e-12);
    }
  }
}

TEST(MotionPredictor, DegreesOfThePolynomials) {
  const Cuts cuts(samples::mixed_cuts(), false);
  const Prediction p = predict(cuts, oscillation, 1, 4, 1.0, 0.1);
  for (std::size_t i = 0; i < p.polynomials.size(); ++i) {
    const bool velocity = cuts.conditions.variables()[i].quantity == Quantity::velocity;
    EXPECT_EQ(p.polynomials[i].degree, velocity ? 2 : 3) << i;
  }
}

TEST(MotionPredictor, StartsAtTheStatesAndEndsAtTheEndStates) {
  for (const bool nonlinear : {false, true}) {
    const Cuts cuts(samples::mixed_cuts(), nonlinear);
    const double t = 0.4, H = 0.2;
    const Prediction p = predict(cuts, oscillation, 2, 3, t, H);
    std::vector<double> first(cuts.conditions.size()), last(first);
    cuts.conditions.evaluate(t, states_at(cuts, oscillation, t), first);
    cuts.conditions.evaluate(t + H, p.end, last);
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_NEAR(p.polynomials[i](t), first[i], 1e-13);
      EXPECT_NEAR(p.polynomials[i](t + H), last[i], 1e-12);
    }
  }
}

TEST(MotionPredictor, FewerPointsLowerTheDegree) {
  const Cuts cuts(samples::mixed_cuts(), false);
  for (std::size_t points = 1; points <= 5; ++points) {
    const int expected = std::min(3, static_cast<int>(points) - 1);
    const MotionOfEnd motion = [=](std::size_t end) { return polynomial_motion(end, expected); };
    const Prediction p = predict(cuts, motion, 3, points, 0.7, 0.3);
    EXPECT_EQ(p.degree, expected);
    EXPECT_LT(largest_error(cuts, motion, p, 0.7, 0.3, false), 1e-12);
  }
}

/// Order of an error as H is halved.
double order(const std::function<double(double)>& error_of, double H) {
  return std::log2(error_of(H) / error_of(H / 2));
}

// Velocities are off by H times the error H^(kappa + 1) of the accelerations.
TEST(MotionPredictor, OrderOnSmoothMotion) {
  for (const bool nonlinear : {false, true}) {
    const Cuts cuts(samples::mixed_cuts(), nonlinear);
    for (int kappa = 0; kappa <= 3; ++kappa)
      for (const bool forces : {false, true}) {
        const auto error_of = [&](double H) {
          const Prediction p = predict(cuts, oscillation, kappa, 6, 1.0, H);
          return largest_error(cuts, oscillation, p, 1.0, H, forces);
        };
        EXPECT_NEAR(order(error_of, 0.01), kappa + 2, 0.25) << kappa << " " << nonlinear << " " << forces;
      }
  }
}

// With exact motions the interpolation of a nonlinear law is all that is left: one order better than the
// motions.
TEST(MotionPredictor, OrderOfInterpolatedForces) {
  const Cuts cuts(samples::mixed_cuts(), true);
  for (int kappa = 0; kappa <= 3; ++kappa) {
    const MotionOfEnd motion = [=](std::size_t end) { return polynomial_motion(end, kappa); };
    const auto error_of = [&](double H) {
      const Prediction p = predict(cuts, motion, kappa, static_cast<std::size_t>(kappa) + 1, 1.0, H);
      return largest_error(cuts, motion, p, 1.0, H, true);
    };
    EXPECT_GT(order(error_of, 0.1), kappa + 2.75) << kappa;
  }
}

TEST(MotionPredictor, DoesNotAllocate) {
  const Cuts cuts(samples::mixed_cuts(), true);
  History accelerations(2 * cuts.couplings(), 4);
  const std::vector<double> a(2 * cuts.couplings(), 1.0);
  for (const double t : {0.0, 0.1, 0.3}) accelerations.push(t, a);
  const CutStates y = cuts.random_states(1);
  MotionPredictor predictor(cuts.conditions, 2);
  std::vector<Polynomial> p(cuts.conditions.size());
  const std::size_t before = allocation_count();
  predictor.predict(accelerations, y, 0.4);
  predictor.polynomials(p);
  EXPECT_EQ(allocation_count(), before);
}

TEST(MotionPredictor, RefusesMisuse) {
  const Cuts cuts(samples::mixed_cuts(), false);
  EXPECT_THROW(MotionPredictor(cuts.conditions, max_acceleration_degree + 1), Bug);
  MotionPredictor predictor(cuts.conditions, 1);
  std::vector<Polynomial> p(cuts.conditions.size());
  EXPECT_THROW(predictor.polynomials(p), Bug);
  EXPECT_THROW(predictor.predict(History(3, 2), cuts.random_states(1), 1.0), Bug);
}

}  // namespace
}  // namespace cosimo
