// The steady macro step allocates nothing: not in the scheme, not in the lanes, not in the pool, and not
// in the time loop with its controller.
#include <gtest/gtest.h>

#include <tuple>

#include "simulation/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo::testing {
namespace {

class NoAllocation : public ::testing::TestWithParam<std::tuple<const char*, const char*, int>> {};

TEST_P(NoAllocation, InTheSteadyMacroStep) {
  const auto [method, estimator, threads] = GetParam();
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
              threads);
  const double H = 2e-8;  // small enough for the stiff first microseconds of the random start
  double t = 0;
  std::vector<double> output(1);
  const auto step = [&](bool keep) {
    output[0] = t + H;
    const Candidate c = bench.scheme->attempt({{t, t + H}, 2}, output);
    ASSERT_TRUE(c.ok);
    const DerivativeNorms& norms = bench.classic().derivative_norms(H);
    if (norms.available() > 0) (void)norms.scaled_derivative(1);
    if (!keep) return bench.scheme->reject();
    bench.scheme->accept();
    t += H;
  };
  const auto allocations = [&] {
    const std::size_t before = allocation_count();
    for (int i = 0; i < 200; ++i) step(i % 7 != 3);
    return allocation_count() - before;
  };
  (void)allocations();  // everything has been used once
  // A thread's scratch grows when the thread first meets a subsystem, and how long that takes is up to
  // the operating system: with one thread all is settled by now, with two it must settle.
  std::size_t found = allocations();
  for (int round = 0; threads > 1 && found > 0 && round < 20; ++round) found = allocations();
  EXPECT_EQ(found, 0u);
}

/// With overlaps, between two reviews of H and layers.
TEST(NoAllocationWithOverlap, BetweenTwoReviews) {
  Bench bench(R"(cosimo: 1
model:
  chain: {masses: 400, mass: 5.0e-5, spring: {c: 2.5e6, d: 0.25}, initial: {v: {uniform: [-100, 100]}}, seed: 7}
partition: {parts: 4}
simulate: {end: 1, output: macro, record: coupling}
couple: {decomposition: overlap}
)");
  OverlapScheme& scheme = bench.overlap();
  const double H = 1e-6;
  double t = 0;
  std::vector<double> output(1);
  const auto steps = [&](int count) {
    const std::size_t before = allocation_count();
    for (int i = 0; i < count; ++i) {
      output[0] = t + H;
      const bool keep = scheme.attempt({{t, t + H}, 0}, output).ok && i % 7 != 3;
      scheme.observe(keep);
      if (!keep) {
        scheme.reject();
        continue;
      }
      scheme.accept();
      t += H;
    }
    return allocation_count() - before;
  };
  scheme.plan(H);
  EXPECT_GT(steps(40), 0U) << "copies are carried, everything is used once";
  EXPECT_EQ(steps(40), 0U);
}

/// Looks at the counter at two accepted steps and allocates nothing itself.
class AllocationWatch final : public Observer {
 public:
  static constexpr int first = 200, last = 400;
  std::size_t at_first = 0, at_last = 0;
  int accepted = 0;
  int rejected = 0;  ///< between the two

  void output(double, std::span<const double>, std::span<const double>) override {}
  void step(const StepRow& row, const Scheme&, const AttemptCost&) override {
    if (!row.accepted && accepted >= first && accepted < last) ++rejected;
  }
  void macro_point(double, double, int) override {
    ++accepted;
    if (accepted == first) at_first = allocation_count();
    if (accepted == last) at_last = allocation_count();
  }
};

class NoAllocationInLoop : public ::testing::TestWithParam<const char*> {};

/// The whole time loop with its controller, chosen orders, outputs between macro points and rejected steps.
/// A macro step holds at most one output time: room for rows grows with the longest window seen.
TEST_P(NoAllocationInLoop, BetweenTwoAcceptedStepsOfAControlledRun) {
  Bench bench(fmt::format(R"(cosimo: 1
model:
  chain: {{masses: 100, mass: 5.0e-5, spring: {{c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}},
          initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}, seed: 7}}
partition: {{parts: 4}}
simulate: {{end: 1, output: 1.0e-5, record: coupling}}
control: {{estimator: {}, rtol: 1.0e-4, safety: 1.2, max_steps: 420}}
solve: {{method: rk}}
)",
                          GetParam()));
  AllocationWatch watch;
  const LoopResult result = TimeLoop(*bench.assembly, *bench.lanes, *bench.scheme, *bench.session.control,
                                     bench.loop, watch, nullptr, nullptr)
                                .run();
  EXPECT_EQ(result.status, LoopResult::Status::failed);  // max_steps ends it
  ASSERT_GT(watch.accepted, AllocationWatch::last) << result.reason;
  EXPECT_GT(watch.rejected, 0);
  EXPECT_EQ(watch.at_last - watch.at_first, 0u);
}

INSTANTIATE_TEST_SUITE_P(Estimators, NoAllocationInLoop, ::testing::Values("exCV", "exMD"),
                         [](const auto& test) { return std::string(test.param); });

INSTANTIATE_TEST_SUITE_P(Methods, NoAllocation,
                         ::testing::Values(std::tuple{"rk", "exCV", 1}, std::tuple{"rk", "exMD", 2},
                                           std::tuple{"rosenbrock", "exLE", 1}, std::tuple{"auto", "exCV", 1},
                                           std::tuple{"auto", "exCV", 2}, std::tuple{"ida", "exMD", 1},
                                           std::tuple{"ida", "exMD", 2}),
                         [](const auto& test) {
                           return std::apply([](auto... part) { return (fmt::to_string(part) + ...); },
                                             test.param);
                         });

}  // namespace
}  // namespace cosimo::testing
