#include "mechanics/dynamics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

#include "core/error.hpp"
#include "mechanics/dynamics_testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Assembly;
using cosimo::testing::disturb;
using cosimo::testing::random_pendulum;
using cosimo::testing::Rng;
using Eigen::MatrixXd;
using Eigen::VectorXd;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Classical Runge-Kutta steps with projection after each.
void integrate(const Dynamics& dynamics, double h, int steps, std::vector<double>& q,
               std::vector<double>& v) {
  const auto work = dynamics.make_workspace();
  const std::size_t n = dynamics.size();
  std::array<std::vector<double>, 4> dq, dv;
  std::vector<double> qs(n), vs(n);
  for (int step = 0; step < steps; ++step) {
    for (std::size_t s = 0; s < 4; ++s) {
      const double c = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
      for (std::size_t i = 0; i < n; ++i) {
        qs[i] = q[i] + (s == 0 ? 0 : c * dq[s - 1][i]);
        vs[i] = v[i] + (s == 0 ? 0 : c * dv[s - 1][i]);
      }
      dq[s] = vs;
      dv[s].resize(n);
      ASSERT_TRUE(dynamics.acceleration(0, qs.data(), vs.data(), {}, dv[s].data(), nullptr, *work));
    }
    for (std::size_t i = 0; i < n; ++i) {
      q[i] += h / 6 * (dq[0][i] + 2 * dq[1][i] + 2 * dq[2][i] + dq[3][i]);
      v[i] += h / 6 * (dv[0][i] + 2 * dv[1][i] + 2 * dv[2][i] + dv[3][i]);
    }
    ASSERT_TRUE(dynamics.project(0, q.data(), v.data(), 1e-10, 1e-10, *work).ok);
  }
}

/// M, J and the forces dense, from linearise(), residual() at zero accelerations, and the curvature.
struct Dense {
  Dense(const Dynamics& dynamics, const Assembly& assembly) {
    const std::size_t f = dynamics.freedoms(), m = dynamics.constraints();
    const std::vector<double> alpha(f, 0.0), lambda(m, 0.0);
    ConstrainedTangent tangent;
    dynamics.linearise(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), tangent);
    M = MatrixXd::Zero(index(f), index(f));
    J = MatrixXd::Zero(index(m), index(f));
    rate = MatrixXd::Zero(index(m), index(f));
    for (const SparseEntry& e : tangent.M) M(e.row, e.column) += e.value;
    for (const SparseEntry& e : tangent.J) J(e.row, e.column) += e.value;
    for (const SparseEntry& e : tangent.rate) rate(e.row, e.column) += e.value;
    force.resize(index(f));
    EXPECT_TRUE(dynamics.residual(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), {},
                                  force.data()));
    force *= -1;
    twist.resize(index(f));
    for (std::size_t b = 0; b < dynamics.bodies(); ++b)
      twist_of(dynamics.kind(b), &assembly.q[dynamics.first_coordinate(b)],
               &assembly.v[dynamics.first_coordinate(b)], &twist[index(dynamics.first_freedom(b))]);
    curvature = rate * twist;  // nothing depends on time
  }
  MatrixXd M, J, rate;
  VectorXd force, twist, curvature;
};

VectorXd twist_rates(const Dynamics& dynamics, const Assembly& assembly, const std::vector<double>& a) {
  VectorXd alpha(index(dynamics.freedoms()));
  for (std::size_t b = 0; b < dynamics.bodies(); ++b) {
    const std::size_t q = dynamics.first_coordinate(b);
    twist_rates_of(dynamics.kind(b), &assembly.q[q], &assembly.v[q], &a[q],
                   &alpha[index(dynamics.first_freedom(b))]);
  }
  return alpha;
}

// A link of length 5e-324 once was told to be a fault of the program.
TEST(Dynamics, RefusesBodiesBeyondWhatNumbersCanHold) {
  constexpr double least = 5e-324;  // its inverse is infinite
  for (const BodyKind kind : {BodyKind::point3, BodyKind::planar, BodyKind::rigid}) {
    Assembly assembly;
    assembly.add(kind, Frame{}, least);
    EXPECT_THROW(assembly.dynamics(), Error);
  }
  for (const BodyKind kind : {BodyKind::planar, BodyKind::rigid}) {
    for (const double moment : {0.0, least, std::numeric_limits<double>::infinity()}) {
      Assembly assembly;
      assembly.add(kind, Frame{});
      assembly.mechanism.bodies[0].inertia = moment * Mat3::Identity();
      EXPECT_THROW(assembly.dynamics(), Error) << moment;
    }
  }
}

