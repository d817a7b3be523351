// Sensors of scenarios at the start: those of the example, and names that formulas contain.
#include "multibody/sensor_translate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>

#include "config/scenario.hpp"
#include "multibody/generate.hpp"
#include "multibody/mechanism_output.hpp"

namespace cosimo {
namespace {

double at_start(const config::Scenario& scenario, const std::string& table, const std::string& column) {
  const Model model = generate_model(scenario);
  MechanismOutput output(model, {BodyId(std::size_t{0})});
  const Bodies& bodies = model.bodies;
  output.evaluate(0, {bodies.x.data(), bodies.x.size()}, {bodies.v.data(), bodies.v.size()});
  for (const MechanismOutput::Table& each : output.tables()) {
    const auto found = std::find(each.columns.begin(), each.columns.end(), column);
    if (each.name == table && found != each.columns.end())
      return each.row[static_cast<std::size_t>(found - each.columns.begin())];
  }
  ADD_FAILURE() << "no " << column << " in " << table;
  return 0;
}

TEST(SensorTranslate, TheExampleBeginsBent) {
  const auto file = std::filesystem::path(__FILE__).parent_path().parent_path().parent_path() / "examples" /
                    "robot_joint.yaml";
  const config::Scenario scenario = config::load_scenario(file);
  const double shoulder = 0.6, elbow = -1.2, L = 0.4;
  const double x = L * (std::cos(shoulder) + std::cos(shoulder + elbow));
  const double y = L * (std::sin(shoulder) + std::sin(shoulder + elbow));
  EXPECT_NEAR(at_start(scenario, "joints", "shoulder.angle"), shoulder, 1e-12);
  EXPECT_NEAR(at_start(scenario, "joints", "elbow.angle"), elbow, 1e-12);
  EXPECT_NEAR(at_start(scenario, "joints", "elbow.speed"), 0.5, 1e-12);
  EXPECT_NEAR(at_start(scenario, "sensors", "reach"), std::hypot(x, y), 1e-12);
  EXPECT_NEAR(at_start(scenario, "sensors", "miss"), std::hypot(x - 0.4, y - 0.4), 1e-12);
  EXPECT_NEAR(at_start(scenario, "sensors", "folded"), 1 - std::hypot(x, y) / (2 * L), 1e-12);
  EXPECT_NEAR(at_start(scenario, "sensors", "hand speed"), 0.5 * L, 1e-12);
  EXPECT_NEAR(at_start(scenario, "sensors", "elbow_state"), elbow + 0.15 * 0.5, 1e-12);
  EXPECT_LT(at_start(scenario, "sensors", "friction power"), 0);
}

TEST(SensorTranslate, FormulasContainNames) {
  const auto value = [](const std::string& formula) {
    const std::string text =
        "{cosimo: 1, simulate: {end: 1}, model: {parameters: {k: 3}, bodies: [{name: arm, kind: planar, "
        "mass: 1, "
        "inertia: 1, position: [2, 5], angle: 0.5, velocity: [7, 0]}], sensors: [{name: e1, kind: position, "
        "body: "
        "arm, direction: [0, 1]}, {name: s, kind: formula, formula: \"" +
        formula + "\"}]}}";
    return at_start(config::parse_scenario(text, "t"), "sensors", "s");
  };
  EXPECT_EQ(value("k*arm.x"), 6);
  EXPECT_EQ(value("der( arm.x ) + 1"), 8);
  EXPECT_EQ(value("2*e1 + 1e1 + 1.5e+1"), 35) << "a sensor, and numbers with exponents";
  EXPECT_NEAR(value("arm.phi"), 0.5, 1e-15);
  EXPECT_NEAR(value("cos(pi*arm.x) + e"), 1 + std::numbers::e, 1e-15);
  EXPECT_EQ(value("arm.x*arm.x - arm.y"), -1) << "one name twice";
}

}  // namespace
}  // namespace cosimo
