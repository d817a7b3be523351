// Is the error estimate of overlapping subsystems honest? One macro step of random models with a random
// number of layers against the same step uncut.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scheme/random_testing.hpp"
#include "scheme/testing.hpp"

namespace cosimo {
namespace {

using testing::OverlapBench;
using testing::OverlapSettings;
using testing::RandomCase;
using testing::RunResult;

/// Equal micro steps everywhere, so that the cut and the uncut step differ by the coupling alone.
IntegratorOptions equal_steps(const RandomCase& c) {
  IntegratorOptions solver;
  solver.method = Method::rk;
  solver.tolerances = {0, 1e-2, 1e30};
  solver.max_step = c.H / static_cast<double>(c.micro_steps()) * (1 + 1e-12);
  return solver;
}

struct Comparison {
  double estimated = 0, error = 0;  ///< in units of the tolerance
};

/// Largest weighted error of all bodies, with the weights of the estimate (scheme/overlap.hpp).
double largest_error(const RandomCase& c, const OverlapOptions& o, const RunResult& cut,
                     const RunResult& whole) {
  double largest = 0;
  for (std::size_t i = 0; i < c.model.bodies.count; ++i) {
    const double x = cut.x[0][i], v = cut.v[0][i];
    const double size_x = std::max(std::fabs(x), std::fabs(c.model.bodies.x[i]));
    const double size_v = std::max(std::fabs(v), std::fabs(c.model.bodies.v[i]));
    const double ex = (x - whole.x[0][i]) / (o.atol_pos + o.rtol * size_x);
    const double ev = (v - whole.v[0][i]) / (o.atol_vel + o.rtol * size_v);
    largest = std::max(largest, std::sqrt(0.5 * (ex * ex + ev * ev)));
  }
  return largest;
}

Comparison compare(const RandomCase& c, double rtol) {
  OverlapSettings settings = testing::default_settings(rtol);
  settings.solver = equal_steps(c);
  settings.overlap.layers = c.layers;
  OverlapBench bench(c.model, c.cuts, settings);
  const Candidate candidate = bench.step(c.H);
  EXPECT_TRUE(candidate.ok);
  for (std::size_t i = 0; i < bench.lanes.size(); ++i)
    EXPECT_EQ(bench.lanes.lane(i).status().counters.steps, c.micro_steps());
  RunResult cut;
  bench.keep(0, cut);
  const double ends[] = {c.H};
  const RunResult whole = testing::run_uncut(c.model, settings.solver, ends);
  EXPECT_TRUE(whole.ok);
  return {candidate.norms.largest(), largest_error(c, settings.overlap, cut, whole)};
}

TEST(Estimator, IsHonestOnRandomModels) {
  constexpr int cases = 500;
  int counted = 0, within_5 = 0, too_low = 0;
  for (std::uint64_t seed = 5'000; counted < cases; ++seed) {
    SCOPED_TRACE(seed);
    const RandomCase c(seed);
    const double rtol = std::pow(10, RandomStream(seed, 80).uniform(0, -8, -3));
    const auto [estimated, error] = compare(c, rtol);
    if (error * rtol < 1e-12) {  // lost in rounding errors
      EXPECT_LT(estimated, 1);
      continue;
    }
    ++counted;
    within_5 += estimated < 5 * error && error < 5 * estimated;
    too_low += error > 1 && estimated < 0.1 * error;
  }
  RecordProperty("within_5", within_5);
  EXPECT_GE(within_5, 95 * cases / 100);
  EXPECT_EQ(too_low, 0);
}

/// Nothing comes in where everything is carried: what is left is rounding.
TEST(Estimator, IsZeroWithoutAFarEdge) {
  const RandomCase c(8);
  OverlapSettings settings = testing::default_settings(1e-6);
  settings.solver = equal_steps(c);
  settings.overlap.layers = 1000;
  OverlapBench bench(c.model, c.cuts, settings);
  EXPECT_LT(bench.step(c.H).norms.largest(), 1e-6);
}

}  // namespace
}  // namespace cosimo
