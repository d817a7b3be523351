#include "scheme/implicit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <utility>

#include "scheme/classic_testing.hpp"
#include "scheme/explicit.hpp"

namespace cosimo {
namespace {

using testing::attempt;
using testing::ClassicBench;
using testing::ClassicSettings;
using testing::inconsistency;
using testing::numbers;
using testing::step;

constexpr double H = 0.01;

ImplicitOptions tight(JacobianMethod method) {
  ImplicitOptions options;
  options.jacobian.method = method;
  options.corrector.norms = {.rtol = 1e-11, .atol_pos = 1e-13, .atol_vel = 1e-12, .atol_u = 1e-9};
  return options;
}

ClassicSettings settings(JacobianMethod method, bool nonlinear) {
  return {.nonlinear = nonlinear, .beside = method == JacobianMethod::fd ? Beside::perturbed : Beside::none};
}

class Jacobians : public ::testing::TestWithParam<JacobianMethod> {};

TEST_P(Jacobians, AllReachTheSameConsistentPoint) {
  // The reference: the fixed point of the conditions, found with the simplest Jacobian.
  ClassicBench plain(4, settings(JacobianMethod::series, true));
  ImplicitScheme reference(plain.lanes, plain.conditions, 0, {}, tight(JacobianMethod::series));
  ClassicBench bench(4, settings(GetParam(), true));
  ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, tight(GetParam()));
  for (int i = 0; i < 5; ++i) {
    step(reference, H, 2);
    const Candidate c = step(scheme, H, 2);
    EXPECT_TRUE(c.ok && c.converged);
    EXPECT_LT(inconsistency(bench, scheme), 1e-8);
    const auto a = numbers(scheme), b = numbers(reference);
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-8 * (1 + std::fabs(b[k])));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Jacobians,
                         ::testing::Values(JacobianMethod::fd, JacobianMethod::series, JacobianMethod::rk,
                                           JacobianMethod::sensitivity));

TEST(Implicit, ALinearModelIsSolvedByOneCorrectionWithAnExactJacobian) {
  // The second iteration only finds that nothing is left to do.
  for (const JacobianMethod method : {JacobianMethod::fd, JacobianMethod::sensitivity}) {
    ClassicBench bench(4, settings(method, false));
    ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, tight(method));
    for (int i = 0; i < 4; ++i) EXPECT_LE(step(scheme, H, 1).iterations, 2);
  }
}

TEST(Implicit, SemiImplicitCorrectsOnceAndUpdates) {
  ClassicBench bench(4, settings(JacobianMethod::sensitivity, true));
  ImplicitOptions options = tight(JacobianMethod::sensitivity);
  options.once = true;
  ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, options);
  for (int i = 0; i < 3; ++i) {
    const Candidate c = step(scheme, H, 1);
    EXPECT_EQ(c.iterations, 1);
    EXPECT_TRUE(c.converged);
    EXPECT_EQ(inconsistency(bench, scheme), 0);
  }
  EXPECT_EQ(bench.lanes.integrations(), 3 * 2 * 4) << "two sweeps over four subsystems per step";
  EXPECT_EQ(scheme.jacobians(), 3);
}

TEST(Implicit, OneCorrectionTakesMostOfTheErrorAway) {
  // Against the exact fixed point, the explicit step is off far more than the semi-implicit one.
  const auto error_after_one_step = [](auto make) {
    ClassicBench exact_bench(3, settings(JacobianMethod::sensitivity, true));
    ImplicitScheme exact(exact_bench.lanes, exact_bench.conditions, 0, {},
                         tight(JacobianMethod::sensitivity));
    step(exact, H, 0);
    ClassicBench bench(3, settings(JacobianMethod::sensitivity, true));
    const auto scheme = make(bench);
    step(*scheme, H, 0);
    return std::fabs(numbers(*scheme)[0] - numbers(exact)[0]);
  };
  const double ex = error_after_one_step([](ClassicBench& b) {
    return std::make_unique<ExplicitScheme>(b.lanes, b.conditions, 0, ClassicOptions{});
  });
  const double semi = error_after_one_step([](ClassicBench& b) {
    ImplicitOptions options = tight(JacobianMethod::sensitivity);
    options.once = true;
    return std::make_unique<ImplicitScheme>(b.lanes, b.conditions, 0, ClassicOptions{}, options);
  });
  EXPECT_GT(ex, 1e-2);
  EXPECT_LT(semi, 1e-2 * ex);
}

