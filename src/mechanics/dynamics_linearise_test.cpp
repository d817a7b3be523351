// The exact derivatives against differences of residual(), with bodies of all kinds.
#include <gtest/gtest.h>

#include "mechanics/dynamics_testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Assembly;
using cosimo::testing::random_frame;
using cosimo::testing::random_marker;
using cosimo::testing::random_number;
using cosimo::testing::relative_difference;
using cosimo::testing::Rng;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Bodies of every kind with springs and bushings among them and to the ground; joints wherever they may be.
Assembly everything(std::uint64_t seed) {
  Rng rng(seed);
  Assembly out;
  out.mechanism.gravity = Vec3(0.3, -9.81, 0.7);
  for (const BodyKind kind : {BodyKind::point1, BodyKind::point2, BodyKind::point3, BodyKind::planar,
                              BodyKind::rigid, BodyKind::rigid, BodyKind::planar})
    out.add(kind, random_frame(rng, kind), 1.0 + 0.5 * random_number(rng));
  SpringSpec spring;
  spring.law = {20, 0.5, 3, 0.2, 3, 3};
  spring.length = 0.4;
  BushingSpec bushing;
  for (PowerLaw& law : bushing.law) law = {10 + random_number(rng), 0.3, 0, 0, 3, 3};
  const auto marker = [&](BodyId body) { return random_marker(rng, body); };
  for (std::size_t i = 0; i < 7; ++i) {
    const BodyId next = i + 1 < 7 ? BodyId{i + 1} : ground;
    out.mechanism.elements.push_back(make_spring("spring", marker(BodyId{i}), marker(next), spring));
  }
  out.mechanism.elements.push_back(make_bushing("bushing", marker(BodyId{4}), marker(BodyId{5}), bushing));
  out.mechanism.elements.push_back(make_bushing("mount", marker(ground), marker(BodyId{5}), bushing));
  out.join(JointKind::revolute, marker(BodyId{4}), marker(BodyId{5}));
  out.join(JointKind::spherical, marker(ground), marker(BodyId{4}));
  Marker a, b;
  a.body = BodyId{3};
  b.body = BodyId{6};
  a.point = Vec3(0.3, 0.1, 0);
  b.point = Vec3(-0.2, 0.4, 0);
  out.join(JointKind::revolute, a, b);
  return out;
}

struct Functions {
  VectorXd residual, rate;
};

/// Everything at the state displaced by x and w of the freedoms.
Functions evaluate(const Dynamics& dynamics, const Assembly& assembly, const VectorXd& x, const VectorXd& w,
                   const VectorXd& alpha, const VectorXd& lambda) {
  std::vector<double> q = assembly.q, v(q.size()), shift(7);
  for (std::size_t b = 0; b < dynamics.bodies(); ++b) {
    const std::size_t at = dynamics.first_coordinate(b);
    const Eigen::Index freedom = index(dynamics.first_freedom(b));
    rates_of(dynamics.kind(b), &assembly.q[at], x.data() + freedom, shift.data());
    for (std::size_t k = 0; k < coordinates_of(dynamics.kind(b)); ++k) q[at + k] += shift[k];
    rates_of(dynamics.kind(b), &q[at], w.data() + freedom, &v[at]);
  }
  Functions out;
  out.residual.resize(index(dynamics.freedoms()));
  out.rate.resize(index(dynamics.constraints()));
  EXPECT_TRUE(dynamics.residual(0, q.data(), v.data(), alpha.data(), lambda.data(), {}, out.residual.data()));
  dynamics.velocity_residual(0, q.data(), v.data(), out.rate.data());
  return out;
}

MatrixXd dense(const std::vector<SparseEntry>& entries, std::size_t rows, std::size_t columns) {
  MatrixXd out = MatrixXd::Zero(index(rows), index(columns));
  for (const SparseEntry& e : entries) out(e.row, e.column) += e.value;
  return out;
}

