// What goes together with signals, and wrong ones: each is refused with one fault.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "config/scenario.hpp"
#include "config/testing.hpp"

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

using testing::faults_of;
using testing::parse;
using testing::Settings;

TEST(Connections, NeedNoSubsystemAndNoCuts) {
  const Scenario s =
      parse({"connections=[{from: 1.x, to: 100.force}]", "couple.predictor={acc: {degree: 1}}"});
  EXPECT_EQ(s.connections.size(), 1U);
  EXPECT_TRUE(s.subsystems.empty());
  EXPECT_TRUE(faults_of({"partition=none", "connections=[{from: 1.x, to: 100.force}]"}).empty());
}

TEST(Connections, HaveAFactorAndAnOffset) {
  const Scenario s =
      parse({"connections=[{from: 1.x, to: 100.force, factor: 2*5, offset: -1}, "
             "{from: 2.x, to: 99.force}]"});
  EXPECT_EQ(s.connections[0].factor, 10);
  EXPECT_EQ(s.connections[0].offset, -1);
  EXPECT_EQ(s.connections[1].factor, 1);
  EXPECT_EQ(s.connections[1].offset, 0);
  const Scenario again = parse_scenario(s.effective, "again");
  EXPECT_EQ(again.connections[0].factor, 10);
}

TEST(Connections, ChooseClassicCuts) {
  EXPECT_FALSE(parse({}).couple.decomposition);
  const Couple couple = parse({"connections=[{from: 1.x, to: 100.force}]"}).couple;
  EXPECT_EQ(couple.decomposition, Decomposition::force_force);
  EXPECT_EQ(couple.scheme, SchemeKind::explicit_);
}

/// `sections` follow after line 3 of the file; one fault.
struct BadSignal {
  const char* name;
  const char* sections;
  int line;
  const char* field;
  const char* text;
};

#define ARM \
  "model: {bodies: [{name: arm, kind: point, mass: 1}], elements: [{name: s, kind: spring, to: arm}]}"
#define PID "subsystems:\n- {name: c, pid: {kp: 1}}\n"
#define LAG "subsystems:\n- {name: l, lag: {time_constant: 1}}\n"
#define DRIVEN "connections:\n- {from: 1.x, to: c.measured}\n"

