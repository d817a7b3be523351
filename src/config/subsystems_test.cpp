// Subsystems and connections: every key, defaults, the effective file, names of signals.
#include "config/subsystems.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "config/testing.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using testing::parse;

const char* const loop = R"yaml(cosimo: 1
model: {parameters: {k: 50, w: 2}, chain: {masses: 10, mass: 1, spring: {c: 100}}}
simulate: {end: 1}
partition: {parts: 2}
subsystems:
  - name: controller
    pid: {kp: 2*k, ki: 20, kd: 5, filter: 0.02, reference: "0.1 * sin(w * t)"}
  - name: servo
    lag: {time_constant: 0.05, gain: 3, initial: -1}
  - {name: wish, lag: {time_constant: 1}}
  - {name: follower, pid: {ki: 1}}
connections:
  - {from: 3.x, to: controller.measured}
  - {from: controller.out, to: servo.in}
  - {from: servo.out, to: 3.force}
  - {from: "der(4.x)", to: wish.in}
  - {from: wish.out, to: follower.reference}
  - {from: 5.x, to: follower.measured}
)yaml";

Scenario parsed(std::string_view text) {
  return parse_scenario(text, "scenario.yaml");
}

void expect_loop(const Scenario& s) {
  ASSERT_EQ(s.subsystems.size(), 4U);
  EXPECT_EQ(s.subsystems[0].name, "controller");
  const Pid pid = std::get<Pid>(s.subsystems[0].kind);
  EXPECT_EQ(pid.kp, 100);
  EXPECT_EQ(pid.ki, 20);
  EXPECT_EQ(pid.kd, 5);
  EXPECT_EQ(pid.filter, 0.02);
  EXPECT_EQ(pid.reference, "0.1 * sin((2) * t)");
  const Lag lag = std::get<Lag>(s.subsystems[1].kind);
  EXPECT_EQ(lag.time_constant, 0.05);
  EXPECT_EQ(lag.gain, 3);
  EXPECT_EQ(lag.initial, -1);
  EXPECT_EQ(std::get<Pid>(s.subsystems[3].kind).reference, "0");
  std::vector<std::string> ends;
  for (const Connection& connection : s.connections) ends.push_back(connection.from + " " + connection.to);
  EXPECT_THAT(ends, ElementsAre("3.x controller.measured", "controller.out servo.in", "servo.out 3.force",
                                "der(4.x) wish.in", "wish.out follower.reference", "5.x follower.measured"));
}

TEST(Subsystems, ReadsEveryKey) {
  const Scenario s = parsed(loop);
  expect_loop(s);
  EXPECT_EQ(s.subsystems[1].place.line, 8);
  EXPECT_EQ(s.connections[2].place.line, 15);
}

TEST(Subsystems, EffectiveFileGivesTheSame) {
  const std::string effective = parsed(loop).effective;
  expect_loop(parsed(effective));
  EXPECT_EQ(parsed(effective).effective, effective);
  const std::string without = parse({}).effective;
  EXPECT_THAT(without, Not(HasSubstr("subsystems")));
  EXPECT_THAT(without, Not(HasSubstr("connections")));
}

TEST(Subsystems, DefaultsOfTheTableAreThoseOfTheStructs) {
  const Scenario s = parsed(loop);
  const Lag lag = std::get<Lag>(s.subsystems[2].kind);
  EXPECT_EQ(lag.gain, Lag{}.gain);
  EXPECT_EQ(lag.initial, Lag{}.initial);
  const Pid pid = std::get<Pid>(s.subsystems[3].kind);
  EXPECT_EQ(pid.kp, Pid{}.kp);
  EXPECT_EQ(pid.kd, Pid{}.kd);
  EXPECT_EQ(pid.filter, Pid{}.filter);
}

TEST(Subsystems, PortsAreThoseOfTheKind) {
  EXPECT_EQ(ports_of(SubsystemKind::pid).inputs.front().name, "measured");
  EXPECT_TRUE(ports_of(SubsystemKind::pid).inputs.back().optional);
  EXPECT_EQ(&ports_of(SubsystemSpec{"servo", {}, Lag{}}), &ports_of(SubsystemKind::lag));
  EXPECT_EQ(ports_of(SubsystemKind::lag).inputs.front().name, "in");
}

TEST(SignalName, IsTakenApartAtTheLongestKnownName) {
  const auto known = [](std::string_view name) { return name == "arm" || name == "arm.left"; };
  const auto pieces = [&](std::string_view text) {
    const SignalName name = split_signal(text, known);
    return std::string(name.component) + "|" + std::string(name.variable) + (name.derivative ? "'" : "");
  };
  EXPECT_EQ(pieces("arm.x"), "arm|x");
  EXPECT_EQ(pieces("arm.left.x"), "arm.left|x");
  EXPECT_EQ(pieces("arm.right.x"), "arm|right.x");
  EXPECT_EQ(pieces("leg.foot.x"), "leg|foot.x");
  EXPECT_EQ(pieces("der(arm.left.phi)"), "arm.left|phi'");
  EXPECT_EQ(pieces("arm.der(x)"), "arm|der(x)");
  for (const char* text : {"arm", ".x", "arm.", "", "der()", "der(arm)"})
    EXPECT_TRUE(split_signal(text, known).component.empty()) << text;
}

}  // namespace
}  // namespace cosimo::config
