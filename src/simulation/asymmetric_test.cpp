// The asymmetric oscillator (Section 5.5, Table 5.6): masses m1 and 1, springs of 1e6, damping d between the
// masses, integrated by IDA. The coupling is stiff where d or 1/m1 is large; docs/decisions/0010.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

struct Case {
  double m1, d;
  const char* estimator;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << "m1 " << c.m1 << ", d " << c.d << ", " << c.estimator;
}

std::string oscillator(const Case& c, const std::string& simulate, const std::string& partition) {
  return fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 2, mass: [{}, 1], spring: {{c: 1.0e6, d: [0, {}, 0]}}, initial: {{x: [0.05, 0]}},
          loads: [{{harmonic: {{bodies: [2], amplitude: 1.0e5, omega: 50}}}}]}}
simulate: {{{}}}
{}
solve: {{method: ida}}
)",
                     c.m1, c.d, simulate, partition);
}

std::string implicit(const Case& c, const std::string& absolute = "") {
  return fmt::format(
      "partition: {{parts: 2}}\ncouple: {{scheme: implicit}}\ncontrol: {{estimator: {}, rtol: 1.0e-3, "
      "max_steps: 20000{}}}",
      c.estimator, absolute);
}

class Asymmetric : public ::testing::TestWithParam<Case> {};

TEST_P(Asymmetric, TheImplicitSchemeSucceeds) {
  const Case& c = GetParam();
  const std::string simulate = "end: 0.05, output: 1.0e-3";
  Bench cut(oscillator(c, simulate, implicit(c)));
  const LoopResult result = cut.run();
  ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
  EXPECT_LT(cut.memory.accepted(), 6000U);
  Bench whole(oscillator(c, simulate, ""));
  ASSERT_EQ(whole.run().status, LoopResult::Status::ok);
  EXPECT_LT(deviation(cut.memory, whole.memory).position, c.d < 1e6 ? 0.01 : 0.03);
}

INSTANTIATE_TEST_SUITE_P(MassesAndDampings, Asymmetric,
                         ::testing::Values(Case{1, 0, "imMD"}, Case{1, 1e3, "imMD"}, Case{1, 1e6, "imMD"},
                                           Case{1e-3, 1e2, "imMD"}, Case{1e-3, 1e3, "imMD"},
                                           Case{1e-3, 1e6, "imMD"}, Case{1, 1e3, "imCV"},
                                           Case{1, 1e6, "imCV"}, Case{1e-3, 1e3, "imCV"},
                                           Case{1e-3, 1e6, "imCV"}));

/// Median of estimated over true local error, both in the norm of the step control, where the estimate
/// matters.
double median_ratio(const Case& c) {
  Bench bench(oscillator(c, "end: 0.1, output: macro, local_error: true",
                         implicit(c, ", atol_pos: 1.0e-6, atol_vel: 1.0e-3")));
  std::vector<double> ratios;
  bench.memory.on_step = [&] {
    const CutStates& y = bench.classic().point().y;
    const auto weighted = [](double error, double value, double atol) {
      return error / (atol + 1e-3 * std::fabs(value));
    };
    const auto x = bench.local->position_error(), v = bench.local->velocity_error();
    const double pos = std::hypot(weighted(x[0], y.from_x[0], 1e-6), weighted(x[1], y.to_x[0], 1e-6));
    const double vel = std::hypot(weighted(v[0], y.from_v[0], 1e-3), weighted(v[1], y.to_v[0], 1e-3));
    const double estimated = bench.memory.steps.back().error;
    if (estimated > 0.02) ratios.push_back(estimated / (std::sqrt(0.5) * std::max(pos, vel)));
  };
  EXPECT_EQ(bench.run().status, LoopResult::Status::ok);
  EXPECT_GT(ratios.size(), 20U);
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::nth_element(ratios.begin(), middle, ratios.end());
  return *middle;
}

TEST(StiffCoupling, TheMilneDeviceKeepsItsMeaning) {
  // Without the loop closed the ratios are up to 180 (d = 1e6), with the closed loop alone down to 0.2.
  for (const Case& c : {Case{1, 1e3, "imMD"}, Case{1, 1e6, "imMD"}, Case{0.1, 1e6, "imMD"},
                        Case{1e-3, 1e3, "imMD"}, Case{1e-3, 1e6, "imMD"}}) {
    const double ratio = median_ratio(c);
    EXPECT_GT(ratio, 0.3) << ::testing::PrintToString(c);
    EXPECT_LT(ratio, 6) << ::testing::PrintToString(c);
  }
}

TEST(StiffCoupling, MinuteNewtonStepsAreNotTakenForConvergence) {
  // sap takes H^2/m for the answer of a light mass that oscillates many times within H: once 195 steps for
  // 0.1 s, all of them accepted, and positions that were off by a factor of 5000.
  for (const double d : {1.0, 10.0}) {
    const Case c{1e-6, d, "imMD"};
    const std::string simulate = "end: 0.01, output: 1.0e-3";
    Bench cut(oscillator(c, simulate,
                         "partition: {parts: 2}\ncouple: {scheme: implicit, jacobian: sap}\ncontrol: "
                         "{estimator: imMD, rtol: 1.0e-3}"));
    const LoopResult result = cut.run();
    ASSERT_EQ(result.status, LoopResult::Status::ok) << result.reason;
    Bench whole(oscillator(c, simulate, ""));
    ASSERT_EQ(whole.run().status, LoopResult::Status::ok);
    EXPECT_LT(deviation(cut.memory, whole.memory).position, 0.01) << d;
  }
}

}  // namespace
}  // namespace cosimo::testing
