#include "config/curves.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

class Curves : public ::testing::Test {
 protected:
  Curves() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              ("curves_" + std::string(test->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~Curves() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& text, const std::string& name = "f.csv") const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  static std::string chain(const std::string& keys) {
    return "cosimo: 1\nmodel:\n  curves:\n    - {name: push, file: f.csv" + keys +
           "}\n  chain: {masses: 2, mass: 1, spring: {c: 1}, loads: [{curve: {bodies: [2], name: push, "
           "amplitude: 3}}]}\nsimulate: {end: 1, output: 0.1}\n";
  }
  Scenario parse(const std::string& text) const {
    return parse_scenario(text, (folder_ / "s.yaml").string());
  }
  /// The curve of a file with these keys beside name and file.
  const Curve& curve(const std::string& file, const std::string& keys = "") {
    write(file);
    scenario_ = parse(chain(keys));
    return *std::get<CurveSpec>(scenario_.chain.loads[0].kind).curve;
  }
  Fault fault(const std::string& text) const {
    try {
      parse(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.faults().size(), 1U) << error.what();
      return error.faults().at(0);
    }
    ADD_FAILURE() << "accepted";
    return {};
  }
  /// What is wrong with a file, at this line of it.
  Fault file_fault(const std::string& file, int line, const std::string& keys = "") {
    write(file);
    const Fault found = fault(chain(keys));
    EXPECT_THAT(found.file, HasSubstr("f.csv"));
    EXPECT_EQ(found.line, line);
    return found;
  }

  std::filesystem::path folder_;
  Scenario scenario_;
};

TEST_F(Curves, ReadsEveryUsualKindOfFile) {
  for (const char* file :
       {"0,5\n1,7\n", "0;5\r\n1;7\r\n", "0 5\n1 7", "  0\t5\n\n  1   7  \n", "t,f\n0,5\n1,7\n",
        "# made up\n% by hand\n\"t\";\"f (kN)\"\n0.0;+5.0;x\n 1e0 ; 7 ;y\n",
        "\xEF\xBB\xBFt, f\n0, 5\n1, 7\n"}) {
    const Curve& f = curve(file);
    EXPECT_EQ(f(0.5), 6) << file;
    EXPECT_EQ(f(2), 7) << file;
  }
}

TEST_F(Curves, TakesColumnsByNameAndByNumber) {
  const std::string file = "n, force, time\n1, 5, 0\n2, 7, 1\n";
  EXPECT_EQ(curve(file, ", time: time, value: force")(0.5), 6);
  EXPECT_EQ(curve(file, ", time: 3, value: 2")(0.5), 6);
  EXPECT_EQ(curve(file, ", time: 3, value: n")(0.5), 1.5);
}

TEST_F(Curves, HasUnitsAndShape) {
  const std::string file = "0,5\n1000,7\n2000,0\n";
  const Curve& f = curve(file, ", factor: 10, time_factor: 1e-3, between: cubic, before: zero, after: zero");
  EXPECT_EQ(f(1), 70);
  EXPECT_EQ(f(-1), 0);
  EXPECT_NE(f(1.5), 35) << "a straight line";
  EXPECT_EQ(curve("0,5\n1,7\n", ", after: zero")(1.5), 0);
}

TEST_F(Curves, TellsTheLineAndTheValueAtFault) {
  EXPECT_THAT(file_fault("t,f\n0,5\n1,x7\n", 3).problem, HasSubstr("not a number"));
  EXPECT_EQ(file_fault("0,5\n1,nan\n", 2).value, "nan");
  EXPECT_THAT(file_fault("0,5\n1,inf\n", 2).problem, HasSubstr("not a finite number"));
  EXPECT_THAT(file_fault("0,5\n1,1e300\n", 2, ", factor: 1e9").problem, HasSubstr("not a finite number"));
  EXPECT_THAT(file_fault("0;5\n1;7,5\n", 2).remedy, HasSubstr("decimal points"));
  EXPECT_THAT(file_fault("0,5\n1,6\n1,7\n", 3).problem, HasSubstr("not greater than the one before"));
  EXPECT_THAT(file_fault("0,5\n2,6\n1,7\n", 3).problem, HasSubstr("not greater than the one before"));
  EXPECT_THAT(file_fault("0,5\n1\n", 2).problem, HasSubstr("only 1 column"));
  EXPECT_THAT(file_fault("t,f\n0,5\n", 2).problem, HasSubstr("holds 1 point"));
  EXPECT_THAT(file_fault("", 0).problem, HasSubstr("holds 0 points"));
  const Fault column = file_fault("t,force\n0,5\n1,6\n", 1, ", value: forse");
  EXPECT_EQ(column.value, "forse");
  EXPECT_THAT(column.remedy, HasSubstr("did you mean `force`"));
  EXPECT_THAT(file_fault("0,5\n1,6\n", 1, ", value: 3").problem, HasSubstr("no such column"));
}

TEST_F(Curves, TellsWhatIsWrongWithTheEntry) {
  const Fault missing = fault(chain(""));
  EXPECT_EQ(missing.line, 4);
  EXPECT_EQ(missing.field, "model.curves.1.file");
  EXPECT_THAT(missing.problem, HasSubstr("no such file"));
  write("0,5\n1,7\n", "g.csv");
  EXPECT_THAT(fault(chain("")).remedy, HasSubstr("g.csv"));
  write("0,5\n1,7\n");
  std::string other = chain("");
  other.replace(other.find("name: push, amplitude"), 10, "name: pull");
  EXPECT_THAT(fault(other).problem, HasSubstr("no curve of that name"));
  std::string reserved = chain("");
  for (const char* word : {"name: push, file", "name: push, amplitude"})
    reserved.replace(reserved.find(word), 10, "name: sinh");
  EXPECT_THAT(fault(reserved).problem, HasSubstr("already has a meaning in formulas"));
}

TEST_F(Curves, FormulasCallThem) {
  write("0,5\n1,7\n");
  const auto bodies = [](const std::string& formula) {
    return "cosimo: 1\nmodel:\n  parameters: {delay: 2}\n  curves: [{name: push, file: f.csv}]\n  bodies: "
           "[{name: a, kind: point, dimensions: 1, mass: 1}]\n  elements: [{name: f, kind: applied, to: a, "
           "force: [\"" +
           formula + "\"]}]\nsimulate: {end: 1, output: 0.1}\n";
  };
  const Scenario s = parse(bodies("2*push(t - delay)"));
  ASSERT_EQ(s.curves.size(), 1U);
  EXPECT_EQ(s.mechanism->elements[0].force[0], "2*push(t - (2))");
  EXPECT_EQ(parse(bodies("push(x)")).mechanism->elements[0].force[0], "push(x)");
  EXPECT_THAT(fault(bodies("pusch(t)")).remedy, HasSubstr("did you mean push"));
}

TEST_F(Curves, IncludedFilesNameThemFromTheirOwnFolder) {
  std::filesystem::create_directories(folder_ / "parts");
  write("0,5\n1,7\n", "parts/f.csv");
  write("curves: [{name: push, file: f.csv}]\n", "parts/p.yaml");
  const Scenario s = parse(
      "cosimo: 1\nmodel:\n  include: parts/p.yaml\n  chain: {masses: 2, mass: 1, spring: {c: 1}, loads: "
      "[{curve: {bodies: all, name: push}}]}\nsimulate: {end: 1, output: 0.1}\n");
  EXPECT_EQ((*std::get<CurveSpec>(s.chain.loads[0].kind).curve)(0.5), 6);
}

TEST_F(Curves, TheEffectiveFileFindsThem) {
  curve("0,5\n1,7\n", ", between: cubic");
  const Scenario again = parse_scenario(scenario_.effective, "elsewhere/s.yaml");
  EXPECT_EQ(std::get<CurveSpec>(again.chain.loads[0].kind).curve->digest(),
            std::get<CurveSpec>(scenario_.chain.loads[0].kind).curve->digest());
}

}  // namespace
}  // namespace cosimo::config
