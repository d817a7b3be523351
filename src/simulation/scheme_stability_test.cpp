// Stability limits of the iterating schemes: Section 5.1 (Table 5.1, nonlinear, kappa 2, a corrector with
// rtol 1e-10 that goes on after 10 iterations) and the 2017 paper (model 1). The explicit ones:
// stability_test.cpp.
#include <gtest/gtest.h>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

std::string chain(double H, const std::string& couple, double end = 0.25) {
  return table_5_1(
      false, fmt::format("simulate: {{end: {}, output: 1.0e-3}}\ncontrol: {{step: {}, order: 2}}\nsolve: "
                         "{{method: rk, rtol: 1.0e-8}}\ncouple: {{corrector_rtol: 1.0e-10, {}}}",
                         end, H, couple));
}

/// The true motion stays below 5.1.
constexpr double bounded = 10, unbounded = 50;

TEST(SchemeStability, RelaxedWaveformsBearFiveTimesTheExplicitStep) {
  const char* relaxed = "scheme: waveform, relaxation: 0.3";
  EXPECT_LT(largest(chain(5.0e-5, relaxed)), bounded);
  EXPECT_GT(largest(chain(1.25e-4, relaxed, 0.05)), unbounded);
}

TEST(SchemeStability, WaveformsNeedTheRelaxationForThat) {
  EXPECT_LT(largest(chain(1.0e-5, "scheme: waveform", 0.05)), bounded);
  EXPECT_GT(largest(chain(5.0e-5, "scheme: waveform", 0.05)), unbounded);
}

TEST(SchemeStability, NewtonBears25TimesTheExplicitStep) {
  for (const char* jacobian : {"fd", "sensitivity"}) {
    SCOPED_TRACE(jacobian);
    const std::string implicit = fmt::format("scheme: implicit, jacobian: {}", jacobian);
    EXPECT_LT(largest(chain(2.5e-4, implicit)), bounded);
    EXPECT_GT(largest(chain(6.25e-4, implicit, 0.04)), unbounded);
  }
}

TEST(SchemeStability, JacobiansFromTheLastPointAloneDoNot) {
  // The springs stiffen too much within such a step; at half of it the masses alone are enough.
  EXPECT_GT(largest(chain(2.5e-4, "scheme: implicit, jacobian: sap", 0.046)), unbounded);
  EXPECT_LT(largest(chain(1.25e-4, "scheme: implicit, jacobian: sap")), bounded);
}

TEST(SchemeStability, PaperModel1SemiImplicit) {
  const auto semi_implicit = [](double H, int kappa) {
    return largest(paper_model_1(H, kappa, "couple: {scheme: semi-implicit}"));
  };
  EXPECT_LT(semi_implicit(7.5e-5, 1), 1.0);
  EXPECT_LT(semi_implicit(7.5e-5, 2), 1.0);
  EXPECT_GT(semi_implicit(1.875e-4, 2), 10.0);
}

}  // namespace
}  // namespace cosimo::testing
