#include "core/error.hpp"
#include "mechanics/constraint_testing.hpp"
#include "mechanics/joints.hpp"

namespace cosimo {
namespace {

using testing::Frames;
using testing::Rng;

constexpr BodyId carrier{0}, small{1}, large{2}, other{3};

/// Two wheels on a carrier, with markers anywhere, placed at the given angles.
struct Train {
  Marker small_axle, small_hub, large_axle, large_hub;
  JointSides first() const { return {small_axle, small_hub}; }
  JointSides second() const { return {large_axle, large_hub}; }
};

Train random_train(Rng& rng) {
  return {testing::random_marker(rng, carrier), testing::random_marker(rng, small),
          testing::random_marker(rng, carrier), testing::random_marker(rng, large)};
}

Frame wheel(const Frame& base, const Marker& axle, const Marker& hub, double angle) {
  const Frame at = marker_frame(base, axle);
  Frame out;
  out.R = at.R * testing::rotation({0, 0, angle}) * hub.axes.transpose();
  out.r = at.r - out.R * hub.point;
  return out;
}

Frames placed(const Train& train, const Frame& base, double small_angle, double large_angle) {
  return {base, wheel(base, train.small_axle, train.small_hub, small_angle),
          wheel(base, train.large_axle, train.large_hub, large_angle)};
}

TEST(Gear, HoldsOverManyTurns) {
  Rng rng(41);
  const Train train = random_train(rng);
  const Frame base = testing::random_frame(rng);
  const Frames start = placed(train, base, 0.3, -0.8);
  const auto gear =
      make_gear("gear", train.first(), train.second(), {20, -34}, {start[0], start[1], start[0], start[2]});
  ASSERT_EQ(gear->bodies().size(), 3U);
  EXPECT_EQ(gear->rows(), 1U);
  EXPECT_EQ(gear->kind(), "gear");
  EXPECT_FALSE(gear->is_length(0));
  for (double turn = -40; turn < 40; turn += 0.37) {
    EXPECT_NEAR(testing::residual_of(*gear, 0, placed(train, base, 0.3 + turn, -0.8 + turn * 20 / 34))[0], 0,
                1e-12);
    // Divided by the larger (reduced) number of teeth, the row is the error of the large wheel.
    EXPECT_NEAR(testing::residual_of(*gear, 0, placed(train, base, 0.3 + turn, -0.81 + turn * 20 / 34))[0],
                0.01, 1e-12);
  }
}

TEST(Gear, HasExactDerivatives) {
  Rng rng(42);
  for (int n = 0; n < 5; ++n) {
    const Train train = random_train(rng);
    Frames frames =
        placed(train, testing::random_frame(rng), testing::random_number(rng), testing::random_number(rng));
    const auto gear = make_gear("gear", train.first(), train.second(), {3, 2},
                                {frames[0], frames[1], frames[0], frames[2]});
    for (Frame& f : frames) {
      const Frame random = testing::random_frame(rng);
      f = {f.r + 0.1 * random.r, testing::rotation(0.05 * random.r) * f.R, random.v, random.w};
    }
    testing::expect_exact_derivatives(*gear, 0, frames, rng);
  }
}

TEST(Gear, JoinsUpToFourBodies) {
  Rng rng(43);
  Train train = random_train(rng);
  train.large_axle.body = other;
  const Frame base = testing::random_frame(rng), far = testing::random_frame(rng);
  const Frame a = wheel(base, train.small_axle, train.small_hub, 0.2),
              b = wheel(far, train.large_axle, train.large_hub, 1);
  const auto gear = make_gear("gear", train.first(), train.second(), {1, 2}, {base, a, far, b});
  ASSERT_EQ(gear->bodies().size(), 4U);
  EXPECT_EQ(gear->bodies()[2], other);
  Frames frames{base, a, far, b};
  for (Frame& f : frames) {
    f.v = testing::random_vector(rng);
    f.w = testing::random_vector(rng);
  }
  testing::expect_exact_derivatives(*gear, 0, frames, rng);
}

TEST(Gear, PassesTorquesInTheRatioOfItsTeeth) {
  Rng rng(44);
  Train train = random_train(rng);
  train.small_axle.body = train.large_axle.body = ground;
  const Frame a = wheel({}, train.small_axle, train.small_hub, 0.2),
              b = wheel({}, train.large_axle, train.large_hub, 1);
  const auto gear = make_gear("gear", train.first(), train.second(), {15, 45}, {Frame{}, a, Frame{}, b});
  ASSERT_EQ(gear->bodies().size(), 2U);
  const Frames frames{a, b};
  Vec3 force, torque;
  gear->reaction(0, frames, RowVector::Constant(1, -1.5), force, torque);
  EXPECT_LT(force.norm(), 1e-15);
  EXPECT_LT((torque - 1.5 * train.large_axle.axes.col(2)).norm(), 1e-14);
  const Eigen::MatrixXd J = testing::jacobian_of(*gear, 0, frames);
  EXPECT_NEAR(J.block(0, 3, 1, 3).norm(), 1.0 / 3, 1e-14);
  EXPECT_NEAR(J.block(0, 9, 1, 3).norm(), 1, 1e-14);
}

TEST(Gear, TurnsPlanarWheels) {
  Rng rng(45);
  const JointSides first{{ground}, {small}, BodyKind::rigid, BodyKind::planar};
  const JointSides second{{ground, {1, 0, 0}}, {large}, BodyKind::rigid, BodyKind::planar};
  const auto gear = make_gear("gear", first, second, {1, 2}, {});
  testing::expect_exact_derivatives(
      *gear, 0, {testing::random_frame(rng, BodyKind::planar), testing::random_frame(rng, BodyKind::planar)},
      rng);
}

TEST(Gear, RefusesWhatDoesNotTurn) {
  const JointSides first{{ground}, {small}}, second{{ground}, {large}};
  const auto refused = [](const JointSides& a, const JointSides& b, std::array<int, 2> teeth) {
    try {
      make_gear("reducer", a, b, teeth, {});
    } catch (const Error& error) {
      return error.faults().front().field == "reducer" && !error.faults().front().remedy.empty();
    }
    return false;
  };
  EXPECT_TRUE(refused(first, second, {0, 3}));
  EXPECT_TRUE(refused(first, first, {2, 3}));
  EXPECT_TRUE(refused(first, {{small}, {small}}, {2, 3}));
  EXPECT_TRUE(refused(first, {{ground}, {large}, BodyKind::rigid, BodyKind::point3}, {2, 3}));
  EXPECT_FALSE(refused(first, second, {2, 3}));
}

}  // namespace
}  // namespace cosimo
