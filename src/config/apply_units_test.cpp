// Units of files and of values, and the dimension of every key.
#include "config/apply_units.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <set>

#include "config/definition.hpp"
#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr double pi = std::numbers::pi;

Scenario parse(const std::string& head, const std::string& model, std::vector<std::string> set = {}) {
  return parse_scenario("cosimo: 1\n" + head + "model:\n" + model + "simulate: {end: 1, output: 0.1}\n",
                        "s.yaml", set);
}

std::vector<Fault> faults(const std::string& head, const std::string& model) {
  try {
    parse(head, model);
  } catch (const Error& error) {
    return error.faults();
  }
  ADD_FAILURE() << "accepted: " << model;
  return {Fault{}};
}

const std::string one_body = "  bodies: [{name: a, kind: point, mass: 3}]\n";

std::string spring(const std::string& keys) {
  return one_body + "  elements: [{name: s, kind: spring, to: a, " + keys + "}]\n";
}

TEST(ApplyUnits, WithoutAnyNothingChanges) {
  const Scenario s = parse("", spring("c: 5"));
  EXPECT_TRUE(s.units.empty());
  EXPECT_EQ(s.mechanism->elements[0].c, 5);
  EXPECT_EQ(s.effective.find("units"), std::string::npos);
}

TEST(ApplyUnits, QuantitiesAloneMeanSi) {
  const Scenario s = parse("", spring("c: 3.5 kN/mm, length: 12mm, d: \"2 N s/m\""));
  EXPECT_EQ(s.units.length, "m");
  EXPECT_EQ(s.units.force, "N");
  EXPECT_EQ(s.mechanism->elements[0].c, 3.5e6);
  EXPECT_EQ(s.mechanism->elements[0].length, 0.012);
  EXPECT_EQ(s.mechanism->elements[0].d, 2);
  EXPECT_EQ(s.mechanism->bodies[0].mass, 3);
}

TEST(ApplyUnits, QuantitiesBecomeUnitsOfTheFile) {
  const Scenario s =
      parse("units: {length: mm, mass: t, time: s}\n", spring("c: 3.5 kN/m, length: 0.1 m, d: 4"),
            {"simulate.end=2 min", "model.bodies.1.mass=20 kg", "model.gravity=[0, 0, -1 gn]"});
  EXPECT_EQ(s.mechanism->elements[0].c, 3.5);
  EXPECT_EQ(s.mechanism->elements[0].length, 100);
  EXPECT_EQ(s.mechanism->elements[0].d, 4);
  EXPECT_EQ(s.mechanism->bodies[0].mass, 0.02);
  EXPECT_EQ(s.mechanism->gravity[2], -9806.65);
  EXPECT_EQ(s.simulate.end, 120);
  EXPECT_EQ(s.units.force, "N");
}

TEST(ApplyUnits, ForceAndAngleOfTheirOwnAreConverted) {
  const Scenario s =
      parse("units: {length: m, mass: kg, time: s, force: kN, angle: deg}\n",
            "  parameters: {k: 7, K: 2 MN/m, T: 1 kN m/rad}\n"
            "  bodies:\n"
            "    - {name: a, kind: rigid, mass: 3, inertia: [1, 1, 1], angular_velocity: [180, 0, 0],\n"
            "       orientation: {axis: [0, 0, 1], angle: 180}}\n"
            "  elements:\n"
            "    - {name: s, kind: spring, to: a, c: 5, C: 1, ex: 2}\n"
            "    - {name: u, kind: spring, to: a, c: k, d: K}\n"
            "    - {name: t, kind: torsion, to: a, c: 5, angle: 90}\n"
            "    - {name: f, kind: applied, to: a, force: [\"2*sin(t)\", 3, \"(1 + t) N\"]}\n"
            "    - {name: l, kind: law, to: a, measure: angle, force: \"-s\"}\n");
  const auto& e = s.mechanism->elements;
  EXPECT_EQ(s.mechanism->bodies[0].angular_velocity[0], pi);
  EXPECT_EQ(e[0].c, 5000);
  EXPECT_EQ(e[0].C, 1000);
  EXPECT_EQ(e[1].c, 7000);
  EXPECT_EQ(e[1].d, 2e6);
  EXPECT_DOUBLE_EQ(e[2].c, 5000 * 180 / pi);
  EXPECT_EQ(e[2].angle, pi / 2);
  EXPECT_EQ(e[3].force[0], "(2*sin(t))*(1000)");
  EXPECT_EQ(e[3].force[1], "3000");
  EXPECT_EQ(e[3].force[2], "(1 + t)");
  EXPECT_THAT(e[4].law, HasSubstr("s*57.2957795"));
  EXPECT_THAT(e[4].law, HasSubstr("*(1000)"));
}