TEST(Dynamics, FreeBodyKeepsEnergyAndAngularMomentum) {
  Rng rng(1);
  Assembly assembly;
  Frame frame = cosimo::testing::random_frame(rng);
  frame.w *= 3;
  assembly.add(BodyKind::rigid, frame);
  const Dynamics dynamics = assembly.dynamics();
  const Mat3 inertia = assembly.mechanism.bodies[0].inertia;
  const auto momentum = [&] {
    const Frame at = dynamics.frame(0, assembly.q.data(), assembly.v.data());
    return Vec3(at.R * inertia * at.R.transpose() * at.w);
  };
  const Vec3 before = momentum();
  const double energy = dynamics.kinetic_energy(assembly.q.data(), assembly.v.data());
  integrate(dynamics, 1e-3, 5000, assembly.q, assembly.v);
  EXPECT_LT((momentum() - before).norm() / before.norm(), 1e-10);
  EXPECT_NEAR(dynamics.kinetic_energy(assembly.q.data(), assembly.v.data()) / energy, 1, 1e-10);
}

/// At the lowest point the joint carries the weight and the centripetal force; displaced, the rod falls as a
/// physical pendulum does.
TEST(Dynamics, PendulumAgainstTheory) {
  constexpr double g = 9.81, l = 0.5, w = 2.0, phi = 0.7;
  for (const BodyKind kind : {BodyKind::planar, BodyKind::rigid}) {
    Assembly assembly = random_pendulum(1, kind, JointKind::revolute, 1);
    const Body& body = assembly.mechanism.bodies[0];
    const Dynamics dynamics = assembly.dynamics();
    const auto work = dynamics.make_workspace();
    for (const double angle : {0.0, phi}) {
      Frame frame;
      frame.R = cosimo::testing::rotation({0, 0, angle});
      frame.r = -frame.R * Vec3(0, l, 0);
      frame.w = Vec3(0, 0, w);
      frame.v = frame.w.cross(frame.r);
      coordinates_from(kind, frame, assembly.q.data(), assembly.v.data());
      std::vector<double> a(dynamics.size()), lambda(dynamics.constraints());
      ASSERT_TRUE(
          dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, a.data(), lambda.data(), *work));
      const VectorXd alpha = twist_rates(dynamics, assembly, a);
      const double expected = -body.mass * g * l * std::sin(angle) / (body.inertia(2, 2) + body.mass * l * l);
      EXPECT_NEAR(alpha[alpha.size() - 1], expected, 1e-12);
      if (angle > 0) continue;
      RowVector multipliers = Eigen::Map<VectorXd>(lambda.data(), index(lambda.size()));
      Vec3 force, torque;
      assembly.mechanism.constraints[0]->reaction(0, std::span(&frame, 1), multipliers, force, torque);
      EXPECT_NEAR(force.y(), body.mass * (g + l * w * w), 1e-11);
      EXPECT_NEAR(force.x(), 0, 1e-12);
    }
  }
}

class Chains : public ::testing::TestWithParam<std::pair<BodyKind, JointKind>> {};

