// A law over many bodies in the equations of motion: against differences, and with its memory.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "mechanics/dynamics_testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Assembly;
using cosimo::testing::random_frame;
using cosimo::testing::random_number;
using cosimo::testing::random_vector;
using cosimo::testing::relative_difference;
using cosimo::testing::Rng;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// A spring and damper on the sum S of all points of bodies, each along a direction of its own. It remembers
/// the largest S so far, and from there on it is stiffer.
class Sum final : public ForceGroup {
 public:
  struct Share {
    Vec3 point, along;
  };
  Sum(std::vector<BodyId> members, std::vector<Share> shares)
      : ForceGroup("sum", std::move(members)), shares_(std::move(shares)) {}

  bool wrenches(const At& at, std::span<Wrench> out) const override {
    const double pull = strength(at) * sum(at) + 0.7 * rate(at);
    for (std::size_t i = 0; i < shares_.size(); ++i) {
      out[i].force -= pull * shares_[i].along;
      out[i].torque -= arm(at, i).cross(Vec3(pull * shares_[i].along));
    }
    return true;
  }
  double potential(const At& at) const override { return 0.5 * strength(at) * sum(at) * sum(at); }
  void gradient(const At& at, GroupGradient& out) const override {
    const double pull = strength(at) * sum(at) + 0.7 * rate(at);
    for (std::size_t j = 0; j < shares_.size(); ++j) {
      const Vec3 &own = shares_[j].along, lever = arm(at, j);
      Vec6 by_x, by_v;
      by_v << 0.7 * own, 0.7 * lever.cross(own);
      by_x << strength(at) * own,
          strength(at) * lever.cross(own) + 0.7 * lever.cross(own.cross(at.frames[j].w));
      for (std::size_t i = 0; i < shares_.size(); ++i) {
        Vec6 acts;
        acts << shares_[i].along, arm(at, i).cross(shares_[i].along);
        out.by_displacement(i, j) -= acts * by_x.transpose();
        out.by_velocity(i, j) -= acts * by_v.transpose();
      }
      out.by_displacement(j, j).block<3, 3>(3, 3) -= pull * skew(own) * skew(lever);
    }
  }
  std::size_t remembers() const override { return 1; }
  void begin(const At& at, double* s) const override { s[0] = sum(at); }
  void commit(const At& at, double* s) const override { s[0] = std::max(s[0], sum(at)); }
  std::string_view kind() const override { return "sum"; }
  std::vector<double> parameters() const override { return {}; }

 private:
  Vec3 arm(const At& at, std::size_t i) const { return at.frames[i].R * shares_[i].point; }
  double sum(const At& at) const {
    double all = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i) all += shares_[i].along.dot(at.frames[i].r + arm(at, i));
    return all;
  }
  double rate(const At& at) const {
    double all = 0;
    for (std::size_t i = 0; i < shares_.size(); ++i)
      all += shares_[i].along.dot(at.frames[i].v + at.frames[i].w.cross(arm(at, i)));
    return all;
  }
  static double strength(const At& at) { return at.s == nullptr ? 3 : 3 + at.s[0] * at.s[0]; }

  std::vector<Share> shares_;
};

/// Bodies of every kind; the law acts on some of them, not in their order.
Assembly together(std::uint64_t seed) {
  Rng rng(seed);
  Assembly out;
  out.mechanism.gravity = Vec3(0.3, -9.81, 0.7);
  for (const BodyKind kind :
       {BodyKind::point3, BodyKind::planar, BodyKind::rigid, BodyKind::rigid, BodyKind::point2})
    out.add(kind, random_frame(rng, kind), 1.0 + 0.5 * random_number(rng));
  Marker pin;
  pin.body = BodyId{2};
  out.join(JointKind::spherical, Marker{}, pin);
  std::vector<Sum::Share> shares;
  for (int i = 0; i < 4; ++i) shares.push_back({random_vector(rng), random_vector(rng)});
  // Points of a body of the plane stay in it, and points do not turn.
  shares[1].point = Vec3::Zero();
  shares[2].point.z() = 0;
  out.mechanism.groups.push_back(
      std::make_unique<Sum>(std::vector{BodyId{3}, BodyId{0}, BodyId{1}, BodyId{2}}, shares));
  return out;
}

