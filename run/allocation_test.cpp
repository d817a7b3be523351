// The steady macro step allocates nothing: not in the scheme, not in the lanes, not in the pool.
#include <gtest/gtest.h>

#include "run/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo::testing {
namespace {

class NoAllocation : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(NoAllocation, InTheSteadyMacroStep) {
  const auto [method, estimator] = GetParam();
  Bench bench(fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 400, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 7}}
partition: {{parts: 8}}
simulate: {{end: 1, output: macro, record: coupling}}
control: {{estimator: {}}}
solve: {{method: {}}}
)",
                          estimator, method),
              2);
  const double H = 2e-8;  // small enough for the stiff first microseconds of the random start
  double t = 0;
  std::vector<double> output(1);
  const auto step = [&](bool keep) {
    output[0] = t + H;
    const Candidate c = bench.scheme->attempt({{t, t + H}, 2}, output);
    ASSERT_TRUE(c.ok);
    const DerivativeNorms& norms = bench.scheme->derivative_norms(H);
    if (norms.available() > 0) (void)norms.scaled_derivative(1);
    if (!keep) return bench.scheme->reject();
    bench.scheme->accept();
    t += H;
  };
  for (int i = 0; i < 200; ++i) step(i % 7 != 3);  // everything has been used once
  const std::size_t before = allocation_count();
  for (int i = 0; i < 200; ++i) step(i % 7 != 3);
  EXPECT_EQ(allocation_count() - before, 0u);
}

INSTANTIATE_TEST_SUITE_P(Methods, NoAllocation,
                         ::testing::Values(std::pair{"rk", "exCV"}, std::pair{"rk", "exMD"},
                                           std::pair{"rosenbrock", "exLE"}, std::pair{"auto", "exCV"},
                                           std::pair{"ida", "exMD"}),
                         [](const auto& test) { return std::string(test.param.first) + test.param.second; });

}  // namespace
}  // namespace cosimo::testing