TEST(ApplyUnits, EffectiveFileReadsBackToTheSameBits) {
  for (const char* head : {"", "units: {length: in, force: lbf, time: ms, angle: deg}\n",
                           "units: {length: mm, mass: g, time: s, force: kN}\n", "units: SI\n"}) {
    const Scenario s = parse(head, spring("c: 3.5 kN/mm, length: 12.3, d: 0.7, C: 1.1, ex: 1.5"));
    const Scenario again = parse_scenario(s.effective, "effective");
    EXPECT_EQ(again.effective, s.effective) << head;
    EXPECT_EQ(again.mechanism->elements[0].c, s.mechanism->elements[0].c);
    EXPECT_EQ(again.mechanism->elements[0].C, s.mechanism->elements[0].C);
    EXPECT_EQ(again.units.mass, s.units.mass);
  }
}

TEST(ApplyUnits, DefaultsAreSi) {
  const std::string model = "  vehicle: {axles: 2}\n";
  const Scenario si = parse("", model), mm = parse("units: {length: mm, mass: t, time: s}\n", model);
  const auto &a = std::get<Vehicle>(si.generator), &b = std::get<Vehicle>(mm.generator);
  EXPECT_DOUBLE_EQ(b.wheelbase, 1000 * a.wheelbase);
  EXPECT_DOUBLE_EQ(b.gravity, 1000 * a.gravity);
  EXPECT_DOUBLE_EQ(b.suspension.length, 500);
  EXPECT_DOUBLE_EQ(b.tyre.slip, 10);
  EXPECT_DOUBLE_EQ(b.chassis.mass, a.chassis.mass / 1000);
  EXPECT_DOUBLE_EQ(b.road.roughness, 1000 * a.road.roughness);
  const Scenario contact =
      parse("units: {length: mm, mass: t, time: s}\n",
            one_body + "  elements: [{name: c, kind: contact, body: a, stiffness: 5}]\n");
  EXPECT_DOUBLE_EQ(contact.mechanism->elements[0].slip, 10);
}

TEST(ApplyUnits, NoDefaultContradictsWhatIsGiven) {
  const Scenario s = parse("units: {length: mm, mass: t, time: s}\n",
                           "  bodies: [{name: a, kind: rigid, shape: {sphere: 5}, density: 1.0e-9}]\n"
                           "  ground: [{name: floor, shape: {plane: [0, 0, 1]}}]\n"
                           "  contacts: [{name: c, between: [[a], ground], stiffness: 5, friction: 0.3, "
                           "sticking: {stiffness: 4}}]\n");
  EXPECT_EQ(parse_scenario(s.effective, "again.yaml", {}).effective, s.effective);
}

TEST(ApplyUnits, TablesAndCurves) {
  const Scenario s =
      parse("units: {length: mm, mass: t, time: s}\n",
            "  curves: [{name: ag, points: [[0, 0], [1000, 1]], unit: gn, time_unit: ms}]\n" + one_body +
                "  elements:\n    - {name: f, kind: applied, to: a, force: [{table: {points: [[0, 1], "
                "[2, 3]], unit: kN, x_unit: min}}, 0, 0]}\n");
  ASSERT_EQ(s.curves.size(), 2U);
  EXPECT_DOUBLE_EQ((*s.curves[0].curve)(1.0), 9806.65);
  EXPECT_DOUBLE_EQ((*s.curves[1].curve)(120.0), 3000);
}

TEST(ApplyUnits, WrongOnesAreNamed) {
  struct Case {
    const char* value;
    const char* problem;
    const char* remedy;
  };
  for (const Case& c :
       {Case{"12 mm", "is a quantity of length where mass is needed", "`1 kg`"},
        Case{"12 kq", "unknown unit `kq`", "did you mean"},
        Case{"12 Kg", "unknown unit `Kg`", "did you mean `kg`"}, Case{"1e3 kg^", "behind ^", "m^2"},
        Case{"1e999 kg", "beyond the range", ""}, Case{"nan kg", "not a number", ""},
        Case{".nan kg", "not a number", ""}, Case{"kg", "", ""}, Case{"-3 kg", "out of range", "> 0"},
        Case{"(2*L) kg", "not a valid formula", ""}, Case{"2*3 kg", "", ""},
        Case{"1,5 kg", "", "decimal point"}, Case{"010 kg", "begins with a zero", ""}}) {
    const std::vector<Fault> found =
        faults("", "  bodies:\n    - name: a\n      kind: point\n      mass: " + std::string(c.value) + "\n");
    ASSERT_EQ(found.size(), 1U) << c.value;
    EXPECT_EQ(found[0].line, 6) << c.value;
    EXPECT_EQ(found[0].field, "model.bodies.1.mass");
    EXPECT_THAT(found[0].problem, HasSubstr(c.problem)) << c.value;
    EXPECT_THAT(found[0].remedy, HasSubstr(c.remedy)) << c.value;
  }
}

