#include "scheme/coupling_norms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "coupling/testing.hpp"
#include "model/cut_laws.hpp"
#include "model/mechanism_testing.hpp"

namespace cosimo {
namespace {

using samples::Cuts;

/// Variables of samples::mixed_cuts() that the tests name.
enum : std::size_t { ff_force = 0, fd_force = 1, fd_x = 2, fd_v = 3, dd_to_x = 7, dd_from_v = 10 };

NormOptions options(double atol_u = 0) {
  return {.rtol = 1e-2, .atol_pos = 1e-3, .atol_vel = 1e-1, .atol_u = atol_u};
}

double floor_of(const Cuts& cuts, std::size_t coupling) {
  return cuts.model.elements.law(ElementId{coupling}).c * 1e-3 +
         cuts.model.elements.law(ElementId{coupling}).d * 1e-1;
}

const Seam alone;

TEST(CouplingNorms, EveryQuantityHasItsOwnAbsoluteTolerance) {
  const Cuts cuts(samples::mixed_cuts(), false);
  const std::vector<double> u(cuts.conditions.size(), 7.0);
  const CouplingNorms norms(cuts.conditions, options(5), u, alone);
  EXPECT_EQ(norms.atol(ff_force), 5);
  EXPECT_EQ(norms.atol(fd_force), 5);
  EXPECT_EQ(norms.atol(fd_x), 1e-3);
  EXPECT_EQ(norms.atol(fd_v), 1e-1);
  EXPECT_EQ(norms.atol(dd_to_x), 1e-3);
  EXPECT_EQ(norms.atol(dd_from_v), 1e-1);
  EXPECT_DOUBLE_EQ(norms.weighted(fd_x, -0.05, -9), 0.05 / (1e-3 + 1e-2 * 9));
}

TEST(CouplingNorms, ForcesAreMeasuredWithTheMagnitudeOfForcesAlone) {
  const Cuts cuts(samples::mixed_cuts(), false);
  std::vector<double> u(cuts.conditions.size(), 1e9);  // motions, of no importance to the forces
  const std::size_t forces[] = {ff_force, fd_force, 6};
  for (const std::size_t i : forces) u[i] = 0;
  u[ff_force] = 30;
  const CouplingNorms norms(cuts.conditions, options(), u, alone);
  const double magnitude = 30 / std::sqrt(3.0);
  EXPECT_NEAR(norms.magnitude(fd_force), magnitude, 1e-12);
  EXPECT_DOUBLE_EQ(norms.atol(ff_force), 1e-2 * magnitude + floor_of(cuts, 0));
  EXPECT_DOUBLE_EQ(norms.atol(fd_force), 1e-2 * magnitude + floor_of(cuts, 1));
  EXPECT_DOUBLE_EQ(norms.magnitude(fd_x), 1e9);
}

TEST(CouplingNorms, AForceThatMayTurnHasOneFloor) {
  // A spring along x: across it, the force changes by nothing at the start, and by as much once it has
  // turned.
  testing::ModelMaker maker;
  const BodyId a = maker.add(BodyKind::point2, 1, testing::placed({1, 0, 0}, Vec3::Zero()));
  const BodyId b = maker.add(BodyKind::point2, 1, testing::placed({2, 0, 0}, Vec3::Zero()));
  maker.add(make_spring("s", {a, Vec3::Zero(), Mat3::Identity()}, {b, Vec3::Zero(), Mat3::Identity()},
                        {{1e4, 1, 0, 0, 3, 3}, 1, false}));
  const Model model = maker.finish();
  const Interface interface = testing::cut_in_two(model, 0, Drive::force, Drive::motion).interface;
  const CouplingConditions conditions(make_laws(model, interface), interface);
  const std::vector<double> u(conditions.size());
  const CouplingNorms norms(conditions, options(), u, alone);
  EXPECT_NEAR(norms.atol(0), 1e4 * 1e-3 + 1e-1, 1e-9);
  EXPECT_EQ(norms.atol(1), norms.atol(0));
}

TEST(CouplingNorms, NoForceAndNoToleranceIsNoDivisionByZero) {
  const Cuts cuts({{0, 1, Drive::force, Drive::force}}, false);
  const std::vector<double> u{0.0};
  const CouplingNorms norms(cuts.conditions, {.rtol = 1e-2, .atol_pos = 0, .atol_vel = 0, .atol_u = 0}, u,
                            alone);
  EXPECT_EQ(norms.norm(u, u), 0);
  EXPECT_GT(norms.weighted(0, 1e-90, 0), 1);
}

TEST(CouplingNorms, TheNormIsTheRootMeanSquareOfAllWeightedErrors) {
  const Cuts cuts(samples::mixed_cuts(), true);
  const std::vector<double> u = cuts.random_variables(3), error = cuts.random_variables(4);
  const CouplingNorms norms(cuts.conditions, options(), u, alone);
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double w = norms.weighted(i, error[i], u[i]);
    sum += w * w;
  }
  EXPECT_NEAR(norms.norm(error, u), std::sqrt(sum / static_cast<double>(u.size())), 1e-13);
}

TEST(CouplingNorms, TheMagnitudeGrowsWithAcceptedPointsOnly) {
  const Cuts cuts({{0, 1, Drive::force, Drive::force}}, false);
  CouplingNorms norms(cuts.conditions, options(), std::vector<double>{1.0}, alone);
  std::size_t bad = 9;
  EXPECT_TRUE(norms.look_at(std::vector<double>{-4.0}, bad));
  EXPECT_EQ(norms.magnitude(0), 4) << "the candidate counts for itself";
  norms.forget();
  EXPECT_EQ(norms.magnitude(0), 1);
  EXPECT_TRUE(norms.look_at(std::vector<double>{3.0}, bad));
  norms.keep();
  EXPECT_TRUE(norms.look_at(std::vector<double>{2.0}, bad));
  EXPECT_EQ(norms.magnitude(0), 3);
  EXPECT_EQ(bad, 9u);
}

TEST(CouplingNorms, TheFirstVariableThatIsNotFiniteIsNamed) {
  const Cuts cuts(samples::mixed_cuts(), false);
  std::vector<double> u = cuts.random_variables(3);
  CouplingNorms norms(cuts.conditions, options(), u, alone);
  u[fd_v] = std::numeric_limits<double>::quiet_NaN();
  u[dd_to_x] = std::numeric_limits<double>::infinity();
  std::size_t bad = 0;
  EXPECT_FALSE(norms.look_at(u, bad));
  EXPECT_EQ(bad, fd_v);
}

}  // namespace
}  // namespace cosimo
