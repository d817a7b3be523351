// Signals that push bodies of mechanisms: controllers against closed forms, reactions, the same bits.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/simulation.hpp"
#include "simulation/execute.hpp"
#include "simulation/ranks_testing.hpp"
#include "simulation/testing.hpp"

namespace cosimo {
namespace {

using testing::Bench;
using ::testing::HasSubstr;

constexpr double kp = 20, ki = 15, kd = 3, filter = 0.05;

struct Loop {
  double position = 0, velocity = 0, integral = 0, filtered = 0, force = 0;
};

/// A PID controller on one coordinate: x'' = acceleration(x, force), measured(x); classical Runge-Kutta steps
/// so short that nothing is left to see.
template <class Acceleration, class Measured>
Loop reference(double x, double wanted, double end, Acceleration acceleration, Measured measured) {
  using Y = std::array<double, 4>;
  const auto force = [&](const Y& y) {
    const double e = wanted - measured(y[0]);
    return kp * e + ki * y[2] + kd * (e - y[3]) / filter;
  };
  const auto rate = [&](const Y& y) {
    const double e = wanted - measured(y[0]);
    return Y{y[1], acceleration(y[0], force(y)), e, (e - y[3]) / filter};
  };
  const auto moved = [](Y y, double by, const Y& d) {
    for (std::size_t i = 0; i < 4; ++i) y[i] += by * d[i];
    return y;
  };
  constexpr double h = 2e-5;
  Y y{x, 0, 0, 0};
  for (int k = 0; k < static_cast<int>(std::round(end / h)); ++k) {
    const Y a = rate(y), b = rate(moved(y, h / 2, a)), c = rate(moved(y, h / 2, b)), d = rate(moved(y, h, c));
    for (std::size_t i = 0; i < 4; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
  }
  return {y[0], y[1], y[2], y[3], force(y)};
}

std::string controlled(const std::string& wanted, const std::string& connections, const std::string& rest) {
  return "subsystems: [{name: controller, pid: {kp: 20, ki: 15, kd: 3, filter: 0.05, reference: " + wanted +
         "}}]\nconnections: [" + connections + "]\nsimulate: {end: 2, output: 0.25}\n" + rest;
}

/// On a guide along x; the controller's force also pulls it off the guide.
std::string cart(const std::string& rest) {
  return R"(cosimo: 1
model:
  gravity: [0, -10]
  bodies: [{name: cart, kind: planar, mass: 2, inertia: 1, position: [0.5, 0]}]
  joints: [{name: guide, kind: prismatic, to: cart, at: [0.5, 0], axis: [1, 0]}]
)" + controlled("0.2",
                "{from: cart.x, to: controller.measured}, {from: controller.out, to: cart.Fx}, "
                "{from: controller.out, to: cart.Fy}",
                rest);
}

Loop cart_reference(double end) {
  return reference(
      0.5, 0.2, end, [](double, double force) { return force / 2; }, [](double x) { return x; });
}

const std::string accurate = "solve: {rtol: 1.0e-9}\ncontrol: {rtol: 1.0e-6}\n";

TEST(SignalForces, ACartIsHeldAndItsGuideFeelsTheForce) {
  Simulation simulation(Scenario::parse(cart(accurate)));
  EXPECT_NEAR(simulation.get("guide.Fy"), 20 - cart_reference(0).force, 1e-6);
  ASSERT_TRUE(simulation.advance(2).ok);
  const Loop exact = cart_reference(2);
  EXPECT_NEAR(simulation.get("cart.x"), exact.position, 2e-6);
  EXPECT_NEAR(simulation.get("der(cart.x)"), exact.velocity, 2e-5);
  EXPECT_NEAR(simulation.get("guide.Fy"), 20 - exact.force, 1e-4);
}

/// Hinged at the origin, seen at its tip 0.9 from there; its centre of mass is at 0.6.
std::string arm(const char* kind, const std::string& wanted, const std::string& connections,
                const std::string& method) {
  const bool planar = kind == std::string("planar");
  const std::string z = planar ? "]" : ", 0]";
  return "cosimo: 1\nmodel:\n  gravity: [0, -10" + z + "\n  bodies: [{name: arm, kind: " + kind +
         ", mass: 1.5, inertia: " + (planar ? "0.1" : "[0.1, 0.1, 0.1]") + ", position: [0.9, 0" + z +
         ", center: [-0.3, 0" + z + "}]\n  joints: [{name: pin, kind: revolute, to: arm, at: [0, 0" + z +
         (planar ? "" : ", axis: [0, 0, 1]") + "}]\n" +
         controlled(wanted, connections,
                    "solve: {rtol: 1.0e-9, method: " + method + "}\ncontrol: {rtol: 1.0e-6}\n");
}
constexpr double arm_inertia = 0.1 + 1.5 * 0.36;

class ArmOfAnyKind : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

/// Lifted by a force at the tip, which is where its place is measured.
TEST_P(ArmOfAnyKind, IsLiftedAtItsReferencePoint) {
  const auto [kind, method] = GetParam();
  Simulation simulation(Scenario::parse(arm(
      kind, "0.3", "{from: arm.y, to: controller.measured}, {from: controller.out, to: arm.Fy}", method)));
  ASSERT_TRUE(simulation.advance(2).ok);
  const auto swing = [](double phi, double force) {
    return std::cos(phi) * (0.9 * force - 1.5 * 10 * 0.6) / arm_inertia;
  };
  const Loop exact = reference(0, 0.3, 2, swing, [](double phi) { return 0.9 * std::sin(phi); });
  const double phi = exact.position, w = exact.velocity;
  EXPECT_NEAR(simulation.get("arm.y"), 0.9 * std::sin(phi), 5e-6);
  EXPECT_NEAR(simulation.get("der(arm.y)"), 0.9 * w * std::cos(phi), 5e-5);
  const double rise = 0.6 * (swing(phi, exact.force) * std::cos(phi) - w * w * std::sin(phi));
  EXPECT_NEAR(simulation.get("pin.Fy"), 1.5 * (rise + 10) - exact.force, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(Methods, ArmOfAnyKind,
                         ::testing::Values(std::pair{"planar", "rk"}, std::pair{"rigid", "rk"},
                                           std::pair{"planar", "radau"}, std::pair{"rigid", "radau"},
                                           std::pair{"planar", "ida"}));

/// A torque does not ask where it acts. A body in space turns about z like one of the plane.
TEST(SignalForces, APendulumIsHeldByATorque) {
  const auto swing = [](double phi, double torque) {
    return (torque - 1.5 * 10 * 0.6 * std::cos(phi)) / arm_inertia;
  };
  Simulation planar(Scenario::parse(
      arm("planar", "0.4", "{from: arm.phi, to: controller.measured}, {from: controller.out, to: arm.Tz}",
          "auto")));
  ASSERT_TRUE(planar.advance(2).ok);
  const Loop exact = reference(0, 0.4, 2, swing, [](double phi) { return phi; });
  EXPECT_NEAR(planar.get("arm.phi"), exact.position, 5e-6);
  Simulation rigid(Scenario::parse(
      arm("rigid", "0.2", "{from: arm.qz, to: controller.measured}, {from: controller.out, to: arm.Tz}",
          "auto")));
  ASSERT_TRUE(rigid.advance(2).ok);
  const Loop half = reference(0, 0.2, 2, swing, [](double phi) { return std::sin(phi / 2); });
  EXPECT_NEAR(rigid.get("arm.qz"), std::sin(half.position / 2), 5e-6);
}

class ForceSchemes : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(ForceSchemes, AllHoldTheCart) {
  const auto [couple, control] = GetParam();
  Bench bench(
      cart("solve: {rtol: 1.0e-9}\ncouple: {" + std::string(couple) + "}\ncontrol: {" + control + "}\n"));
  const LoopResult result = bench.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  EXPECT_NEAR(bench.memory.position[bench.memory.position.size() - 5], cart_reference(2).position, 2e-5)
      << "x, y, phi, and the two forces";
}

INSTANTIATE_TEST_SUITE_P(
    Every, ForceSchemes,
    ::testing::Values(std::pair{"scheme: explicit", "estimator: exCV, rtol: 1.0e-6"},
                      std::pair{"scheme: explicit", "estimator: exLE, rtol: 1.0e-6"},
                      std::pair{"scheme: explicit", "estimator: exMD, rtol: 1.0e-6"},
                      std::pair{"scheme: explicit, sequence: gauss-seidel", "rtol: 1.0e-6"},
                      std::pair{"scheme: implicit", "estimator: imCV, rtol: 1.0e-6"},
                      std::pair{"scheme: semi-implicit", "estimator: imMD, rtol: 1.0e-6"},
                      std::pair{"scheme: waveform", "rtol: 1.0e-6"}));

/// Two carts and a spring between them, which is cut; the controller pulls at one and looks at the other.
std::string two_carts(const std::string& rest) {
  return R"(cosimo: 1
model:
  bodies:
    - {name: front, kind: planar, mass: 2, inertia: 1, position: [2, 0]}
    - {name: back, kind: planar, mass: 1, inertia: 1, position: [0.5, 0]}
  joints:
    - {name: rail, kind: prismatic, to: front, at: [2, 0], axis: [1, 0]}
    - {name: guide, kind: prismatic, to: back, at: [0.5, 0], axis: [1, 0]}
  elements: [{name: draw, kind: spring, from: back, to: front, c: 300, d: 10, length: 1.4}]
)" + controlled("1.7", "{from: front.x, to: controller.measured}, {from: controller.out, to: back.Fx}", rest);
}

TEST(SignalForces, GoWithCuts) {
  const auto end = [](const std::string& rest) {
    Bench bench(two_carts(accurate + rest));
    const LoopResult result = bench.run();
    EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    return bench.memory.position[bench.memory.position.size() - 7];
  };
  const double whole = end("partition: none\n");
  EXPECT_GT(std::fabs(whole - 2), 0.1);
  for (const char* couple : {"scheme: explicit", "scheme: implicit, decomposition: force-force",
                             "scheme: explicit, decomposition: displacement-displacement"})
    EXPECT_NEAR(end("partition: {parts: 2}\ncouple: {" + std::string(couple) + "}\n"), whole, 2e-5) << couple;
}

TEST(SignalForces, GiveTheSameBits) {
  const std::string text = two_carts("partition: {parts: 2}\ncouple: {scheme: explicit}\n");
  std::vector<double> position, u;
  for (const int rollback : {0, 1, 3})
    for (const int threads : {1, 2}) {
      Bench bench(text, threads, {.rollback_every = rollback});
      ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
      if (position.empty()) {
        position = bench.memory.position;
        u = bench.memory.u;
      }
      EXPECT_EQ(bench.memory.position, position) << rollback << ' ' << threads;
      EXPECT_EQ(bench.memory.u, u) << rollback << ' ' << threads;
    }
  const testing::RanksRun one = testing::on_ranks(text, 1), three = testing::on_ranks(text, 3);
  EXPECT_EQ(one.report().status, "ok") << one.report().outcome.reason;
  EXPECT_EQ(testing::difference(one, three), "");
}

/// Reactions too: the force at the instant that was saved is part of the state.
TEST(SignalForces, GoOnFromASavedState) {
  Simulation first(Scenario::parse(cart(accurate))), second(Scenario::parse(cart(accurate)));
  ASSERT_TRUE(first.advance(0.7).ok);
  second.restore(first.save());
  EXPECT_EQ(second.values(), first.values());
  ASSERT_TRUE(first.advance(2).ok && second.advance(2).ok);
  EXPECT_EQ(second.values(), first.values());
}

TEST(SignalForces, AreNamedAsResultsNameThem) {
  const auto message = [](const char* kind, const std::string& to) {
    try {
      (void)Simulation(Scenario::parse(
          arm(kind, "0", "{from: arm.x, to: controller.measured}, {from: controller.out, to: " + to + "}",
              "rk")));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("planar", "arm.force"), HasSubstr("write Fx, Fy, Tz"));
  EXPECT_THAT(message("planar", "arm.Tx"), HasSubstr("the body has no input of that name"));
  EXPECT_EQ(message("rigid", "arm.Tx"), "");
}

}  // namespace
}  // namespace cosimo