TEST(ApplyUnits, AlternativesFollowTheMeasure) {
  const auto stop = [](const std::string& keys) {
    return "  bodies: [{name: a, kind: rigid, mass: 1, inertia: [1, 1, 1]}]\n  joints: [{name: j, kind: "
           "revolute, "
           "to: a, at: [0, 0, 0]}]\n  elements: [{name: s, kind: stop, stiffness: 100, " +
           keys + "}]\n";
  };
  EXPECT_EQ(parse("", stop("joint: j, upper: 90 deg")).mechanism->elements[0].upper, pi / 2);
  EXPECT_EQ(parse("", stop("to: a, upper: 5 cm")).mechanism->elements[0].upper, 0.05);
  EXPECT_THAT(faults("", stop("joint: j, upper: 5 cm"))[0].problem, HasSubstr("where angle is needed"));
  EXPECT_THAT(faults("", stop("to: a, upper: 5 deg"))[0].problem, HasSubstr("where length is needed"));
}

TEST(ApplyUnits, SystemsMustBeWhole) {
  const auto problem = [](const std::string& units) {
    return faults("units: " + units + "\n", one_body).at(0);
  };
  EXPECT_THAT(problem("{length: mm}").problem, HasSubstr("leaves open"));
  EXPECT_THAT(problem("{length: mm, mass: t, time: mm}").problem, HasSubstr("unit of length, not of time"));
  EXPECT_THAT(problem("{length: mmm, mass: t, time: s}").remedy, HasSubstr("did you mean"));
  EXPECT_THAT(problem("{lenght: mm}").remedy, HasSubstr("length"));
  EXPECT_THAT(problem("imperial").problem, HasSubstr("what numbers mean"));
  EXPECT_THAT(problem("{length: [mm], mass: t, time: s}").problem, HasSubstr("is no unit"));
}

TEST(ApplyUnits, PureNumbersTakeNone) {
  const auto found = faults("", spring("c: 1, ex: 3 mm"));
  EXPECT_THAT(found[0].problem, HasSubstr("without one is needed"));
  EXPECT_EQ(found[0].field, "model.elements.1.ex");
}

class Parts : public ::testing::Test {
 protected:
  Parts() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("units_" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Parts() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(folder_ / "part.yaml") << text; }
  Scenario parse(const std::string& head, const std::string& model) const {
    return parse_scenario("cosimo: 1\n" + head + "model:\n" + model + "simulate: {end: 1, output: 0.1}\n",
                          (folder_ / "s.yaml").string());
  }
  std::filesystem::path folder_;
};

const char* const millimetres =
    "units: {length: mm, mass: t, time: s}\n"
    "parameters: {L: 120 mm, m: 0.002, n: 2}\n"
    "bodies: [{name: b, kind: rigid, shape: {box: [L, 10, 10]}, mass: m, position: [\"L/2\", 0, 0]}]\n"
    "elements:\n"
    "  - {name: f, kind: applied, to: b, force: [\"-3*x\", \"(x) N\", 0]}\n"
    "  - {name: c, kind: contact, body: b, stiffness: 5}\n";

TEST_F(Parts, InTheirOwnUnitsFitTheModel) {
  write(millimetres);
  const Scenario s =
      parse("", "  submodels: [{use: part.yaml, position: [1, 0, 0]}]\n  gravity: [0, 0, -9.81]\n");
  const Body& b = s.mechanism->bodies[0];
  EXPECT_DOUBLE_EQ(b.mass, 2);
  EXPECT_DOUBLE_EQ(b.position[0], 1.06);
  EXPECT_DOUBLE_EQ(b.shape->edges[0], 0.12);
  EXPECT_EQ(s.mechanism->gravity[2], -9.81);
  EXPECT_DOUBLE_EQ(s.mechanism->elements[1].contact_stiffness, 5000);
  EXPECT_DOUBLE_EQ(s.mechanism->elements[1].slip, 0.01);
  EXPECT_EQ(s.mechanism->elements[0].force[0], "-3*(x*1000)");  // t mm/s^2 is N
  EXPECT_EQ(s.mechanism->elements[0].force[1], "((x*1000))");
  EXPECT_EQ(s.units.length, "m");
}

