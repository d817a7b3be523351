// Tables in the place of formulas, motors by speed, laws in joints.
#include "config/tables.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

class Tables : public ::testing::Test {
 protected:
  Tables() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("tables_" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Tables() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text, const std::string& name = "f.csv") const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  Scenario parse(const std::string& joints, const std::string& elements = "",
                 const std::string& more = "") const {
    return parse_scenario(
        "cosimo: 1\nmodel:\n  parameters: {k: 3, s: 9}\n  bodies:\n    - {name: a, kind: rigid, mass: 1, "
        "inertia: [1, 1, 1]}\n"
        "  joints:\n    - {name: rail, kind: prismatic, to: a, at: [0, 0, 0], axis: [1, 0, 0]}\n"
        "    - {name: ball, kind: spherical, to: a, at: [0, 0, 0]}\n" +
            joints + "  elements:\n    - {name: none, kind: spring, to: a, c: 1}\n" + elements +
            "simulate: {end: 1, output: 0.1}\n" + more,
        (folder_ / "s.yaml").string());
  }
  static std::string motor(const std::string& keys) {
    return "    - {name: m, kind: motor, joint: rail, " + keys + "}\n";
  }
  static std::string law(const std::string& keys) { return "    - {name: l, kind: law, " + keys + "}\n"; }
  Fault fault(const std::string& joints, const std::string& elements = "") const {
    try {
      parse(joints, elements);
    } catch (const Error& error) {
      EXPECT_EQ(error.faults().size(), 1U) << error.what();
      return error.faults().at(0);
    }
    ADD_FAILURE() << "accepted: " << joints << elements;
    return {};
  }
  /// The table that a motor follows.
  const Curve& table(const std::string& keys) {
    scenario_ = parse(motor("displacement: {table: {" + keys + "}}"));
    EXPECT_EQ(scenario_.curves.size(), 1U);
    return *scenario_.curves.at(0).curve;
  }

  std::filesystem::path folder_;
  Scenario scenario_;
};

TEST_F(Tables, ComeFromFilesAndFromPoints) {
  write("n,ag,t\n1,5,0\n2,7,1000\n3,0,2000\n");
  const Curve& file = table("file: f.csv, x: t, y: ag, x_factor: 1e-3, factor: 2");
  EXPECT_DOUBLE_EQ(file(0.5), 12);
  EXPECT_DOUBLE_EQ(file(9), 0);
  EXPECT_EQ(scenario_.mechanism->joints[2].motion, "table_1(t)");
  const Curve& points = table("points: [[0, k], [1, 5]], of: t - 1, outside: zero");
  EXPECT_DOUBLE_EQ(points(0.5), 4);
  EXPECT_DOUBLE_EQ(points(1.5), 0);
  EXPECT_EQ(scenario_.mechanism->joints[2].motion, "table_1(t - 1)");
}

TEST_F(Tables, StepHoldsTheValueBefore) {
  const Curve& f = table("points: [[0, 1], [1, 5], [2, 4]], interpolate: step");
  EXPECT_EQ(f(0.999), 1);
  EXPECT_EQ(f(1), 5);
  EXPECT_EQ(f(1.7), 5);
  EXPECT_EQ(f(2), 4);
  EXPECT_EQ(f.rate(0.5), 0);
  EXPECT_THAT(f.breaks(Breaks::value).instants(),
              ::testing::ElementsAre(std::nextafter(1.0, 0.0), 1, std::nextafter(2.0, 0.0), 2));
}

TEST_F(Tables, ErrorHasNoValueOutside) {
  const Curve& f = table("points: [[0, 1], [1, 5]], outside: error");
  EXPECT_EQ(f(0), 1);
  EXPECT_EQ(f(1), 5);
  EXPECT_TRUE(std::isnan(f(1.01)) && std::isnan(f(-0.01)));
}

