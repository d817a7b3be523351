#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/element_testing.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/rotation_measure.hpp"

namespace cosimo {
namespace {

using testing::random_vector;
using testing::Rng;
using testing::rotation;

const PowerLaw none{};

BushingSpec uniform(const PowerLaw& translations, const PowerLaw& rotations) {
  return {{translations, translations, translations, rotations, rotations, rotations}};
}

Frame turned(const Vec3& theta) {
  Frame out;
  out.R = rotation(theta);
  return out;
}

TEST(Bushing, ResistsAlongTheAxesOfFrom) {
  const auto bushing =
      make_bushing("b", {}, {}, {{PowerLaw{10}, PowerLaw{20}, PowerLaw{30}, none, none, none}});
  Frame from = turned({0, 0, M_PI / 2}), to;  // x of `from` is y
  to.r = {1, 2, 3};
  Effort effort;
  ASSERT_TRUE(bushing->effort(0, from, to, effort));
  EXPECT_LT((effort.force - Vec3(20, 20, 90)).norm(), 1e-13);
  EXPECT_LT((effort.torque_from - to.r.cross(effort.force)).norm(), 1e-13);
  EXPECT_EQ(effort.torque_to, Vec3::Zero());
}

TEST(Bushing, AboutOneAxisFollowsTheLawOfTheAngle) {
  const PowerLaw law{10, 2, 50, 0, 3, 3};
  for (int axis = 0; axis < 3; ++axis) {
    BushingSpec spec = uniform(none, PowerLaw{1, 1});
    spec.law[3 + static_cast<std::size_t>(axis)] = law;
    const auto bushing = make_bushing("b", {}, {}, spec);
    for (const double angle : {1e-9, 0.1, 0.499, 0.501, 2.0, 3.1}) {
      const Vec3 e = Vec3::Unit(axis);
      Frame to = turned(angle * e);
      to.w = 0.7 * e;
      Effort effort;
      ASSERT_TRUE(bushing->effort(0, {}, to, effort));
      const double torque = 10 * angle + 50 * std::pow(angle, 3) + 2 * 0.7;
      EXPECT_LT((effort.torque_from - torque * e).norm(), 1e-12 * torque) << angle;
      EXPECT_LT((effort.torque_to + torque * e).norm(), 1e-12 * torque) << angle;
    }
  }
}

TEST(Bushing, WithEqualStiffnessesIsTheSameInAllDirections) {
  const auto bushing = make_bushing("b", {}, {}, uniform(PowerLaw{7}, PowerLaw{11}));
  Rng rng(4);
  for (int i = 0; i < 20; ++i) {
    const Vec3 axis = random_vector(rng).normalized();
    const double angle = 0.15 * (i + 1);
    const Mat3 Q = testing::random_rotation(rng);
    Frame from, to;
    from.R = Q;
    to.R = rotation(angle * axis) * Q;
    to.r = random_vector(rng);
    Effort effort;
    ASSERT_TRUE(bushing->effort(0, from, to, effort));
    EXPECT_LT((effort.torque_to + 11 * angle * axis).norm(), 1e-12);
    EXPECT_LT((effort.force - 7 * to.r).norm(), 1e-13);
  }
}

TEST(Bushing, ThatMayTurnAboutZDoesNotFeelHowFarItHas) {
  BushingSpec spec = uniform(none, PowerLaw{10, 1});
  spec.law[5] = none;
  const auto bushing = make_bushing("b", {}, {}, spec);
  const Vec3 tilt(0.02, -0.01, 0);
  Effort still;
  Frame to = turned(tilt);
  ASSERT_TRUE(bushing->effort(0, {}, to, still));
  EXPECT_LT((still.torque_from - 10 * tilt).norm(), 1e-14);
  for (double angle = 0; angle < 7; angle += 0.1) {
    to.R = rotation(tilt) * rotation({0, 0, angle});
    to.w = 5 * to.R.col(2);
    Effort effort;
    ASSERT_TRUE(bushing->effort(0, {}, to, effort));
    EXPECT_LT((effort.torque_from - still.torque_from).norm(), 1e-13) << angle;
  }
}

TEST(Bushing, DampersBrakeTheRelativeMotionOnly) {
  const auto bushing = make_bushing("b", {}, {}, uniform(PowerLaw{0, 3}, PowerLaw{0, 2}));
  Rng rng(9);
  Frame from = testing::random_frame(rng), to = testing::random_frame(rng);
  // Both as one body.
  to.w = from.w;
  to.v = from.v + from.w.cross(to.r - from.r);
  Effort effort;
  ASSERT_TRUE(bushing->effort(0, from, to, effort));
  EXPECT_LT(effort.force.norm() + effort.torque_from.norm() + effort.torque_to.norm(), 1e-14);
}

class RotationMeasures : public ::testing::TestWithParam<RotationMeasure> {};

TEST_P(RotationMeasures, MapsAndCurvaturesEqualDifferencesAtAnyAngle) {
  const RotationMeasure measure = GetParam();
  Rng rng(6);
  for (const double angle : {0.0, 1e-6, 1e-3, 0.1, 0.44, 0.46, 0.499, 0.501, 1.0, 2.0, 2.9, 3.1}) {
    // Along an axis in the plane, so that the tilt is this angle too.
    const double heading = 3 * testing::random_number(rng);
    const Frame at = turned(angle * Vec3(std::cos(heading), std::sin(heading), 0));
    const Vec3 Omega = random_vector(rng), tau = random_vector(rng);
    const MeasuredRotation here = measure_rotation(measure, at.R);
    EXPECT_NEAR(here.phi.norm(), angle, 1e-14) << angle;
    const auto derivative = [&](auto f) -> Eigen::MatrixXd {
      // Short steps: at 3.1 the tilt is 0.04 from where it jumps, and bends accordingly.
      const auto of_frame = [&](const Frame& x) -> Eigen::VectorXd { return f(x.R); };
      return testing::frame_derivative(at, 6, 3, of_frame, 2e-6).rightCols(3);
    };
    const auto phi = [&](const Mat3& B) { return measure_rotation(measure, B).phi; };
    const auto rate = [&](const Mat3& B) { return Vec3(measure_rotation(measure, B).G * Omega); };
    const auto torque = [&](const Mat3& B) { return Vec3(measure_rotation(measure, B).G.transpose() * tau); };
    const RotationCurvature curvature = rotation_curvature(measure, at.R, Omega, tau);
    EXPECT_LT(testing::relative_difference(here.G, derivative(phi)), 1e-8) << angle;
    EXPECT_LT(testing::relative_difference(curvature.rate, derivative(rate)), 1e-7) << angle;
    EXPECT_LT(testing::relative_difference(curvature.torque, derivative(torque)), 1e-7) << angle;
  }
}

INSTANTIATE_TEST_SUITE_P(Both, RotationMeasures,
                         ::testing::Values(RotationMeasure::vector, RotationMeasure::tilt));

}  // namespace
}  // namespace cosimo
