// A light body beside a cut, and forces elsewhere that are large beside those that move it: estimators that
// compare coupling variables must not let it go astray (docs/decisions/0017).
#include <gtest/gtest.h>

#include "simulation/execute.hpp"
#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

struct Way {
  const char *name, *couple;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

/// Body 2 weighs a millionth of the others; element 5, far from it, carries a large force.
std::string chain(const std::string& rest) {
  return "cosimo: 1\n"
         "model: {chain: {masses: 6, mass: [1, 1.0e-6, 1, 1, 1, 1], spring: {c: [100, 100, 10, 100, 1.0e6, "
         "100, 100],\n"
         "        d: [0, 1.0e-3, 0, 0, 100, 0, 0]}, initial: {x: [0.1, 0.1, 0, 0, 0.05, 0]}}}\n"
         "simulate: {end: 0.02, output: 1.0e-3}\n" +
         rest;
}

/// Likewise, in a plane.
std::string mechanism(const std::string& rest) {
  return R"(cosimo: 1
model:
  bodies:
    - {name: a, kind: point, dimensions: 2, mass: 1, position: [0, 0.1], velocity: [1, 0.5]}
    - {name: light, kind: point, dimensions: 2, mass: 1.0e-6, position: [1, 0]}
    - {name: b, kind: point, dimensions: 2, mass: 1, position: [2, 0.1]}
    - {name: c, kind: point, dimensions: 2, mass: 1, position: [3, 0], velocity: [0, -0.5]}
  elements:
    - {name: s1, kind: spring, from: a, to: light, c: 100, d: 1.0e-3, length: 0.9}
    - {name: s2, kind: spring, from: light, to: b, c: 10, d: 0, length: 0.9}
    - {name: s3, kind: spring, from: b, to: c, c: 1.0e6, d: 100, length: 0.99}
simulate: {end: 0.02, output: 1.0e-3}
)" + rest;
}

constexpr const char* whole = "partition: none\nsolve: {rtol: 1.0e-10}\n";

class LightBody : public ::testing::TestWithParam<Way> {
 protected:
  /// The largest NRMSE of the velocities in these columns, in units of rtol.
  static double error(const std::string& cut, const std::string& reference, Range light) {
    Bench a(cut), b(reference);
    const LoopResult result = a.run();
    EXPECT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    EXPECT_EQ(b.run().status, LoopResult::Status::ok);
    const std::size_t rows = b.memory.time.size(), columns = b.memory.velocity.size() / rows;
    double worst = 0;
    for (std::size_t j = light.first; j < light.last; ++j) {
      std::vector<double> found, exact;
      for (std::size_t i = 0; i < rows; ++i) {
        found.push_back(a.memory.velocity.at(i * columns + j));
        exact.push_back(b.memory.velocity[i * columns + j]);
      }
      worst = std::max(worst, nrmse(found, exact));
    }
    return worst / 1e-4;
  }
};

TEST_P(LightBody, OfAChainIsProtected) {
  const std::string rest = fmt::format("partition: {{cuts: [2, 5]}}\ncouple: {{{}}}\n", GetParam().couple);
  EXPECT_LT(error(chain(rest), chain(whole), {1, 2}), 20);
}

TEST_P(LightBody, OfAMechanismIsProtected) {
  const std::string rest = fmt::format("partition: {{cuts: [s1, s3]}}\ncouple: {{{}}}\n", GetParam().couple);
  EXPECT_LT(error(mechanism(rest), mechanism(whole), {2, 4}), 20);
}

INSTANTIATE_TEST_SUITE_P(
    Ways, LightBody,
    ::testing::Values(Way{"ExplicitFF", "scheme: explicit, decomposition: force-force"},
                      Way{"ExplicitFD", "scheme: explicit, decomposition: force-displacement"},
                      Way{"ExplicitDD", "scheme: explicit, decomposition: displacement-displacement"},
                      Way{"Implicit", "scheme: implicit"}, Way{"SemiImplicit", "scheme: semi-implicit"},
                      Way{"Waveform", "scheme: waveform"}),
    [](const auto& way) { return std::string(way.param.name); });

}  // namespace
}  // namespace cosimo::testing
