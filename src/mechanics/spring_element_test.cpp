#include <gtest/gtest.h>

#include "mechanics/element_testing.hpp"
#include "mechanics/elements.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

Frame at(const Vec3& r, const Vec3& v = Vec3::Zero()) {
  Frame out;
  out.r = r;
  out.v = v;
  return out;
}

TEST(Spring, FollowsTheLawAlongItsLine) {
  const auto spring = make_spring("s", {}, {}, {{10, 2, 100, 3, 3, 3}, 4, false});
  Effort effort;
  // Length 5, elongation 1; it becomes longer at 0.5.
  ASSERT_TRUE(spring->effort(0, at({1, 0, 0}), at({4, 4, 0}, {0.3, 0.4, 7}), effort));
  const double F = 10 * 1 + 2 * 0.5 + 100 * 1 + 3 * 0.125;
  EXPECT_LT((effort.force - F * Vec3(0.6, 0.8, 0)).norm(), 1e-12) << "pulls `from` towards `to`";
  EXPECT_EQ(effort.torque_from, Vec3::Zero());
  EXPECT_DOUBLE_EQ(spring->potential(0, at({1, 0, 0}), at({4, 4, 0})), 10.0 / 2 + 100.0 / 4);
  EXPECT_EQ(spring->components(), EffortMask(0b111));
  EXPECT_FALSE(spring->is_load());
}

TEST(Spring, ThatPushesWhenCompressed) {
  const auto spring = make_spring("s", {}, {}, {{10, 0, 0, 0, 3, 3}, 2, false});
  Effort effort;
  ASSERT_TRUE(spring->effort(0, at({0, 0, 0}), at({1.5, 0, 0}), effort));
  EXPECT_DOUBLE_EQ(effort.force.x(), -5);
}

TEST(Spring, WhoseEndsMeetHasNoDirection) {
  const auto spring = make_spring("s", {}, {}, {{10, 2, 0, 0, 3, 3}, 4, false});
  Effort effort;
  EXPECT_FALSE(spring->effort(0, at({1, 2, 3}), at({1, 2, 3}), effort));
}

TEST(Spring, OfNoLengthIsAVectorSpringWhereItsEndsMeet) {
  for (const bool vector_damping : {false, true}) {
    const auto spring = make_spring("s", {}, {}, {{10, 2, 0, 0, 3, 3}, 0, vector_damping});
    const Frame from = at({1, 2, 3}), to = at({1, 2, 3}, {0.1, 0, 0.3});
    Effort effort;
    ASSERT_TRUE(spring->effort(0, from, to, effort));
    EXPECT_LT((effort.force - 2 * to.v).norm(), 1e-15);
    EffortGradient gradient;
    spring->gradient(0, from, to, gradient);
    EXPECT_LT((gradient.to.block<3, 3>(0, 0) - 10 * Mat3::Identity()).norm(), 1e-14);
    EXPECT_LT((gradient.to.block<3, 3>(0, 6) - 2 * Mat3::Identity()).norm(), 1e-14);
  }
}

TEST(Spring, OfANetworkDampsTheWholeVelocity) {
  // 3.2 of 003 with the signs that attract and damp.
  const double k = 30, mu = 4, l = 0.7;
  const auto spring = make_spring("s", {}, {}, {{k, mu, 0, 0, 3, 3}, l, true});
  const Frame from = at({0.2, -0.1, 0.4}, {1, 2, 3}), to = at({1.1, 0.3, -0.2}, {-1, 0.5, 2});
  Effort effort;
  ASSERT_TRUE(spring->effort(0, from, to, effort));
  const Vec3 way = to.r - from.r;
  const Vec3 expected = k * way / way.norm() * (way.norm() - l) + mu * (to.v - from.v);
  EXPECT_LT((effort.force - expected).norm(), 1e-13);
}