TEST_F(Tables, AMillionRows) {
  std::string rows = "t,y\n";
  for (int i = 0; i < 1'000'000; ++i) rows += std::to_string(i) + "e-4," + std::to_string(i % 7) + "\n";
  write(rows);
  const Curve& f = table("file: f.csv");
  EXPECT_NEAR(f(99.9998), 999998 % 7, 1e-8);
  EXPECT_NEAR(f(50.00035), 0.5 * (500003 % 7 + 500004 % 7), 1e-8);
}

TEST_F(Tables, LawsTakeThemOfWhatTheyActOn) {
  const Scenario s =
      parse("", law("joint: rail, force: {table: {points: [[0, 0], [1, k]]}}") +
                    "    - {name: d, kind: law, to: a, at_from: [1, 0, 0], force: {table: {points: [[0, 0], "
                    "[1, 2]], of: k*rate}}}\n");
  const Element& spring = s.mechanism->elements[1];
  EXPECT_EQ(spring.law, "table_1(s)") << "the variable, not the parameter";
  EXPECT_EQ(spring.joint, 0);
  EXPECT_EQ(spring.to, 0);
  EXPECT_EQ(spring.measure, Measure::displacement);
  EXPECT_EQ(s.mechanism->elements[2].law, "table_2((3)*rate)");
  const Scenario again = parse_scenario(s.effective, "/elsewhere/scenario.effective.yaml");
  EXPECT_EQ(again.mechanism->elements[1].law, "table_1(s)");
}

TEST_F(Tables, MotorsMayBeGivenBySpeedOrAcceleration) {
  const Joint speed = parse(motor("speed: \"k*t\", start: 2")).mechanism->joints[2];
  EXPECT_EQ(speed.motion, "(3)*t");
  EXPECT_EQ(speed.motion_integrals, 1);
  EXPECT_EQ(speed.motion_start, 2);
  const Joint pushed = parse(motor("acceleration: 1, start_speed: k")).mechanism->joints[2];
  EXPECT_EQ(pushed.motion_integrals, 2);
  EXPECT_EQ(pushed.motion_rate, 3);
  EXPECT_THAT(fault(motor("speed: 1, acceleration: 2")).problem, HasSubstr("given by `speed` already"));
  EXPECT_THAT(fault(motor("displacement: 1, speed: 2")).problem,
              HasSubstr("given by `displacement` already"));
  EXPECT_THAT(fault(motor("displacement: 1, start: 2")).problem, HasSubstr("where the motion begins"));
  EXPECT_THAT(fault(motor("speed: 1, start_speed: 2")).problem, HasSubstr("how fast the motion begins"));
}

TEST_F(Tables, FaultsOfTables) {
  const auto at_fault = [&](const std::string& keys) {
    return fault(motor("displacement: {table: {" + keys + "}}"));
  };
  EXPECT_THAT(at_fault("file: g.csv").problem, HasSubstr("no such file"));
  EXPECT_EQ(at_fault("file: g.csv").line, 9);
  write("");
  EXPECT_THAT(at_fault("file: f.csv").problem, HasSubstr("holds 0 points"));
  write("t,y\n0,1\n2,1\n1,1\n");
  const Fault unsorted = at_fault("file: f.csv, x: t, y: y");
  EXPECT_THAT(unsorted.problem, HasSubstr("not greater than the one before"));
  EXPECT_THAT(unsorted.file, HasSubstr("f.csv"));
  EXPECT_EQ(unsorted.line, 4);
  write("t,y\n0,1\n1,nan\n");
  EXPECT_THAT(at_fault("file: f.csv").problem, HasSubstr("not a finite number"));
  EXPECT_THAT(at_fault("file: f.csv, y: z").problem, HasSubstr("no such column"));
  EXPECT_THAT(at_fault("points: [[0, 1]]").problem, HasSubstr("holds 1 point"));
  EXPECT_THAT(at_fault("points: [[0, 1, 2], [1, 2]]").problem, HasSubstr("has 3 entries"));
  EXPECT_THAT(at_fault("points: [[0, 1], [0, 2]]").problem, HasSubstr("not greater"));
  EXPECT_THAT(at_fault("points: [[0, 1], [1, 2]], file: f.csv").problem, HasSubstr("a file and points"));
  EXPECT_THAT(at_fault("factor: 2").problem, HasSubstr("neither a file nor points"));
  EXPECT_THAT(at_fault("points: [[0, 1], [1, 2]], of: sin(t)").problem, HasSubstr("takes t alone"));
  EXPECT_THAT(at_fault("points: [[0, 1], [1, 2]], interpolate: spline").problem,
              HasSubstr("no meaning here"));
}

