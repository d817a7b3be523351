// Signals between a mechanical model, controllers, and a kind of component that only this test knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>

#include "cosimo/cosimo.hpp"
#include "simulation/circuit_testing.hpp"
#include "simulation/execute.hpp"
#include "simulation/ranks_testing.hpp"
#include "simulation/testing.hpp"

namespace cosimo {
namespace {

using testing::Bench;
using testing::CircuitSpec;
using testing::CircuitValues;
using ::testing::HasSubstr;

/// One mass on a spring to the wall.
std::string one_mass(const std::string& rest) {
  return "cosimo: 1\nmodel: {chain: {masses: 1, mass: 2, spring: {c: [8, 0], d: [0.4, 0]}, ends: [fixed, "
         "free], "
         "initial: {x: 0.5, v: 0}}}\n" +
         rest;
}

/// Classical Runge-Kutta steps so short that nothing is left to see.
template <std::size_t n>
std::array<double, n> integrate(std::array<double, n> y, double end,
                                const std::function<std::array<double, n>(const std::array<double, n>&)>& f,
                                const std::function<bool(std::array<double, n>&)>& event = {}) {
  constexpr double h = 2e-5;
  const auto moved = [](std::array<double, n> z, double by, const std::array<double, n>& d) {
    for (std::size_t i = 0; i < n; ++i) z[i] += by * d[i];
    return z;
  };
  const auto steps = static_cast<int>(std::round(end / h));
  for (int k = 0; k < steps; ++k) {
    const auto a = f(y), b = f(moved(y, h / 2, a)), c = f(moved(y, h / 2, b)), d = f(moved(y, h, c));
    for (std::size_t i = 0; i < n; ++i) y[i] += h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]);
    if (event) event(y);
  }
  return y;
}

const std::string pid_loop = R"(
subsystems:
  - {name: controller, pid: {kp: 20, ki: 15, kd: 3, filter: 0.05, reference: 0.2}}
connections:
  - {from: 1.x, to: controller.measured}
  - {from: controller.out, to: 1.force}
)";

/// Position and velocity of the mass, integral of the error, filtered error.
std::array<double, 4> pid_reference(double end) {
  return integrate<4>({0.5, 0, 0, 0}, end, [](const std::array<double, 4>& y) {
    const double e = 0.2 - y[0], slope = (e - y[3]) / 0.05;
    const double force = 20 * e + 15 * y[2] + 3 * slope;
    return std::array<double, 4>{y[1], (force - 8 * y[0] - 0.4 * y[1]) / 2, e, slope};
  });
}

std::string settings(const std::string& couple, const std::string& control) {
  return "simulate: {end: 2, output: 0.5}\nsolve: {rtol: 1.0e-9}\ncouple: {" + couple + "}\ncontrol: {" +
         control + "}\n";
}

TEST(Signals, APidLoopMeetsItsClosedForm) {
  Bench bench(one_mass(pid_loop + settings("", "rtol: 1.0e-6")));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const auto exact = pid_reference(2);
  EXPECT_NEAR(bench.memory.position.back(), exact[0], 2e-6);
  EXPECT_NEAR(bench.memory.velocity.back(), exact[1], 2e-5);
  EXPECT_LT(bench.memory.accepted(), 4000U);
}

