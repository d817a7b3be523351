// What configuration and model make of the coupling.
#include "simulation/resolve_coupling.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The second body of every pair is heavier.
const char* const chain = R"(cosimo: 1
model: {chain: {masses: 60, mass: {ramp: [1, 2]}, spring: {c: 100, d: 1}}}
simulate: {end: 1, output: 0.1}
partition: {parts: 3}
)";
const char* const pendulum = R"(cosimo: 1
model: {pendulum: {links: 6, body: rod, compliant: {every: 3, stiffness: 1.0e4, damping: 10}}}
simulate: {end: 0.1, output: 0.1}
partition: {parts: 2}
)";

std::unique_ptr<const Assembly> made(const char* text, const std::vector<std::string>& settings) {
  return assemble(config::parse_scenario(text, "test", settings));
}

CouplingPlan plan_of(const char* text, const std::vector<std::string>& settings) {
  return made(text, settings)->plan;
}

std::string refusal(const char* text, const std::vector<std::string>& settings) {
  try {
    plan_of(text, settings);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(CouplingPlan, OneDefaultOfTheToleranceForAllThatJudge) {
  const CouplingPlan overlap = plan_of(chain, {"couple.layers=4", "solve.rtol=3e-7"});
  EXPECT_TRUE(overlap.overlap);
  EXPECT_EQ(overlap.estimator, Estimator::exOV);
  EXPECT_EQ(overlap.rtol, 3e-7 / 10);
  EXPECT_EQ(overlap.layers.rtol, overlap.rtol);
  const CouplingPlan classic = plan_of(chain, {"couple.scheme=implicit", "solve.rtol=3e-7"});
  EXPECT_EQ(classic.rtol, 1e-4);
  EXPECT_EQ(classic.classic.norms.rtol, classic.rtol);
  EXPECT_EQ(classic.corrector.norms.rtol, classic.rtol);
  const CouplingPlan fixed =
      plan_of(chain, {"couple.scheme=implicit", "solve.rtol=3e-7", "control.step=0.01"});
  EXPECT_EQ(fixed.estimator, Estimator::none);
  EXPECT_EQ(fixed.corrector.norms.rtol, 3e-7) << "nobody judges the step";
  EXPECT_TRUE(fixed.corrector.go_on);
  const CouplingPlan open = plan_of(chain, {"solve.rtol=3e-7"});
  EXPECT_EQ(open.rtol, open.overlap ? 3e-7 / 10 : 1e-4) << "left to the run";
}

TEST(CouplingPlan, NothingIsCoupledWithoutCuts) {
  const CouplingPlan plan = plan_of(chain, {"partition=none", "couple.scheme=implicit", "control.step=0.01"});
  EXPECT_FALSE(plan.cut());
  EXPECT_EQ(plan.scheme, SchemeKind::explicit_);
  EXPECT_EQ(plan.estimator, Estimator::none);
  EXPECT_FALSE(plan.judged);
  EXPECT_TRUE(plan.repeats()) << "windows are long, and may be broken off";
  EXPECT_EQ(decomposition_name(plan), "none");
}

TEST(CouplingPlan, EveryCutHasAKindAndASide) {
  const auto a =
      made(chain, {"couple.decomposition=[{cut: 21, kind: force-displacement, displaced: heavier}]"});
  ASSERT_EQ(a->plan.cuts.size(), 2U);
  EXPECT_EQ(a->plan.cuts[0].decomposition, Decomposition::force_displacement);
  EXPECT_EQ(a->plan.cuts[0].displaced, CutSide::to);
  EXPECT_EQ(a->plan.cuts[1].decomposition, Decomposition::force_force);
  EXPECT_FALSE(a->plan.cuts[1].displaced);
  EXPECT_EQ(decomposition_name(a->plan), "mixed");
  const auto& couplings = a->partition.interface.couplings;
  EXPECT_EQ(couplings[0].from.drive, Drive::force);
  EXPECT_EQ(couplings[0].to.drive, Drive::motion);
  EXPECT_EQ(couplings[1].to.drive, Drive::force);
}

TEST(CouplingPlan, LanesBesideFollowTheEstimatorAndTheJacobian) {
  EXPECT_EQ(plan_of(chain, {"control.estimator=exMD"}).beside, Beside::comparison);
  EXPECT_EQ(plan_of(chain, {"couple.scheme=implicit"}).beside, Beside::none);
  EXPECT_EQ(plan_of(chain, {"couple={scheme: implicit, jacobian: fd}"}).beside, Beside::perturbed);
  const CouplingPlan bodies = plan_of(pendulum, {"couple.scheme=implicit"});
  EXPECT_EQ(bodies.jacobian.method, JacobianMethod::fd) << "they have no sensitivities";
  EXPECT_EQ(bodies.beside, Beside::perturbed);
  EXPECT_EQ(bodies.details, "fd");
  EXPECT_THAT(refusal(pendulum, {"couple={scheme: implicit, jacobian: {series: 2}}"}),
              HasSubstr("{series: 2}"));
}

TEST(CouplingPlan, StagesOfAllParts) {
  EXPECT_TRUE(plan_of(chain, {"couple.scheme=explicit"}).stages.empty());
  const CouplingPlan plan = plan_of(chain, {"couple.sequence={gauss-seidel: [3, 2, 1]}"});
  EXPECT_THAT(plan.stages, ElementsAre(2, 1, 0));
  EXPECT_EQ(plan.details, "gauss-seidel 3-2-1");
}

TEST(CouplingPlan, OnlyStepsThatMayBeTakenBackAreRepeated) {
  EXPECT_TRUE(plan_of(chain, {"couple.scheme=explicit"}).repeats());
  EXPECT_FALSE(plan_of(chain, {"couple.scheme=explicit", "control.step=0.01"}).repeats());
  EXPECT_TRUE(plan_of(chain, {"couple.scheme=waveform", "control.step=0.01"}).repeats());
  EXPECT_TRUE(plan_of(chain, {"couple.decomposition=overlap", "control.step=0.01"}).repeats())
      << "the layers follow the errors";
  EXPECT_FALSE(plan_of(chain, {"couple.layers=4", "control.step=0.01"}).repeats());
}

}  // namespace
}  // namespace cosimo
