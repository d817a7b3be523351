// Lanes that carry copies of bodies in space: of a whole group behind a cut, and up to a far edge whose
// effort is held.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "model/mechanism_testing.hpp"
#include "subsystem/multibody.hpp"
#include "subsystem/overlap.hpp"

namespace cosimo {
namespace {

IntegratorOptions tight(Method method = Method::rk) {
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {1e-12, 1e-12, 1e-12};
  return options;
}

/// The state of the whole model in one piece at a time.
struct Exact {
  std::vector<double> x, v;
  Exact(const Model& model, double t) {
    const Partition whole = testing::in_one_part(model);
    const MultibodySubsystem subsystem(model, whole.parts[0], PartId{0}, whole.interface, tight());
    const auto lane = subsystem.make_lane();
    EXPECT_EQ(lane->advance({0, t}, {}, {}).status, StepStatus::ok);
    x.assign(lane->position().begin(), lane->position().end());
    v.assign(lane->velocity().begin(), lane->velocity().end());
  }
};

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::fabs(a[i] - b[i]));
  return most;
}

/// The first part of a model in two, connected to the states of all bodies.
struct FirstPart {
  FirstPart(const Model& model, const Partition& partition, const IntegratorOptions& options)
      : states(model.bodies.x, model.bodies.v),
        subsystem(model, partition.parts[0], PartId{0}, partition.interface, options, {}),
        lane(subsystem),
        inputs(subsystem.inputs().size()) {
    lane.connect(states);
  }
  bool advance(const Window& window) { return lane.advance(window, inputs, {}).status == StepStatus::ok; }
  BodyStates states;
  OverlapSubsystem subsystem;
  OverlapLane lane;
  std::vector<Polynomial> inputs;
};

class WholeGroup : public ::testing::TestWithParam<Method> {};

TEST_P(WholeGroup, CarriedItMovesAsTheUncutModel) {
  const Model model = testing::two_jointed_groups();
  const Partition cut = testing::cut_in_two(model, 1, Drive::force, Drive::force);
  IntegratorOptions options = tight(GetParam());
  if (GetParam() == Method::radau) options.tolerances = {1e-9, 1e-9, 1e-9};
  FirstPart first(model, cut, options);
  EXPECT_FALSE(first.lane.carries(0));

  auto all = std::make_shared<OverlappingPart>();
  all->part = testing::in_one_part(model).parts[0];
  all->part.owned = {0, 2};
  all->judged = {0, 4};
  first.lane.carry(all);
  ASSERT_TRUE(first.advance({0, 0.05}));
  const Exact exact(model, 0.05);
  const double limit = GetParam() == Method::radau ? 1e-7 : 1e-10;
  EXPECT_LT(largest_difference(first.lane.position(), exact.x), limit);
  EXPECT_LT(largest_difference(first.lane.velocity(), exact.v), limit);
  EXPECT_EQ(first.lane.carried(), 4U);
  ASSERT_TRUE(first.lane.carries(0));
  // What it made of the last body, and what it published of its own.
  const std::size_t last = model.coordinates(BodyId{std::size_t{3}}).first;
  const BodyMotion copy = first.lane.carried_motion(BodyId{std::size_t{3}});
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(copy.x[k], exact.x[last + k], limit);
  EXPECT_LT(largest_difference(std::span(first.states.next_x().data(), 14), exact.x), limit);

  std::vector<PortState> y(output_count(first.subsystem.ports()));
  first.lane.outputs(0, {}, y);
  const std::size_t port = model.coordinates(first.subsystem.cut_ports()[0].body).first;
  for (std::size_t k = 0; k < y.size(); ++k) EXPECT_EQ(y[k].x, first.lane.position()[port + k]);
}

INSTANTIATE_TEST_SUITE_P(Methods, WholeGroup, ::testing::Values(Method::rk, Method::radau),
                         [](const auto& test) { return test.param == Method::rk ? "rk" : "radau"; });

