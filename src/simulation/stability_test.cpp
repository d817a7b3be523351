// Stability limits stated in Section 5.1 and in the 2017 paper (model 1), explicit scheme.
#include <gtest/gtest.h>

#include <cmath>

#include "simulation/testing.hpp"

namespace cosimo::testing {
namespace {

std::string chain(double H, const std::string& couple = "") {
  return table_5_1(false,
                   fmt::format("simulate: {{end: 0.25, output: 1.0e-3}}\ncontrol: {{step: {}, order: 2}}\n"
                               "solve: {{method: rk, rtol: 1.0e-8}}\n{}",
                               H, couple));
}

TEST(Stability, Table51QuadraticIsBoundedAtTheStatedStep) {
  EXPECT_LT(largest(chain(1.0e-5)), 10.0);
}

TEST(Stability, Table51QuadraticIsUnboundedAt25TimesTheStatedStep) {
  EXPECT_GT(largest(chain(2.5e-5)), 1e3);
}

TEST(Stability, LeastSquaresPredictorAllowsAboutFiveTimesTheStep) {
  const std::string fit = "couple: {predictor: {least-squares: 8}}";
  EXPECT_LT(largest(chain(5.0e-5, fit)), 10.0);
  EXPECT_GT(largest(chain(1.25e-4, fit)), 1e3);
}

TEST(Stability, DisplacementOfTheLastBodyIsThePublishedOne) {
  Bench bench(chain(5.0e-6));
  ASSERT_EQ(bench.run().status, LoopResult::Status::ok);
  EXPECT_NEAR(bench.memory.position.back(), -0.15940, 2e-5);
}

TEST(Stability, PaperModel1) {
  EXPECT_LT(largest(paper_model_1(5.0e-5, 1)), 1.0);
  EXPECT_LT(largest(paper_model_1(2.5e-5, 2)), 1.0);
  EXPECT_GT(largest(paper_model_1(1.25e-4, 1)), 10.0);
  EXPECT_GT(largest(paper_model_1(7.5e-5, 2)), 10.0);
}

}  // namespace
}  // namespace cosimo::testing