TEST_F(Parts, TakeValuesInTheUnitsOfEither) {
  write(millimetres);
  const auto edge = [&](const std::string& set) {
    return parse("units: SI\n",
                 "  parameters: {H: 0.5}\n  submodels: [{use: part.yaml, set: {L: " + set + "}}]\n")
        .mechanism->bodies[0]
        .shape->edges[0];
  };
  EXPECT_DOUBLE_EQ(edge("30 cm"), 0.3);
  EXPECT_DOUBLE_EQ(edge("0.25"), 0.25);
  EXPECT_DOUBLE_EQ(edge("\"2*H\""), 1);
}

TEST_F(Parts, InheritUnits) {
  write("bodies: [{name: b, kind: point, mass: 3, position: [1 m, 5, 0]}]\n");
  const Scenario s = parse("units: {length: mm, mass: t, time: s}\n", "  submodels: [{use: part.yaml}]\n");
  EXPECT_EQ(s.mechanism->bodies[0].position[0], 1000);
  EXPECT_EQ(s.mechanism->bodies[0].position[1], 5);
}

TEST_F(Parts, DoNotUseNumbersOfOtherUnits) {
  write(
      "units: {length: mm, mass: t, time: s}\nbodies: [{name: b, kind: point, mass: 3, position: [\"2*H\", "
      "0, 0]}]\n");
  for (const char* use : {"submodels: [{use: part.yaml}]", "include: part.yaml"}) {
    try {
      parse("", "  parameters: {H: 1}\n  " + std::string(use) + "\n");
      ADD_FAILURE() << use;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("uses `H`, a number of another file"));
      EXPECT_THAT(error.what(), HasSubstr("part.yaml:2"));
    }
  }
}

TEST_F(Parts, MayBeIncluded) {
  write(
      "units: {length: mm, mass: t, time: s}\nbodies: [{name: b, kind: point, mass: 3, position: [20, 0, "
      "0]}]\n");
  const Scenario s = parse("", "  include: part.yaml\n");
  EXPECT_EQ(s.mechanism->bodies[0].position[0], 0.02);
  EXPECT_EQ(s.mechanism->bodies[0].mass, 3000);
}

/// Numbers that count or compare, factors of signals, and what other tools define.
bool is_pure(const std::string& path) {
  static const std::set<std::string> pure{"rtol",
                                          "safety",
                                          "r_min",
                                          "r_max",
                                          "relaxation",
                                          "tau",
                                          "corrector_rtol",
                                          "corrector_atol",
                                          "perturbation_min",
                                          "omega",
                                          "kp",
                                          "gain",
                                          "initial",
                                          "start",
                                          "factor",
                                          "offset",
                                          "ex",
                                          "ev",
                                          "exponent",
                                          "friction",
                                          "quaternion",
                                          "axis",
                                          "plane",
                                          "second_axis",
                                          "values",
                                          "time_factor",
                                          "points",
                                          "fraction",
                                          "neighbours",
                                          "set",
                                          "reference",
                                          "time_limit",
                                          "wave.factor"};
  return pure.contains(path);
}

void collect(const Form& form, const std::string& key, const std::string& dimension,
             std::set<std::string>& bare, std::set<std::string>& wrong) {
  using Kind = Form::Kind;
  const bool number = form.kind == Kind::number || form.kind == Kind::numbers || form.kind == Kind::formula;
  if (number && dimension.empty() && !is_pure(key)) bare.insert(key);
  const ExponentOfName two = [](std::string_view) { return 2.0; };
  if (!dimension.empty() && dimension != "1")
    for (const auto& column : split_dimension(dimension))
      for (std::size_t i = 0; i < column.size(); ++i) {
        const auto parsed = UnitSystem{}.of_text(column[i], two);
        const Unit* unit = std::get_if<Unit>(&parsed);
        // What is measured along a line comes first.
        if (unit == nullptr || unit->dimension.is_pure() || column.size() > 2 ||
            (column.size() > 1 && i == 0 && unit->dimension.angle != 0))
          wrong.insert(key + ": " + dimension);
      }
  for (const Form& entry : form.entry) collect(entry, key, dimension, bare, wrong);
  for (const Key& inner : form.keys)
    for (const Form& each : inner.forms)
      collect(each, inner.name, inner.dimension.empty() ? dimension : inner.dimension, bare, wrong);
}

TEST(Dimensions, AreThereForEveryKey) {
  std::set<std::string> bare, wrong;
  collect(scenario_definition(), "", "", bare, wrong);
  EXPECT_THAT(bare, IsEmpty()) << "give these keys a dimension, or \"1\"";
  EXPECT_THAT(wrong, IsEmpty()) << "unit_system.hpp has the grammar";
}

}  // namespace
}  // namespace cosimo::config
