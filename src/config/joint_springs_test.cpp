// `spring` and `damper` of joints: elements in their coordinates.
#include "config/joint_springs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

std::string model(const std::string& kind, const std::string& keys, const std::string& rest = "") {
  return "cosimo: 1\nmodel:\n  parameters: {k: 4}\n  bodies:\n"
         "    - {name: arm, kind: rigid, mass: 1, inertia: [1, 1, 1]}\n"
         "  joints:\n    - {name: j, kind: " +
         kind + ", to: arm, at: [0, 0, 0], axis: [0, 1, 0], " + keys + "}\n" + rest +
         "simulate: {end: 1, output: 0.1}\n";
}

Scenario parse(const std::string& text) {
  return parse_scenario(text, "s.yaml");
}

Fault fault(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const Error& error) {
    EXPECT_EQ(error.faults().size(), 1U) << error.what();
    return error.faults().at(0);
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

TEST(JointSprings, AreElementsBehindTheListedOnes) {
  const Scenario s =
      parse(model("revolute", "spring: {c: 2*k, C: 3, ex: 2, d: 0.5, free: 0.3}, damper: 0.7",
                  "  elements: [{name: stop, kind: stop, joint: j, lower: -1, stiffness: 1}]\n"));
  const auto& elements = s.mechanism->elements;
  ASSERT_EQ(elements.size(), 3U);
  EXPECT_EQ(elements[1].name, "j.spring");
  EXPECT_EQ(elements[1].kind, ElementKind::torsion);
  EXPECT_EQ(elements[1].measure, Measure::angle);
  EXPECT_EQ(elements[1].joint, 0);
  EXPECT_EQ(elements[1].to, 0);
  EXPECT_EQ(elements[1].c, 8);
  EXPECT_EQ(elements[1].C, 3);
  EXPECT_EQ(elements[1].ex, 2);
  EXPECT_EQ(elements[1].d, 0.5);
  EXPECT_EQ(elements[1].angle, 0.3);
  EXPECT_EQ(elements[2].name, "j.damper");
  EXPECT_EQ(elements[2].d, 0.7);
  EXPECT_EQ(elements[2].c, 0);
}

TEST(JointSprings, HaveAnyLaw) {
  const Scenario curve = parse(model("prismatic", "spring: {points: [[-1, -2], [0, 0], [1, 5]], d: 3}"));
  EXPECT_EQ(curve.mechanism->elements.at(0).kind, ElementKind::table);
  EXPECT_EQ(curve.mechanism->elements[0].measure, Measure::displacement);
  EXPECT_EQ(curve.mechanism->elements[0].points.size(), 3U);
  EXPECT_EQ(curve.mechanism->elements[0].d, 3);
  const Scenario law = parse(model("prismatic", "spring: {force: \"k*s + rate*t\"}, damper: {D: 2, ev: 2}"));
  EXPECT_EQ(law.mechanism->elements.at(0).kind, ElementKind::law);
  EXPECT_THAT(law.mechanism->elements[0].law, HasSubstr("*s + rate*t"));
  EXPECT_EQ(law.mechanism->elements[1].D, 2);
}

TEST(JointSprings, AreMeasuredAndCannotBeNamedTwice) {
  const std::string spring = "spring: {c: 1}";
  const Scenario s = parse(model("revolute", spring, "  sensors: [{name: m, kind: torque, of: j.spring}]\n"));
  EXPECT_EQ(s.mechanism->sensors.at(0).of, "j.spring");
  EXPECT_THAT(
      fault(model("revolute", spring, "  elements: [{name: j.spring, kind: torsion, to: arm, c: 1}]\n"))
          .problem,
      HasSubstr("has this name"));
}

TEST(JointSprings, ConvertUnits) {
  const std::string text =
      model("prismatic", "spring: {c: \"2 N/mm\", free: \"5 mm\"}, damper: \"3 N s/mm\"");
  const Scenario s = parse(text + "units: SI\n");
  EXPECT_DOUBLE_EQ(s.mechanism->elements.at(0).c, 2000);
  EXPECT_DOUBLE_EQ(s.mechanism->elements[0].angle, 0.005);
  EXPECT_DOUBLE_EQ(s.mechanism->elements[1].d, 3000);
  EXPECT_THAT(fault(model("revolute", "spring: {c: \"2 N/mm\"}") + "units: SI\n").problem,
              HasSubstr("quantity"));
}

TEST(JointSprings, Faults) {
  const auto of = [](const std::string& keys) { return fault(model("revolute", keys)); };
  EXPECT_EQ(of("spring: {d: 1}").field, "model.joints.1.spring");
  EXPECT_THAT(of("spring: {d: 1}").problem, HasSubstr("has no law"));
  EXPECT_THAT(of("spring: {c: 1, force: s}").problem, HasSubstr("several ways"));
  EXPECT_THAT(of("spring: {points: [[0, 1], [1, 2]], free: 1}").problem, HasSubstr("points say"));
  EXPECT_THAT(of("spring: {points: [[0, 1], [0, 2]]}").problem, HasSubstr("not larger"));
  EXPECT_THAT(of("spring: {force: s, d: 1}").problem, HasSubstr("formula says all"));
  EXPECT_THAT(of("damper: {ev: 2}").problem, HasSubstr("damps nothing"));
  EXPECT_THAT(fault(model("cylindrical", "spring: {c: 1}")).remedy, HasSubstr("`measure`"));
  EXPECT_EQ(fault(model("spherical", "damper: 1")).field, "model.joints.1.damper");
}

}  // namespace
}  // namespace cosimo::config