TEST_F(Tables, FaultsNameWhatWasWritten) {
  const auto at_fault = [&](const std::string& keys) {
    return fault(motor("displacement: {table: {" + keys + "}}"));
  };
  const std::string points = "points: [[0, 1], [1, 2]], ", place = "model.joints.3.displacement.table";
  EXPECT_EQ(at_fault(points + "interpolate: quintic").field, place + ".interpolate");
  EXPECT_EQ(at_fault(points + "x_factor: two").field, place + ".x_factor");
  EXPECT_EQ(at_fault(points + "outside: nowhere").field, place + ".outside");
  EXPECT_EQ(at_fault("points: [[0, 1], [0, 2]]").field, place + ".points.2");
  EXPECT_EQ(at_fault("").field, place);
  write("t,y\n0,1\n1,2\n");
  EXPECT_EQ(at_fault("file: f.csv, y: z").field, place + ".y");
  const Fault misspelt = at_fault(points + "intrepolate: step");
  EXPECT_EQ(misspelt.field, place + ".intrepolate");
  EXPECT_THAT(misspelt.remedy, HasSubstr("did you mean `interpolate`"));
  EXPECT_THAT(at_fault(points + "of: \"t)+(1\"").problem, HasSubstr("is no formula"));
  EXPECT_EQ(
      fault("", "    - {name: f, kind: applied, to: a, force: [0, {table: {points: [[0, 1]]}}, 0]}\n").field,
      "model.elements.2.force.2.table.points");
}

TEST_F(Tables, OfMotorsLastAsLongAsTheRun) {
  const auto table = [](const std::string& points, const std::string& more = "") {
    return motor("speed: {table: {points: " + points + ", outside: error" + more + "}}");
  };
  const Fault ended = fault(table("[[0, 0], [0.9, 1]]"));
  EXPECT_EQ(ended.field, "model.joints.3.speed");
  EXPECT_EQ(ended.line, 9);
  EXPECT_THAT(ended.problem, HasSubstr("at t = 1:"));
  EXPECT_THAT(fault(table("[[0, 0], [1, 1]]", ", of: t - 0.1")).problem, HasSubstr("at t = 0"));
  EXPECT_EQ(parse(table("[[0, 0], [1, 1]]")).mechanism->joints[2].motion, "table_1(t)");
}

TEST_F(Tables, FaultsOfLawsInJoints) {
  const auto at_fault = [&](const std::string& keys) { return fault("", law(keys)); };
  EXPECT_THAT(at_fault("joint: rial, force: s").remedy, HasSubstr("did you mean `rail`"));
  EXPECT_THAT(at_fault("joint: ball, force: s").problem, HasSubstr("no one coordinate"));
  EXPECT_THAT(at_fault("joint: rail, to: a, force: s").problem, HasSubstr("already says where it acts"));
  EXPECT_THAT(at_fault("joint: rail, measure: angle, force: s").problem, HasSubstr("the joint is prismatic"));
  EXPECT_THAT(at_fault("to: a, force: x").problem, HasSubstr("unknown symbol 'x'"));
  EXPECT_THAT(at_fault("to: a").problem, HasSubstr("is missing"));
}

}  // namespace
}  // namespace cosimo::config
