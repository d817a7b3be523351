// Observed orders of the one-step methods and of their dense output with first-order states, with fixed
// steps.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "integrator/dense_output.hpp"
#include "integrator/rk.hpp"
#include "integrator/rosenbrock.hpp"
#include "integrator/whole_testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::coupled_begin;
using cosimo::testing::coupled_system;
using cosimo::testing::WholeBegin;

constexpr Tolerances any{1, 1, 1};

using Make = std::function<std::unique_ptr<Stepper>(const System&)>;
const Make make_rk = [](const System& s) { return make_rk_stepper(s, any); };
const Make make_merson = [](const System& s) { return make_merson_stepper(s, any); };
const Make make_rosenbrock = [](const System& s) {
  return make_rosenbrock_stepper(s, any, Linear::automatic);
};

Point point(const State& s) {
  return {s.t, s.q.data(), s.v.data(), s.a.data(), nullptr, s.z.data(), s.z_rate.data(), s.s.data()};
}

class FixedSteps {
 public:
  FixedSteps(const System& system, const WholeBegin& begin, const Make& make)
      : stepper_(make(system)), pool_(system.size(), system.extent()) {
    state_ = pool_.spare();
    State& s = state_.edit();
    std::copy(begin.q.begin(), begin.q.end(), s.q.begin());
    std::copy(begin.v.begin(), begin.v.end(), s.v.begin());
    std::copy(begin.z.begin(), begin.z.end(), s.z.begin());
    EXPECT_TRUE(system.evaluate(0, s.whole(), s.a.data(), s.z_rate.data()));
  }
  void step(double h) {
    before_ = state_;
    StateRef next = pool_.spare();
    next.edit().t = state_->t + h;
    EXPECT_LT(stepper_->attempt(point(*state_), h, false, next.edit(), counters_), 1);
    state_ = next;
  }
  const State& before() const { return *before_; }
  const State& now() const { return *state_; }
  const Stepper& stepper() const { return *stepper_; }

 private:
  std::unique_ptr<Stepper> stepper_;
  StatePool pool_;
  StateRef state_, before_;
  Counters counters_;
};

struct Errors {
  double q = 0, v = 0, z = 0;
};

Errors distance(const State& a, const State& b) {
  const auto largest = [](std::span<const double> x, std::span<const double> y) {
    double d = 0;
    for (std::size_t i = 0; i < x.size(); ++i) d = std::max(d, std::fabs(x[i] - y[i]));
    return d;
  };
  return {largest(a.q, b.q), largest(a.v, b.v), largest(a.z, b.z)};
}

Errors error_after(const Make& make, int steps) {
  const auto system = coupled_system();
  FixedSteps exact(system, coupled_begin(), make_rk), observed(system, coupled_begin(), make);
  for (int i = 0; i < 2000; ++i) exact.step(1.0 / 2000);
  for (int i = 0; i < steps; ++i) observed.step(1.0 / steps);
  return distance(exact.now(), observed.now());
}

void expect_order(const Make& make, int order, int steps) {
  const Errors coarse = error_after(make, steps), fine = error_after(make, 2 * steps);
  for (const double Errors::*x : {&Errors::q, &Errors::v, &Errors::z}) {
    EXPECT_GT(fine.*x, 1e-13);
    EXPECT_NEAR(std::log2(coarse.*x / fine.*x), order, 0.4);
  }
}

TEST(WholeOrder, RungeKuttaIsFive) {
  expect_order(make_rk, 5, 40);
}
TEST(WholeOrder, MersonIsFour) {
  expect_order(make_merson, 4, 40);
}
TEST(WholeOrder, RosenbrockIsFour) {
  expect_order(make_rosenbrock, 4, 40);
}

/// Largest local error over theta of one step of size h.
Errors dense_error(const Make& make, double h, bool stages_only) {
  const auto system = coupled_system();
  FixedSteps steps(system, coupled_begin(), make);
  steps.step(h);
  DenseOutput dense(system);
  EXPECT_TRUE(dense.prepare(point(steps.before()), steps.now(), h, {0, 2}));
  Errors largest;
  for (int k = 1; k < 10; ++k) {
    const double theta = 0.1 * k;
    FixedSteps exact(system, coupled_begin(), make_rk);
    for (int i = 0; i < 20; ++i) exact.step(theta * h / 20);
    for (std::size_t i = 0; i < 2; ++i) {
      const Motion m = stages_only ? *steps.stepper().stage_interpolant(theta, i) : dense.at(theta, i);
      const double z = stages_only ? *steps.stepper().state_interpolant(theta, i) : dense.z(theta, i);
      largest.q = std::max(largest.q, std::fabs(m.q - exact.now().q[i]));
      largest.v = std::max(largest.v, std::fabs(m.v - exact.now().v[i]));
      largest.z = std::max(largest.z, std::fabs(z - exact.now().z[i]));
    }
  }
  return largest;
}

void expect_dense_order(const Make& make, int order, double h, bool stages_only = false) {
  const Errors coarse = dense_error(make, h, stages_only), fine = dense_error(make, 0.5 * h, stages_only);
  EXPECT_GT(fine.z, 1e-14);
  EXPECT_GT(std::log2(coarse.q / fine.q), order + 1 - 0.4);
  EXPECT_GT(std::log2(coarse.v / fine.v), order + 1 - 0.4);
  EXPECT_NEAR(std::log2(coarse.z / fine.z), order + 1, 0.4);
}

TEST(WholeOrder, DenseOutputOfRungeKuttaIsFive) {
  expect_dense_order(make_rk, 5, 0.05);
}
TEST(WholeOrder, DenseOutputOfRosenbrockIsFour) {
  expect_dense_order(make_rosenbrock, 4, 0.025);
}
TEST(WholeOrder, StageInterpolantOfRosenbrockIsThree) {
  expect_dense_order(make_rosenbrock, 3, 0.025, true);
}

}  // namespace
}  // namespace cosimo
