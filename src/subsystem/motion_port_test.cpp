// Ports that are driven by the motion of the body beyond the cut (2.6)-(2.8).
#include <gtest/gtest.h>

#include <cmath>

#include "subsystem/driven_part.hpp"
#include "subsystem/overlap.hpp"
#include "subsystem/response_testing.hpp"
#include "subsystem/testing.hpp"

namespace cosimo {
namespace {

using samples::CutChain;
using samples::CutPair;

constexpr std::size_t from = 0, to = 1;

TEST(Ports, InputsAreTheCouplingVariablesInOrder) {
  const CutPair pair(samples::linear_pair());
  const auto inputs = [&](std::size_t part, Drive f, Drive t) {
    const auto subsystem = pair.subsystem(part, pair.interface(f, t));
    return std::vector<std::size_t>(subsystem->inputs().begin(), subsystem->inputs().end());
  };
  using List = std::vector<std::size_t>;
  EXPECT_EQ(inputs(from, Drive::force, Drive::force), (List{0}));
  EXPECT_EQ(inputs(to, Drive::force, Drive::force), (List{0}));
  EXPECT_EQ(inputs(from, Drive::force, Drive::motion), (List{0}));
  EXPECT_EQ(inputs(to, Drive::force, Drive::motion), (List{1, 2}));
  EXPECT_EQ(inputs(from, Drive::motion, Drive::force), (List{0, 1}));
  EXPECT_EQ(inputs(to, Drive::motion, Drive::force), (List{2}));
  EXPECT_EQ(inputs(from, Drive::motion, Drive::motion), (List{0, 1}));
  EXPECT_EQ(inputs(to, Drive::motion, Drive::motion), (List{2, 3}));

  const auto subsystem = pair.subsystem(to, pair.interface(Drive::force, Drive::motion));
  const CutPort& port = subsystem->cut_ports()[0];
  EXPECT_EQ(port.drive, Drive::motion);
  EXPECT_EQ(port.side, CutSide::to);
  EXPECT_EQ(port.input, 0u);
  EXPECT_EQ(port.law.c, 5.0);
  EXPECT_EQ(port.law.d, 0.7);
}

/// The course of everything at the cut of the uncut pair over one window, as polynomials.
struct Truth {
  Polynomial x[2], v[2], force;

  Truth(Lane& uncut, const SpringLaw& law, const Window& window) {
    constexpr std::size_t count = max_degree + 1;
    std::vector<double> times, q(2 * count), w(2 * count);
    for (std::size_t j = 0; j < count; ++j)
      times.push_back(window.begin + window.size() * static_cast<double>(j) / (count - 1));
    times.back() = window.end;
    const std::vector<std::int32_t> dofs{0, 1};
    EXPECT_EQ(uncut.advance(window, {}, {times, dofs, q, w}).status, StepStatus::ok);
    const auto through = [&](auto value) {
      std::vector<double> values;
      for (std::size_t j = 0; j < count; ++j) values.push_back(value(j));
      return interpolate(times, values, window.begin, window.size());
    };
    for (const std::size_t side : {from, to}) {
      x[side] = through([&](std::size_t j) { return q[2 * j + side]; });
      v[side] = through([&](std::size_t j) { return w[2 * j + side]; });
    }
    force = through(
        [&](std::size_t j) { return law.force(q[2 * j + to] - q[2 * j + from], w[2 * j + to] - w[2 * j]); });
  }
};

// With the true course of what drives them, the halves move like the whole, however it is cut.
TEST(MotionPorts, TheCutModelMovesLikeTheUncutOne) {
  const CutPair pair(samples::nonlinear_pair());
  Part whole{{BodyId(from), BodyId(to)}, {0, 2}, {}};
  for (std::size_t e = 0; e < 3; ++e) whole.elements.push_back(ElementId(e));
  const SpringLaw law = pair.model.elements.law(ElementId(std::size_t{1}));
  for (const Drive at_from : {Drive::force, Drive::motion})
    for (const Drive at_to : {Drive::force, Drive::motion}) {
      IntegratorOptions options = samples::tight_options();
      const MultibodySubsystem uncut(pair.model, whole, PartId(std::size_t{0}), {}, options);
      const Interface interface = pair.interface(at_from, at_to);
      const auto reference = uncut.make_lane();
      const auto left = pair.subsystem(from, interface), right = pair.subsystem(to, interface);
      const auto left_lane = left->make_lane(), right_lane = right->make_lane();
      for (int n = 0; n < 40; ++n) {
        const Window window{0.025 * n, 0.025 * (n + 1)};
        const Truth truth(*reference, law, window);
        const auto drive = [&](Lane& lane, Drive kind, std::size_t other) {
          std::vector<Polynomial> inputs{truth.force};
          if (kind == Drive::motion) inputs = {truth.x[other], truth.v[other]};
          ASSERT_EQ(lane.advance(window, inputs, {}).status, StepStatus::ok);
        };
        drive(*left_lane, at_from, to);
        drive(*right_lane, at_to, from);
      }
      EXPECT_NEAR(left_lane->position()[0], reference->position()[0], 1e-8);
      EXPECT_NEAR(left_lane->velocity()[0], reference->velocity()[0], 1e-8);
      EXPECT_NEAR(right_lane->position()[0], reference->position()[1], 1e-8);
      EXPECT_NEAR(right_lane->velocity()[0], reference->velocity()[1], 1e-8);
    }
}

/// Six bodies of a longer chain with motion at both ends; position and velocity courses are unrelated.
struct Driven {
  CutChain chain;
  std::unique_ptr<MultibodySubsystem> subsystem;
  Equations equations;
  DrivenPart part;
  std::vector<Polynomial> inputs;
  std::vector<double> q, v;

