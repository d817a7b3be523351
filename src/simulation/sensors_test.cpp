// Sensors in results and as signals, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "core/error.hpp"
#include "cosimo/simulation.hpp"

namespace cosimo {
namespace {

/// A slide that falls along y against a damper of its joint, and a wheel that a motor turns.
const std::string model = R"(cosimo: 1
model:
  gravity: [0, -10, 0]
  markers: {hook: [3, 0, 0]}
  bodies:
    - {name: slide, kind: rigid, mass: 2, inertia: [1, 1, 1], center: [0.5, 0, 0], markers: {tip: [0, 0, 4]}}
    - {name: wheel, kind: rigid, mass: 1, inertia: [1, 1, 0.5], markers: {rim: [0.25, 0, 0]}}
  joints:
    - {name: rail, kind: prismatic, to: slide, at: [0, 0, 0], axis: [0, 1, 0]}
    - {name: axle, kind: revolute, from: wheel, to: ground, at: [0, 0, 0], axis: [0, 0, 1]}
    - {name: drive, kind: motor, joint: axle, angle: "2*t^2"}
  elements:
    - {name: brake, kind: law, joint: rail, force: "3*rate"}
  sensors:
    - {name: gap, kind: distance, from: slide.tip, to: ground.hook}
    - {name: way, kind: displacement, joint: rail}
    - {name: fall, kind: speed, joint: rail}
    - {name: turn, kind: angle, joint: axle}
    - {name: height, kind: position, body: slide.tip, direction: [0, 2, 0]}
    - {name: far, kind: position, body: slide.tip}
    - {name: rim speed, kind: speed, body: wheel.rim}
    - {name: rim_pull, kind: acceleration, body: wheel.rim}
    - {name: drop, kind: acceleration, body: slide.tip, direction: [0, 1, 0]}
    - {name: braking, kind: force, of: brake}
    - {name: braking_up, kind: force, of: brake, direction: [0, 1, 0]}
    - {name: holding, kind: force, of: axle}
    - {name: driving, kind: torque, of: drive}
    - {name: lost, kind: power, of: brake}
    - {name: given, kind: power, of: drive}
    - {name: sum, kind: formula, formula: "2*way - der(slide.y) + 1e1*axle.speed + sqrt(gap^2) + max(t, 0) + slide.x"}
    - {name: twice, kind: formula, formula: "2*ref1", of: [rim speed]}
simulate: {end: 2, output: 0.1}
solve: {rtol: 1.0e-8, atol_pos: 1.0e-10, atol_vel: 1.0e-10}
)";

TEST(Sensors, MeasureWhatTheirNamesSay) {
  Simulation run(Scenario::parse(model));
  for (const double t : {0.5, 1.0, 2.0}) {
    ASSERT_TRUE(run.advance(t).ok);
    // 2 v' = -20 - 3 v.
    const double rate = 1.5, v = -20.0 / 3 * (1 - std::exp(-rate * t));
    const double y = -20.0 / 3 * (t - (1 - std::exp(-rate * t)) / rate), a = -10 - rate * v;
    const double angle = -2 * t * t, speed = -4 * t;  // the wheel against the ground: -(ground against wheel)
    EXPECT_NEAR(run.get("way"), y, 1e-6);
    EXPECT_NEAR(run.get("fall"), v, 1e-6);
    EXPECT_NEAR(run.get("gap"), std::sqrt(9 + y * y + 16), 1e-6);
    EXPECT_NEAR(run.get("height"), y, 1e-6);
    EXPECT_NEAR(run.get("far"), std::hypot(y, 4), 1e-6);
    EXPECT_NEAR(run.get("turn"), -angle, 1e-6) << "of the ground against the wheel, as the motor has it";
    EXPECT_NEAR(run.get("rim speed"), 0.25 * std::fabs(speed), 1e-6);
    EXPECT_NEAR(run.get("rim_pull"), 0.25 * std::hypot(4, speed * speed), 1e-5);
    EXPECT_NEAR(run.get("drop"), a, 1e-6);
    EXPECT_NEAR(run.get("braking"), -3 * v, 1e-5) << "along the joint: against the fall";
    EXPECT_NEAR(run.get("braking_up"), -3 * v, 1e-5);
    EXPECT_NEAR(run.get("holding"), 10, 1e-6);
    EXPECT_NEAR(run.get("driving"), 0.5 * 4, 1e-5) << "I phi''";
    EXPECT_NEAR(run.get("lost"), -3 * v * v, 1e-4);
    EXPECT_NEAR(run.get("given"), 0.5 * 4 * 4 * t, 1e-4);
    EXPECT_NEAR(run.get("sum"), 2 * y - v + 10 * 4 * t + std::sqrt(25 + y * y) + t, 1e-5);
    EXPECT_NEAR(run.get("twice"), 2 * run.get("rim speed"), 1e-12);
  }
}

/// A sensor as a spring: the pull back to the origin comes from a signal, and the body swings harmonically.
std::string swinging(const std::string& sensor, const std::string& rest = "") {
  return "cosimo: 1\nmodel:\n  bodies:\n    - {name: block, kind: rigid, mass: 1, inertia: [1, 1, 1], "
         "center: [0, 0, "
         "0.2], position: [0.1, 0, 0]}\n  joints:\n    - {name: rail, kind: prismatic, to: block, at: [0, 0, "
         "0], axis: "
         "[1, 0, 0]}\n  sensors:\n    - {name: pos, " +
         sensor + "}\nconnections:\n  - {from: pos, to: block.Fx, factor: -25}\n" + rest +
         "simulate: {end: 2, output: 0.02}\ncontrol: {rtol: 1.0e-5}\n";
}

TEST(Sensors, AreSignals) {
  for (const std::string scheme : {"explicit", "implicit"})
    for (const auto& [sensor, start] :
         {std::pair<std::string, double>{"kind: position, body: block, direction: [1, 0, 0]", 0},
          {"kind: formula, formula: block.x", 0},
          {"kind: displacement, joint: rail", 0.1}}) {
      Simulation run(Scenario::parse(swinging(sensor, "couple: {scheme: " + scheme + "}\n")));
      const Simulation::Outcome outcome = run.advance(2);
      ASSERT_TRUE(outcome.ok) << outcome.reason;
      // Of the displacement the origin is where the block was placed: it stays there.
      EXPECT_NEAR(run.get("block.x"), start != 0 ? 0.1 : 0.1 * std::cos(10), 2e-4) << scheme << ' ' << sensor;
      EXPECT_NEAR(run.get("pos"), start != 0 ? 0 : run.get("block.x"), 1e-12);
    }
}

/// What follows from a sensor has no size of its own at the start: errors of the bodies bound it.
TEST(Sensors, SignalsMayDriveWhatBeginsAtZero) {
  const std::string text = R"(cosimo: 1
model:
  bodies: [{name: a, kind: point, dimensions: 1, mass: 2, position: 1}]
  elements: [{name: spring, kind: spring, to: a, at_from: [-1, 0, 0], c: 200, length: 2}]
  sensors: [{name: place, KIND}]
subsystems: [{name: filter, lag: {time_constant: 0.05}}]
connections: [{from: place, to: filter.in}, {from: filter.out, to: a.Fx}]
simulate: {end: 2, output: 0.5}
control: {rtol: 1.0e-6}
)";
  for (const std::string kind : {"kind: position, body: a, direction: [1]", "kind: formula, formula: a.x",
                                 "kind: formula, formula: 1e6*a.x"}) {
    std::string direct = text, sensed = text;
    if (kind.find("1e6") != std::string::npos)
      sensed.replace(sensed.find("time_constant"), 0, "gain: 1e-6, ");
    sensed.replace(sensed.find("KIND"), 4, kind);
    direct.replace(direct.find("KIND"), 4, kind);
    direct.replace(direct.find("from: place"), 11, "from: a.x");
    Simulation a(Scenario::parse(direct)), b(Scenario::parse(sensed));
    ASSERT_TRUE(a.advance(2).ok);
    const Simulation::Outcome outcome = b.advance(2);
    ASSERT_TRUE(outcome.ok) << outcome.reason;
    EXPECT_NEAR(b.get("a.x"), a.get("a.x"), 1e-4) << kind;
  }
}

