// Cuts at joints that turn freely: their torques are nearly zero all the time, and must not hold the macro
// steps back. Groups in free fall carry nothing at all at first.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

struct Estimate {
  const char *scheme, *estimator;
};

class FreeJoint : public ::testing::TestWithParam<Estimate> {};

std::string chain(const std::string& rest) {
  return fmt::format(R"(cosimo: 1
model:
  pendulum: {{links: 20, length: 0.1, mass: 0.1, body: rod, angle: 0.5,
             compliant: {{every: 5, stiffness: 1.0e6, damping: 100}}}}
simulate: {{end: 0.05, output: 0.01}}
{}
)",
                     rest);
}

TEST_P(FreeJoint, TorquesThatAreNearlyZeroCostNoSteps) {
  const auto [scheme, estimator] = GetParam();
  const std::string cut = fmt::format(
      "partition: {{parts: 4}}\ncouple: {{scheme: {}, decomposition: force-force}}\ncontrol: {{estimator: "
      "{}}}\n",
      scheme, estimator);
  Bench coupled(chain(cut)), uncut(chain("solve: {rtol: 1.0e-9}\n"));
  const LoopResult result = coupled.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  ASSERT_EQ(uncut.run().status, LoopResult::Status::ok);
  EXPECT_LT(coupled.memory.steps.size(), 2000U);
  double largest_error = 0;
  for (std::size_t i = 0; i < uncut.memory.position.size(); ++i)
    largest_error = std::max(largest_error, std::fabs(coupled.memory.position[i] - uncut.memory.position[i]));
  EXPECT_LT(largest_error, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Estimators, FreeJoint,
                         ::testing::Values(Estimate{"explicit", "exCV"}, Estimate{"explicit", "exMD"},
                                           Estimate{"implicit", "imCV"}, Estimate{"implicit", "imMD"}),
                         [](const auto& test) { return std::string(test.param.estimator); });

}  // namespace
}  // namespace cosimo::testing
