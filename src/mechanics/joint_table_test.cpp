// Bodies and joints side by side in tables against the same bodies and joints one by one.
#include "mechanics/joint_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>

#include <Eigen/Geometry>

#include "mechanics/dynamics_testing.hpp"
#include "numerics/pack_choice.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using cosimo::testing::Assembly;
using cosimo::testing::random_frame;
using cosimo::testing::random_number;
using cosimo::testing::random_rotation;
using cosimo::testing::random_vector;
using cosimo::testing::Rng;

constexpr std::array<JointKind, 7> kinds{JointKind::spherical,   JointKind::revolute, JointKind::fixed,
                                         JointKind::cylindrical, JointKind::planar,   JointKind::universal,
                                         JointKind::prismatic};

/// Any bushing: linear or cubic, of some components alone, with odd powers or measuring a tilt.
BushingSpec any_bushing(Rng& rng) {
  BushingSpec spec;
  const std::uint64_t kind = rng() % 6;
  for (std::size_t k = 0; k < 6; ++k) {
    if ((kind == 1 && k < 3) || (kind == 2 && k >= 3) || (kind == 3 && k == 5)) continue;
    spec.law[k] = {1 + random_number(rng), 0.5 * (1 + random_number(rng))};
    if (kind >= 4) spec.law[k].C = spec.law[k].D = 0.3;
    if (kind == 5) spec.law[k].ev = 1.5;
  }
  return spec;
}

/// A chain or a tree of moving bodies with bushings. Every third joint is of any kind, a rigid distance or
/// turned around; masses differ. With `planes` a chain of bodies of the plane hangs beside it.
Assembly mixed(std::size_t bodies, std::uint64_t seed, bool tree, bool planes) {
  Rng rng(seed);
  Assembly out;
  out.mechanism.gravity = Vec3(1, -9.81, 2);
  std::vector<Frame> frames;
  for (std::size_t b = 0; b < bodies; ++b) {
    Frame frame = random_frame(rng, BodyKind::rigid);
    frame.r *= 2;
    const double mass = 0.5 + std::abs(random_number(rng));
    out.add(BodyKind::rigid, frame, mass);
    if (b % 4 == 0) out.mechanism.bodies.back().inertia = Vec3(0.2, 0.3, 0.4).asDiagonal();
    frames.push_back(frame);
    const bool free = b % 3 == 2;
    const std::size_t parent = tree ? rng() % (b + 1) : b;  // one more than its number, 0: the ground
    const Vec3 point = 2.0 * random_vector(rng);
    const Mat3 axes = random_rotation(rng);
    const auto marker = [&](std::size_t k, const Vec3& place) {
      const Frame at = k == 0 ? Frame{} : frames[k - 1];
      return Marker{k == 0 ? ground : BodyId(k - 1), at.R.transpose() * (place - at.r),
                    at.R.transpose() * axes};
    };
    const Marker mine = marker(b + 1, point), other = marker(parent, point);
    out.mechanism.elements.push_back(make_bushing("bushing" + std::to_string(b),
                                                  marker(rng() % (b + 1), random_vector(rng)),
                                                  marker(b + 1, random_vector(rng)), any_bushing(rng)));
    if (free && rng() % 4 == 0) {
      const Vec3 far = point + random_vector(rng) + Vec3(2, 0, 0);
      out.mechanism.constraints.push_back(make_distance(
          "rod" + std::to_string(b), out.sides(marker(parent, far), mine), (far - point).norm()));
      continue;
    }
    const JointKind kind = free ? kinds[rng() % kinds.size()] : JointKind::spherical;
    if (free && rng() % 2 == 0)
      out.join(kind, mine, other);
    else
      out.join(kind, other, mine);
  }
  if (!planes) return out;
  Marker above;
  for (int k = 0; k < 5; ++k) {
    Marker here;
    here.body = out.add(BodyKind::planar, random_frame(rng, BodyKind::planar));
    here.point = Vec3(0, 0.5, 0);
    out.join(JointKind::revolute, above, here);
    above = here;
    above.point = Vec3(0, -0.5, 0);
  }
  return out;
}

struct Motion {
  std::vector<double> a, lambda;
};
Motion accelerate(const Assembly& assembly) {
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  Motion out{std::vector<double>(dynamics.size()), std::vector<double>(dynamics.constraints())};
  EXPECT_TRUE(dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, out.a.data(),
                                    out.lambda.data(), *work));
  return out;
}

double largest(const std::vector<double>& list) {
  double out = 0;
  for (const double x : list) out = std::max(out, std::abs(x));
  return out;
}

