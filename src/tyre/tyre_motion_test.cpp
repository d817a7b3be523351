// Wheels and vehicles on tyres, integrated, against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "core/archive_testing.hpp"
#include "mechanics/testing.hpp"
#include "subsystem/alone_testing.hpp"
#include "tyre/testing.hpp"

namespace cosimo::tyre {
namespace {

using cosimo::testing::Alone;

constexpr double g = 9.81, mass = 400;
constexpr double locked = 1e22;  // nothing turns it

Mat3 columns(const Vec3& x, const Vec3& y, const Vec3& z) {
  Mat3 out;
  out << x, y, z;
  return out;
}
/// Of the plane: x along the road, z up, which is y.
const Mat3 upright = columns(Vec3::UnitX(), -Vec3::UnitZ(), Vec3::UnitY());

/// A wheel in the plane on a road that falls along x, pressed as it will be at rest. It spins with w,
/// forward.
struct Disc {
  double slope = 0, v = 0, w = 0, inertia = 20;
  Spec spec = testing::brush();

  double deflection() const { return mass * g * std::cos(slope) / spec.stiffness; }
  PlacedMechanism make() const {
    MechanismBuilder builder;
    builder.gravity(g * Vec3(std::sin(slope), -std::cos(slope), 0));
    Body body{.name = "wheel", .kind = BodyKind::planar, .mass = mass};
    body.inertia = inertia * Mat3::Identity();
    Frame frame;
    frame.r.y() = spec.radius - deflection();
    frame.v.x() = v;
    frame.w.z() = -w;
    const BodyId wheel = builder.add(std::move(body), frame);
    Marker on_wheel;
    on_wheel.body = wheel;
    on_wheel.axes = axes_along(-Vec3::UnitZ());
    builder.add(make_tyre("tyre", testing::road(upright), on_wheel, spec));
    return builder.finish();
  }
};

class TyreRuns : public ::testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Methods, TyreRuns,
                         ::testing::Values(Method::rk, Method::automatic, Method::radau, Method::ida));

TEST_P(TyreRuns, AFreeWheelLosesWhatResistsItsRolling) {
  for (const double resists : {0.0, 0.004}) {
    Disc disc{.v = 20};
    std::get<Brush>(disc.spec.model).rolling = resists;
    const double re = testing::radius - disc.deflection() / 3;
    disc.w = disc.v / re;
    Alone alone(disc.make(), GetParam());
    ASSERT_TRUE(alone.advance(1));
    const double energy = alone.energy(1), v = alone.v(0), x = alone.x(0), turned = -alone.x(2);
    ASSERT_TRUE(alone.advance(3));
    const double slower = resists * mass * g / re / (mass + disc.inertia / (re * re));
    EXPECT_NEAR(v - alone.v(0), 2 * slower, 2e-3 * slower + 1e-7);
    // The little that slips: the force that slows the mass, times its slip, times the way.
    const auto& brush = std::get<Brush>(disc.spec.model);
    const double a = brush.patch * std::sqrt(mass * g / brush.load), force = mass * slower;
    const double slips = force * force / (2 * brush.tread * a * a) * (alone.x(0) - x);
    const double lost = resists * mass * g * (-alone.x(2) - turned) + slips;
    EXPECT_NEAR(energy - alone.energy(3), lost, 1e-5 * lost + 1e-6);
  }
}

TEST_P(TyreRuns, ALockedWheelSlidesWithTheFrictionAndStops) {
  Disc disc{.v = 20, .inertia = locked};
  Alone alone(disc.make(), GetParam());
  const double energy = alone.energy(0);
  ASSERT_TRUE(alone.advance(0.2));
  const double early = alone.v(0);
  EXPECT_NEAR(early, 20 - 0.9 * g * 0.2, 0.05);
  ASSERT_TRUE(alone.advance(1.2));
  EXPECT_NEAR(early - alone.v(0), 0.9 * g, 1e-5 * g);
  const double rests = 20 / (0.9 * g);
  ASSERT_TRUE(alone.advance(rests + 2));
  EXPECT_NEAR(alone.v(0), 0, 1e-4);
  EXPECT_NEAR(alone.x(0), 0.5 * 20 * rests, 0.05);
  EXPECT_NEAR(energy - alone.energy(rests + 2), 0.5 * mass * 20 * 20, 1);
}

TEST(TyreMotion, ALockedWheelOnASlopeStaysForAnHour) {
  for (const Method method : {Method::automatic, Method::radau})
    for (const Spec& spec : {testing::brush(), testing::pacejka(testing::simple_formula())}) {
      Disc disc{.slope = std::atan(0.5), .inertia = locked, .spec = spec};
      Alone alone(disc.make(), method);
      ASSERT_TRUE(alone.advance(20));
      const double before = alone.x(0);
      EXPECT_GT(before, 1e-4) << "it has not yielded";
      ASSERT_TRUE(alone.advance(3600));
      EXPECT_NEAR(alone.x(0), before, 1e-9);
    }
}

TEST(TyreMotion, OnASteepSlopeItSlides) {
  const double slope = std::atan(1.2);
  Disc disc{.slope = slope, .inertia = locked};
  Alone alone(disc.make(), Method::automatic);
  ASSERT_TRUE(alone.advance(2));
  const double before = alone.v(0);
  ASSERT_TRUE(alone.advance(3));
  EXPECT_NEAR(alone.v(0) - before, g * (std::sin(slope) - 0.9 * std::cos(slope)), 1e-5 * g);
}

/// The force along the road as work and energy: what the wheel has lost is what slipped.
TEST_P(TyreRuns, TakenBackAndRepeatedGivesTheSameBits) {
  const Disc disc{.v = 12, .w = 20, .spec = testing::pacejka(testing::simple_formula())};
  Alone alone(disc.make(), GetParam(), 1e-6, 1e-8);
  ASSERT_TRUE(alone.advance(0.05));
  const auto snapshot = alone.integrator->make_snapshot();
  alone.integrator->save(*snapshot);
  const cosimo::testing::Bytes bytes = cosimo::testing::archived(*alone.integrator);
  ASSERT_TRUE(alone.advance(0.3));
  const double x = alone.x(), kappa = alone.integrator->states()[0];
  alone.integrator->restore(*snapshot);
  ASSERT_TRUE(alone.advance(0.3));
  EXPECT_EQ(alone.x(), x);
  EXPECT_EQ(alone.integrator->states()[0], kappa);
  Alone other(disc.make(), GetParam(), 1e-6, 1e-8);
  cosimo::testing::load(bytes, *other.integrator);
  ASSERT_TRUE(other.advance(0.3));
  EXPECT_EQ(other.x(), x);
  EXPECT_EQ(other.integrator->states()[0], kappa);
}

/// A wheel that is led at a slip angle: the force comes with the way.
TEST(TyreMotion, ForceAfterAStepOfSteeringGrowsWithTheWay) {
  const MagicFormula m = testing::simple_formula();
  const Spec spec = testing::pacejka(m);
  const double v = 10, delta = 0.002, p = m.load / spec.stiffness,
               re = testing::radius - m.load / m.stiffness * (m.dreff * std::atan(m.breff) + m.freff);
  MechanismBuilder builder;
  Body body{.name = "led", .kind = BodyKind::rigid, .mass = 1e9};
  body.inertia = 1e9 * Mat3::Identity();
  Frame frame = testing::rolling(p, v, 0);
  frame.w = v / re * Vec3(-std::sin(delta), std::cos(delta), 0);  // about its own axle
  frame.R = cosimo::testing::rotation({0, 0, delta});
  Marker marker = testing::on_wheel(builder.add(std::move(body), frame));
  builder.add(make_tyre("tyre", testing::road(), marker, spec));
  Alone alone(builder.finish(), Method::rk);
  const std::array<double, 2> none{};
  alone.integrator->start(0, alone.model.bodies.x, alone.model.bodies.v, none, {});
  const double sigma = m.pty1 * m.radius * std::sin(2 * std::atan(1 / m.pty2));
  for (int k = 1; k <= 6; ++k) {
    const double t = 0.5 * k * sigma / v;
    ASSERT_TRUE(alone.advance(t));
    EXPECT_NEAR(alone.integrator->states()[1],
                -std::tan(delta) * (1 - std::exp(-v * std::cos(delta) * t / sigma)), 1e-4 * delta);
  }
}

/// A vehicle that cannot roll, with one wheel in front and one behind.
struct SingleTrack {
  double v = 20, delta = 2e-4, a = 1.1, b = 1.5, inertia = 900, load = 4000;
  Spec spec = testing::brush();