/// Turns are counted on the way to the controller as well: a spring about an axis, three turns to either
/// side.
TEST(Sensors, SignalsCountTurns) {
  const std::string text = R"(cosimo: 1
model:
  bodies: [{name: wheel, kind: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 20]}]
  joints: [{name: axle, kind: revolute, to: wheel, at: [0, 0, 0]}]
  sensors: [{name: turned, kind: angle, joint: axle}]
connections: [{from: turned, to: wheel.Tz, factor: -1}]
simulate: {end: 5, output: 0.05}
couple: {scheme: implicit}
control: {rtol: 1.0e-5}
)";
  Simulation run(Scenario::parse(text));
  for (int k = 1; k <= 25; ++k) ASSERT_TRUE(run.advance(0.1 * k).ok);
  EXPECT_NEAR(run.get("turned"), 20 * std::sin(2.5), 0.02);
  const auto state = run.save();
  for (int k = 26; k <= 50; ++k) ASSERT_TRUE(run.advance(0.1 * k).ok);
  const double end = run.get("turned");
  EXPECT_NEAR(end, 20 * std::sin(5), 0.05);
  run.restore(state);
  for (int k = 26; k <= 50; ++k) ASSERT_TRUE(run.advance(0.1 * k).ok);
  EXPECT_EQ(run.get("turned"), end) << "taken back and repeated";
}

}  // namespace
}  // namespace cosimo