/// The reference jumps twice; exact solution with the loop integrated piece by piece.
TEST(Signals, AStepOfTheReferenceIsMetByAllSchemes) {
  const auto exact =
      integrate<4>({0.5, 0, 0, 0}, 2, [time = 0.0, calls = 0](const std::array<double, 4>& y) mutable {
        // Four evaluations per step of 2e-5; the reference is constant within a step.
        const double r = time < 0.5 - 1e-9 ? 0.2 : time < 1.2 - 1e-9 ? 0.6 : -0.1;
        if (++calls % 4 == 0) time = calls / 4 * 2e-5;
        const double e = r - y[0], slope = (e - y[3]) / 0.05;
        const double force = 20 * e + 15 * y[2] + 3 * slope;
        return std::array<double, 4>{y[1], (force - 8 * y[0] - 0.4 * y[1]) / 2, e, slope};
      });
  for (const char* couple : {"scheme: explicit", "scheme: explicit, sequence: gauss-seidel",
                             "scheme: implicit", "scheme: semi-implicit", "scheme: waveform"}) {
    std::string text = pid_loop;
    text.replace(text.find("reference: 0.2"), 14, "reference: 'if(t < 0.5, 0.2, 0.6) - 0.7*step(t - 1.2)'");
    Bench bench(one_mass(text + settings(couple, "rtol: 1.0e-6")));
    const LoopResult result = bench.run();
    ASSERT_EQ(result.status, LoopResult::Status::ok) << couple << ": " << result.reason;
    EXPECT_NEAR(bench.memory.position.back(), exact[0], 2e-5) << couple;
    EXPECT_NEAR(bench.memory.velocity.back(), exact[1], 2e-4) << couple;
    EXPECT_LT(bench.memory.accepted(), 20000U) << couple;
  }
}

/// However the same jump is written, and where it falls on a macro point of a fixed step.
TEST(Signals, AJumpIsTheSameHoweverItIsWritten) {
  const auto end_of = [](const std::string& reference, const std::string& couple,
                         const std::string& control) {
    std::string text = pid_loop;
    text.replace(text.find("reference: 0.2"), 14, "reference: '" + reference + "'");
    Bench bench(one_mass(text + settings(couple, control)));
    const LoopResult result = bench.run();
    EXPECT_EQ(result.status, LoopResult::Status::ok) << reference << ", " << couple << ": " << result.reason;
    return bench.memory.position.back();
  };
  for (const char* couple : {"scheme: explicit", "scheme: implicit"}) {
    const double wanted = end_of("if(t > 0.8, 1, 0)", couple, "rtol: 1.0e-6");
    for (const char* same : {"if(t >= 0.8, 1, 0)", "if(t < 0.8, 0, 1)", "step(t - 0.8)", "1 - step(0.8 - t)",
                             "floor(t/1.6 + 0.5) - floor(t/2.4)"})
      EXPECT_NEAR(end_of(same, couple, "rtol: 1.0e-6"), wanted, 1e-5) << same;
    // It would be off by 2.6e-3 if the step before the jump saw it.
    EXPECT_NEAR(end_of("if(t >= 0.8, 1, 0)", couple, "step: 1.0e-3, order: 2"), wanted, 2e-4);
    EXPECT_NEAR(end_of("if(t > 0, 1, 1)", couple, "rtol: 1.0e-6"), end_of("1", couple, "rtol: 1.0e-6"), 1e-5);
    EXPECT_NEAR(end_of("if(t > 0, 1, 0)", couple, "rtol: 1.0e-6"), end_of("1", couple, "rtol: 1.0e-6"), 1e-5)
        << "a jump at the start has happened";
  }
}