/// Three rigid bodies in a row on bushings; the first one owned, the second carried, the third beyond.
Model three_bodies() {
  testing::ModelMaker maker;
  std::vector<BodyId> body;
  for (const double x : {0.0, 1.0, 2.0})
    body.push_back(maker.add(
        BodyKind::rigid, 1,
        testing::placed({x, 0.1 * x, 0}, {0.1, 0.2 * x, -0.1}, {0.3, x - 1, 0.2}, {0.5 - x, 0.4, 0.3 * x})));
  for (std::size_t i = 0; i < 2; ++i)
    maker.add(make_bushing("bushing", {body[i], {0.4, 0, 0.05}, Mat3::Identity()},
                           {body[i + 1], {-0.4, 0.1, 0}, Mat3::Identity()},
                           testing::soft_bushing(100, 2, 50)));
  return maker.finish();
}

OverlappingPart with_one_copy() {
  OverlappingPart part;
  for (const std::size_t b : {0U, 1U}) part.part.bodies.emplace_back(b);
  part.part.owned = {0, 1};
  part.part.elements = {ElementId{std::size_t{0}}};
  part.judged = {0, 2};
  part.edges = {{ElementId{std::size_t{1}}, BodyId{std::size_t{1}}, BodyId{std::size_t{2}}}};
  return part;
}

/// A held effort is wrong by O(H), the copy's velocity by O(H^2), and through the damping of the cut element
/// the own one's by O(H^3).
TEST(FarEdge, HeldEffortsReachTheOwnBodyInThirdOrder) {
  const Model model = three_bodies();
  const Partition cut = testing::cut_in_two(model, 0, Drive::force, Drive::force);
  std::vector<double> error;
  for (const double H : {0.02, 0.01, 0.005}) {
    FirstPart first(model, cut, tight());
    first.lane.carry(std::make_shared<OverlappingPart>(with_one_copy()));
    ASSERT_TRUE(first.advance({0, H}));
    const Exact exact(model, H);
    error.push_back(largest_difference(first.lane.velocity(), exact.v));
    const BodyMotion copy = first.lane.carried_motion(BodyId{std::size_t{1}});
    EXPECT_GT(largest_difference({copy.v, 7}, std::span(exact.v).subspan(7, 7)), error.back());
  }
  EXPECT_GT(error[1], 1e-9);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 3, 0.3);
  EXPECT_NEAR(std::log2(error[1] / error[2]), 3, 0.3);
}

TEST(FarEdge, RestoredStepsRepeatToTheBit) {
  const Model model = three_bodies();
  const Partition cut = testing::cut_in_two(model, 0, Drive::force, Drive::force);
  FirstPart first(model, cut, tight());
  first.lane.carry(std::make_shared<OverlappingPart>(with_one_copy()));
  ASSERT_TRUE(first.advance({0, 0.01}));
  first.states.accept();
  const auto memory = first.lane.make_snapshot();
  first.lane.save(*memory);
  ASSERT_TRUE(first.advance({0.01, 0.02}));
  const std::vector<double> x(first.lane.position().begin(), first.lane.position().end());
  const double work = first.lane.work();
  first.lane.restore(*memory);
  ASSERT_TRUE(first.advance({0.01, 0.02}));
  EXPECT_TRUE(std::equal(x.begin(), x.end(), first.lane.position().begin()));
  EXPECT_EQ(first.lane.work(), work);
}

/// The port's own input counts where nothing is carried, its copy where something is.
TEST(FarEdge, AccelerationsFollowTheCopies) {
  const Model model = three_bodies();
  const Partition cut = testing::cut_in_two(model, 0, Drive::force, Drive::force);
  FirstPart first(model, cut, tight());
  std::vector<double> u(first.inputs.size()), a(7), b(7);
  ASSERT_TRUE(first.lane.accelerations(0, u, a));
  u[0] = 1;
  ASSERT_TRUE(first.lane.accelerations(0, u, b));
  EXPECT_NEAR(b[0] - a[0], 1, 1e-12);  // a force of 1 on a mass of 1
  first.lane.carry(std::make_shared<OverlappingPart>(with_one_copy()));
  ASSERT_TRUE(first.advance({0, 1e-6}));
  ASSERT_TRUE(first.lane.accelerations(1e-6, u, a));
  u[0] = 2;
  ASSERT_TRUE(first.lane.accelerations(1e-6, u, b));
  EXPECT_EQ(a, b);
}

}  // namespace
}  // namespace cosimo
