// Angles and displacements of joints in the results, against closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cosimo/simulation.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo {
namespace {

/// A wheel that turns at 20 rad/s, three turns and more between two rows; a carriage that falls.
std::string wheel(const std::string& kind, const std::string& rest = "") {
  const bool rigid = kind == "rigid";
  return "cosimo: 1\nmodel:\n  gravity: [0, -10, 0]\n  bodies:\n    - {name: wheel, kind: " + kind +
         ", mass: 1, inertia: " + (rigid ? "[1, 1, 1]" : "1") +
         ", angular_velocity: " + (rigid ? "[0, 0, 20]" : "20") + "}\n    - {name: slide, kind: " + kind +
         ", mass: 2, inertia: " + (rigid ? "[1, 1, 1]" : "1") +
         ", position: [1, 0]}\n  joints:\n    - {name: axle, kind: revolute, from: wheel, to: ground, at: "
         "[0, 0]}\n"
         "    - {name: rail, kind: prismatic, to: slide, at: [1, 0], axis: [0, 1]}\n" +
         rest +
         "simulate: {end: 10, output: 1}\nsolve: {rtol: 1.0e-9, atol_pos: 1.0e-11, atol_vel: 1.0e-9}\n";
}

std::string rigid_wheel() {
  std::string text = wheel("rigid");
  for (const auto& [from, to] : {std::pair{"[1, 0]}", "[1, 0, 0]}"},
                                 {"at: [0, 0]}", "at: [0, 0, 0]}"},
                                 {"at: [1, 0], axis: [0, 1]", "at: [1, 0, 0], axis: [0, 1, 0]"}}) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, std::string(from).size(), to);
  }
  return text;
}

TEST(JointResults, CountAllTurns) {
  for (const std::string& text : {wheel("planar"), rigid_wheel()}) {
    Simulation run(Scenario::parse(text));
    for (const double t : {1.0, 4.5, 10.0}) {
      ASSERT_TRUE(run.advance(t).ok);
      EXPECT_NEAR(run.get("axle.angle"), -20 * t, 1e-4) << "the ground turns against the wheel";
      EXPECT_NEAR(run.get("axle.speed"), -20, 1e-5);
      EXPECT_NEAR(run.get("rail.displacement"), -5 * t * t, 1e-5);
      EXPECT_NEAR(run.get("rail.speed"), -10 * t, 1e-5);
    }
  }
}

TEST(JointResults, ScrewsOfACylindricalJoint) {
  Simulation run(Scenario::parse(R"(cosimo: 1
model:
  bodies: [{name: nut, kind: rigid, mass: 1, inertia: [1, 1, 1], velocity: [3, 0, 0], angular_velocity: [7, 0, 0]}]
  joints: [{name: screw, kind: cylindrical, to: nut, at: [0, 0, 0], axis: [1, 0, 0]}]
simulate: {end: 4, output: 1}
solve: {rtol: 1.0e-9, atol_pos: 1.0e-11, atol_vel: 1.0e-9}
)"));
  ASSERT_TRUE(run.advance(4).ok);
  EXPECT_NEAR(run.get("screw.displacement"), 12, 1e-6);
  EXPECT_NEAR(run.get("screw.speed"), 3, 1e-6);
  EXPECT_NEAR(run.get("screw.angle"), 28, 1e-4);
  EXPECT_NEAR(run.get("screw.angular_speed"), 7, 1e-6);
}

/// Nobody asks between the beginning and the end of a long way: what the advances pass is counted all the
/// same.
TEST(JointResults, TurnsAreTakenBackWithTheState) {
  Simulation run(Scenario::parse(rigid_wheel()));
  ASSERT_TRUE(run.advance(2).ok);
  const auto state = run.save();
  for (const double t : {3.0, 5.0, 9.0}) ASSERT_TRUE(run.advance(t).ok);
  const double late = run.get("axle.angle");
  EXPECT_NEAR(late, -180, 1e-4);
  run.restore(state);
  EXPECT_NEAR(run.get("axle.angle"), -40, 1e-4);
  for (const double t : {3.0, 5.0, 9.0}) ASSERT_TRUE(run.advance(t).ok);
  EXPECT_EQ(run.get("axle.angle"), late);
}

TEST(JointResults, AreComparedByName) {
  const test::TemporaryFolder folder;
  const auto into = [&](const char* name) {
    RunOptions options;
    options.output_dir = folder / name;
    return options;
  };
  run(Scenario::parse(rigid_wheel()), into("a"));
  run(Scenario::parse(rigid_wheel(), "scenario", std::vector<std::string>{"model.gravity.2=-11"}), into("b"));
  const Comparison difference = compare(folder / "a", folder / "b");
  EXPECT_EQ(difference.outputs, 4U);
  EXPECT_EQ(difference.worst_output_name.substr(0, 5), "rail.");
  EXPECT_GT(difference.worst_output, 0.01);
}

}  // namespace
}  // namespace cosimo
