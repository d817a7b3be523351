#include "subsystem/linear_oscillator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/check.hpp"
#include "subsystem/multibody.hpp"
#include "subsystem/response_testing.hpp"

namespace cosimo {
namespace {

using samples::CutPair;

// By parts, for every k, c, H and degree:  A g_j = (j/H) g_{j-1} - e_2  for j > 0, and  A g_0 = D e_2.
TEST(OscillatorPropagator, AnswersSatisfyTheirRecurrence) {
  for (const double k : {0.0, 1e-8, 1.0, 400.0, 1e10})
    for (const double c : {0.0, 1e-3, 1.0, 40.0, 1e7})
      for (const double H : {1e-6, 1.0, 3.0}) {
        const OscillatorPropagator p(k, c, H);
        for (std::size_t j = 1; j <= max_degree; ++j) {
          const auto g = p.answer(j), before = p.answer(j - 1);
          const double rate = static_cast<double>(j) / H;
          EXPECT_NEAR(g.v, rate * before.x, 1e-13 * rate * before.x + 1e-300) << k << " " << c << " " << H;
          EXPECT_NEAR(k * g.x + c * g.v, 1 - rate * before.v, 1e-13) << k << " " << c << " " << H;
        }
      }
}

// Constant force on an oscillator with real eigenvalues l1 > l2: the closed solution.
TEST(OscillatorPropagator, StiffAndSlowAtOnce) {
  for (const double c : {3.0, 1e3, 1e6})
    for (const double H : {1e-3, 1.0, 50.0}) {
      // The coefficients cancel: more digits for them.
      const long double k = 2, cl = c, x0 = 0.3L - 5 / k, v0 = -0.7L;
      const long double l2 = -(cl + std::sqrt(cl * cl - 4 * k)) / 2, l1 = k / l2;
      const long double a = (v0 - l2 * x0) / (l1 - l2), b = x0 - a;
      const long double fast = b * std::exp(l2 * H), slow = a * std::exp(l1 * H);
      Polynomial force;
      force.a[0] = 5.0;
      const OscillatorState z = OscillatorPropagator(2.0, c, H)({0.3, -0.7}, force);
      EXPECT_NEAR(z.x, static_cast<double>(5 / k + slow + fast), 1e-14) << c << " " << H;
      EXPECT_NEAR(z.v, static_cast<double>(l1 * slow + l2 * fast), 1e-14) << c << " " << H;
    }
}

TEST(OscillatorPropagator, UndampedRotation) {
  for (const double angle : {1e-3, 1.0, 1000.0}) {
    const OscillatorState z = OscillatorPropagator(9.0, 0.0, angle / 3)({1.0, 0.0}, {});
    EXPECT_NEAR(z.x, std::cos(angle), 1e-13);
    EXPECT_NEAR(z.v, -3 * std::sin(angle), 1e-12);
  }
}

/// Courses of all degrees, with their own origins and scales.
std::vector<Polynomial> courses(std::size_t inputs, int degree) {
  std::vector<Polynomial> result(inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    Polynomial& p = result[i];
    p.degree = degree;
    p.origin = 0.3 * static_cast<double>(i);
    p.scale = 1.0 + 0.5 * static_cast<double>(i);
    for (std::size_t j = 0; j <= static_cast<std::size_t>(degree); ++j)
      p.a[j] = std::cos(1.0 + 2.0 * static_cast<double>(i) + 0.7 * static_cast<double>(j));
  }
  return result;
}

TEST(LinearOscillator, FollowsATightSolver) {
  const CutPair pair(samples::linear_pair());
  const std::vector<double> times{0.5, 0.6, 0.75, 0.9};
  const std::vector<std::int32_t> dofs{0};
  for (const Drive drive : {Drive::force, Drive::motion})
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}})
      for (int degree = 0; degree <= max_degree; ++degree) {
        const Interface interface = pair.interface(drive, drive);
        const LinearOscillator exact(pair.model, pair.parts[part], PartId(part), interface);
        const auto solver = pair.subsystem(part, interface);
        const auto lane = exact.make_lane(), tight = solver->make_lane();
        ASSERT_EQ(exact.inputs().size(), solver->inputs().size());
        const auto inputs = courses(exact.inputs().size(), degree);
        std::vector<double> q(4), v(4), q_tight(4), v_tight(4);
        ASSERT_EQ(lane->advance({0, 0.5}, inputs, {}).status, StepStatus::ok);
        ASSERT_EQ(tight->advance({0, 0.5}, inputs, {}).status, StepStatus::ok);
        ASSERT_EQ(lane->advance({0.5, 0.9}, inputs, {times, dofs, q, v}).status, StepStatus::ok);
        ASSERT_EQ(tight->advance({0.5, 0.9}, inputs, {times, dofs, q_tight, v_tight}).status, StepStatus::ok);
        EXPECT_NEAR(lane->position()[0], tight->position()[0], 1e-11);
        EXPECT_NEAR(lane->velocity()[0], tight->velocity()[0], 1e-11);
        for (std::size_t i = 0; i < 4; ++i) {
          EXPECT_NEAR(q[i], q_tight[i], 1e-8);  // dense output
          EXPECT_NEAR(v[i], v_tight[i], 1e-8);
        }
        const std::vector<double> values{0.4, -0.9};
        std::vector<double> a(1), a_tight(1);
        ASSERT_TRUE(lane->accelerations(0.9, std::span(values).first(inputs.size()), a));
        ASSERT_TRUE(tight->accelerations(0.9, std::span(values).first(inputs.size()), a_tight));
        EXPECT_NEAR(a[0], a_tight[0], 1e-9);
      }
}