const BadSignal bad_signals[] = {
    {"NameOfABody", "subsystems: [{name: arm, lag: {time_constant: 1}}]\n" DRIVEN, 4, "subsystems.1.name",
     "already uses this name"},
    {"NameOfAnElement",
     "subsystems: [{name: s, lag: {time_constant: 1}}]\nconnections: [{from: s.out, to: s.in}]\n", 4,
     "subsystems.1.name", "choose another name"},
    {"FactorZero", "connections: [{from: 1.x, to: 1.force, factor: 0}]\n", 4, "connections.1.factor",
     "nothing of the signal is left"},
    {"NameTwice", PID "- {name: c, lag: {time_constant: 1}}\nconnections: [{from: c.out, to: c.in}]\n", 6,
     "subsystems.2.name", "subsystems.1.name is the same"},
    {"NameANumber", "subsystems: [{name: 3, pid: {kp: 1}}]\n" DRIVEN, 4, "subsystems.1.name",
     "begin the name with a letter"},
    {"NoKind", "subsystems:\n- {name: c}\n" DRIVEN, 5, "subsystems.1",
     "add one of `pid`, `lag`, `fmu` or `input`"},
    {"TwoKinds", "subsystems:\n- {name: c, pid: {kp: 1}, lag: {time_constant: 1}}\n" DRIVEN, 5,
     "subsystems.1", "exactly one of `pid`, `lag`, `fmu` or `input`"},
    {"UnknownKind", "subsystems:\n- {name: c, pdi: {kp: 1}}\n" DRIVEN, 5, "subsystems.1.pdi",
     "did you mean `pid`"},
    {"NoGain", "subsystems:\n- {name: c, pid: {reference: t}}\n" DRIVEN, 5, "subsystems.1.pid",
     "all gains are zero"},
    {"FilterZero", "subsystems:\n- {name: c, pid: {kd: 1, filter: 0}}\n" DRIVEN, 5, "subsystems.1.pid.filter",
     "> 0"},
    {"ReferenceOfPositions", "subsystems:\n- {name: c, pid: {kd: 1, reference: 2*x}}\n" DRIVEN, 5,
     "subsystems.1.pid.reference", "not a valid formula"},
    {"LagWithoutTime", "subsystems:\n- {name: c, lag: {}}\nconnections: [{from: c.out, to: c.in}]\n", 5,
     "subsystems.1.lag.time_constant", "is missing"},
    {"NoConnections", PID, 5, "subsystems.1.name", "no connection names this subsystem"},
    {"ConnectionsOfOthers", PID "connections: [{from: 1.x, to: 1.force}]\n", 5, "subsystems.1.name",
     "no connection names this subsystem"},
    {"EmptyConnections", PID "connections: []\n", 6, "connections", "empty list"},
    {"MeasuredOpen", PID "connections: [{from: c.out, to: 1.force}]\n", 5, "subsystems.1.name",
     "add `{from: ..., to: c.measured}`"},
    {"InOpen", LAG "connections: [{from: l.out, to: 1.force}]\n", 5, "subsystems.1.name",
     "its input `in` is not connected"},
    {"ReferenceTwice",
     "subsystems:\n- {name: c, pid: {kp: 1, reference: t}}\n" DRIVEN "- {from: 1.x, to: c.reference}\n", 5,
     "subsystems.1.pid.reference", "connections.2.to is connected to this input"},
    {"ConnectedTwice", PID DRIVEN "- {from: arm.x, to: c.measured}\n", 8, "connections.2.to",
     "connections.1.to is connected to this input already"},
    {"ForceTwice", "connections:\n- {from: 1.x, to: arm.force}\n- {from: arm.x, to: arm.force}\n", 6,
     "connections.2.to", "connect each input once"},
    {"ToMissing", "connections:\n- {from: 1.x}\n", 5, "connections.1.to", "is missing"},
    {"FromWithoutADot", PID DRIVEN "- {from: c, to: 1.force}\n", 8, "connections.2.from",
     "the component, a dot and the signal"},
    {"ToWithoutAName", PID DRIVEN "- {from: c.out, to: arm.}\n", 8, "connections.2.to",
     "is not a signal of a component"},
    {"UnknownComponent", PID "connections:\n- {from: arn.x, to: c.measured}\n", 7, "connections.1.from",
     "there is no subsystem or body of this name (did you mean `arm`?)"},
    {"UnknownTarget",
     "subsystems:\n- {name: controller, pid: {kp: 1}}\nconnections:\n"
     "- {from: arm.x, to: controler.measured}\n",
     7, "connections.1.to", "did you mean `controller`?"},
    {"ElementAsComponent", "connections:\n- {from: spring.x, to: arm.force}\n", 5, "connections.1.from",
     "name a subsystem or a body"},
    {"UnknownNumber", "connections:\n- {from: 2.x, to: arm.force}\n", 5, "connections.1.from",
     "numbered from 1 to 1"},
    {"EndlessNumber", "connections:\n- {from: 99999999999999999999.x, to: arm.force}\n", 5,
     "connections.1.from", "no body of this number"},
    {"UnknownInput", PID "connections:\n- {from: 1.x, to: c.mesured}\n", 7, "connections.1.to",
     "`c` has no input `mesured` (did you mean `measured`? write `c.measured` or `c.reference`)"},
    {"OutputAsInput", PID DRIVEN "- {from: 1.x, to: c.out}\n", 8, "connections.2.to",
     "`c` has no input `out`"},
    {"UnknownOutput", PID DRIVEN "- {from: c.measured, to: 1.force}\n", 8, "connections.2.from",
     "`c` has no output `measured` (write `c.out`)"},
    {"DerivativeOfAnOutput", PID DRIVEN "- {from: der(c.out), to: 1.force}\n", 8, "connections.2.from",
     "leave out `der`"},
    {"DerivativeAsInput", "connections:\n- {from: 1.x, to: der(1.x)}\n", 5, "connections.1.to",
     "a derivative is not an input"},
};