/// The same tower, controller and servo with masses and forces in other units.
TEST(Signals, UnitsMakeNoDifference) {
  const auto steps = [](const std::string& unit, const char* scheme) {
    std::string text = R"(cosimo: 1
model:
  chain:
    masses: 4
    mass: [2.0e4U, 2.0e4U, 2.0e4U, 1.5e4U]
    spring: {c: [4.0e7U, 3.0e7U, 2.5e7U, 2.0e7U, 0], d: 2.0e4U}
    ends: [fixed, free]
    initial: {x: 0, v: 0}
    loads: [{harmonic: {bodies: [3, 4], amplitude: 2.0e4U, omega: 13.6}}]
subsystems:
  - {name: controller, pid: {kp: 3.0e5U, ki: 1.0e5U, kd: 1.0e3U, filter: 0.01}}
  - {name: servo, lag: {time_constant: 0.02}}
connections:
  - {from: der(4.x), to: controller.measured}
  - {from: controller.out, to: servo.in}
  - {from: servo.out, to: 4.force}
simulate: {end: 0.3}
partition: {parts: 2}
)";
    for (std::size_t at = 0; (at = text.find('U', at)) != std::string::npos;) {
      // "2.0e4U" becomes "2.0e4" times the unit, written as an exponent.
      const std::size_t e = text.rfind('e', at);
      const int power = std::stoi(text.substr(e + 1, at - e - 1)) + std::stoi(unit);
      text.replace(e + 1, at - e, std::to_string(power));
      at = e;
    }
    Bench bench(text + "couple: {scheme: " + scheme + "}\n");
    const LoopResult result = bench.run();
    EXPECT_EQ(result.status, LoopResult::Status::ok) << scheme << ": " << result.reason;
    return static_cast<double>(bench.memory.accepted());
  };
  for (const char* scheme : {"explicit", "implicit", "semi-implicit"}) {
    const double usual = steps("0", scheme);
    EXPECT_NEAR(steps("12", scheme), usual, 0.05 * usual) << scheme;
    EXPECT_NEAR(steps("-12", scheme), usual, 0.05 * usual) << scheme;
  }
}

/// Nothing moves, and nothing says how far it will: a tolerance relative to what has moved is zero.
TEST(Signals, AControllerMayMoveAModelFromRest) {
  const std::string text = R"(cosimo: 1
model: {chain: {masses: 1, mass: 1, spring: {c: [100, 0], d: [0.1, 0]}, ends: [fixed, free], initial: {x: 0, v: 0}}}
subsystems:
  - {name: c, pid: {kp: 5, ki: 3, kd: 0.5, filter: 0.02, reference: '0.1*sin(3*t)'}}
  - {name: s, lag: {time_constant: 0.05}}
connections:
  - {from: 1.x, to: c.measured}
  - {from: c.out, to: s.in}
  - {from: s.out, to: 1.force}
simulate: {end: 2, output: 0.5}
solve: {rtol: 1.0e-9}
)";
  for (const char* couple : {"explicit", "implicit", "waveform"}) {
    Bench bench(text + "couple: {scheme: " + couple + "}\ncontrol: {rtol: 1.0e-7}\n");
    const LoopResult result = bench.run();
    EXPECT_EQ(result.status, LoopResult::Status::ok) << couple << ": " << result.reason;
  }
}

TEST(Signals, BeginAtCoordinatesOfMechanisms) {
  const std::string text = R"(cosimo: 1
model:
  bodies: [{name: m, kind: point, mass: 1, position: [1, 2, 3], velocity: [0.5, 0, 0]}]
  elements: [{name: s, kind: spring, to: m, c: 1}]
subsystems: [{name: slow, lag: {time_constant: 0.5}}, {name: slower, lag: {time_constant: 0.5}}]
connections: [{from: m.y, to: slow.in}, {from: der(m.x), to: slower.in}]
simulate: {end: 1, output: 0.5}
)";
  Bench bench(text);
  const LoopResult result = bench.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  EXPECT_NEAR(bench.memory.u[bench.memory.u.size() - 2],
              bench.memory.position[bench.memory.position.size() - 2], 1e-12)
      << "y";
}

class SignalSchemes : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(SignalSchemes, AllConvergeToTheSame) {
  const auto [couple, control] = GetParam();
  const auto exact = pid_reference(2);
  double errors[2];
  for (const int fine : {0, 1}) {
    Bench bench(one_mass(pid_loop + settings(couple, std::string(control) + (fine ? "1.0e-6" : "1.0e-4"))));
    const LoopResult result = bench.run();
    ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    errors[fine] = std::fabs(bench.memory.position.back() - exact[0]);
  }
  EXPECT_LT(errors[0], 2e-3);
  EXPECT_LT(errors[1], 2e-5);
}

