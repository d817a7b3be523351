// Bodies in contact, integrated: collisions against closed forms, rest and sliding on a slope, a heap of
// balls, and the same bits after going back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "contact/testing.hpp"
#include "core/archive_testing.hpp"
#include "subsystem/alone_testing.hpp"

namespace cosimo::contact {
namespace {

using cosimo::testing::Alone;
using cosimo::testing::placed;

constexpr double radius = 0.1, mass = 0.5;

BodyId add_ball(MechanismBuilder& builder, const Vec3& r, const Vec3& v) {
  Body body{.name = "ball", .kind = BodyKind::rigid, .mass = mass};
  body.inertia = 0.4 * mass * radius * radius * Mat3::Identity();
  return builder.add(std::move(body), placed(r, Vec3::Zero(), v));
}

PlacedMechanism balls(const std::vector<std::pair<Vec3, Vec3>>& states, const Spec& spec,
                      std::vector<Outline> fixed = {}, const Vec3& gravity = Vec3::Zero()) {
  MechanismBuilder builder;
  builder.gravity(gravity);
  for (const auto& [r, v] : states) add_ball(builder, r, v);
  const std::vector<Outline> shapes(states.size(), testing::outline(testing::sphere(radius)));
  builder.add(make_contacts("contacts", testing::scene(shapes, std::move(fixed)), spec));
  return builder.finish();
}

class ContactRuns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, ContactRuns,
                         ::testing::Values(Method::rk, Method::merson, Method::automatic, Method::radau,
                                           Method::ida));

/// Hertz: the deepest penetration, the time that it lasts, and all speed is exchanged.
TEST_P(ContactRuns, BallsCollideAsHertzFound) {
  const double v = 1.4, k = 1e7, gap = 0.05, reduced = mass / 2;
  Alone alone(balls({{{0, 0, 0}, {v, 0, 0}}, {{2 * radius + gap, 0, 0}, {0, 0, 0}}}, {.stiffness = k}),
              GetParam());
  const double deepest = std::pow(1.25 * reduced * v * v / k, 0.4), lasts = 2.9432752 * deepest / v;
  ASSERT_TRUE(alone.advance(gap / v + lasts / 2));
  EXPECT_NEAR(alone.v(0), v / 2, 1e-4);
  EXPECT_NEAR(alone.v(7), v / 2, 1e-4);
  EXPECT_NEAR(alone.x(7) - alone.x(0), 2 * radius - deepest, 1e-4 * deepest);
  ASSERT_TRUE(alone.advance(gap / v + 1.001 * lasts));
  EXPECT_NEAR(alone.v(0), 0, 1e-5);
  EXPECT_NEAR(alone.v(7), v, 1e-5);
  EXPECT_NEAR(alone.energy(0), 0.5 * mass * v * v, 1e-5);
  ASSERT_TRUE(alone.advance(0.2));
  EXPECT_NEAR(alone.v(7), v, 1e-5);
}

/// What is lost: (1 - e) is close to 2/3 damping v for small ones (Hunt and Crossley).
TEST_P(ContactRuns, DampingTakesEnergyAndNoMomentum) {
  const double v = 1, d = 0.03;
  Alone alone(balls({{{0, 0, 0}, {v, 0, 0}}, {{2 * radius + 0.01, 0, 0}, {0, 0, 0}}},
                    {.stiffness = 1e7, .damping = d}),
              GetParam());
  ASSERT_TRUE(alone.advance(0.1));
  EXPECT_NEAR(alone.v(0) + alone.v(7), v, 1e-7);
  EXPECT_NEAR((alone.v(7) - alone.v(0)) / v, 1 - 2.0 / 3 * d * v, 0.002);
}

TEST(Contact, NewtonsCradle) {
  std::vector<std::pair<Vec3, Vec3>> states;
  for (int i = 0; i < 5; ++i)
    states.push_back({{i * (2 * radius + 0.005), 0, 0}, {i == 0 ? 1.0 : 0.0, 0, 0}});
  Alone alone(balls(states, {.stiffness = 1e9}), Method::rk);
  ASSERT_TRUE(alone.advance(0.2));
  double sum = 0;
  for (std::size_t i = 0; i < 5; ++i) sum += alone.v(7 * i);
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_NEAR(alone.v(28), 1, 1e-4);
  EXPECT_NEAR(alone.energy(0), 0.5 * mass, 1e-5);
}

/// A fast ball does not pass a thin plate: the plate's other side is free.
TEST_P(ContactRuns, NothingPassesAThinPlate) {
  const Outline plate = make_outline(testing::box(0.02, 2, 2), Vec3(1, 0, 0), Mat3::Identity(), 1);
  Alone alone(balls({{{0, 0.1, 0.05}, {30, 0, 0}}}, {.stiffness = 1e9}, {plate}), GetParam(), 1e-6, 1e-8);
  ASSERT_TRUE(alone.advance(0.5));
  EXPECT_NEAR(alone.v(0), -30, 1e-2);
}

struct Slope {
  double share, mu = 0.5, edge = 0.2;
  bool sticks = true;