TEST_P(Chains, AccelerationIsThatOfTheWholeSystem) {
  Assembly assembly = random_pendulum(50, GetParam().first, GetParam().second, 5);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  const std::size_t f = dynamics.freedoms(), m = dynamics.constraints();
  std::vector<double> a(dynamics.size()), lambda(m);
  ASSERT_TRUE(
      dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, a.data(), lambda.data(), *work));
  const Dense dense(dynamics, assembly);
  MatrixXd A = MatrixXd::Zero(index(f + m), index(f + m));
  A << dense.M, dense.J.transpose(), dense.J, MatrixXd::Zero(index(m), index(m));
  VectorXd b(index(f + m));
  b << dense.force, -dense.curvature;
  const VectorXd x = A.partialPivLu().solve(b);
  const VectorXd alpha = twist_rates(dynamics, assembly, a);
  EXPECT_LT((alpha - x.head(index(f))).norm() / x.head(index(f)).norm(), 1e-10);
  const VectorXd found = Eigen::Map<VectorXd>(lambda.data(), index(m));
  EXPECT_LT((found - x.tail(index(m))).norm() / x.tail(index(m)).norm(), 1e-10);
  EXPECT_LT((dense.J * alpha + dense.curvature).cwiseAbs().maxCoeff() / dense.curvature.cwiseAbs().maxCoeff(),
            1e-12);
}

TEST_P(Chains, ProjectionComesBackToBothLevels) {
  Assembly assembly = random_pendulum(20, GetParam().first, GetParam().second, 6);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  Dynamics::Projection still = dynamics.project(0, assembly.q.data(), assembly.v.data(), 1e-9, 1e-9, *work);
  EXPECT_TRUE(still.ok);
  EXPECT_FALSE(still.moved);
  Rng rng(8);
  disturb(assembly.q, 1e-2, rng);
  disturb(assembly.v, 1e-1, rng);
  EXPECT_GT(dynamics.residuals(0, assembly.q.data(), assembly.v.data()).position, 1e-3);
  const auto result = dynamics.project(0, assembly.q.data(), assembly.v.data(), 1e-9, 1e-8, *work);
  EXPECT_TRUE(result.ok);
  EXPECT_TRUE(result.moved);
  const auto residuals = dynamics.residuals(0, assembly.q.data(), assembly.v.data());
  EXPECT_LE(residuals.position, 1e-10);
  EXPECT_LE(residuals.velocity, 1e-9);
  for (std::size_t b = 0; b < dynamics.bodies() && dynamics.kind(b) == BodyKind::rigid; ++b)
    EXPECT_NEAR(Eigen::Map<Eigen::Vector4d>(&assembly.q[dynamics.first_coordinate(b) + 3]).norm(), 1, 1e-14);
}

TEST_P(Chains, ResponseIsTheDerivativeByWrenches) {
  const Assembly assembly = random_pendulum(4, GetParam().first, GetParam().second, 7);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size()), b(dynamics.size()), alpha(dynamics.freedoms());
  const ExternalWrench push{2, {Vec3(0.3, -0.4, 0), Vec3(0, 0, 0.7)}};
  ASSERT_TRUE(dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), std::span(&push, 1), b.data(),
                                    nullptr, *work));
  ASSERT_TRUE(dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, a.data(), nullptr, *work));
  dynamics.response_to(push, alpha.data(), *work);
  const VectorXd difference = twist_rates(dynamics, assembly, b) - twist_rates(dynamics, assembly, a);
  EXPECT_LT((difference - Eigen::Map<VectorXd>(alpha.data(), index(alpha.size()))).norm(), 1e-12);
  EXPECT_GT(difference.norm(), 0.1);
}

/// Every joint twice: the same motion, reactions finite.
TEST_P(Chains, RedundantJointsChangeNothing) {
  const Assembly single = random_pendulum(5, GetParam().first, GetParam().second, 9);
  Assembly twice = random_pendulum(5, GetParam().first, GetParam().second, 9);
  for (auto& constraint : random_pendulum(5, GetParam().first, GetParam().second, 9).mechanism.constraints)
    twice.mechanism.constraints.push_back(std::move(constraint));
  const Dynamics plain = single.dynamics(), redundant = twice.dynamics();
  const auto plain_work = plain.make_workspace(), work = redundant.make_workspace();
  std::vector<double> a(plain.size()), b(plain.size()), lambda(redundant.constraints());
  ASSERT_TRUE(plain.acceleration(0, single.q.data(), single.v.data(), {}, a.data(), nullptr, *plain_work));
  ASSERT_TRUE(
      redundant.acceleration(0, single.q.data(), single.v.data(), {}, b.data(), lambda.data(), *work));
  double largest = 0;
  for (const double x : a) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-11 * largest);
  for (const double x : lambda) EXPECT_LT(std::abs(x), 1e4);
  Rng rng(2);
  disturb(twice.q, 1e-2, rng);
  EXPECT_TRUE(redundant.project(0, twice.q.data(), twice.v.data(), 1e-9, 1e-9, *work).ok);
}