INSTANTIATE_TEST_SUITE_P(Every, SignalSchemes,
                         ::testing::Values(std::pair{"scheme: explicit", "estimator: exCV, rtol: "},
                                           std::pair{"scheme: explicit", "estimator: exLE, rtol: "},
                                           std::pair{"scheme: explicit", "estimator: exMD, rtol: "},
                                           std::pair{"scheme: explicit, sequence: gauss-seidel",
                                                     "estimator: exCV, rtol: "},
                                           std::pair{"scheme: implicit", "estimator: imCV, rtol: "},
                                           std::pair{"scheme: implicit", "estimator: imMD, rtol: "},
                                           std::pair{"scheme: semi-implicit", "estimator: imCV, rtol: "},
                                           std::pair{"scheme: waveform", "estimator: waCV, rtol: "}));

TEST(Signals, AFixedStepHasItsOrder) {
  const auto exact = pid_reference(2);
  double errors[2];
  for (const int fine : {0, 1}) {
    Bench bench(
        one_mass(pid_loop + settings("", fine ? "step: 5.0e-4, order: 1" : "step: 1.0e-3, order: 1")));
    ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
    errors[fine] = std::fabs(bench.memory.position.back() - exact[0]);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.3);
}

TEST(Signals, ALagFollowsItsInput) {
  // A mass that moves freely at constant speed: x = t, the lag's answer is t - T (1 - e^(-t/T)).
  const std::string text = R"(cosimo: 1
model: {chain: {masses: 2, mass: 1, spring: {c: [0, 0, 0], d: 0}, initial: {x: [0, 0], v: [1, 0]}}}
subsystems:
  - {name: slow, lag: {time_constant: 0.5, gain: 3}}
connections:
  - {from: 1.x, to: slow.in}
  - {from: slow.out, to: 2.force}
simulate: {end: 1, output: 0.5}
control: {rtol: 1.0e-6}
solve: {rtol: 1.0e-9}
)";
  Bench bench(text);
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const double T = 0.5, t = 1;
  EXPECT_NEAR(bench.memory.u.back(), 3 * (t - T * (1 - std::exp(-t / T))), 1e-5);
  EXPECT_NEAR(bench.memory.velocity.back(), 3 * (t * t / 2 - T * t + T * T * (1 - std::exp(-t / T))), 1e-5);
}

TEST(Signals, AnAlgebraicLoopIsSolvedAtEveryMacroPoint) {
  // a = 3 (1 - b), b = 0.5 (2 x - a): a = 3 - 3 b, b = x - a / 2  ->  a (1 - 3/2) = 3 - 3 x.
  const std::string text = one_mass(R"(
subsystems:
  - {name: a, pid: {kp: 3, reference: 1}}
  - {name: b, pid: {kp: 0.5}}
  - {name: twice, lag: {time_constant: 1.0e-3, gain: 2, initial: 1}}
connections:
  - {from: b.out, to: a.measured}
  - {from: a.out, to: b.measured}
  - {from: twice.out, to: b.reference}
  - {from: 1.x, to: twice.in}
simulate: {end: 0.1, output: 0.05}
)");
  Bench bench(text);
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  const std::size_t n = 4, rows = bench.memory.u.size() / n;
  ASSERT_GT(rows, 3U);
  for (std::size_t k = 0; k < rows; ++k) {
    const double* const u = bench.memory.u.data() + k * n;
    EXPECT_NEAR(u[1], 3 * (1 - u[0]), 1e-11);
    EXPECT_NEAR(u[0], 0.5 * (u[2] - u[1]), 1e-11);
  }
}

/// a = 1 - b, b = -a: nothing satisfies that.
TEST(Signals, AnAlgebraicLoopWithoutSolutionIsNamed) {
  const std::string text = one_mass(R"(
subsystems:
  - {name: a, pid: {kp: 1, reference: 1}}
  - {name: b, pid: {kp: 1}}
connections:
  - {from: b.out, to: a.measured}
  - {from: a.out, to: b.measured}
simulate: {end: 0.1}
)");
  EXPECT_THROW(Scenario::parse(text, "test").describe(), Error) << "check refuses what run would";
  try {
    Bench bench(text);
    FAIL();
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U);
    EXPECT_EQ(error.faults()[0].field, "connections");
    EXPECT_GT(error.faults()[0].line, 0);
    EXPECT_EQ(error.faults()[0].value, "b.out -> a.measured, a.out -> b.measured");
  }
}

