// A membrane of 100 x 100 masses, cut by METIS into 2, 8 and 32 parts, agrees with the uncut run within the
// tolerances: with overlaps (exOV), explicit (exMD) and implicit (imMD).
#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <utility>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

constexpr double rtol = 1e-4;  ///< of the coupling, at magnitudes of one

std::string lattice(const std::string& partition, const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  lattice: {{size: [100, 100], mass: 1, spring: {{c: 1, d: 0.02, C: 0.5}},
            initial: {{x: {{uniform: [-1, 1]}}, v: {{uniform: [-1, 1]}}}}, seed: 6}}
partition: {}
simulate: {{end: 1, output: 0.25}}
solve: {{method: rk, rtol: 1.0e-6}}
{}
)",
                     partition, rest);
}

struct Scheme {
  const char* name;
  std::string text;
};

const Scheme schemes[] = {
    {"exOV", "couple: {decomposition: overlap}\n"},
    {"exMD", fmt::format("couple: {{scheme: explicit}}\ncontrol: {{estimator: exMD, rtol: {}}}\n", rtol)},
    {"imMD",
     fmt::format("couple: {{scheme: implicit, jacobian: sap}}\ncontrol: {{estimator: imMD, rtol: {}}}\n",
                 rtol)},
};

struct Case {
  Scheme scheme;
  int parts;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.scheme.name << "In" << c.parts;
  }
};

std::vector<Case> cases() {
  std::vector<Case> result;
  for (const Scheme& scheme : schemes)
    for (const int parts : {2, 8, 32}) result.push_back({scheme, parts});
  return result;
}

struct Run {
  Memory memory;
  std::vector<std::size_t> at_cuts;  ///< bodies, each once
};

Run run(const std::string& text) {
  Bench bench(text, 2);
  const LoopResult result = bench.run();
  EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  std::set<std::size_t> bodies;
  for (const Coupling& c : bench.assembly->partition.interface.couplings)
    bodies.insert({c.from.body.index(), c.to.body.index()});
  return {std::move(bench.memory), {bodies.begin(), bodies.end()}};
}

/// Root mean square over these bodies and all output times, and the largest.
struct Difference {
  double rms = 0, largest = 0;
};

Difference difference(const std::vector<double>& a, const std::vector<double>& b,
                      const std::vector<std::size_t>& bodies) {
  Difference result;
  const std::size_t rows = a.size() / 10'000;
  for (std::size_t row = 0; row < rows; ++row)
    for (const std::size_t body : bodies) {
      const double d = std::fabs(a[row * 10'000 + body] - b[row * 10'000 + body]);
      result.rms += d * d;
      result.largest = std::max(result.largest, d);
    }
  result.rms = std::sqrt(result.rms / static_cast<double>(rows * bodies.size()));
  return result;
}

class Lattice : public ::testing::TestWithParam<Case> {
 protected:
  static const Memory& whole() {
    static const Memory memory = run(lattice("none", "")).memory;
    return memory;
  }
};

TEST_P(Lattice, CutByMetisAgreesWithTheUncutRun) {
  const auto& [scheme, parts] = GetParam();
  const auto [cut, at_cuts] = run(lattice(fmt::format("{{method: metis, parts: {}}}", parts), scheme.text));
  ASSERT_EQ(cut.position.size(), whole().position.size());
  const Difference position = difference(cut.position, whole().position, at_cuts);
  const Difference velocity = difference(cut.velocity, whole().velocity, at_cuts);
  // The error of classic cuts is controlled step by step, as a root mean square over all cuts: what some
  // forty steps leave at the bodies there is of the size of the tolerance, at single ones more. Overlaps are
  // controlled cut by cut.
  EXPECT_LT(position.rms, 3 * rtol);
  EXPECT_LT(velocity.rms, 3 * rtol);
  if (scheme.name == std::string("exOV")) {
    EXPECT_LT(position.largest, rtol);
    EXPECT_LT(velocity.largest, rtol);
  }
  EXPECT_GT(cut.accepted(), 1U);
  RecordProperty("position_rms", fmt::format("{:.2e}", position.rms));
  RecordProperty("velocity_rms", fmt::format("{:.2e}", velocity.rms));
  RecordProperty("largest", fmt::format("{:.2e}", std::max(position.largest, velocity.largest)));
}

INSTANTIATE_TEST_SUITE_P(Runs, Lattice, ::testing::ValuesIn(cases()), [](const auto& test) {
  return std::string(test.param.scheme.name) + "In" + std::to_string(test.param.parts);
});

}  // namespace
}  // namespace cosimo::testing
