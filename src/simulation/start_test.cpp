// Starts and events that once went wrong: loads beside a cut of a model at rest, edges that
// coincide up to rounding, impulses much shorter than any step.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

std::string at_rest(const std::string& load, const std::string& estimator) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 200, mass: 1, spring: {{c: 1.0e4, d: 1}}, loads: [{}]}}
partition: {{parts: 4}}
simulate: {{end: 0.5, output: 5.0e-3}}
control: {{estimator: {}}}
)",
                     load, estimator);
}

class FromRest : public ::testing::TestWithParam<const char*> {};

TEST_P(FromRest, LoadBesideACutStartsAndMeetsTheUncutModel) {
  for (const char* load :
       {"{harmonic: {bodies: [50], amplitude: 100, omega: 30}}",
        "{impulse: {bodies: [50, 51], sign: alternating, amplitude: 100, start: 0.1, duration: 0.05, "
        "steepness: 1.0e-4}}"}) {
    Bench cut(at_rest(load, GetParam()));
    const LoopResult result = cut.run();
    ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    std::string text = at_rest(load, GetParam());
    text.replace(text.find("parts: 4"), 8, "parts: 1");
    Bench whole(text);
    ASSERT_EQ(whole.run().status, LoopResult::Status::ok);
    double most = 0, difference = 0;
    for (std::size_t i = 0; i < whole.memory.position.size(); ++i) {
      most = std::max(most, std::fabs(whole.memory.position[i]));
      difference = std::max(difference, std::fabs(cut.memory.position[i] - whole.memory.position[i]));
    }
    EXPECT_GT(most, 1e-4);
    EXPECT_LT(difference, 1e-2 * most) << load;
  }
}

INSTANTIATE_TEST_SUITE_P(Estimators, FromRest, ::testing::Values("exCV", "exMD", "exLE"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Events, EdgesThatCoincideUpToRoundingMakeNoTinyStep) {
  // The first impulse ends at 0.1 + 0.2 = 0.30000000000000004, the second begins at 0.3.
  Bench bench(at_rest(
      "{impulse: {bodies: [20], amplitude: 100, start: [0.1, 0.3], duration: 0.2, steepness: 1.0e-4}}",
      "exCV"));
  const LoopResult result = bench.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  for (const StepRow& row : bench.memory.steps)
    if (row.t > 0.29 && row.t < 0.31) {
      EXPECT_GT(row.H, 1e-9) << row.t;
    }
}

TEST(Events, ImpulseMuchShorterThanAnyStepIsNotMissed) {
  // A push of 1e-6 s on a chain whose steps are near 1e-3 s: momentum 100 * 1e-6 on mass 1.
  for (const char* method : {"rk", "rosenbrock", "ida", "auto"}) {
    Bench bench(
        at_rest(
            "{impulse: {bodies: [20], amplitude: 100, start: 0.2503, duration: 1.0e-6, steepness: 1.0e-8}}",
            "exCV") +
        fmt::format("solve: {{method: {}}}\n", method));
    const LoopResult result = bench.run();
    ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    const std::size_t columns = 200;
    double momentum = 0;
    const std::size_t row =
        bench.memory.time.size() / 2 + 1;  // shortly after: the walls have not pushed back yet
    for (std::size_t i = 0; i < columns; ++i) momentum += bench.memory.velocity[row * columns + i];
    EXPECT_NEAR(momentum, 1e-4, 1e-6) << method;
  }
}

}  // namespace
}  // namespace cosimo::testing
