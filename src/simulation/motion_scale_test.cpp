// Tolerances that follow the motion: a model is integrated alike in whatever units it is written.
#include "simulation/motion_scale.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "simulation/testing.hpp"

namespace cosimo {
namespace {

using testing::Bench;
using testing::deviation;

/// Units of length, mass and time as powers of two: results are then those of the others to the bit, scaled,
/// unless something in the program has a size of its own.
struct Units {
  int length = 0, mass = 0, time = 0;

  double of(double value, int l, int m, int t) const {
    return std::ldexp(value, l * length + m * mass + t * time);
  }
};

// 2^20 is about 1e6: twelve decades from end to end.
const Units all_units[] = {{-20, 0, 0}, {20, 0, 0}, {0, -20, 0},   {0, 20, 0},
                           {0, 0, -20}, {0, 0, 20}, {-20, 20, 20}, {20, -20, -20}};

std::string chain(const Units& u, double end, double output) {
  return fmt::format(
      "cosimo: 1\nmodel: {{chain: {{masses: 40, mass: {}, spring: {{c: {}, d: {}, C: {}, D: {}}},\n"
      "  initial: {{x: {{uniform: [{}, {}]}}}}, seed: 3,\n"
      "  loads: [{{harmonic: {{bodies: [7], amplitude: {}, omega: {}}}}}]}}}}\n"
      "simulate: {{end: {}, output: {}}}\n",
      u.of(1, 0, 1, 0), u.of(1000, 0, 1, -2), u.of(1, 0, 1, -1), u.of(1e4, -2, 1, -2), u.of(1e-2, -2, 1, 1),
      u.of(-0.1, 1, 0, 0), u.of(0.1, 1, 0, 0), u.of(3, 1, 1, -2), u.of(20, 0, 0, -1), u.of(end, 0, 0, 1),
      u.of(output, 0, 0, 1));
}

/// Two rods on pins, a block on springs between them, gravity: angles and lengths, rigid and point bodies.
std::string mechanism(const Units& u, double end, double output) {
  const double rod = u.of(1, 1, 0, 0);
  return fmt::format(
      "cosimo: 1\nmodel:\n  gravity: [0, 0, {0}]\n  bodies:\n"
      "    - {{name: a, kind: rigid, mass: {1}, inertia: [{2}, {2}, {2}], position: [{3}, 0, 0]}}\n"
      "    - {{name: b, kind: rigid, mass: {1}, inertia: [{2}, {2}, {2}], position: [{4}, 0, 0]}}\n"
      "    - {{name: block, kind: point, mass: {1}, position: [{4}, 0, {5}]}}\n"
      "  joints:\n"
      "    - {{name: pin, kind: revolute, to: a, at: [0, 0, 0], axis: [0, 1, 0]}}\n"
      "    - {{name: ball, kind: spherical, from: a, to: b, at: [{6}, 0, 0]}}\n"
      "  elements:\n"
      "    - {{name: s1, kind: spring, from: b, to: block, c: {7}, d: {8}, length: {3}}}\n"
      "    - {{name: s2, kind: spring, to: block, c: {7}, d: {8}, length: {3}}}\n"
      "simulate: {{end: {9}, output: {10}}}\n",
      u.of(-9.81, 1, 0, -2), u.of(1, 0, 1, 0), u.of(0.1, 2, 1, 0), 0.5 * rod, 1.5 * rod, -0.5 * rod, rod,
      u.of(200, 0, 1, -2), u.of(0.5, 0, 1, -1), u.of(end, 0, 0, 1), u.of(output, 0, 0, 1));
}

struct Way {
  const char* name;
  const char* settings;
};

struct Finished {
  Bench bench;
  std::int64_t micro = 0;

