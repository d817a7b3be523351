// Observed orders of the one-step methods and of their dense output, with fixed steps.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "integrator/dense_output.hpp"
#include "integrator/rk.hpp"
#include "integrator/rosenbrock.hpp"
#include "integrator/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Chain;

constexpr Tolerances any{1, 1, 1};
constexpr std::size_t size = 5;

Chain driven_chain() {
  Chain chain(size, {1, 1, 0.3, 0.8, 0.2});
  chain.input = {[](double t) { return std::sin(3 * t); }, [](double t) { return 3 * std::cos(3 * t); }};
  chain.load = {[](double t) { return t * std::cos(2 * t); },
                [](double t) { return std::cos(2 * t) - 2 * t * std::sin(2 * t); }};
  return chain;
}

using Make = std::function<std::unique_ptr<Stepper>(const System&)>;
const Make make_rk = [](const System& s) { return make_rk_stepper(s, any); };
const Make make_merson = [](const System& s) { return make_merson_stepper(s, any); };
const Make make_rosenbrock = [](const System& s) {
  return make_rosenbrock_stepper(s, any, Linear::automatic);
};

Point point(const State& state) {
  return {state.t, state.q.data(), state.v.data(), state.a.data()};
}

class FixedSteps {
 public:
  FixedSteps(const System& system, const Make& make)
      : system_(system), stepper_(make(system)), pool_(system.size()) {
    state_ = pool_.spare();
    State& s = state_.edit();
    for (std::size_t i = 0; i < system.size(); ++i) {
      s.q[i] = std::sin(1.0 + static_cast<double>(i));
      s.v[i] = std::cos(2.0 * static_cast<double>(i));
    }
    s.t = 0;
    EXPECT_TRUE(system.acceleration(0, s.q.data(), s.v.data(), s.a.data(), {0, system.size()}));
  }

  void step(double h) {
    before_ = state_;
    StateRef next = pool_.spare();
    next.edit().t = state_->t + h;
    error_ = stepper_->attempt(point(*state_), h, false, next.edit(), counters_);
    EXPECT_LT(error_, 1);
    state_ = next;
  }
  double error() const { return error_; }
  const State& before() const { return *before_; }
  const State& now() const { return *state_; }
  const Stepper& stepper() const { return *stepper_; }

 private:
  const System& system_;
  std::unique_ptr<Stepper> stepper_;
  StatePool pool_;
  StateRef state_, before_;
  double error_ = 0;
  Counters counters_;
};

Motion distance(const State& a, const State& b) {
  Motion d;
  for (std::size_t i = 0; i < size; ++i) {
    d.q = std::max(d.q, std::fabs(a.q[i] - b.q[i]));
    d.v = std::max(d.v, std::fabs(a.v[i] - b.v[i]));
  }
  return d;
}

Motion error_after(const System& system, const Make& make, double end, int steps) {
  FixedSteps exact(system, make_rk), observed(system, make);
  for (int i = 0; i < 2000; ++i) exact.step(end / 2000);
  for (int i = 0; i < steps; ++i) observed.step(end / steps);
  return distance(exact.now(), observed.now());
}

void expect_order(const Make& make, int order, int steps) {
  const Chain chain = driven_chain();
  const Motion coarse = error_after(chain, make, 1, steps), fine = error_after(chain, make, 1, 2 * steps);
  EXPECT_GT(fine.q, 1e-13);
  EXPECT_NEAR(std::log2(coarse.q / fine.q), order, 0.35);
  EXPECT_NEAR(std::log2(coarse.v / fine.v), order, 0.35);
}

TEST(Order, RungeKuttaIsFive) {
  expect_order(make_rk, 5, 40);
}
TEST(Order, MersonIsFour) {
  expect_order(make_merson, 4, 40);
}
TEST(Order, RosenbrockIsFour) {
  expect_order(make_rosenbrock, 4, 40);
}