INSTANTIATE_TEST_SUITE_P(All, Chains,
                         ::testing::Values(std::pair{BodyKind::planar, JointKind::revolute},
                                           std::pair{BodyKind::rigid, JointKind::spherical}));

/// A four-bar linkage of bodies in space: four revolute joints have 20 rows for 18 freedoms, of which one
/// stays free. Three rows are redundant, and only as long as all axes are parallel.
Assembly four_bars_in_space() {
  Assembly assembly;
  assembly.mechanism.gravity = Vec3(0, -9.81, 0);
  constexpr double angle = 0.5;
  const Vec3 arm(std::sin(angle), -std::cos(angle), 0), top(0, 0.5, 0), side(1, 0, 0);
  Frame frame;
  frame.R = cosimo::testing::rotation({0, 0, angle});
  frame.r = 0.5 * arm;
  const BodyId left = assembly.add(BodyKind::rigid, frame);
  frame.r += 2 * side;
  const BodyId right = assembly.add(BodyKind::rigid, frame);
  frame.R = Mat3::Identity();
  frame.r = arm + side;
  const BodyId bar = assembly.add(BodyKind::rigid, frame);
  const auto marker = [](BodyId body, const Vec3& point) {
    Marker out;
    out.body = body;
    out.point = point;
    return out;
  };
  assembly.join(JointKind::revolute, marker(ground, Vec3::Zero()), marker(left, top));
  assembly.join(JointKind::revolute, marker(ground, 2 * side), marker(right, top));
  assembly.join(JointKind::revolute, marker(left, -top), marker(bar, -side));
  assembly.join(JointKind::revolute, marker(right, -top), marker(bar, side));
  return assembly;
}

/// Also in states of a step, where the loop is not quite closed, and where a body hardly resists rotation
/// about its length.
TEST(Dynamics, DependentRowsAreAMatterOfGeometry) {
  for (const double axial : {0.4, 1e-8}) {
    Assembly assembly = four_bars_in_space();
    for (Body& body : assembly.mechanism.bodies) body.inertia = Vec3(0.4, axial, 0.4).asDiagonal();
    Rng rng(3);
    disturb(assembly.q, 1e-5, rng);
    const Dynamics dynamics = assembly.dynamics();
    const auto work = dynamics.make_workspace();
    std::vector<std::uint8_t> dependent(dynamics.constraints());
    dynamics.dependent_rows(0, assembly.q.data(), *work, dependent);
    EXPECT_EQ(std::count(dependent.begin(), dependent.end(), 1), 3) << axial;
    std::vector<double> a(dynamics.size()), lambda(dynamics.constraints());
    ASSERT_TRUE(
        dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, a.data(), lambda.data(), *work));
    for (std::size_t row = 0; row < lambda.size(); ++row)
      EXPECT_LT(std::abs(lambda[row]), dependent[row] != 0 ? 0.1 : 100.0) << axial << " " << row;
  }
}