/// A generator brakes the mass: its voltage is the velocity, and minus the current the force.
TestHooks generator(const CircuitValues& values) {
  IntegratorOptions options;
  options.tolerances = {1e-9, 1e-9, 1e-9};
  TestHooks hooks;
  hooks.wiring.components = {std::make_shared<CircuitSpec>("coil", values, options)};
  hooks.wiring.links = {{"der(1.x)", "coil.u"}, {"coil.drag", "1.force"}};
  return hooks;
}

constexpr CircuitValues plain{.R = 0.3, .L = 0.1, .C = 0.2};
CircuitValues with_breaker() {
  CircuitValues values = plain;
  values.most = 0.4;
  return values;
}

/// Position, velocity, current, voltage of the capacitor.
std::array<double, 4> generator_reference(const CircuitValues& values, double end) {
  bool open = false;
  return integrate<4>(
      {0.5, 0, 0, 0}, end,
      [&](const std::array<double, 4>& y) {
        const double rate = open ? 0 : (y[1] - values.R * y[2] - y[3]) / values.L;
        return std::array<double, 4>{y[1], (-y[2] - 8 * y[0] - 0.4 * y[1]) / 2, rate, y[2] / values.C};
      },
      [&](std::array<double, 4>& y) {
        if (!open && std::fabs(y[2]) >= values.most) {
          open = true;
          y[2] = 0;
        }
        return open;
      });
}

std::string generator_text(const std::string& couple, const std::string& control) {
  return one_mass(settings(couple, control));
}

TEST(ThirdKind, IsOneOfTheNetwork) {
  Bench bench(generator_text("", "rtol: 1.0e-6"), 1, generator(plain));
  const LoopResult result = bench.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  const auto exact = generator_reference(plain, 2);
  EXPECT_NEAR(bench.memory.position.back(), exact[0], 2e-6);
  EXPECT_NEAR(bench.memory.velocity.back(), exact[1], 2e-5);
}

class EventSchemes : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

