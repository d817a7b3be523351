#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "mechanics/builder.hpp"
#include "mechanics/dynamics.hpp"

namespace cosimo {
namespace {

/// A chain of planar rods that nothing holds: all fall alike, and the joints carry nothing but rounding
/// errors.
TEST(Dynamics, AChainInFreeFallIsNoContradiction) {
  MechanismBuilder builder;
  builder.gravity({0, -9.81, 0});
  Vec3 hinge(0.3, -0.7, 0);
  BodyId above;
  for (int i = 0; i < 5; ++i) {
    const Vec3 along(std::cos(0.5 + 0.1 * i), std::sin(0.5 + 0.1 * i), 0);
    Frame frame;
    frame.r = hinge + 0.05 * along;
    frame.R.col(0) = along;
    frame.R.col(1) = Vec3::UnitZ().cross(along);
    const BodyId rod = builder.add(
        {.name = "rod", .kind = BodyKind::planar, .mass = 0.1, .inertia = rod_inertia(0.1, 0.1)}, frame);
    if (i > 0) builder.joint("pin", JointKind::revolute, above, rod, hinge, Vec3::UnitZ());
    hinge += 0.1 * along;
    above = rod;
  }
  const PlacedMechanism placed = builder.finish();
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < 5; ++i) bodies.push_back(BodyId(i));
  const Dynamics dynamics(*placed.mechanism, bodies, {});
  const auto work = dynamics.make_workspace();
  std::vector<double> a(dynamics.size()), lambda(dynamics.constraints());
  ASSERT_TRUE(dynamics.acceleration(0, placed.q.data(), placed.v.data(), {}, a.data(), lambda.data(), *work));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(a[3 * i + 1], -9.81, 1e-12);
  for (const double force : lambda) EXPECT_NEAR(force, 0, 1e-12);
}

}  // namespace
}  // namespace cosimo