TEST(Spring, OfANetworkDoesNotBrakeACommonRotation) {
  const auto spring = make_spring("s", {}, {}, {{30, 4, 0, 0, 3, 3}, 0.5, true});
  const Vec3 w(0.3, -2, 1);
  Frame from = at({0.2, -0.1, 0.4}), to = at({1.1, 0.3, -0.2});
  for (Frame* frame : {&from, &to}) {
    frame->w = w;
    frame->v = w.cross(frame->r);
  }
  EXPECT_NEAR(testing::damping_power(*spring, 0, from, to), 0, 1e-13);
}

TEST(Torsion, ActsAgainstTheAngleAboutZ) {
  const auto torsion = make_torsion("t", {}, {}, {{8, 0.5, 0, 0, 3, 3}, 0.2});
  Frame from, to;
  to.R = testing::rotation({0, 0, 0.9});
  to.w = {0, 0, 3};
  Effort effort;
  ASSERT_TRUE(torsion->effort(0, from, to, effort));
  const double torque = 8 * 0.7 + 0.5 * 3;
  EXPECT_LT((effort.torque_from - Vec3(0, 0, torque)).norm(), 1e-14);
  EXPECT_LT((effort.torque_to + Vec3(0, 0, torque)).norm(), 1e-14);
  EXPECT_EQ(torsion->components(), EffortMask(0b111000));
  EXPECT_DOUBLE_EQ(torsion->potential(0, from, to), 0.5 * 8 * 0.49);
}

TEST(Torsion, TakesTheShortWayRoundWhereTurnsAreNotCounted) {
  const auto torsion = make_torsion("t", {}, {}, {{8, 0, 0, 0, 3, 3}, 3.0});
  Frame from, to;
  to.R = testing::rotation({0, 0, -3.0});  // 0.283 past the unloaded angle
  to.turned = std::numeric_limits<double>::quiet_NaN();
  Effort effort;
  ASSERT_TRUE(torsion->effort(0, from, to, effort));
  EXPECT_NEAR(effort.torque_from.z(), 8 * (2 * M_PI - 6), 1e-13);
  to.turned = -3;
  ASSERT_TRUE(torsion->effort(0, from, to, effort));
  EXPECT_NEAR(effort.torque_from.z(), 8 * -6, 1e-13);
}

TEST(Torsion, WithoutAnAngleIsRefused) {
  const auto torsion = make_torsion("t", {}, {}, {{8, 0, 0, 0, 3, 3}, 0});
  Frame from, to;
  to.R << 0, 0, 1, 0, 1, 0, -1, 0, 0;  // x along -z
  Effort effort;
  EXPECT_FALSE(torsion->effort(0, from, to, effort));
}

TEST(Elements, DoNotAllocate) {
  const PowerLaw law{10, 1, 5, 1, 3, 2.5};
  std::vector<std::unique_ptr<ForceElement>> elements;
  elements.push_back(make_spring("s", {}, {}, {law, 0.4, true}));
  elements.push_back(make_torsion("t", {}, {}, {law, 0.1}));
  elements.push_back(make_bushing("b", {}, {}, {{law, law, law, law, law, law}}));
  elements.push_back(make_bushing("r", {}, {}, {{law, law, law, law, law, {}}}));
  elements.push_back(make_contact("c", {}, {{2, {{0.1, 1, 0}}}, 0.5, 1e3, 1.5, 0.1, 0.5, 0.01, false}));
  AppliedSpec applied;
  applied.force = {"sin(t)*x", "vy", ""};
  elements.push_back(make_applied("a", {}, {}, applied));
  testing::Rng rng(5);
  const Frame from = testing::random_frame(rng), to = testing::random_frame(rng);
  Effort effort;
  EffortGradient gradient;
  double sum = 0;
  const std::size_t before = allocation_count();
  for (const auto& element : elements) {
    EXPECT_TRUE(element->effort(0.1, from, to, effort));
    element->gradient(0.1, from, to, gradient);
    sum += effort.force.sum() + gradient.to.sum() + element->potential(0.1, from, to);
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace cosimo
