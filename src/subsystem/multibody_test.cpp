#include "subsystem/multibody.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/chain.hpp"

namespace cosimo {
namespace {

ChainSpec spec(std::size_t masses) {
  ChainSpec s;
  s.masses = masses;
  s.mass = 2.0;
  s.c = 50.0;
  s.d = 0.5;
  s.C = 100.0;
  s.x = Uniform{-0.1, 0.1};
  s.v = Uniform{-1, 1};
  s.seed = 4;
  return s;
}

struct Cut {
  Model model;
  Partition partition;
  Cut() : model(make_chain(spec(9))) {
    // Three parts of three bodies; elements 0 and 9 join the walls, elements 3 and 6 are cut.
    for (std::size_t p = 0; p < 3; ++p) {
      Part part;
      for (std::size_t i = 3 * p; i < 3 * p + 3; ++i) part.bodies.push_back(BodyId{i});
      part.owned = {0, 3};
      for (std::size_t e = 3 * p + (p > 0 ? 1 : 0); e < 3 * p + 3 + (p == 2 ? 1 : 0); ++e)
        part.elements.push_back(ElementId{e});
      partition.parts.push_back(part);
    }
    for (const std::size_t e : {std::size_t{3}, std::size_t{6}})
      partition.interface.couplings.push_back(
          {ElementId{e}, {PartId{e / 3 - 1}, BodyId{e - 1}}, {PartId{e / 3}, BodyId{e}}});
  }
  MultibodySubsystem part(std::size_t i, Method method = Method::rk) const {
    IntegratorOptions options;
    options.method = method;
    options.tolerances = {1e-10, 1e-13, 1e-10};
    return {model, partition.parts[i], PartId{i}, partition.interface, options};
  }
};

TEST(MultibodySubsystem, PortsNameTheCouplingBodies) {
  const Cut cut;
  const auto middle = cut.part(1);
  ASSERT_EQ(middle.ports().size(), 2u);
  EXPECT_EQ(middle.cut_ports()[0].body, BodyId{std::size_t{3}});
  EXPECT_EQ(middle.ports()[0].side, CutSide::to);
  EXPECT_EQ(middle.cut_ports()[1].body, BodyId{std::size_t{5}});
  EXPECT_EQ(middle.ports()[1].side, CutSide::from);
  EXPECT_EQ(cut.part(0).ports().size(), 1u);
}

// Momentum: with the springs inside a part cancelling, d/dt sum(m v) = sum of the port forces
// (+u on `from` bodies, -u on `to` bodies).
TEST(MultibodySubsystem, PortForcesChangeTheMomentum) {
  const Cut cut;
  const auto middle = cut.part(1);
  const auto lane = middle.make_lane();
  Polynomial left, right;
  left.degree = 1;
  left.a = {3.0, 2.0};  // 3 + 2 t
  right.a = {7.0};
  const std::vector<Polynomial> inputs{left, right};
  double before = 0, after = 0;
  for (const double v : lane->velocity()) before += 2.0 * v;
  const double T = 0.4;
  ASSERT_EQ(lane->advance({0, T}, inputs, {}).status, StepStatus::ok);
  for (const double v : lane->velocity()) after += 2.0 * v;
  EXPECT_NEAR(after - before, 7.0 * T - (3.0 * T + T * T), 1e-9);
}

TEST(MultibodySubsystem, RestoreThenRepeatGivesTheSameBits) {
  const Cut cut;
  for (const Method method : {Method::rk, Method::rosenbrock, Method::ida, Method::automatic}) {
    const auto middle = cut.part(1, method);
    const auto lane = middle.make_lane(), other = middle.make_lane();
    const auto memory = lane->make_snapshot();
    std::vector<Polynomial> inputs(2), wild(2);
    inputs[0].a[0] = 0.5;
    wild[0].a[0] = 400.0;
    ASSERT_EQ(lane->advance({0, 0.1}, inputs, {}).status, StepStatus::ok);
    lane->save(*memory);
    ASSERT_EQ(lane->advance({0.1, 0.3}, inputs, {}).status, StepStatus::ok);
    const std::vector<double> q(lane->position().begin(), lane->position().end());
    lane->restore(*memory);
    ASSERT_EQ(lane->advance({0.1, 0.3}, wild, {}).status, StepStatus::ok);
    lane->restore(*memory);
    ASSERT_EQ(lane->advance({0.1, 0.3}, inputs, {}).status, StepStatus::ok);
    EXPECT_EQ(q, std::vector<double>(lane->position().begin(), lane->position().end()));
    other->restore(*memory);
    ASSERT_EQ(other->advance({0.1, 0.3}, inputs, {}).status, StepStatus::ok);
    EXPECT_EQ(q, std::vector<double>(other->position().begin(), other->position().end()));
  }
}

TEST(MultibodySubsystem, OutputsAreTheStatesOfThePortBodies) {
  const Cut cut;
  const auto last = cut.part(2);
  const auto lane = last.make_lane();
  std::vector<PortState> y(1);
  lane->outputs(0, {}, y);
  EXPECT_EQ(y[0].x, cut.model.bodies.x[6]);
  EXPECT_EQ(y[0].v, cut.model.bodies.v[6]);
}

}  // namespace
}  // namespace cosimo