/// With the accelerations and multipliers found, the equations of motion and the second derivatives of the
/// joints, both written down one by one, hold.
TEST(JointTable, MotionsSatisfyTheEquationsOneByOne) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Assembly assembly = mixed(1 + seed * 2, seed, seed % 2 == 0, seed % 5 == 0);
    const Dynamics dynamics = assembly.dynamics();
    const auto [a, lambda] = accelerate(assembly);
    std::vector<double> alpha(dynamics.freedoms()), left(dynamics.freedoms());
    std::vector<Frame> frames;
    for (std::size_t b = 0; b < dynamics.bodies(); ++b) {
      const std::size_t q = dynamics.first_coordinate(b);
      twist_rates_of(dynamics.kind(b), &assembly.q[q], &assembly.v[q], &a[q],
                     &alpha[dynamics.first_freedom(b)]);
      frames.push_back(dynamics.frame(b, assembly.q.data(), assembly.v.data()));
    }
    ASSERT_TRUE(dynamics.residual(0, assembly.q.data(), assembly.v.data(), alpha.data(), lambda.data(), {},
                                  left.data()));
    EXPECT_LT(largest(left), 1e-9 * (1 + largest(lambda))) << seed;
    for (const auto& constraint : assembly.mechanism.constraints) {
      std::vector<Frame> ends;
      Eigen::VectorXd rates(6 * constraint->bodies().size());
      for (const BodyId body : constraint->bodies()) {
        const auto components = freedom_components(dynamics.kind(body.index()));
        Vec6 all = Vec6::Zero();
        for (std::size_t k = 0; k < components.size(); ++k)
          all[components[k]] = alpha[dynamics.first_freedom(body.index()) + k];
        rates.segment<6>(static_cast<Eigen::Index>(6 * ends.size())) = all;
        ends.push_back(frames[body.index()]);
      }
      ConstraintRows J;
      RowVector curvature;
      constraint->jacobian(0, ends, J);
      constraint->curvature(0, ends, curvature);
      EXPECT_LT((J * rates + curvature).cwiseAbs().maxCoeff(), 1e-9 * (1 + largest(alpha)))
          << seed << " " << constraint->name;
    }
  }
}

/// A bushing between two bodies that are turned against each other.
TEST(JointTable, BushingsMeasureAnyAngle) {
  Rng rng(8);
  BushingSpec spec;
  for (std::size_t k = 0; k < 6; ++k) spec.law[k] = {1.0 + 0.1 * static_cast<double>(k), 0.5};
  for (const double angle :
       {0.0, 1e-12, 1e-7, 1e-3, 0.4999999, 0.5000001, 1.0, 2.0, 3.0, 3.14159, 4.0, 6.28}) {
    Assembly assembly;
    Frame from = random_frame(rng, BodyKind::rigid), to = random_frame(rng, BodyKind::rigid);
    to.R = from.R * Eigen::AngleAxisd(angle, random_vector(rng).normalized()).toRotationMatrix();
    Marker at_from, at_to;
    at_from.body = assembly.add(BodyKind::rigid, from);
    at_to.body = assembly.add(BodyKind::rigid, to);
    at_from.point = random_vector(rng);
    assembly.mechanism.elements.push_back(make_bushing("bushing", at_from, at_to, spec));
    const Dynamics dynamics = assembly.dynamics();
    const auto [a, lambda] = accelerate(assembly);
    std::vector<double> alpha(12), left(12);
    for (std::size_t b = 0; b < 2; ++b)
      twist_rates_of(BodyKind::rigid, &assembly.q[7 * b], &assembly.v[7 * b], &a[7 * b], &alpha[6 * b]);
    ASSERT_TRUE(
        dynamics.residual(0, assembly.q.data(), assembly.v.data(), alpha.data(), nullptr, {}, left.data()));
    EXPECT_LT(largest(left), 2e-13 * (1 + largest(alpha))) << angle;
  }
}

/// The projection sees the joints in tables; its result is judged one by one.
TEST(JointTable, ProjectionsEndOnTheJointsOneByOne) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Assembly assembly = mixed(1 + seed * 3, seed, seed % 2 == 0, false);
    const Dynamics dynamics = assembly.dynamics();
    const auto work = dynamics.make_workspace();
    Rng rng(seed);
    cosimo::testing::disturb(assembly.q, 1e-4, rng);
    const auto done = dynamics.project(0, assembly.q.data(), assembly.v.data(), 1e-6, 1e-6, *work);
    EXPECT_TRUE(done.ok && done.moved) << seed << " residual " << done.residual << " of " << done.worst;
    const auto left = dynamics.residuals(0, assembly.q.data(), assembly.v.data());
    EXPECT_LT(left.position, 2e-7) << seed;
    EXPECT_LT(left.velocity, 2e-7) << seed;
  }
}

TEST(JointTable, AnyPacksGiveTheSameBits) {
  for (const bool tree : {false, true}) {
    const Assembly assembly = mixed(150, 3, tree, true);
    const Dynamics dynamics = assembly.dynamics();
    std::vector<std::vector<double>> found;
    for (const std::string& processor : pack_choices()) {
      choose_packs(processor);
      const auto [a, lambda] = accelerate(assembly);
      std::vector<double> q = assembly.q, v = assembly.v;
      const auto work = dynamics.make_workspace();
      EXPECT_TRUE(dynamics.project(0, q.data(), v.data(), 1e-9, 1e-9, *work).ok);
      auto& all = found.emplace_back(a);
      for (const std::vector<double>& list : {lambda, q, v}) all.insert(all.end(), list.begin(), list.end());
    }
    choose_packs();
    for (const auto& other : found)
      for (std::size_t k = 0; k < other.size(); ++k)
        ASSERT_EQ(std::bit_cast<std::uint64_t>(other[k]), std::bit_cast<std::uint64_t>(found[0][k]));
  }
}

TEST(JointTable, NothingIsAllocatedInAnEvaluation) {
  Assembly assembly = mixed(100, 4, true, true);
  const Dynamics dynamics = assembly.dynamics();
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size());
  std::size_t before = 0;
  for (int k = 0; k < 3; ++k) {
    if (k == 1) before = allocation_count();
    ASSERT_TRUE(dynamics.acceleration(0, assembly.q.data(), assembly.v.data(), {}, a.data(), nullptr, *work));
    ASSERT_TRUE(dynamics.project(0, assembly.q.data(), assembly.v.data(), 1e-9, 1e-9, *work).ok);
  }
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace cosimo
