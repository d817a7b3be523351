#include <gtest/gtest.h>

#include <cmath>

#include "mechanics/element_testing.hpp"
#include "mechanics/elements.hpp"

namespace cosimo {
namespace {

Frame at(const Vec3& r, const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero()) {
  Frame out;
  out.r = r;
  out.v = v;
  out.w = w;
  return out;
}

Effort effort_of(const ForceElement& element, const Frame& to) {
  Effort out;
  EXPECT_TRUE(element.effort(0, {}, to, out));
  return out;
}

TEST(Contact, PushesTheBodyUpByItsPenetration) {
  const auto contact = make_contact("c", {}, {{0.1, {}}, 0.5, 1000, 1.5, 0.2, 0, 1e-2, false});
  const Effort effort = effort_of(*contact, at({3, 4, 0.56}, {0, 0, -2}));
  const double N = 1000 * std::pow(0.04, 1.5) * (1 + 0.2 * 2);
  EXPECT_LT((effort.force + Vec3(0, 0, N)).norm(), 1e-12) << "the opposite acts on the body";
  EXPECT_TRUE(contact->is_load());
  EXPECT_EQ(contact->at_from.body, ground);
}

TEST(Contact, NeitherPullsNorActsFromAfar) {
  const auto contact = make_contact("c", {}, {{0, {}}, 0.5, 1000, 1, 0.2, 0.3, 1e-2, false});
  EXPECT_EQ(effort_of(*contact, at({0, 0, 0.51}, {1, 0, -5})).force, Vec3::Zero());
  EXPECT_EQ(effort_of(*contact, at({0, 0, 0.3}, {1, 0, 6})).force, Vec3::Zero())
      << "leaves faster than 1/damping";
}

TEST(Contact, InThePlaneYIsUp) {
  const auto contact = make_contact("c", {}, {{0, {}}, 0.5, 1000, 1, 0, 0, 1e-2, true});
  EXPECT_LT((effort_of(*contact, at({2, 0.4, 0})).force + Vec3(0, 100, 0)).norm(), 1e-11);
}

TEST(Contact, FrictionBrakesASlidingWheelAndTurnsIt) {
  const double mu = 0.4, slip = 1e-3, radius = 0.5;
  const auto contact = make_contact("c", {}, {{0, {}}, radius, 1000, 1, 0, mu, slip, false});
  const double N = 1000 * 0.1;
  const Effort effort = effort_of(*contact, at({0, 0, 0.4}, {2, 0, 0}));
  EXPECT_NEAR(-effort.force.x(), -mu * N, 1e-5);
  EXPECT_NEAR(effort.torque_to.y(), mu * N * radius, 1e-5) << "towards rolling";
  // It rolls: the lowest point rests.
  const Effort rolling = effort_of(*contact, at({0, 0, 0.4}, {2, 0, 0}, {0, 2 / radius, 0}));
  EXPECT_NEAR(rolling.force.x(), 0, 1e-10);
  EXPECT_NEAR(rolling.torque_to.norm(), 0, 1e-10);
}

TEST(Contact, FrictionIsWholeFromTheSlipSpeedOn) {
  const double mu = 0.4, slip = 1e-2, N = 100;
  const auto contact = make_contact("c", {}, {{0, {}}, 0, 1000, 1, 0, mu, slip, false});
  const auto friction = [&](double x) {
    return effort_of(*contact, at({0, 0, -0.1}, {x * slip, 0, 0})).force.x() / (mu * N);
  };
  for (const double x : {1.0, 1.5, 100.0}) EXPECT_NEAR(friction(x), 1, 1e-12) << x;
  for (const double x : {0.1, 0.5, 0.9, -0.7}) EXPECT_NEAR(friction(x), 0.5 * x * (3 - x * x), 1e-12) << x;
}

TEST(Contact, OnASlopeActsAcrossIt) {
  // Near the zero of a long wave the road is straight with slope 0.3.
  const double wavelength = 1e4, amplitude = 0.3 * wavelength / (2 * M_PI), radius = 0.5;
  const auto contact =
      make_contact("c", {}, {{0, {{amplitude, wavelength, 0}}}, radius, 1000, 1, 0, 0, 1e-2, false});
  const Vec3 normal = Vec3(-0.3, 0, 1).normalized();
  const Effort effort = effort_of(*contact, at(0.45 * normal));  // the centre is 0.45 away from the road
  EXPECT_LT((-effort.force - 50 * normal).norm(), 1e-3 * 50);
}

TEST(Contact, IsContinuousWhereItBegins) {
  const auto contact = make_contact("c", {}, {{0, {{0.05, 2, 0}}}, 0.5, 1e5, 1, 0.1, 0.6, 1e-2, false});
  // Down through the first touch in steps of ten micrometres.
  double last = 0, most = 0;
  for (int i = 0; i < 2000; ++i) {
    const double force = effort_of(*contact, at({0.3, 0, 0.55 - 1e-5 * i}, {1, 0, -1})).force.norm();
    most = std::max(most, std::fabs(force - last));
    last = force;
  }
  EXPECT_GT(last, 100);
  EXPECT_LT(most, 2.0) << "stiffness times the step and a little for damping and friction";
}

}  // namespace
}  // namespace cosimo