  double angle() const { return share * std::atan(mu); }
  Vec3 down() const { return {std::cos(angle()), 0, -std::sin(angle())}; }
  PlacedMechanism make() const {
    MechanismBuilder builder;
    builder.gravity(Vec3(0, 0, -9.81));
    Body block{.name = "block", .kind = BodyKind::rigid, .mass = 1};
    block.inertia = edge * edge / 6 * Mat3::Identity();
    const Vec3 normal(std::sin(angle()), 0, std::cos(angle()));
    builder.add(std::move(block), placed(edge / 2 * normal, Vec3(0, angle(), 0)));
    Spec spec{.stiffness = 1e6, .damping = 20, .friction = mu};
    if (sticks) spec.sticking = Sticking{1e5, 300};
    builder.add(make_contacts("foot",
                              testing::scene({testing::outline(testing::box(edge, edge, edge))},
                                             {make_plane(Vec3::Zero(), normal)}),
                              spec));
    return builder.finish();
  }
};

TEST(Contact, BlockBelowTheFrictionAngleStaysForAnHour) {
  for (const Method method : {Method::automatic, Method::radau}) {
    Alone alone(Slope{.share = 0.9}.make(), method, 1e-6, 1e-9);
    ASSERT_TRUE(alone.advance(10));
    const auto q = alone.integrator->position();
    const Vec3 before(q[0], q[1], q[2]);
    ASSERT_TRUE(alone.advance(3600));
    const auto now = alone.integrator->position();
    EXPECT_LT((Vec3(now[0], now[1], now[2]) - before).norm(), 1e-9 * 0.2);
  }
}

/// The same with an explicit method: for a shorter time, and less in proportion.
TEST(Contact, BlockStaysWithAnExplicitMethod) {
  Alone alone(Slope{.share = 0.9}.make(), Method::rk, 1e-6, 1e-10);
  ASSERT_TRUE(alone.advance(3));
  const auto q = alone.integrator->position();
  const Vec3 before(q[0], q[1], q[2]);
  ASSERT_TRUE(alone.advance(13));
  const auto now = alone.integrator->position();
  EXPECT_LT((Vec3(now[0], now[1], now[2]) - before).norm(), 1e-9 * 0.2);
}

TEST(Contact, BlockAboveTheFrictionAngleSlides) {
  const Slope slope{.share = 1.1};
  for (const Method method : {Method::rk, Method::radau}) {
    Alone alone(slope.make(), method, 1e-8, 1e-9);
    const auto speed = [&] {
      const auto v = alone.integrator->velocity();
      return Vec3(v[0], v[1], v[2]).dot(slope.down());
    };
    ASSERT_TRUE(alone.advance(1));
    const double before = speed();
    ASSERT_TRUE(alone.advance(2));
    const double expected = 9.81 * (std::sin(slope.angle()) - slope.mu * std::cos(slope.angle()));
    EXPECT_NEAR((speed() - before) / expected, 1, 1e-6);
  }
}

/// 48 balls fall into a narrow box.
PlacedMechanism pour(const Spec& spec) {
  std::vector<std::pair<Vec3, Vec3>> states;
  for (int i = 0; i < 48; ++i)
    states.push_back({{0.21 * (i % 4) + 0.01 * std::sin(7.0 * i),
                       0.21 * (i / 4 % 4) + 0.01 * std::sin(11.0 * i), 0.15 + 0.21 * (i / 16)},
                      {0, 0, -0.5}});
  return balls(states, spec,
               {make_plane(Vec3::Zero(), Vec3::UnitZ()), make_plane(Vec3(-0.13, 0, 0), Vec3::UnitX()),
                make_plane(Vec3(0.76, 0, 0), -Vec3::UnitX()), make_plane(Vec3(0, -0.13, 0), Vec3::UnitY()),
                make_plane(Vec3(0, 0.76, 0), -Vec3::UnitY())},
               Vec3(0, 0, -9.81));
}

TEST(Contact, EnergyOfAHeapNeverGrows) {
  for (const bool sticks : {false, true}) {
    Spec spec{.stiffness = 5e7, .damping = 0.3, .friction = 0.4};
    if (sticks) spec.sticking = Sticking{1e6, 100};
    Alone alone(pour(spec), Method::rk, 1e-6, 1e-8);
    double before = alone.energy(0);
    const double first = before;
    for (int k = 1; k <= 50; ++k) {
      ASSERT_TRUE(alone.advance(0.004 * k));
      const double now = alone.energy(0);
      EXPECT_LT(now, before + 1e-6 * first);
      before = now;
      const auto q = alone.integrator->position();
      for (std::size_t i = 0; i < 48; ++i) {
        EXPECT_GT(q[7 * i + 2], radius * 0.99);
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_GT((Vec3(q[7 * i], q[7 * i + 1], q[7 * i + 2]) - Vec3(q[7 * j], q[7 * j + 1], q[7 * j + 2]))
                        .norm(),
                    2 * radius - 0.01 * radius);
      }
    }
    EXPECT_LT(before, 0.95 * first);
  }
}

/// Without losses the energy stays.
TEST(Contact, EnergyOfAHeapWithoutLossesStays) {
  Alone alone(pour({.stiffness = 5e7}), Method::rk, 1e-8, 1e-10);
  const double first = alone.energy(0);
  ASSERT_TRUE(alone.advance(0.15));
  EXPECT_NEAR(alone.energy(0.15), first, 1e-5 * first);
}

TEST(Contact, GoesBackWithTheSameBits) {
  const Spec spec{.stiffness = 5e7, .damping = 0.3, .friction = 0.4, .sticking = Sticking{1e6, 100}};
  Alone alone(pour(spec), Method::rk, 1e-5, 1e-7);
  const auto seen = [&] {
    const auto q = alone.integrator->position(), v = alone.integrator->velocity(),
               s = alone.integrator->memory();
    std::vector<double> all(q.begin(), q.end());
    all.insert(all.end(), v.begin(), v.end());
    all.insert(all.end(), s.begin(), s.end());
    return all;
  };
  ASSERT_TRUE(alone.advance(0.07));
  const auto snapshot = alone.integrator->make_snapshot();
  alone.integrator->save(*snapshot);
  const cosimo::testing::Bytes bytes = cosimo::testing::archived(*alone.integrator);
  ASSERT_TRUE(alone.advance(0.1));
  const std::vector<double> first = seen();
  alone.integrator->restore(*snapshot);
  ASSERT_TRUE(alone.advance(0.1));
  EXPECT_EQ(seen(), first);
  Alone other(pour(spec), Method::rk, 1e-5, 1e-7);
  cosimo::testing::load(bytes, *other.integrator);
  std::swap(alone.integrator, other.integrator);
  ASSERT_TRUE(other.integrator->advance(0.1, {}).ok);
  ASSERT_TRUE(alone.integrator->advance(0.1, {}).ok);
  EXPECT_EQ(seen(), first) << "from a checkpoint";
}

}  // namespace
}  // namespace cosimo::contact