TEST(Linearise, AgreesWithDifferences) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Assembly assembly = everything(seed);
    const Dynamics dynamics = assembly.dynamics();
    const std::size_t f = dynamics.freedoms(), m = dynamics.constraints();
    Rng rng(seed + 10);
    VectorXd w(index(f)), alpha(index(f)), lambda(index(m));
    for (std::size_t b = 0; b < dynamics.bodies(); ++b)
      twist_of(dynamics.kind(b), &assembly.q[dynamics.first_coordinate(b)],
               &assembly.v[dynamics.first_coordinate(b)], &w[index(dynamics.first_freedom(b))]);
    for (double& x : alpha) x = random_number(rng);
    for (double& x : lambda) x = random_number(rng);
    ConstrainedTangent tangent;
    dynamics.linearise(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), tangent);

    constexpr double h = 1e-5;
    const VectorXd zero = VectorXd::Zero(index(f));
    MatrixXd M(f, f), C(f, f), K(f, f), J(m, f), rate(m, f), Jt(f, m);
    const auto run = [&](const VectorXd& x, const VectorXd& dw, const VectorXd& da, const VectorXd& dl) {
      return evaluate(dynamics, assembly, x, w + dw, alpha + da, lambda + dl);
    };
    const VectorXd none = VectorXd::Zero(index(m));
    for (Eigen::Index j = 0; j < index(f); ++j) {
      const VectorXd e = h * VectorXd::Unit(index(f), j);
      const Functions x1 = run(e, zero, zero, none), x0 = run(-e, zero, zero, none);
      const Functions w1 = run(zero, e, zero, none), w0 = run(zero, -e, zero, none);
      const Functions a1 = run(zero, zero, e, none), a0 = run(zero, zero, -e, none);
      K.col(j) = (x1.residual - x0.residual) / (2 * h);
      rate.col(j) = (x1.rate - x0.rate) / (2 * h);
      C.col(j) = (w1.residual - w0.residual) / (2 * h);
      J.col(j) = (w1.rate - w0.rate) / (2 * h);
      M.col(j) = (a1.residual - a0.residual) / (2 * h);
    }
    for (Eigen::Index j = 0; j < index(m); ++j) {
      const VectorXd e = h * VectorXd::Unit(index(m), j);
      Jt.col(j) = (run(zero, zero, zero, e).residual - run(zero, zero, zero, -e).residual) / (2 * h);
    }
    EXPECT_LT(relative_difference(dense(tangent.M, f, f), M), 1e-7);
    EXPECT_LT(relative_difference(dense(tangent.C, f, f), C), 1e-7);
    EXPECT_LT(relative_difference(dense(tangent.K, f, f), K), 1e-6);
    EXPECT_LT(relative_difference(dense(tangent.J, m, f), J), 1e-7);
    EXPECT_LT(relative_difference(dense(tangent.J, m, f).transpose(), Jt), 1e-7);
    EXPECT_LT(relative_difference(dense(tangent.rate, m, f), rate), 1e-7);
  }
}

TEST(Linearise, PlacesNeverChange) {
  const Assembly assembly = everything(1), other = everything(2);
  const Dynamics dynamics = assembly.dynamics();
  const std::vector<double> alpha(dynamics.freedoms(), 0.0), lambda(dynamics.constraints(), 0.0);
  const std::vector<double> beta(dynamics.freedoms(), 1.0), mu(dynamics.constraints(), 2.0);
  ConstrainedTangent a, b;
  dynamics.linearise(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), a);
  dynamics.linearise(0, other.q.data(), other.v.data(), beta.data(), mu.data(), b);
  b.K.push_back({0, 0, 5.0});  // a caller's own, gone with the next linearisation
  dynamics.linearise(0, other.q.data(), other.v.data(), beta.data(), mu.data(), b);
  const auto same = [](const std::vector<SparseEntry>& x, const std::vector<SparseEntry>& y) {
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_TRUE(x[i].row == y[i].row && x[i].column == y[i].column);
  };
  same(a.M, b.M);
  same(a.C, b.C);
  same(a.K, b.K);
  same(a.J, b.J);
  same(a.rate, b.rate);
}

}  // namespace
}  // namespace cosimo