VectorXd residual_at(const Dynamics& dynamics, const Assembly& assembly, const VectorXd& x, const VectorXd& w,
                     const VectorXd& alpha, const VectorXd& lambda, const Remembered& y) {
  std::vector<double> q = assembly.q, v(q.size()), shift(7);
  for (std::size_t b = 0; b < dynamics.bodies(); ++b) {
    const std::size_t at = dynamics.first_coordinate(b);
    const Eigen::Index freedom = index(dynamics.first_freedom(b));
    rates_of(dynamics.kind(b), &assembly.q[at], x.data() + freedom, shift.data());
    for (std::size_t k = 0; k < coordinates_of(dynamics.kind(b)); ++k) q[at + k] += shift[k];
    rates_of(dynamics.kind(b), &q[at], w.data() + freedom, &v[at]);
  }
  VectorXd out(index(dynamics.freedoms()));
  EXPECT_TRUE(dynamics.residual(0, q.data(), v.data(), alpha.data(), lambda.data(), {}, out.data(), y));
  return out;
}

MatrixXd dense(const std::vector<SparseEntry>& entries, std::size_t n) {
  MatrixXd out = MatrixXd::Zero(index(n), index(n));
  for (const SparseEntry& e : entries) out(e.row, e.column) += e.value;
  return out;
}

TEST(ForceGroup, TangentAgreesWithDifferences) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Assembly assembly = together(seed);
    const Dynamics dynamics = assembly.dynamics();
    const std::size_t f = dynamics.freedoms();
    Rng rng(seed + 10);
    VectorXd alpha(index(f)), lambda(index(dynamics.constraints())), w(index(f));
    for (double& x : alpha) x = random_number(rng);
    for (double& x : lambda) x = random_number(rng);
    for (std::size_t b = 0; b < dynamics.bodies(); ++b)
      twist_of(dynamics.kind(b), &assembly.q[dynamics.first_coordinate(b)],
               &assembly.v[dynamics.first_coordinate(b)], w.data() + dynamics.first_freedom(b));
    const std::vector<double> s{0.8};
    const Remembered y{nullptr, s.data()};
    ConstrainedTangent tangent;
    dynamics.linearise(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), tangent, y);
    const auto at = [&](const VectorXd& x, const VectorXd& rates) {
      return residual_at(dynamics, assembly, x, rates, alpha, lambda, y);
    };
    MatrixXd K(index(f), index(f)), C(index(f), index(f));
    const double h = 1e-6;
    for (Eigen::Index j = 0; j < index(f); ++j) {
      const VectorXd unit = h * VectorXd::Unit(index(f), j), none = VectorXd::Zero(index(f));
      K.col(j) = (at(unit, w) - at(-unit, w)) / (2 * h);
      C.col(j) = (at(none, w + unit) - at(none, w - unit)) / (2 * h);
    }
    EXPECT_LT(relative_difference(dense(tangent.K, f), K, 1e-3), 1e-6);
    EXPECT_LT(relative_difference(dense(tangent.C, f), C, 1e-3), 1e-6);
  }
}

TEST(ForceGroup, AccelerationsLeaveNoResidual) {
  const Assembly assembly = together(4);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size()), lambda(dynamics.constraints()), alpha(dynamics.freedoms()),
      r(dynamics.freedoms());
  const double *q = assembly.q.data(), *v = assembly.v.data();
  ASSERT_TRUE(dynamics.acceleration(0, q, v, {}, a.data(), lambda.data(), *work));
  for (std::size_t b = 0; b < dynamics.bodies(); ++b) {
    const std::size_t at = dynamics.first_coordinate(b);
    twist_rates_of(dynamics.kind(b), q + at, v + at, &a[at], &alpha[dynamics.first_freedom(b)]);
  }
  ASSERT_TRUE(dynamics.residual(0, q, v, alpha.data(), lambda.data(), {}, r.data()));
  for (const double x : r) EXPECT_NEAR(x, 0, 1e-10);
}

TEST(ForceGroup, RemembersBehindTheElements) {
  const Assembly assembly = together(5);
  const Dynamics dynamics = assembly.dynamics();
  EXPECT_EQ(dynamics.extent().s, 1U);
  EXPECT_EQ(assembly.mechanism.memory_offsets().back().s, 1U);
  const double *q = assembly.q.data(), *v = assembly.v.data();
  std::vector<double> s(1), next{-1e3};
  dynamics.begin(q, v, nullptr, s.data());
  dynamics.commit(0, q, v, {nullptr, s.data()}, next.data());
  EXPECT_EQ(next[0], s[0]);
  const double plain = dynamics.potential_energy(0, q),
               with = dynamics.potential_energy(0, q, {nullptr, s.data()});
  EXPECT_NEAR(with - plain, 0.5 * std::pow(s[0], 4), 1e-9 * std::abs(with));
}

}  // namespace
}  // namespace cosimo
