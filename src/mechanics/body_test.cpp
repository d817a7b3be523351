#include "mechanics/body.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "mechanics/testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::random_frame;
using cosimo::testing::random_number;
using cosimo::testing::Rng;

using Coordinates = std::array<double, 7>;
using Twist = std::array<double, 6>;

class BodyKinds : public ::testing::TestWithParam<BodyKind> {
 protected:
  void random_state(bool unit) {
    coordinates_from(kind, random_frame(rng, kind), q.data(), v.data());
    if (kind != BodyKind::rigid || unit) return;
    const double scale = 1.0 + 0.1 * random_number(rng), rate = 0.2 * random_number(rng);
    for (std::size_t i = 3; i < 7; ++i) {
      v[i] = scale * (v[i] + rate * q[i]);
      q[i] *= scale;
    }
  }
  const BodyKind kind = GetParam();
  const std::size_t n = coordinates_of(kind), f = freedoms_of(kind);
  Rng rng{7};
  Coordinates q{}, v{};
};

TEST_P(BodyKinds, FrameAndCoordinatesAreInverse) {
  for (int i = 0; i < 50; ++i) {
    const Frame frame = random_frame(rng, kind);
    coordinates_from(kind, frame, q.data(), v.data());
    const Frame back = frame_of(kind, q.data(), v.data());
    EXPECT_LT((back.r - frame.r).norm(), 1e-15);
    EXPECT_LT((back.R - frame.R).norm(), 3e-15);
    EXPECT_LT((back.v - frame.v).norm(), 1e-15);
    EXPECT_LT((back.w - frame.w).norm(), 3e-15);
  }
}

TEST_P(BodyKinds, TwistIsWhatTheFrameSays) {
  random_state(false);
  const Frame frame = frame_of(kind, q.data(), v.data());
  Twist w{};
  twist_of(kind, q.data(), v.data(), w.data());
  Vec6 all = Vec6::Zero();
  const auto components = freedom_components(kind);
  ASSERT_EQ(components.size(), f);
  for (std::size_t i = 0; i < f; ++i) all[components[i]] = w[i];
  EXPECT_LT((all.head<3>() - frame.v).norm() + (all.tail<3>() - frame.w).norm(), 1e-15);
}

TEST_P(BodyKinds, RatesAndTwistsAreInverse) {
  random_state(false);
  Twist w{}, back{};
  for (double& x : w) x = random_number(rng);
  Coordinates rate{};
  rates_of(kind, q.data(), w.data(), rate.data());
  twist_of(kind, q.data(), rate.data(), back.data());
  for (std::size_t i = 0; i < f; ++i) EXPECT_NEAR(back[i], w[i], 1e-15);
  double length_rate = 0;
  for (std::size_t i = 3; i < n; ++i) length_rate += q[i] * rate[i];
  EXPECT_NEAR(length_rate, 0, 1e-15);
}

TEST_P(BodyKinds, RateOfTheFrameIsItsTwist) {
  random_state(false);
  constexpr double h = 1e-5;
  Coordinates before{}, after{};
  for (std::size_t i = 0; i < n; ++i) {
    before[i] = q[i] - h * v[i];
    after[i] = q[i] + h * v[i];
  }
  const Frame a = frame_of(kind, before.data(), v.data()), b = frame_of(kind, after.data(), v.data());
  const Frame frame = frame_of(kind, q.data(), v.data());
  EXPECT_LT(((b.r - a.r) / (2 * h) - frame.v).norm(), 1e-9);
  EXPECT_LT(((b.R - a.R) / (2 * h) - skew(frame.w) * frame.R).norm(), 1e-9);
}

TEST_P(BodyKinds, AccelerationsAndTwistRatesAreInverse) {
  random_state(false);
  Twist alpha{}, back{};
  for (double& x : alpha) x = random_number(rng);
  Coordinates a{};
  accelerations_of(kind, q.data(), v.data(), alpha.data(), a.data());
  twist_rates_of(kind, q.data(), v.data(), a.data(), back.data());
  for (std::size_t i = 0; i < f; ++i) EXPECT_NEAR(back[i], alpha[i], 1e-14);
}