/// Of a step of size h that starts where the others do.
double estimate(const Make& make, double h) {
  const Chain chain = driven_chain();
  FixedSteps steps(chain, make);
  steps.step(h);
  return steps.error();
}

TEST(Order, EstimatesAreOfTheOrderThatTheControlKnows) {
  for (const Make* make : {&make_rk, &make_merson, &make_rosenbrock}) {
    const Chain chain = driven_chain();
    const int order = (*make)(chain)->traits().error_order;
    EXPECT_NEAR(std::log2(estimate(*make, 0.02) / estimate(*make, 0.01)), order, 0.3);
  }
}

/// Where the dense output of a step takes its states from.
enum class Inside { accelerations, stages, ends };

/// Largest local error over theta of one step of size h.
Motion dense_error(const Make& make, double h, Inside inside) {
  const Chain chain = driven_chain();
  FixedSteps steps(chain, make);
  steps.step(h);
  DenseOutput dense(chain);
  EXPECT_TRUE(dense.prepare(point(steps.before()), steps.now(), h, {0, size}));
  Motion largest;
  for (int k = 1; k < 10; ++k) {
    const double theta = 0.1 * k;
    FixedSteps exact(chain, make_rk);
    for (int i = 0; i < 20; ++i) exact.step(theta * h / 20);
    for (std::size_t i = 0; i < size; ++i) {
      const Motion m = inside == Inside::stages          ? *steps.stepper().stage_interpolant(theta, i)
                       : inside == Inside::accelerations ? dense.at(theta, i)
                                                         : dense.hermite(theta, i);
      largest.q = std::max(largest.q, std::fabs(m.q - exact.now().q[i]));
      largest.v = std::max(largest.v, std::fabs(m.v - exact.now().v[i]));
    }
  }
  return largest;
}

void expect_dense_order(const Make& make, int order, double h, Inside inside = Inside::accelerations) {
  const Motion coarse = dense_error(make, h, inside), fine = dense_error(make, 0.5 * h, inside);
  EXPECT_GT(fine.v, 1e-14);
  EXPECT_GT(std::log2(coarse.q / fine.q), order + 1 - 0.4);
  EXPECT_NEAR(std::log2(coarse.v / fine.v), order + 1, 0.4);
}

TEST(Order, DenseOutputOfRungeKuttaIsFive) {
  expect_dense_order(make_rk, 5, 0.025);
}
TEST(Order, DenseOutputOfRosenbrockIsFour) {
  expect_dense_order(make_rosenbrock, 4, 0.025);
}
TEST(Order, StageInterpolantOfRosenbrockIsThree) {
  expect_dense_order(make_rosenbrock, 3, 0.025, Inside::stages);
}
/// Of the order of the method in q, one less in v: without an evaluation more.
TEST(Order, MersonNeedsTheEndsAlone) {
  expect_dense_order(make_merson, 3, 0.025, Inside::ends);
}

TEST(Order, DenseOutputMeetsTheEnds) {
  const Chain chain = driven_chain();
  FixedSteps steps(chain, make_rosenbrock);
  steps.step(0.1);
  DenseOutput dense(chain);
  ASSERT_TRUE(dense.prepare(point(steps.before()), steps.now(), 0.1, {1, 3}));
  for (const std::size_t i : {1u, 2u}) {
    EXPECT_NEAR(dense.at(0, i).q, steps.before().q[i], 1e-15);
    EXPECT_NEAR(dense.at(0, i).v, steps.before().v[i], 1e-15);
    EXPECT_NEAR(dense.at(1, i).q, steps.now().q[i], 1e-15);
    EXPECT_NEAR(dense.at(1, i).v, steps.now().v[i], 1e-14);
    EXPECT_NEAR(steps.stepper().stage_interpolant(1, i)->q, steps.now().q[i], 1e-15);
  }
}

}  // namespace
}  // namespace cosimo
