#include "scheme/corrector.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "coupling/testing.hpp"

namespace cosimo {
namespace {

using samples::Cuts;

/// Two force/force cuts, absolute tolerances of 1 for everything.
struct Fixture {
  Cuts cuts{{{0, 1}, {1, 2}}, false};
  CorrectorOptions options{.norms = {.rtol = 1e-30, .atol_pos = 1, .atol_vel = 1, .atol_u = 1},
                           .max_iterations = 4};
  std::vector<double> u{0, 0};
  CutStates y{2};
  Candidate candidate;
  Seam alone;

  Corrector make() const { return Corrector(cuts.conditions, options, u, alone); }
  /// The next iterate: coupling variables and the velocity of one body move by this much.
  bool iterate(Corrector& corrector, double du0, double du1, double dv = 0) {
    corrector.before(u, y);
    u[0] += du0;
    u[1] += du1;
    y.to_v[1] += dv;
    return corrector.ends(u, y, candidate);
  }
};

TEST(Corrector, EndsWhenTheVariablesNoLongerChange) {
  Fixture f;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  EXPECT_FALSE(f.iterate(corrector, 3, -4));
  EXPECT_TRUE(f.iterate(corrector, 0.1, 0.1));
  EXPECT_EQ(f.candidate.iterations, 2);
  EXPECT_TRUE(f.candidate.converged && f.candidate.ok);
  EXPECT_FALSE(f.candidate.worst.valid()) << "nobody is to blame";
}

TEST(Corrector, WeighsWithThePredictedVariables) {
  // (2.32): a change of 1 is small beside a prediction of 1e3 with rtol 1e-2, whatever the start was.
  Fixture f;
  f.options.norms.rtol = 1e-2;
  Corrector corrector = f.make();
  corrector.begin(0, std::vector<double>{1e3, 1e3});
  EXPECT_TRUE(f.iterate(corrector, 1, 1));
}

TEST(Corrector, AResidualAboveTheToleranceKeepsItGoing) {
  Fixture f;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  const std::vector<double> large{1, 0}, small{0.1, 0};
  corrector.before(f.u, f.y);
  EXPECT_FALSE(corrector.ends(f.u, f.y, f.candidate, large)) << "u rests, but phi(y) is elsewhere";
  EXPECT_TRUE(corrector.stale());
  corrector.before(f.u, f.y);
  EXPECT_TRUE(corrector.ends(f.u, f.y, f.candidate, small));
  EXPECT_FALSE(corrector.stale());
}

TEST(Corrector, AnEstimatorOfStatesAllowsTheResidualThatStatesWithinTheirTolerancesMake) {
  Fixture f;
  f.options.judge_states = true;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  ConditionGradients slopes(f.cuts.conditions.variables());
  f.cuts.conditions.gradients(0, f.y, {}, slopes);
  // Both ends may be off by 1 in position and velocity; u itself by 1.
  const Slope s = slopes.at(0, CutSide::to)[0];
  const double allowed = f.options.tau * (1 + 2 * (s.x + s.v)) * std::sqrt(2.0);
  corrector.before(f.u, f.y);
  EXPECT_FALSE(corrector.ends(f.u, f.y, f.candidate, std::vector<double>{1.01 * allowed, 0}));
  EXPECT_TRUE(corrector.stale()) << "minute changes are no convergence";
  corrector.before(f.u, f.y);
  EXPECT_TRUE(corrector.ends(f.u, f.y, f.candidate, std::vector<double>{0.99 * allowed, 0}));
}

TEST(Corrector, AStepWhoseIterationDoesNotConvergeFailsAndBlamesTheWorstCoupling) {
  Fixture f;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  for (const double change : {8.0, 7.0, 6.0}) EXPECT_FALSE(f.iterate(corrector, 1, change));
  EXPECT_TRUE(f.iterate(corrector, 1, -5));
  EXPECT_FALSE(f.candidate.ok);
  EXPECT_FALSE(f.candidate.converged);
  EXPECT_EQ(f.candidate.iterations, 4);
  EXPECT_EQ(f.candidate.worst, CouplingId{std::size_t{1}});
  EXPECT_EQ(f.candidate.reason, "the corrector iteration does not converge");
}

TEST(Corrector, AnIterationThatDivergesIsGivenUpEarly) {
  Fixture f;
  f.options.max_iterations = 100;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  EXPECT_FALSE(f.iterate(corrector, 1, 0));
  EXPECT_FALSE(f.iterate(corrector, 2, 0));
  EXPECT_TRUE(f.iterate(corrector, 4, 0));
  EXPECT_FALSE(f.candidate.ok);
  EXPECT_EQ(f.candidate.worst, CouplingId{std::size_t{0}});
  EXPECT_EQ(f.candidate.reason, "the corrector iteration diverges");
}

TEST(Corrector, StepsOfFixedSizeGoOnAfterTheLastIterationAndCountIt) {
  Fixture f;
  f.options.go_on = true;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  // Growing, but there is nothing else to try.
  for (const double change : {1.0, 2.0, 4.0}) EXPECT_FALSE(f.iterate(corrector, 0, change));
  EXPECT_TRUE(f.iterate(corrector, 0, 8));
  EXPECT_TRUE(f.candidate.ok);
  EXPECT_FALSE(f.candidate.converged);
  EXPECT_EQ(f.candidate.iterations, 4);
  EXPECT_EQ(f.candidate.worst, CouplingId{std::size_t{1}});
}

TEST(Corrector, WithAnEstimatorOfStatesTheChangeOfStatesDecides) {
  Fixture f;
  f.options.judge_states = true;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  EXPECT_FALSE(f.iterate(corrector, 0, 0, 100)) << "only a state moves";
  EXPECT_TRUE(f.iterate(corrector, 1e6, 1e6, 0)) << "only variables move";
}

TEST(Corrector, TheLevelWithTheLargerChangeDecides) {
  // One body of four moves: the root mean square of its level is half of its change.
  Fixture f;
  f.options.judge_states = true;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  EXPECT_FALSE(f.iterate(corrector, 0, 0, 2 * 1.01 * f.options.tau));
  corrector.begin(0, f.u);
  EXPECT_TRUE(f.iterate(corrector, 0, 0, 2 * 0.99 * f.options.tau));
}

TEST(Corrector, ARejectedStepLeavesNoTrace) {
  Fixture f;
  Corrector corrector = f.make();
  corrector.begin(0, f.u);
  EXPECT_FALSE(f.iterate(corrector, 10, 10));
  EXPECT_TRUE(f.iterate(corrector, 0.5, 0.5));
  corrector.forget();
  corrector.begin(0, f.u);
  EXPECT_EQ(corrector.convergence().rate(), 0.5);
  EXPECT_FALSE(f.iterate(corrector, 0.5, 0.5));
}

}  // namespace
}  // namespace cosimo