/// Whichever joint is the one that closes the loop: rounding errors of the other rows once made the
/// multipliers of a dependent one infinite.
TEST(Dynamics, DependentRowsInAnyOrderOfTheJoints) {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  do {
    Assembly assembly = four_bars_in_space();
    for (Body& body : assembly.mechanism.bodies) body.inertia = Vec3(0.4, 1e-8, 0.4).asDiagonal();
    std::vector<std::unique_ptr<Constraint>> joints;
    for (const std::size_t k : order) joints.push_back(std::move(assembly.mechanism.constraints[k]));
    assembly.mechanism.constraints = std::move(joints);
    Rng rng(3);
    disturb(assembly.q, 1e-5, rng);
    const Dynamics dynamics = assembly.dynamics();
    const auto work = dynamics.make_workspace();
    std::vector<std::uint8_t> dependent(dynamics.constraints());
    dynamics.dependent_rows(0, assembly.q.data(), *work, dependent);
    EXPECT_EQ(std::count(dependent.begin(), dependent.end(), 1), 3);
    std::vector<double> a(dynamics.size()), lambda(dynamics.constraints());
    ASSERT_TRUE(
        dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, a.data(), lambda.data(), *work));
    for (const double x : lambda) EXPECT_LT(std::abs(x), 100.0);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Dynamics, RedundantLoopSwings) {
  Assembly assembly = four_bars_in_space();
  const Dynamics dynamics = assembly.dynamics();
  ASSERT_EQ(dynamics.constraints(), 20U);
  const auto energy = [&] {
    return dynamics.kinetic_energy(assembly.q.data(), assembly.v.data()) +
           dynamics.potential_energy(0, assembly.q.data());
  };
  const double before = energy();
  integrate(dynamics, 2e-3, 700, assembly.q, assembly.v);
  EXPECT_GT(dynamics.kinetic_energy(assembly.q.data(), assembly.v.data()), 0.1);
  EXPECT_NEAR(energy(), before, 1e-8 * std::abs(before));
  EXPECT_LE(dynamics.residuals(0, assembly.q.data(), assembly.v.data()).position, 1e-10);
}

TEST(Projection, ContradictionIsReported) {
  Assembly assembly = random_pendulum(2, BodyKind::planar, JointKind::revolute, 3);
  const std::size_t joints = assembly.mechanism.constraints.size();
  Marker far, end;
  far.point = Vec3(5, 0, 0);  // out of reach of two links
  end.body = BodyId{1};
  end.point = Vec3(0, -0.5, 0);
  assembly.join(JointKind::revolute, far, end);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  const std::vector<double> before = assembly.q;
  const auto result = dynamics.project(0, assembly.q.data(), assembly.v.data(), 1e-8, 1e-8, *work);
  EXPECT_FALSE(result.ok);
  EXPECT_LE(result.worst, joints);
  EXPECT_GT(result.residual, 0.5);
  EXPECT_EQ(assembly.q, before);
}

TEST(Dynamics, SteadyEvaluationAllocatesNothing) {
  Assembly assembly = random_pendulum(10, BodyKind::rigid, JointKind::spherical, 4);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size()), lambda(dynamics.constraints()), alpha(dynamics.freedoms(), 0.1),
      r(dynamics.freedoms());
  ConstrainedTangent tangent;
  bool ok = true;
  const auto evaluate = [&] {
    const double *q = assembly.q.data(), *v = assembly.v.data();
    ok = dynamics.acceleration(0, q, v, {}, a.data(), lambda.data(), *work) && ok;
    ok = dynamics.residual(0, q, v, alpha.data(), lambda.data(), {}, r.data()) && ok;
    dynamics.linearise(0, q, v, alpha.data(), lambda.data(), tangent);
    assembly.q[1] += 1e-6;
    ok = dynamics.project(0, assembly.q.data(), assembly.v.data(), 1e-8, 1e-8, *work).moved && ok;
  };
  evaluate();
  const std::size_t before = allocation_count();
  for (int i = 0; i < 3; ++i) evaluate();
  EXPECT_EQ(allocation_count() - before, 0U);
  EXPECT_TRUE(ok);
}

/// A full swing of a long thin planar pendulum released at a small angle takes 2 pi sqrt(J / (m g l)).
TEST(Dynamics, SmallSwingHasThePeriodOfTheory) {
  Assembly assembly = random_pendulum(1, BodyKind::planar, JointKind::revolute, 1);
  const Body& body = assembly.mechanism.bodies[0];
  constexpr double g = 9.81, l = 0.5, angle = 1e-3;
  Frame frame;
  frame.R = cosimo::testing::rotation({0, 0, angle});
  frame.r = -frame.R * Vec3(0, l, 0);
  coordinates_from(BodyKind::planar, frame, assembly.q.data(), assembly.v.data());
  const double period =
      2 * std::numbers::pi * std::sqrt((body.inertia(2, 2) + body.mass * l * l) / (body.mass * g * l));
  integrate(assembly.dynamics(), period / 400, 100, assembly.q, assembly.v);
  EXPECT_NEAR(assembly.q[2], 0, 1e-6 * angle);
}

}  // namespace
}  // namespace cosimo