TEST(Implicit, AJacobianIsNotScaledFurtherThanItsLimit) {
  // The degree is 0, so that only H matters. It grows by 1.25 in every step, 53 times in all: with a limit of
  // 2 that takes a new Jacobian in every fourth step, with 1.3 in every second.
  const std::pair<JacobianMethod, std::int64_t> least[] = {
      {JacobianMethod::fd, 5}, {JacobianMethod::rk, 5}, {JacobianMethod::sensitivity, 9}};
  for (const auto& [method, jacobians] : least) {
    ClassicBench bench(3, settings(method, false));
    ImplicitOptions options;  // loose: one iteration is enough and none is slow
    options.jacobian.method = method;
    ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, options);
    double size = 1e-6;
    for (int i = 0; i < 19; ++i, size *= 1.25) step(scheme, size, 0);
    EXPECT_GE(scheme.jacobians(), jacobians) << static_cast<int>(method);
    EXPECT_LE(scheme.jacobians(), jacobians + 3) << static_cast<int>(method) << ": and kept in between";
  }
}

TEST(Implicit, TheEstimateOfAStiffCouplingLiesBetweenTheOpenAndTheClosedLoop) {
  // The plain estimate is known from the semi-implicit scheme, whose first pass is the same.
  const auto estimate = [](double damping, bool once) {
    ClassicBench bench(2, {.damping = damping});
    ImplicitOptions options = tight(JacobianMethod::sensitivity);
    options.once = once;
    options.corrector.go_on = true;
    ClassicOptions classic;
    classic.estimator = Estimator::imMD;
    ImplicitScheme scheme(bench.lanes, bench.conditions, 0, classic, options);
    (void)attempt(scheme, H, 0);
    return scheme.estimated_states().to_v[0];
  };
  const double soft = estimate(1e-3, true), stiff = estimate(1e4, true);
  EXPECT_NEAR(estimate(1e-3, false), soft, 0.02 * soft) << "H is short against the motion";
  EXPECT_LT(estimate(1e4, false), 0.5 * stiff);
  EXPECT_GE(estimate(1e4, false), 0.299 * stiff) << "never less than its share";
}

TEST(Implicit, AKeptJacobianSavesWorkAndGivesTheSameResult) {
  const auto run = [](bool always, std::int64_t& jacobians) {
    ClassicBench bench(4, settings(JacobianMethod::fd, false));
    ImplicitOptions options = tight(JacobianMethod::fd);
    options.jacobian.always = always;
    ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, options);
    for (int i = 0; i < 30; ++i) step(scheme, H, 1);
    jacobians = scheme.jacobians();
    return numbers(scheme);
  };
  std::int64_t kept = 0, always = 0;
  const auto a = run(false, kept), b = run(true, always);
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-7 * (1 + std::fabs(b[k])));
  EXPECT_GE(always, 30);
  EXPECT_LE(kept, 6);
}

TEST(Implicit, ARejectedStepLeavesNoTrace) {
  const auto run = [](JacobianMethod method, bool disturbed) {
    ClassicBench bench(4, settings(method, true));
    ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, tight(method));
    for (int i = 0; i < 6; ++i) {
      if (disturbed) {
        EXPECT_TRUE(attempt(scheme, 2.7 * H, 1).ok);  // beyond what a kept Jacobian is scaled to
        scheme.reject();
      }
      step(scheme, H, 2);
    }
    return numbers(scheme);
  };
  for (const auto method :
       {JacobianMethod::fd, JacobianMethod::series, JacobianMethod::rk, JacobianMethod::sensitivity})
    EXPECT_EQ(run(method, false), run(method, true));
}

TEST(Implicit, FeedThroughOfReportedForcesIsSolvedFor) {
  // Without update the conditions contain inputs; at their solution reported forces are the consistent ones.
  ClassicSettings driven = settings(JacobianMethod::sensitivity, true);
  driven.second = Drive::motion;
  ClassicBench bench(4, driven);
  ClassicOptions classic;
  classic.consistent_update = false;
  ImplicitOptions options = tight(JacobianMethod::sensitivity);
  options.jacobian.always = true;
  ImplicitScheme scheme(bench.lanes, bench.conditions, 0, classic, options);
  for (int i = 0; i < 5; ++i) {
    const Candidate c = step(scheme, H, 1);
    EXPECT_TRUE(c.ok && c.converged);
    EXPECT_LE(c.iterations, 5) << "quadratic convergence, the feed-through included";
    EXPECT_LT(inconsistency(bench, scheme), 1e-7);
  }
}

TEST(Implicit, AnIterationThatIsNotAllowedToFinishFailsTheStep) {
  ClassicBench bench(4, settings(JacobianMethod::series, true));
  ImplicitOptions options = tight(JacobianMethod::series);
  options.corrector.max_iterations = 1;
  ImplicitScheme scheme(bench.lanes, bench.conditions, 0, {}, options);
  const Candidate failed = attempt(scheme, 5 * H, 0);
  EXPECT_FALSE(failed.ok);
  EXPECT_FALSE(failed.converged);
  EXPECT_EQ(failed.reason, "the corrector iteration does not converge");
  EXPECT_TRUE(failed.worst.valid());
  scheme.reject();
}

}  // namespace
}  // namespace cosimo