  PlacedMechanism make() const {
    MechanismBuilder builder;
    Body body{.name = "frame", .kind = BodyKind::rigid, .mass = 2 * mass};
    body.inertia = inertia * Mat3::Identity();
    Frame frame = testing::rolling(load / spec.stiffness, v, 0);
    const BodyId chassis = builder.add(std::move(body), frame);
    builder.joint("plane", JointKind::planar, ground, chassis, frame.r, Vec3::UnitZ());
    const double re = testing::radius - load / spec.stiffness / 3;
    for (const bool front : {true, false}) {
      Body wheel{.name = front ? "front" : "rear", .kind = BodyKind::rigid, .mass = 1};
      wheel.inertia = 0.02 * Mat3::Identity();
      Frame at = frame;
      at.r.x() = front ? a : -b;
      at.R = cosimo::testing::rotation({0, 0, front ? delta : 0});
      at.w = v / re * at.R.col(1);
      const BodyId id = builder.add(std::move(wheel), at);
      builder.joint(front ? "front axle" : "rear axle", JointKind::revolute, chassis, id, at.r, at.R.col(1));
      builder.add(make_tyre(front ? "front" : "rear", testing::road(), testing::on_wheel(id), spec));
    }
    return builder.finish();
  }
};

TEST(TyreMotion, AVehicleTurnsAsTheLinearSingleTrackModelDoes) {
  for (const double v : {10.0, 25.0}) {
    SingleTrack car{.v = v};
    std::get<Brush>(car.spec.model).rolling = 0;
    Alone alone(car.make(), Method::automatic, 1e-8, 1e-9);
    ASSERT_TRUE(alone.advance(4));
    const double* const q = alone.integrator->position().data();
    const Frame frame = alone.dynamics.frame(0, q, alone.integrator->velocity().data());
    const auto& brush = std::get<Brush>(car.spec.model);
    const double stiffness = 2 * brush.tread * brush.patch * brush.patch, trail = brush.patch / 3;
    // Side forces act behind the wheels by the trail.
    const double front = car.a - trail, rear = car.b + trail, length = front + rear, m = 2 * mass + 2;
    const double steers = m * (stiffness * rear - stiffness * front) / (stiffness * stiffness * length);
    const double now = frame.R.col(0).dot(frame.v);
    const double expected = now / (length + steers * now * now) * car.delta;
    EXPECT_NEAR(frame.w.z(), expected, 2e-3 * expected) << v;
    EXPECT_NEAR(now, v, 0.01 * v);
  }
}

}  // namespace
}  // namespace cosimo::tyre
