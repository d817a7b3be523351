// Teeth with backlash: where they touch, and that only relative turns count.
#include "mechanics/gear_mesh_element.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "mechanics/element_testing.hpp"

namespace cosimo {
namespace {

constexpr double r1 = 0.1, r2 = 0.3, gap = 1e-3, stiffness = 1e6;

/// Two wheels of 20 and 60 teeth whose centres lie 0.4 apart, turned.
struct Wheels {
  Frame from, to;
  Wheels(double phi1, double phi2) {
    from.R = testing::rotation({0, 0, phi1});
    to.R = testing::rotation({0, 0, phi2});
    to.r.x() = r1 + r2;
  }
};

std::unique_ptr<ForceElement> mesh() {
  GearMeshSpec spec{r1, r2, 2 * std::numbers::pi * r1 / 20, 0, gap, stiffness, 0};
  const Wheels start(0, 0);
  spec.centred = gear_mesh_place(spec, start.from, start.to);
  return make_gear_mesh("teeth", {}, {}, spec);
}

TEST(GearMesh, TouchesBeyondHalfItsBacklashOnEitherFlank) {
  const auto teeth = mesh();
  for (const double e : {-2e-3, -0.4e-3, 0.0, 0.4e-3, 2e-3}) {
    // e = -r1 phi1 - r2 phi2: external wheels turn against each other.
    const Wheels wheels(-e / r1, 0);
    Effort effort;
    ASSERT_TRUE(teeth->effort(0, wheels.from, wheels.to, effort));
    const double force = e > gap / 2    ? stiffness * (e - gap / 2)
                         : e < -gap / 2 ? stiffness * (e + gap / 2)
                                        : 0;
    EXPECT_NEAR(effort.torque_from.z(), r1 * force, 1e-9 * stiffness);
    EXPECT_NEAR(effort.torque_to.z(), r2 * force, 1e-9 * stiffness);
    EXPECT_NEAR(effort.force.x(), 0, 1e-9 * stiffness) << "along the common tangent alone";
  }
}

TEST(GearMesh, RollsWithTheRatioOfItsTeethOverAnyNumberOfTurns) {
  const auto teeth = mesh();
  for (const double phi : {0.3, 3.0, 400.0, -7000.0}) {
    const Wheels wheels(phi - 2e-3 / r1, -phi * r1 / r2);
    Effort effort;
    ASSERT_TRUE(teeth->effort(0, wheels.from, wheels.to, effort));
    EXPECT_NEAR(effort.torque_from.z(), r1 * stiffness * 1.5e-3, 1e-9 * stiffness) << phi;
  }
}

TEST(GearMesh, IsNotFeltWhereAllTurnsAsOne) {
  const auto teeth = mesh();
  testing::Rng rng(3);
  const Wheels wheels(-2e-3 / r1, 0);
  Effort before;
  ASSERT_TRUE(teeth->effort(0, wheels.from, wheels.to, before));
  const Mat3 turn = testing::random_rotation(rng);
  Frame from = wheels.from, to = wheels.to;
  for (Frame* frame : {&from, &to}) {
    frame->r = turn * frame->r;
    frame->R = turn * frame->R;
  }
  Effort after;
  ASSERT_TRUE(teeth->effort(0, from, to, after));
  EXPECT_LT((after.force - turn * before.force).norm(), 1e-8 * before.force.norm());
  EXPECT_LT((after.torque_to - turn * before.torque_to).norm(), 1e-8 * before.torque_to.norm());
}

}  // namespace
}  // namespace cosimo