TEST_P(BodyKinds, AccelerationsAreTheRateOfTheTwist) {
  random_state(false);
  Twist alpha{};
  for (double& x : alpha) x = random_number(rng);
  Coordinates a{};
  accelerations_of(kind, q.data(), v.data(), alpha.data(), a.data());
  constexpr double h = 1e-5;
  const auto twist_at = [&](double t) {
    Coordinates qt{}, vt{};
    for (std::size_t i = 0; i < n; ++i) {
      qt[i] = q[i] + t * v[i] + 0.5 * t * t * a[i];
      vt[i] = v[i] + t * a[i];
    }
    Twist w{};
    twist_of(kind, qt.data(), vt.data(), w.data());
    return w;
  };
  const Twist before = twist_at(-h), after = twist_at(h);
  for (std::size_t i = 0; i < f; ++i) EXPECT_NEAR((after[i] - before[i]) / (2 * h), alpha[i], 1e-8);
}

TEST_P(BodyKinds, NormaliseKeepsTheFrame) {
  random_state(false);
  const Frame before = frame_of(kind, q.data(), v.data());
  normalise(kind, q.data(), v.data());
  const Frame after = frame_of(kind, q.data(), v.data());
  EXPECT_LT((after.R - before.R).norm() + (after.w - before.w).norm(), 3e-15);
  EXPECT_LT((after.r - before.r).norm() + (after.v - before.v).norm(), 1e-15);
  if (kind == BodyKind::rigid) {
    const Eigen::Map<const Eigen::Vector4d> p(q.data() + 3), rate(v.data() + 3);
    EXPECT_NEAR(p.norm(), 1, 1e-15);
    EXPECT_NEAR(p.dot(rate), 0, 1e-15);
  }
}

INSTANTIATE_TEST_SUITE_P(All, BodyKinds,
                         ::testing::Values(BodyKind::point1, BodyKind::point2, BodyKind::point3,
                                           BodyKind::planar, BodyKind::rigid));

/// e = (p.p - 1)/2 follows e'' + 2 |w| e' + |w|^2 e = 0.
TEST(Quaternion, LengthIsLedBackCritically) {
  Rng rng(3);
  Coordinates q{}, v{}, a{};
  for (double& x : q) x = random_number(rng);
  for (double& x : v) x = random_number(rng);
  const std::array<double, 6> alpha{0, 0, 0, 0.3, -0.2, 0.9};
  accelerations_of(BodyKind::rigid, q.data(), v.data(), alpha.data(), a.data());
  const Eigen::Map<const Eigen::Vector4d> p(q.data() + 3), p1(v.data() + 3), p2(a.data() + 3);
  const double w = frame_of(BodyKind::rigid, q.data(), v.data()).w.norm();
  const double e = 0.5 * (p.squaredNorm() - 1), e1 = p.dot(p1), e2 = p1.squaredNorm() + p.dot(p2);
  EXPECT_NEAR(e2 + 2 * w * e1 + w * w * e, 0, 1e-13);
}

/// Half a turn about any axis, where one or another component of the quaternion vanishes.
TEST(Quaternion, HalfTurnsAreExact) {
  for (const Vec3& axis :
       {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1), Vec3(0.6, 0.8, 0), Vec3(0.6, 0, -0.8)}) {
    Frame frame;
    frame.R = 2.0 * axis * axis.transpose() - Mat3::Identity();
    Coordinates q{}, v{};
    coordinates_from(BodyKind::rigid, frame, q.data(), v.data());
    EXPECT_GE(q[3], 0);
    EXPECT_LT((frame_of(BodyKind::rigid, q.data(), v.data()).R - frame.R).norm(), 1e-15);
  }
}

TEST(Marker, MovesWithItsBody) {
  Rng rng(5);
  const Frame body = random_frame(rng);
  const Marker marker = cosimo::testing::random_marker(rng, BodyId{0});
  const Frame frame = marker_frame(body, marker);
  EXPECT_LT((body.R.transpose() * (frame.r - body.r) - marker.point).norm(), 1e-15);
  EXPECT_LT((body.R.transpose() * frame.R - marker.axes).norm(), 2e-15);
  constexpr double h = 1e-5;
  const Frame before = marker_frame(cosimo::testing::after(body, Vec6::Zero(), -h), marker);
  const Frame after = marker_frame(cosimo::testing::after(body, Vec6::Zero(), h), marker);
  EXPECT_LT(((after.r - before.r) / (2 * h) - frame.v).norm(), 1e-9);
  EXPECT_LT(((after.R - before.R) / (2 * h) - skew(frame.w) * frame.R).norm(), 1e-9);
}

}  // namespace
}  // namespace cosimo