// The solution is linear in the end value: any difference is the derivative.
TEST(LinearOscillator, ResponsesAreExact) {
  const CutPair pair(samples::linear_pair());
  for (const Drive drive : {Drive::force, Drive::motion})
    for (int degree = 0; degree <= 5; ++degree) {
      const LinearOscillator exact(pair.model, pair.parts[1], PartId(std::size_t{1}),
                                   pair.interface(drive, drive));
      const Window window{0.5, 1.1};
      for (const ResponseMethod method : {ResponseMethod::rk, ResponseMethod::sensitivity}) {
        Response response{method, 1, samples::end_shape(window, degree)};
        const auto inputs = courses(exact.inputs().size(), degree);
        OscillatorLane lane(exact);
        ASSERT_EQ(lane.advance(window, inputs, {}, &response).status, StepStatus::ok);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          const PortState d = samples::central_difference(exact, inputs, i, response.shape, window, 1.0)[0];
          EXPECT_NEAR(response.derivative[i].x, d.x, 1e-14);
          EXPECT_NEAR(response.derivative[i].v, d.v, 1e-14);
        }
      }
      // And the series tends to them.
      Response series{ResponseMethod::series, 40, samples::end_shape(window, degree)};
      Response whole{ResponseMethod::rk, 1, series.shape};
      OscillatorLane lane(exact), other(exact);
      const auto inputs = courses(exact.inputs().size(), 2);
      ASSERT_EQ(lane.advance(window, inputs, {}, &series).status, StepStatus::ok);
      ASSERT_EQ(other.advance(window, inputs, {}, &whole).status, StepStatus::ok);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        EXPECT_NEAR(series.derivative[i].x, whole.derivative[i].x, 1e-13);
        EXPECT_NEAR(series.derivative[i].v, whole.derivative[i].v, 1e-13);
      }
    }
}

TEST(LinearOscillator, RestoreThenRepeatGivesTheSameBits) {
  const CutPair pair(samples::linear_pair());
  const LinearOscillator exact(pair.model, pair.parts[0], PartId(std::size_t{0}),
                               pair.interface(Drive::force, Drive::force));
  OscillatorLane lane(exact);
  const auto memory = lane.make_snapshot();
  const auto inputs = courses(1, 3);
  lane.set_state(0.4, 2.0);
  lane.save(*memory);
  ASSERT_EQ(lane.advance({0, 0.7}, inputs, {}).status, StepStatus::ok);
  const double x = lane.position()[0], v = lane.velocity()[0];
  lane.restore(*memory);
  EXPECT_EQ(lane.position()[0], 0.4);
  EXPECT_EQ(lane.work(), 0.0);
  ASSERT_EQ(lane.advance({0, 0.1}, inputs, {}).status, StepStatus::ok);
  lane.restore(*memory);
  ASSERT_EQ(lane.advance({0, 0.7}, inputs, {}).status, StepStatus::ok);
  EXPECT_EQ(lane.position()[0], x);
  EXPECT_EQ(lane.velocity()[0], v);
}

TEST(LinearOscillator, RefusesWhatIsNotLinear) {
  const CutPair pair(samples::nonlinear_pair());
  const auto make = [&](Drive drive) {
    return LinearOscillator(pair.model, pair.parts[0], PartId(std::size_t{0}), pair.interface(drive, drive));
  };
  EXPECT_THROW(make(Drive::motion), Bug);
  EXPECT_THROW(make(Drive::force), Bug);
}

}  // namespace
}  // namespace cosimo