/// The breaker opens: the current jumps to zero at an instant that only the circuit knows, and the mass must
/// feel it at once.
TEST_P(EventSchemes, SeeAnEventOfAnotherInTime) {
  const auto [couple, control] = GetParam();
  const auto exact = generator_reference(with_breaker(), 2);
  Bench bench(generator_text(couple, control), 1, generator(with_breaker()));
  const LoopResult result = bench.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  EXPECT_NEAR(bench.memory.position.back(), exact[0], 5e-5);
  EXPECT_NEAR(bench.memory.velocity.back(), exact[1], 5e-4);
  EXPECT_EQ(bench.memory.u.back(), 0) << "the breaker is open";
  // The reference without the event is elsewhere: the test would see a missed one.
  EXPECT_GT(std::fabs(generator_reference(plain, 2)[0] - exact[0]), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(
    Every, EventSchemes,
    ::testing::Values(std::pair{"scheme: explicit", "estimator: exCV, rtol: 1.0e-6"},
                      std::pair{"scheme: explicit", "estimator: exMD, rtol: 1.0e-6"},
                      std::pair{"scheme: explicit", "step: 2.0e-4, order: 2"},
                      std::pair{"scheme: explicit, sequence: gauss-seidel", "rtol: 1.0e-6"},
                      std::pair{"scheme: implicit", "estimator: imCV, rtol: 1.0e-6"},
                      std::pair{"scheme: semi-implicit", "estimator: imMD, rtol: 1.0e-6"},
                      std::pair{"scheme: waveform", "rtol: 1.0e-6"}));

TEST(ThirdKind, GivesTheSameBitsAfterRollbackAndOnThreads) {
  const std::string text = generator_text("", "rtol: 1.0e-5");
  std::vector<double> position, u;
  for (const int rollback : {0, 1, 3})
    for (const int threads : {1, 2}) {
      TestHooks hooks = generator(with_breaker());
      hooks.rollback_every = rollback;
      Bench bench(text, threads, hooks);
      ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
      if (position.empty()) {
        position = bench.memory.position;
        u = bench.memory.u;
      }
      EXPECT_EQ(bench.memory.position, position) << rollback << ' ' << threads;
      EXPECT_EQ(bench.memory.u, u) << rollback << ' ' << threads;
    }
}

TEST(ThirdKind, GivesTheSameOnRanks) {
  for (const char* couple : {"", "scheme: implicit"}) {
    const std::string text = generator_text(couple, "rtol: 1.0e-5");
    const TestHooks hooks = generator(with_breaker());
    const testing::RanksRun one = testing::on_ranks(text, 1, {.wiring = hooks.wiring});
    const testing::RanksRun two = testing::on_ranks(text, 2, {.wiring = hooks.wiring});
    EXPECT_EQ(one.report().status, "ok") << one.report().outcome.reason;
    EXPECT_EQ(testing::difference(one, two), "");
  }
}

TEST(ThirdKind, GoesOnFromASavedState) {
  const config::Scenario scenario = config::parse_scenario(generator_text("", "rtol: 1.0e-5"), "test");
  const TestHooks hooks = generator(with_breaker());
  const auto state = [&](Engine& engine) {
    std::vector<double> q(engine.assembly().collected.size()), v(q.size());
    engine.state(q, v);
    q.insert(q.end(), v.begin(), v.end());
    return q;
  };
  Engine whole(scenario, {}, hooks), first(scenario, {}, hooks), second(scenario, {}, hooks);
  for (const double t : {0.1, 0.7}) {  // before the breaker opens, and after
    whole.advance(t);
    first.advance(t);
    second.restore(first.save());
    first.advance(2);
    second.advance(2);
    EXPECT_EQ(state(first), state(second)) << t;
    first.restore(whole.save());
  }
}

TEST(Signals, AreRefusedWhereTheyMeanNothing) {
  const auto message = [](const std::string& links) {
    try {
      const config::Scenario scenario = config::parse_scenario(
          one_mass("subsystems: [{name: servo, lag: {time_constant: 1}}]\nconnections: [" + links +
                   "]\nsimulate: {end: 1}\n"),
          "test");
      assemble(scenario);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message("{from: 1.y, to: servo.in}, {from: servo.out, to: 1.force}"), HasSubstr("1.y"));
  EXPECT_THAT(message("{from: 1.x, to: servo.in}, {from: servo.out, to: 1.torque}"), HasSubstr("force"));
  EXPECT_THAT(message("{from: 2.x, to: servo.in}, {from: servo.out, to: 1.force}"), HasSubstr("2.x"));
}

/// Bodies and subsystems may have names that are nearly the same.
TEST(Signals, ABodyIsNotTakenForASubsystemOfASimilarName) {
  const auto assembled = [](const std::string& from) {
    const config::Scenario scenario = config::parse_scenario(R"(cosimo: 1
model:
  bodies: [{name: servo1, kind: point, mass: 1}]
  elements: [{name: s, kind: spring, to: servo1, c: 1}]
subsystems: [{name: servo2, lag: {time_constant: 1}}]
connections: [{from: )" + from + R"(, to: servo2.in}]
simulate: {end: 1}
)",
                                                             "test");
    return assemble(scenario)->signals.front();
  };
  EXPECT_EQ(assembled("servo1.x"), "servo1.x -> servo2.in");
  try {
    assembled("servo1.phi");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("test:6:"));
    EXPECT_THAT(error.what(), HasSubstr("x, y, z"));
  }
}

}  // namespace
}  // namespace cosimo
