#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "mechanics/element_testing.hpp"
#include "mechanics/elements.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

TEST(Applied, FormulasActOnTheToBody) {
  AppliedSpec spec;
  spec.force = {"2*t", "", "-9*z"};
  spec.torque = {"", "1", ""};
  const auto applied = make_applied("push", {}, {}, spec);
  Frame to;
  to.r = {0, 0, 0.5};
  Effort effort;
  ASSERT_TRUE(applied->effort(3, {}, to, effort));
  EXPECT_LT((-effort.force - Vec3(6, 0, -4.5)).norm(), 1e-14);
  EXPECT_LT((effort.torque_to - Vec3(0, 1, 0)).norm(), 1e-14);
  EXPECT_TRUE(applied->is_load());
}

TEST(Applied, KnowsTheRelativeMotion) {
  testing::Rng rng(8);
  const Frame from = testing::random_frame(rng, BodyKind::planar),
              to = testing::random_frame(rng, BodyKind::planar);
  const Vec3 way = to.r - from.r, u = to.v - from.v, w = to.w - from.w;
  const Mat3 B = from.R.transpose() * to.R;
  const double angle = std::atan2(B(1, 0), B(0, 0)), length = way.norm(), rate = way.dot(u) / length;
  const std::array<double, 13> expected{0.3,   way.x(), way.y(), way.z(), u.x(),  u.y(), u.z(),
                                        angle, w.x(),   w.y(),   w.z(),   length, rate};
  ASSERT_EQ(applied_variables().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    AppliedSpec spec;
    spec.torque[2] = applied_variables()[i];
    Effort effort;
    ASSERT_TRUE(make_applied("a", {}, {}, spec)->effort(0.3, from, to, effort));
    EXPECT_NEAR(effort.torque_to.z(), expected[i], 1e-14) << applied_variables()[i];
  }
}

/// Seen along a marker's z axis: here that of `turned` about y.
TEST(Applied, AngleIsAboutTheAxisOfTheMarker) {
  AppliedSpec spec;
  spec.torque[1] = "angle";
  const auto applied = make_applied("a", {}, {}, spec);
  Frame from, to;
  from.R = Eigen::AngleAxisd(-0.5 * M_PI, Vec3::UnitX()).toRotationMatrix();  // z along y
  to.R = Eigen::AngleAxisd(0.4, Vec3::UnitY()).toRotationMatrix() * from.R;
  Effort effort;
  ASSERT_TRUE(applied->effort(0, from, to, effort));
  EXPECT_NEAR(effort.torque_to.y(), 0.4, 1e-14);
}

TEST(Applied, CountsTheTurnsOfPlanarBodies) {
  AppliedSpec spec;
  spec.torque[2] = "angle";
  const Marker marker{BodyId{0}, Vec3::Zero(), Mat3::Identity()};
  const auto applied = make_applied("a", {}, marker, spec);
  for (const double turned : {0.3, 3.5, 20.0, -100.0}) {
    const double q[3] = {0, 0, turned}, v[3] = {0, 0, 0};
    Effort effort;
    ASSERT_TRUE(applied->effort(0, {}, marker_frame(frame_of(BodyKind::planar, q, v), marker), effort));
    EXPECT_NEAR(effort.torque_to.z(), turned, 1e-12);
  }
}

TEST(Applied, TellsWhereItSwitches) {
  AppliedSpec spec;
  spec.force = {"max(0, x-1) + 0*max(2, 3)", "max(0, x-1)", "sin(angle)"};
  const auto applied = make_applied("a", {}, {}, spec);
  ASSERT_EQ(applied->switch_count(), 1U) << "each once, none that is constant, and sin(angle) needs no turns";
  Frame to;
  to.r = {1.5, 0, 0};
  Switch found;
  applied->switches(0, {}, to, &found);
  EXPECT_NEAR(std::fabs(found.value), 0.5, 1e-15);
  spec.force[2] = "angle^2";
  EXPECT_EQ(make_applied("a", {}, {}, spec)->switch_count(), 2U);
}

TEST(Applied, WithoutAValueItIsRefused) {
  AppliedSpec spec;
  spec.force[0] = "1/t";
  Effort effort;
  EXPECT_FALSE(make_applied("a", {}, {}, spec)->effort(0, {}, {}, effort));
}

TEST(Applied, AnnouncesItsBreakpoints) {
  AppliedSpec spec;
  spec.force[0] = "if(t > 1 && t < 2, 5, 0)";
  spec.breakpoints = {1, 2};
  const auto applied = make_applied("a", {}, {}, spec);
  EXPECT_EQ(applied->next_breakpoint(0), 1);
  EXPECT_EQ(applied->next_breakpoint(1), 2);
  EXPECT_EQ(applied->next_breakpoint(2), std::numeric_limits<double>::infinity());
}

TEST(Applied, NamesTheFormulaWithAnUnknownSymbol) {
  AppliedSpec spec;
  spec.torque[1] = "3*anlge";
  try {
    make_applied("steer", {}, {}, spec);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("steer.torque.y: 3*anlge: unknown symbol 'anlge'"));
    EXPECT_THAT(error.what(), HasSubstr("did you mean angle?"));
  }
}

}  // namespace
}  // namespace cosimo