  explicit Driven(Drive first, Drive last)
      : chain(spec(), 4, 10, first, last),
        subsystem(chain.subsystem()),
        equations(chain.model, chain.part),
        part(equations, subsystem->cut_ports()),
        inputs(part.inputs()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto x = static_cast<double>(i);
      inputs[i] = {2, 0.1, 0.8, {0.3 + 0.1 * x, -0.7 + 0.4 * x, 0.5}};
    }
    part.drive(inputs);
    q.assign(equations.initial_position().begin(), equations.initial_position().end());
    v.assign(equations.initial_velocity().begin(), equations.initial_velocity().end());
  }
  static ChainSpec spec() {
    ChainSpec s{.masses = 14, .mass = Uniform{1, 2}, .c = Uniform{1, 3}, .d = Uniform{0.1, 0.3}};
    s.C = Uniform{1, 2};
    s.D = Uniform{0.5, 1};
    s.x = Uniform{-0.5, 0.5};
    s.v = Uniform{-0.5, 0.5};
    s.seed = 3;
    return s;
  }
  std::vector<double> accelerations(double t) const {
    std::vector<double> a(6);
    EXPECT_TRUE(part.acceleration(t, q.data(), v.data(), a.data(), {0, 6}));
    return a;
  }
};

TEST(MotionPorts, TangentIsTheDerivative) {
  for (const Drive last : {Drive::force, Drive::motion}) {
    Driven driven(Drive::motion, last);
    const double t = 0.35, h = 1e-6;
    Tangent tangent(driven.part.pattern());
    driven.part.tangent(t, driven.q.data(), driven.v.data(), tangent);
    for (const bool position : {true, false})
      for (std::size_t j = 0; j < 6; ++j) {
        double& x = position ? driven.q[j] : driven.v[j];
        const double kept = x;
        x = kept + h;
        const auto plus = driven.accelerations(t);
        x = kept - h;
        const auto minus = driven.accelerations(t);
        x = kept;
        for (std::size_t i = 0; i < 6; ++i) {
          const auto &diag = position ? tangent.k_diag : tangent.c_diag,
                     &edge = position ? tangent.k_edge : tangent.c_edge;
          const double exact = i == j ? diag[i] : i + 1 == j || j + 1 == i ? edge[std::min(i, j)] : 0.0;
          EXPECT_NEAR(exact, -tangent.mass[i] * (plus[i] - minus[i]) / (2 * h), 2e-8) << i << " " << j;
        }
      }
  }
}

TEST(MotionPorts, TimeDerivativeAndInputEffectsAreDerivatives) {
  Driven driven(Drive::motion, Drive::force);
  const double t = 0.35, h = 1e-6;
  std::vector<double> a_t(6);
  driven.part.time_derivative(t, driven.q.data(), driven.v.data(), a_t.data());
  const auto later = driven.accelerations(t + h), earlier = driven.accelerations(t - h);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(a_t[i], (later[i] - earlier[i]) / (2 * h), 1e-8);

  ASSERT_EQ(driven.part.inputs(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const InputEffect effect = driven.part.input_effect(k, t, driven.q.data(), driven.v.data());
    EXPECT_EQ(effect.dof, k < 2 ? 0 : 5);
    auto moved = driven.inputs;
    moved[k].a[0] += h;
    driven.part.drive(moved);
    const auto plus = driven.accelerations(t);
    moved[k].a[0] -= 2 * h;
    driven.part.drive(moved);
    const auto minus = driven.accelerations(t);
    driven.part.drive(driven.inputs);
    for (std::size_t i = 0; i < 6; ++i) {
      const double expected = i == static_cast<std::size_t>(effect.dof) ? effect.force : 0.0;
      EXPECT_NEAR(expected * driven.part.inverse_mass(i), (plus[i] - minus[i]) / (2 * h), 1e-8);
    }
  }
}

TEST(MotionPorts, BlocksGiveTheSameBits) {
  const Driven driven(Drive::motion, Drive::motion);
  const auto whole = driven.accelerations(0.35);
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) {
    std::vector<double> a(6, 1e99);
    for (std::size_t first = 0; first < 6; first += size) {
      // Other states, another instant in between: nothing of them may remain.
      std::vector<double> other(6, 0.9), waste(6);
      ASSERT_TRUE(driven.part.acceleration(0.6, other.data(), other.data(), waste.data(), {0, 6}));
      ASSERT_TRUE(driven.part.acceleration(0.35, driven.q.data(), driven.v.data(), a.data(),
                                           {first, std::min<std::size_t>(first + size, 6)}));
    }
    EXPECT_EQ(a, whole);
  }
}

TEST(Accelerations, AreThoseOfTheEquationsWithTheInputsGiven) {
  for (const Drive last : {Drive::force, Drive::motion}) {
    Driven driven(Drive::motion, last);
    const auto lane = driven.subsystem->make_lane();
    std::vector<double> values, a(2);
    for (Polynomial& p : driven.inputs) {
      p = {0, 0, 1, {p(0.2)}};
      values.push_back(p.a[0]);
    }
    driven.part.drive(driven.inputs);
    const auto expected = driven.accelerations(0.0);
    ASSERT_TRUE(lane->accelerations(0.0, values, a));
    EXPECT_EQ(a[0], expected[0]);
    EXPECT_EQ(a[1], expected[5]);

    // And they do not disturb the lane.
    const auto other = driven.subsystem->make_lane();
    ASSERT_EQ(lane->advance({0, 0.3}, driven.inputs, {}).status, StepStatus::ok);
    ASSERT_EQ(other->advance({0, 0.3}, driven.inputs, {}).status, StepStatus::ok);
    values[0] += 5;
    ASSERT_TRUE(lane->accelerations(0.3, values, a));
    ASSERT_EQ(lane->advance({0.3, 0.4}, driven.inputs, {}).status, StepStatus::ok);
    ASSERT_EQ(other->advance({0.3, 0.4}, driven.inputs, {}).status, StepStatus::ok);
    EXPECT_EQ(lane->position()[0], other->position()[0]);
  }
}

TEST(Accelerations, OverflowIsNoException) {
  Driven driven(Drive::motion, Drive::force);
  const auto lane = driven.subsystem->make_lane();
  const std::vector<double> values{1e200, 0, 0};
  std::vector<double> a(2);
  EXPECT_FALSE(lane->accelerations(0.0, values, a));
}

// An overlapping lane: inputs where nothing is carried, the copy's force elsewhere.
TEST(Accelerations, OfAnOverlappingLane) {
  samples::OverlappedChain cut(samples::unit_chain(12), {4, 8}, samples::options_of(Method::rk, 1e-8));
  ASSERT_EQ(cut.subsystems[1]->inputs().size(), 2u);
  EXPECT_EQ(cut.subsystems[1]->inputs()[1], 1u);
  const std::vector<double> none{0.25, -0.5};
  std::vector<double> a(2);
  const auto& x = cut.model.bodies.x;
  ASSERT_TRUE(cut.lanes[1]->accelerations(0.0, none, a));
  EXPECT_DOUBLE_EQ(a[0], (x[5] - x[4]) - 0.25);
  EXPECT_DOUBLE_EQ(a[1], (x[6] - x[7]) - 0.5);
  cut.carry(1, 0, 2);
  ASSERT_EQ(cut.advance(1, {0, 1e-9}).status, StepStatus::ok);
  ASSERT_TRUE(cut.lanes[1]->accelerations(0.0, none, a));
  EXPECT_NEAR(a[0], (x[5] - x[4]) - 0.25, 1e-7);
  EXPECT_NEAR(a[1], (x[6] - x[7]) + (x[8] - x[7]), 1e-7);
  Response response;
  const std::vector<Polynomial> inputs(2);
  EXPECT_THROW(static_cast<void>(cut.lanes[1]->advance({1e-9, 0.1}, inputs, {}, &response)), Bug);
}

}  // namespace
}  // namespace cosimo
