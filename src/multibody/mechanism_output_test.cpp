#include "multibody/mechanism_output.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "config/scenario.hpp"
#include "model/network.hpp"
#include "multibody/generate.hpp"
#include "parallel/team.hpp"

namespace cosimo {
namespace {

/// A value of a table at the initial state.
class Initial {
 public:
  explicit Initial(const std::string& model)
      : model_(generate_model(
            config::parse_scenario("{cosimo: 1, simulate: {end: 1}, model: " + model + "}", "t"))),
        output_(model_, {BodyId(std::size_t{0})}) {
    const Bodies& bodies = model_.bodies;
    output_.evaluate(0, {bodies.x.data(), bodies.x.size()}, {bodies.v.data(), bodies.v.size()});
  }
  double operator()(const std::string& table, const std::string& column) const {
    for (const MechanismOutput::Table& t : output_.tables()) {
      if (t.name != table) continue;
      const auto found = std::find(t.columns.begin(), t.columns.end(), column);
      if (found != t.columns.end()) return t.row[static_cast<std::size_t>(found - t.columns.begin())];
    }
    ADD_FAILURE() << "no " << column << " in " << table;
    return 0;
  }

 private:
  Model model_;
  MechanismOutput output_;
};

TEST(DerivedOutputs, AreThereWhereResultsAreMoreThanCoordinates) {
  const auto columns = [](const std::string& model) {
    const Model made =
        generate_model(config::parse_scenario("{cosimo: 1, simulate: {end: 1}, model: " + model + "}", "t"));
    const auto derived = derived_outputs(made, {BodyId(std::size_t{0})});
    return derived ? derived->columns() : std::vector<std::string>();
  };
  EXPECT_TRUE(columns("{chain: {masses: 2, mass: 1, spring: {c: 1}}}").empty());
  EXPECT_TRUE(columns("{pendulum: {links: 2, formulation: minimal}}").empty());
  EXPECT_EQ(columns("{pendulum: {links: 2}}"), (std::vector<std::string>{"link1.x", "link1.y"}));
}

/// Springs between points have tables of their own: they say what the elements say, whoever computes it.
TEST(MechanismOutput, OfPointsIsThatOfTheElements) {
  const Model model = make_network({.masses = 1500,
                                    .neighbours = 6,
                                    .c = Uniform{100, 200},
                                    .d = 0.3,
                                    .v = Uniform{-1, 1},
                                    .fixed = 5,
                                    .gravity = 9.81});
  const Bodies& bodies = model.bodies;
  const std::span<const double> v(bodies.v.data(), bodies.v.size());
  std::vector<double> q(bodies.x.begin(), bodies.x.end());
  for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.01 * std::sin(static_cast<double>(i));
  MechanismOutput alone(model, {BodyId(std::size_t{0})}), shared(model, {BodyId(std::size_t{0})});
  Team team;
  team.hire(3, true);
  alone.evaluate(0, q, v);
  shared.evaluate(0, q, v, &team);
  EXPECT_GT(team.meetings(), 0);

  const Mechanism& mechanism = *model.mechanism;
  double potential = 0;
  for (std::size_t b = 0; b < mechanism.bodies.size(); ++b)
    potential -= mechanism.bodies[b].mass * mechanism.gravity.dot(alone.centres()[b].r);
  for (std::size_t e = 0; e < mechanism.elements.size(); ++e) {
    const ForceElement& element = *mechanism.elements[e];
    const auto end = [&](const Marker& marker) {
      return marker_frame(marker.body == ground ? Frame{} : alone.centres()[marker.body.index()], marker);
    };
    const Frame from = end(element.at_from), to = end(element.at_to);
    Effort effort;
    ASSERT_TRUE(element.effort(0, from, to, effort));
    EXPECT_EQ(alone.efforts()[e].force, effort.force) << e;
    potential += element.potential(0, from, to);
  }
  for (std::size_t k = 0; k < alone.tables().size(); ++k)
    EXPECT_EQ(alone.tables()[k].row, shared.tables()[k].row) << alone.tables()[k].name;
  EXPECT_EQ(alone.tables().front().row[1], potential);
}

// docs/multibody.md says where reactions and efforts act, and along which axes.

TEST(MechanismOutput, ReactionTorquesAreAboutTheJointsPoint) {
  const std::string beam =
      "{gravity: [0, 0, -10], bodies: [{name: beam, kind: rigid, mass: 2, inertia: [1, 1, 1], center: [0.5, "
      "0, "
      "0]}], joints: [{name: wall, kind: fixed, at: [0, 0, 0], ";
  for (const char* ends : {"from: ground, to: beam}]}", "from: beam, to: ground}]}"}) {
    const Initial value(beam + ends);
    EXPECT_NEAR(value("reactions", "wall.Fz"), 20, 1e-12) << ends;  // on the beam in both cases
    EXPECT_NEAR(value("reactions", "wall.Fx"), 0, 1e-12);
    EXPECT_NEAR(value("reactions", "wall.Ty"), -10, 1e-12) << ends;  // about its centre of mass it would be 0
    EXPECT_NEAR(value("reactions", "wall.Tx"), 0, 1e-12);
  }
}

TEST(MechanismOutput, AppliedForcesAreAlongTheGlobalAxes) {
  const Initial value(
      "{bodies: [{name: plate, kind: rigid, mass: 2, inertia: [1, 1, 1], orientation: {axis: [0, 0, 1], "
      "angle: "
      "1.5707963267948966}}], elements: [{name: push, kind: applied, to: plate, at_to: [1, 0, 0], force: [3, "
      "0, "
      "0], torque: [0, 0, 5]}]}");
  // The plate is turned by a right angle: its point [1, 0, 0] is at [0, 1, 0].
  EXPECT_NEAR(value("elements", "push.Fx"), -3, 1e-12);  // on the ground
  EXPECT_NEAR(value("elements", "push.Fy"), 0, 1e-12);
  EXPECT_NEAR(value("elements", "push.Tz_to"), 5, 1e-12);
  EXPECT_NEAR(value("elements", "push.Tz_from"), -2, 1e-12);  // -5, and +3 for the force at its arm
}

}  // namespace
}  // namespace cosimo