void PrintTo(const BadSignal& bad, std::ostream* out) {
  *out << bad.name;
}

class BadSignals : public ::testing::TestWithParam<BadSignal> {};

TEST_P(BadSignals, AreRefusedWithLineFieldAndRemedy) {
  const BadSignal& bad = GetParam();
  const std::string text = "cosimo: 1\n" ARM "\nsimulate: {end: 1}\n" + std::string(bad.sections);
  try {
    parse_scenario(text, "bad.yaml");
    FAIL() << text << "was accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    const Fault& fault = error.faults().front();
    EXPECT_EQ(fault.line, bad.line) << error.what();
    EXPECT_EQ(fault.field, bad.field) << error.what();
    EXPECT_FALSE(fault.remedy.empty()) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(bad.text));
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, BadSignals, ::testing::ValuesIn(bad_signals),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(BadSignals, OfAChainHaveNoNames) {
  const auto faults = faults_of({"connections=[{from: mass.x, to: 1.force}]"});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0].remedy, HasSubstr("a body by its number"));
}

TEST(BadSignals, OfGeneratorsAreLeftToTheRun) {
  EXPECT_TRUE(faults_of({"model={pendulum: {links: 3}}", "partition=none",
                         "connections=[{from: link9.x, to: 3.force}]"})
                  .empty());
  EXPECT_EQ(faults_of({"model={pendulum: {links: 3}}", "partition=none",
                       "connections=[{from: link1.x, to: 4.force}]"})
                .size(),
            1U);
}

TEST(BadSignals, OfAPendulumWithoutBodiesAreRefused) {
  const auto faults =
      faults_of({"model={pendulum: {links: 3, formulation: minimal}}", "partition=none",
                 "subsystems=[{name: l, lag: {time_constant: 1}}]", "connections=[{from: 1.x, to: l.in}]"});
  ASSERT_EQ(faults.size(), 1U);
  EXPECT_THAT(faults[0].problem, HasSubstr("minimal coordinates"));
  EXPECT_THAT(faults[0].remedy, HasSubstr("formulation: absolute"));
}

/// A setting that signals exclude: one fault at it, none without signals.
TEST(BadSignals, ExcludeSomeSettings) {
  const std::string between = "connections=[{from: 1.x, to: 9.force}]";
  const std::string subsystem = "subsystems=[{name: l, lag: {time_constant: 1}}]";
  const std::string through = "connections=[{from: 1.x, to: l.in}, {from: l.out, to: 9.force}]";
  const auto expect = [](const Settings& signals, const std::string& setting, const std::string& field,
                         const std::string& problem) {
    Settings all = signals;
    all.push_back(setting);
    EXPECT_TRUE(faults_of({setting}).empty()) << setting;
    const auto faults = faults_of(all);
    ASSERT_EQ(faults.size(), 1U) << setting;
    EXPECT_EQ(faults[0].field, field);
    EXPECT_THAT(faults[0].problem, HasSubstr(problem));
  };
  const std::string classic = "signals go with classic cuts";
  expect({between}, "couple.decomposition=overlap", "couple.decomposition", classic);
  expect({between}, "couple.layers=2", "couple.layers", classic);
  expect({between}, "control.estimator=exOV", "control.estimator", classic);
  expect({between}, "simulate.local_error=true", "simulate.local_error", "local error");
  expect({subsystem, through}, "couple.predictor={acc: {degree: 1}}", "couple.predictor.acc",
         "accelerations");
  const std::string order = "control.order=1";
  const std::string blend = "couple.predictor={accrel: {degree: 1, omega: 0.5}}";
  EXPECT_TRUE(faults_of({order, blend, between}).empty());
  EXPECT_EQ(faults_of({order, blend, subsystem, through}).size(), 1U);
  EXPECT_TRUE(faults_of({order, "couple.predictor={least-squares: 4}", subsystem, through}).empty());
}

}  // namespace
}  // namespace cosimo::config