  explicit Finished(const std::string& text) : bench(text) {
    const LoopResult result = bench.run();
    EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    for (std::size_t i = 0; i < bench.lanes->size(); ++i)
      micro += bench.lanes->lane(i).status().counters.steps;
  }
};

class ChainUnits : public ::testing::TestWithParam<Way> {};

TEST_P(ChainUnits, DoNotMatter) {
  const std::string settings = GetParam().settings;
  const Finished plain(chain({}, 0.5, 0.05) + settings);
  for (const Units& u : all_units) {
    const Finished scaled(chain(u, 0.5, 0.05) + settings);
    EXPECT_EQ(scaled.micro, plain.micro) << u.length << " " << u.mass << " " << u.time;
    EXPECT_EQ(scaled.bench.memory.accepted(), plain.bench.memory.accepted());
    for (std::size_t i = 0; i < plain.bench.memory.position.size(); ++i)
      EXPECT_EQ(scaled.bench.memory.position[i], u.of(plain.bench.memory.position[i], 1, 0, 0));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, ChainUnits,
    ::testing::Values(
        Way{"rk", "solve: {method: rk}\n"}, Way{"rosenbrock", "solve: {method: rosenbrock}\n"},
        Way{"ida", "solve: {method: ida}\n"}, Way{"automatic", ""},
        Way{"explicit", "partition: {parts: 4}\ncouple: {scheme: explicit}\n"},
        Way{"exMD", "partition: {parts: 4}\ncouple: {scheme: explicit}\ncontrol: {estimator: exMD}\n"},
        Way{"implicit", "partition: {parts: 4}\ncouple: {scheme: implicit}\n"},
        Way{"imMD", "partition: {parts: 4}\ncouple: {scheme: implicit}\ncontrol: {estimator: imMD}\n"},
        Way{"waveform", "partition: {parts: 4}\ncouple: {scheme: waveform}\n"},
        Way{"overlap", "partition: {parts: 4}\ncouple: {decomposition: overlap}\n"}),
    [](const auto& way) { return way.param.name; });

class MechanismUnits : public ::testing::TestWithParam<Way> {};

TEST_P(MechanismUnits, DoNotMatter) {
  const std::string settings = GetParam().settings;
  const Finished plain(mechanism({}, 0.5, 0.05) + settings);
  const Finished fine(mechanism({}, 0.5, 0.05) + "solve: {method: rk, rtol: 1.0e-10}\n");
  const testing::Deviation error = deviation(plain.bench.memory, fine.bench.memory);
  for (const Units& u : all_units) {
    Finished scaled(mechanism(u, 0.5, 0.05) + settings);
    EXPECT_NEAR(static_cast<double>(scaled.micro), static_cast<double>(plain.micro),
                0.1 * static_cast<double>(plain.micro))
        << u.length << " " << u.mass << " " << u.time;
    // Back into the plain units; quaternions have none.
    const auto& subsystem = *scaled.bench.assembly;
    const std::size_t columns = plain.bench.memory.position.size() / plain.bench.memory.time.size();
    const std::vector<BodyId> bodies{BodyId(0), BodyId(1), BodyId(2)};
    const std::vector<std::uint8_t> angles = angles_of(*subsystem.model, bodies);
    ASSERT_EQ(angles.size(), columns);
    testing::Memory& memory = scaled.bench.memory;
    for (std::size_t i = 0; i < memory.position.size(); ++i) {
      const int length = angles[i % columns] != 0 ? 0 : -u.length;
      memory.position[i] = std::ldexp(memory.position[i], length);
      memory.velocity[i] = std::ldexp(memory.velocity[i], length + u.time);
    }
    const testing::Deviation now = deviation(memory, fine.bench.memory);
    EXPECT_LT(now.position, 2 * error.position + 1e-8);
    EXPECT_LT(now.velocity, 2 * error.velocity + 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Ways, MechanismUnits,
    ::testing::Values(
        Way{"rk", "solve: {method: rk}\n"}, Way{"radau", "solve: {method: radau}\n"},
        Way{"explicit", "partition: {parts: 2}\ncouple: {scheme: explicit, decomposition: force-force}\n"},
        Way{"implicit", "partition: {parts: 2}\ncouple: {scheme: implicit, decomposition: force-force}\n"},
        Way{"overlap", "partition: {parts: 2}\ncouple: {decomposition: overlap}\n"}),
    [](const auto& way) { return way.param.name; });

/// Four points on a line, 1024 away from the origin, that move by a nanometre against each other.
TEST(MotionScale, WhereAMotionIsDoesNotMatter) {
  const auto points = [](double place, const std::string& rest) {
    std::string bodies, elements;
    for (int i = 1; i <= 4; ++i) {
      bodies += fmt::format("    - {{name: p{}, kind: point, mass: 1, position: [{}, 0, 0]}}\n", i,
                            fmt::format("{:.17g}", place + i + (i == 2 ? 0x1p-30 : 0)));
      if (i > 1)
        elements += fmt::format(
            "    - {{name: s{0}, kind: spring, from: p{1}, to: p{0}, c: 100, length: 1}}\n", i, i - 1);
    }
    return "cosimo: 1\nmodel:\n  bodies:\n" + bodies + "  elements:\n" + elements +
           "simulate: {end: 20, output: 1}\n" + rest;
  };
  Finished near(points(0, "solve: {rtol: 1.0e-10}\n")), far(points(1024, ""));
  // Displacements from the start; places and displacement are sums of powers of two.
  const std::size_t columns = near.bench.memory.position.size() / near.bench.memory.time.size();
  const auto displace = [&](testing::Memory& memory) {
    for (std::size_t i = memory.position.size(); i-- > 0;) memory.position[i] -= memory.position[i % columns];
  };
  displace(near.bench.memory);
  displace(far.bench.memory);
  for (std::size_t i = 0; i < near.bench.memory.position.size(); ++i)
    EXPECT_NEAR(far.bench.memory.position[i], near.bench.memory.position[i], 0x1p-30 * 2e-2);
  EXPECT_LT(far.micro, near.micro) << "rounding is not resolved";
}

TEST(MotionScale, BeginsWithWhatPushes) {
  const auto scale = [](const std::string& chain, const std::string& simulate) {
    Bench bench("cosimo: 1\nmodel: {chain: {masses: 5, mass: 2, spring: {c: 100}, " + chain + "}}\n" +
                simulate);
    return bench.assembly->scale->seen.length;
  };
  // Static deflection F / c, up to the bound of the fastest frequency.
  const MotionSize loaded =
      scale("loads: [{harmonic: {bodies: [3], amplitude: 7, omega: 1, phase: 1.5707963}}]",
            "simulate: {end: 1000}\n");
  EXPECT_GT(loaded.position, 7.0 / 400 * 0.9);
  EXPECT_LT(loaded.position, 7.0 / 100);
  const MotionSize moved = scale("initial: {x: [0, 0, 3.0e-9, 0, 0]}", "simulate: {end: 1000}\n");
  EXPECT_GT(moved.position, 1e-9);
  EXPECT_LT(moved.position, 6e-9);
  // A load that comes late is known from the start, and one that no instant shows leaves nothing.
  EXPECT_GT(
      scale("loads: [{impulse: {bodies: [3], amplitude: 7, start: 5, duration: 0.01, steepness: 1.0e-4}}]",
            "simulate: {end: 1000}\n")
          .position,
      7.0 / 400 * 0.5);
  EXPECT_EQ(scale("initial: {x: 0}", "simulate: {end: 1000}\n").position, 0);
}

TEST(MotionScale, GrowsWithAcceptedStepsAlone) {
  const std::string text = chain({}, 0.5, 0.05) + "partition: {parts: 4}\ncouple: {scheme: explicit}\n";
  Bench plain(text), repeated(text, 1, {.rollback_every = 3});
  EXPECT_EQ(plain.run().status, LoopResult::Status::ok);
  EXPECT_EQ(repeated.run().status, LoopResult::Status::ok);
  EXPECT_EQ(plain.memory.position, repeated.memory.position);
  EXPECT_EQ(plain.assembly->scale->seen.length.velocity, repeated.assembly->scale->seen.length.velocity);
  double fastest = 0;
  for (const double v : plain.memory.velocity) fastest = std::max(fastest, std::fabs(v));
  EXPECT_GE(plain.assembly->scale->seen.length.velocity, fastest);
}

TEST(MotionScale, BeyondDoublePrecisionNamesTheBody) {
  try {
    Bench bench(
        "cosimo: 1\nmodel: {chain: {masses: 5, mass: 1, spring: {c: 1000}, initial: {x: [0, 0, 1.0e150, 0, "
        "0]}}}\n"
        "simulate: {end: 1}\n");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("the position of body 3 at t = 0 is beyond 1e+140"));
  }
}

}  // namespace
}  // namespace cosimo
