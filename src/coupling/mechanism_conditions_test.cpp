// Couplings of bodies in space: several components of one force, several coordinates of one motion.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "coupling/conditions.hpp"
#include "coupling/motion_predictor.hpp"
#include "mechanics/pull_spring_element.hpp"
#include "model/cut_laws.hpp"
#include "model/mechanism_testing.hpp"

namespace cosimo {
namespace {

struct Case {
  const char* name;
  BodyKind from, to;
  bool bushing;
  std::size_t components;
};

/// One element between two bodies of any kinds that move anyhow.
Model joined(const Case& c) {
  testing::ModelMaker maker;
  const BodyId a = maker.add(
      c.from, 1.3, testing::placed({0.1, -0.2, 0.3}, {0.4, -0.7, 0.5}, {0.5, -0.3, 0.2}, {1, 2, -1}));
  const BodyId b = maker.add(
      c.to, 0.7, testing::placed({1.1, 0.4, -0.2}, {-0.6, 0.3, 0.8}, {-0.1, 0.6, 0.4}, {-2, 1, 0.5}));
  const Marker from{a, {0.3, -0.1, 0.2}, testing::placed(Vec3::Zero(), {0.1, 0.5, -0.3}).R};
  const Marker to{b, {-0.2, 0.15, 0.1}, Mat3::Identity()};
  if (c.bushing)
    maker.add(make_bushing("joint", from, to, testing::soft_bushing(50, 3, 20)));
  else
    maker.add(make_spring("joint", from, to, {{40, 2, 15, 0.3, 3, 3}, 0.5, false}));
  return maker.finish();
}

class MechanismConditions : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Kinds, MechanismConditions,
                         ::testing::Values(Case{"RigidRigid", BodyKind::rigid, BodyKind::rigid, true, 9},
                                           Case{"RigidPoint", BodyKind::rigid, BodyKind::point3, false, 3},
                                           Case{"PointRigid", BodyKind::point3, BodyKind::rigid, false, 3},
                                           Case{"PlanarPlanar", BodyKind::planar, BodyKind::planar, true, 4},
                                           Case{"PlanarPoint", BodyKind::planar, BodyKind::point2, false, 2}),
                         [](const auto& c) { return c.param.name; });

std::vector<double> difference(double& number, std::size_t n,
                               const std::function<void(std::span<double>)>& phi) {
  const double middle = number, h = 1e-5;
  std::vector<double> above(n), below(n);
  number = middle + h;
  phi(above);
  number = middle - h;
  phi(below);
  number = middle;
  for (std::size_t i = 0; i < n; ++i) above[i] = (above[i] - below[i]) / (2 * h);
  return above;
}

/// Also where a quaternion has not the length one, and its rate changes the length.
void stretch_quaternions(const Case& c, CutStates& y) {
  for (const CutSide side : {CutSide::from, CutSide::to}) {
    if ((side == CutSide::from ? c.from : c.to) != BodyKind::rigid) continue;
    for (std::size_t k = 3; k < 7; ++k) {
      y.x(side)[k] *= 1.2;
      y.v(side)[k] += 0.1 * static_cast<double>(k);
    }
  }
}

TEST_P(MechanismConditions, GradientsAreThoseOfDifferences) {
  const Model model = joined(GetParam());
  for (const auto& [from, to] :
       {std::pair{Drive::force, Drive::force}, std::pair{Drive::force, Drive::motion},
        std::pair{Drive::motion, Drive::force}, std::pair{Drive::motion, Drive::motion}})
    for (const bool reported : {false, true}) {
      const Interface interface = testing::cut_in_two(model, 0, from, to).interface;
      const CouplingConditions conditions(make_laws(model, interface), interface);
      const std::size_t n = conditions.size();
      CutStates y = initial_states(model, interface);
      stretch_quaternions(GetParam(), y);
      std::vector<double> used(n);
      conditions.evaluate(0, y, used);
      for (std::size_t i = 0; i < n; ++i) used[i] += 0.03 * std::cos(static_cast<double>(i));
      const auto phi = [&](std::span<double> u) {
        if (reported)
          conditions.evaluate_reported(0, y, used, u);
        else
          conditions.evaluate(0, y, u);
      };
      ConditionGradients gradients(conditions.variables());
      conditions.gradients(0, y, reported ? used : std::vector<double>{}, gradients);
      for (const CutSide side : {CutSide::from, CutSide::to})
        for (std::size_t k = 0; k < conditions.layout().count(side); ++k) {
          const auto x = difference(y.x(side)[k], n, phi), v = difference(y.v(side)[k], n, phi);
          for (std::size_t i = 0; i < n; ++i) {
            const auto row = gradients.at(i, side);
            const std::size_t first = gradients.first_coordinate(i);
            const Slope s = k >= first && k - first < row.size() ? row[k - first] : Slope{};
            EXPECT_NEAR(s.x, x[i], 1e-6 * (1 + std::fabs(x[i]))) << i << " " << k;
            EXPECT_NEAR(s.v, v[i], 1e-6 * (1 + std::fabs(v[i]))) << i << " " << k;
          }
        }
      for (std::size_t j = 0; j < n; ++j) {
        const auto column = difference(used[j], n, phi);
        for (std::size_t i = 0; i < n; ++i) {
          const auto motion = gradients.motion(i);
          const std::size_t first = gradients.motion_variable(i);
          double expected = 0;
          for (std::size_t k = 0; k < motion.size(); ++k) {
            if (first + k == j) expected += motion[k].x;
            if (first + motion.size() + k == j) expected += motion[k].v;
          }
          EXPECT_NEAR(expected, column[i], 1e-6 * (1 + std::fabs(column[i]))) << i << " " << j;
        }
      }
    }
}

TEST_P(MechanismConditions, VariablesAreNumbered) {
  const Model model = joined(GetParam());
  const Interface interface = testing::cut_in_two(model, 0, Drive::force, Drive::motion).interface;
  const CouplingConditions conditions(make_laws(model, interface), interface);
  const CouplingVariables& u = conditions.variables();
  const std::size_t m = GetParam().components, n = coordinates_of(GetParam().from);
  ASSERT_EQ(u.size(), m + 2 * n);
  EXPECT_EQ(u.driving_count(CouplingId{0}, CutSide::from), m);
  EXPECT_EQ(u.driving_count(CouplingId{0}, CutSide::to), 2 * n);
  for (std::size_t k = 0; k < m; ++k) EXPECT_EQ(u[k].component, k);
  EXPECT_EQ(u[0].quantity, Quantity::force);
  EXPECT_EQ(u[m - 1].quantity, GetParam().bushing ? Quantity::torque : Quantity::force);
  EXPECT_EQ(u[m].quantity, Quantity::position);
  EXPECT_EQ(u[m + n].quantity, Quantity::velocity);
}

// Motion with constant accelerations: the predicted states are exact, and the force begins and ends on them.
TEST_P(MechanismConditions, MotionPredictorFollowsEveryCoordinate) {
  const Model model = joined(GetParam());
  const Interface interface = testing::cut_in_two(model, 0, Drive::force, Drive::force).interface;
  const CouplingConditions conditions(make_laws(model, interface), interface);
  const CutStates y = initial_states(model, interface);
  const std::size_t count = conditions.layout().count();
  std::vector<double> a(count);
  for (std::size_t i = 0; i < count; ++i) a[i] = 0.1 * static_cast<double>(i + 1);
  History accelerations(count, 3);
  accelerations.push(0, a);
  MotionPredictor predictor(conditions, 0);
  const double H = 0.01;
  predictor.predict(accelerations, y, H);
  for (const CutSide side : {CutSide::from, CutSide::to})
    for (std::size_t k = 0; k < conditions.layout().count(side); ++k) {
      const double own = a[conditions.layout().joint_first(0, side) + k];
      EXPECT_NEAR(predictor.end_states().x(side)[k], y.x(side)[k] + H * y.v(side)[k] + H * H / 2 * own,
                  1e-14);
      EXPECT_NEAR(predictor.end_states().v(side)[k], y.v(side)[k] + H * own, 1e-14);
    }
  std::vector<Polynomial> p(conditions.size());
  predictor.polynomials(p);
  std::vector<double> first(p.size()), last(p.size());
  conditions.evaluate(0, y, first);
  conditions.evaluate(H, predictor.end_states(), last);
  for (std::size_t i = 0; i < p.size(); ++i) {
    EXPECT_NEAR(p[i](0), first[i], 1e-10);
    EXPECT_NEAR(p[i](H), last[i], 1e-10);
  }
}

TEST(MechanismLaws, FastestRateOfTwoPointsIsThatOfTheSpring) {
  testing::ModelMaker maker;
  Frame at;
  const BodyId a = maker.add(BodyKind::point3, 2, at);
  at.r = {1, 0, 0};
  const BodyId b = maker.add(BodyKind::point3, 1, at);
  maker.add(make_spring("s", {a, Vec3::Zero(), Mat3::Identity()}, {b, Vec3::Zero(), Mat3::Identity()},
                        {{100, 0, 0, 0, 3, 3}, 1.0, false}));
  const Model model = maker.finish();
  const Interface interface = testing::cut_in_two(model, 0, Drive::force, Drive::force).interface;
  const auto laws = make_laws(model, interface);
  EXPECT_NEAR(laws->fastest_rate(0, initial_states(model, interface)), std::sqrt(150.0), 1e-9);
  EXPECT_NEAR(laws->resolution(0, 0, same_for_both(1e-3, 0)), 0.1, 1e-12);
  EXPECT_NEAR(laws->resolution(0, 1, same_for_both(1e-3, 0)), 0.0, 1e-12);
}

/// A rope that hangs exerts nothing, but what it will exert has to be resolved.
TEST(MechanismLaws, SlackSpringIsResolvedAsWhereItIsTaut) {
  testing::ModelMaker maker;
  Frame at;
  const BodyId a = maker.add(BodyKind::point3, 2, at);
  at.r = {1, 0, 0};
  const BodyId b = maker.add(BodyKind::point3, 1, at);
  PowerLaw law;
  law.c = 100;
  maker.add(make_pull_spring("s", {a, Vec3::Zero(), Mat3::Identity()}, {b, Vec3::Zero(), Mat3::Identity()},
                             law, 1.3));
  const Model model = maker.finish();
  const Interface interface = testing::cut_in_two(model, 0, Drive::force, Drive::force).interface;
  const auto laws = make_laws(model, interface);
  EXPECT_NEAR(laws->resolution(0, 0, same_for_both(1e-3, 0)), 0.1, 1e-12);
}

}  // namespace
}  // namespace cosimo
