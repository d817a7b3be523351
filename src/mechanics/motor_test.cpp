#include <numbers>

#include "core/error.hpp"
#include "mechanics/constraint_testing.hpp"
#include "mechanics/joints.hpp"

namespace cosimo {
namespace {

using testing::Frames;
using testing::Rng;

constexpr BodyId one{0}, two{1};

Expression formula(const std::string& text) {
  return {text, std::vector<std::string>{"t"}};
}

/// The second body where the joint with these markers has this angle and displacement.
Frame placed(const Frame& first, const Marker& from, const Marker& to, double angle, double displacement) {
  const Frame at = marker_frame(first, from);
  Frame out;
  out.R = at.R * testing::rotation({0, 0, angle}) * to.axes.transpose();
  out.r = at.r + displacement * at.R.col(2) - out.R * to.point;
  return out;
}

TEST(Motor, HasExactDerivatives) {
  Rng rng(31);
  for (const JointKind kind : {JointKind::revolute, JointKind::prismatic})
    for (int n = 0; n < 6; ++n) {
      const Marker from = testing::random_marker(rng, one), to = testing::random_marker(rng, two);
      const auto motor = make_motor("motor", kind, {from, to}, formula("0.3 + sin(2*t)"), {});
      EXPECT_EQ(motor->rows(), 1U);
      EXPECT_EQ(motor->kind(), "motor");
      EXPECT_EQ(motor->is_length(0), kind == JointKind::prismatic);
      // Anywhere for displacements; angles where the axes are not far from parallel, as in any motion.
      Frames frames{testing::random_frame(rng), testing::random_frame(rng)};
      const double t = 0.2 * n;
      if (kind == JointKind::revolute) {
        const Vec3 v = frames[1].v, w = frames[1].w;
        frames[1] = placed(frames[0], from, to, 0.4 + std::sin(2 * t), 0.2);
        frames[1].R = testing::rotation(0.1 * testing::random_vector(rng)) * frames[1].R;
        frames[1].v = v;
        frames[1].w = w;
      }
      testing::expect_exact_derivatives(*motor, t, frames, rng);
    }
}

TEST(Motor, HasExactDerivativesInThePlaneAndOnTheGround) {
  Rng rng(32);
  const Marker from{ground}, to{one, {0.3, -0.2, 0}, testing::rotation({0, 0, 0.5})};
  const auto motor = make_motor("motor", JointKind::revolute, {from, to, BodyKind::rigid, BodyKind::planar},
                                formula("0.5 + 3*t"), {});
  Frame frame = testing::random_frame(rng, BodyKind::planar);
  frame.R = testing::rotation({0, 0, 0.3});
  testing::expect_exact_derivatives(*motor, 0.1, {frame}, rng);
  EXPECT_NEAR(testing::residual_of(*motor, 0.1, {frame})[0], 0.3 + 0.5 - 0.8, 1e-14);
  EXPECT_NEAR(testing::rate_of(*motor, 0.1, {frame})[0], frame.w.z() - 3, 1e-10);
}

TEST(Motor, FollowsItsFormulaOverManyTurns) {
  Rng rng(33);
  const Marker from = testing::random_marker(rng, one), to = testing::random_marker(rng, two);
  const auto turn = make_motor("motor", JointKind::revolute, {from, to}, formula("7*t"), {});
  const auto push = make_motor("motor", JointKind::prismatic, {from, to}, formula("7*t"), {});
  const Frame first = testing::random_frame(rng);
  for (double t = 0; t < 20; t += 0.13) {
    const Frames turned{first, placed(first, from, to, 7 * t, 0)},
        off{first, placed(first, from, to, 7 * t + 0.01, 0)};
    EXPECT_NEAR(testing::residual_of(*turn, t, turned)[0], 0, 1e-12) << t;
    EXPECT_NEAR(testing::residual_of(*turn, t, off)[0], 0.01, 1e-12) << t;
    EXPECT_NEAR(testing::residual_of(*push, t, {first, placed(first, from, to, 0, 7 * t)})[0], 0, 1e-12) << t;
  }
}

TEST(Motor, HasItsTorqueAlongTheAxis) {
  Rng rng(34);
  const Marker from = testing::random_marker(rng, one), to = testing::random_marker(rng, two);
  const auto motor = make_motor("motor", JointKind::revolute, {from, to}, formula("0"), {});
  const Frame first = testing::random_frame(rng);
  Vec3 force, torque;
  motor->reaction(0, Frames{first, placed(first, from, to, 0, 0)}, RowVector::Constant(1, -2.5), force,
                  torque);
  EXPECT_LT(force.norm(), 1e-15);
  EXPECT_LT((torque - 2.5 * (first.R * from.axes).col(2)).norm(), 1e-14);
}

TEST(Motor, AnnouncesBreakpoints) {
  const auto motor =
      make_motor("motor", JointKind::revolute, {Marker{one}, Marker{two}}, formula("t"), {2, 1});
  EXPECT_EQ(motor->next_breakpoint(0), 1);
  EXPECT_EQ(motor->next_breakpoint(1), 2);
}

TEST(Motor, RefusesWhatItCannotDrive) {
  const Marker a{one}, b{two};
  const auto refused = [&](JointKind kind, const JointSides& sides) {
    try {
      make_motor("crank", kind, sides, formula("t"), {});
    } catch (const Error& error) {
      return error.faults().front().field == "crank" && !error.faults().front().remedy.empty();
    }
    return false;
  };
  EXPECT_TRUE(refused(JointKind::spherical, {a, b}));
  EXPECT_TRUE(refused(JointKind::revolute, {a, a}));
  EXPECT_TRUE(refused(JointKind::revolute, {a, b, BodyKind::rigid, BodyKind::point3}));
  EXPECT_TRUE(refused(JointKind::prismatic, {a, b, BodyKind::point3, BodyKind::rigid}));
  EXPECT_TRUE(refused(JointKind::prismatic, {a, b, BodyKind::planar, BodyKind::planar}));
  const Marker lying{two, Vec3::Zero(), testing::rotation({1.5, 0, 0})};
  EXPECT_TRUE(refused(JointKind::revolute, {a, lying, BodyKind::planar, BodyKind::planar}));
  EXPECT_FALSE(refused(JointKind::prismatic, {a, b, BodyKind::rigid, BodyKind::point3}));
}

}  // namespace
}  // namespace cosimo
