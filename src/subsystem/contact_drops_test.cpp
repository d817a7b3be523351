// Bodies thrown against contacts at many speeds, distances and step sizes: none is stepped over, and all come
// back as the closed form says. An undamped contact of stiffness c turns a mass m round in pi sqrt(m/c).
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>

#include "core/random.hpp"
#include "integrator/integrator.hpp"
#include "model/mechanism_testing.hpp"
#include "subsystem/mechanism_part.hpp"

namespace cosimo {
namespace {

struct Throw {
  double distance, speed, stiffness, mass, rtol, window, max_step;
  double end() const { return 2 * distance / speed + turn(); }
  double turn() const { return std::numbers::pi * std::sqrt(mass / stiffness); }
  double depth() const { return speed * std::sqrt(mass / stiffness); }
};

/// The i-th of many; from slow to fast over three decades.
Throw random_throw(std::size_t i) {
  const RandomStream random(5, 1);
  const auto uniform = [&](std::size_t k, double a, double b) { return random.uniform(8 * i + k, a, b); };
  Throw out{};
  out.speed = std::pow(10, uniform(0, -1, 2));
  out.distance = uniform(1, 0.1, 5);
  out.mass = std::pow(10, uniform(2, -1, 1));
  out.stiffness = std::pow(10, uniform(3, 4, 7)) * out.mass;
  // A step from afar may be off by rtol of the distance, which must be little against the depth.
  out.rtol = std::min(std::pow(10, uniform(4, -9, -4)), 0.01 * out.depth() / out.distance);
  out.window = out.end() / std::floor(uniform(5, 1, 12));
  out.max_step = uniform(6, 0, 1) < 0.5 ? std::numeric_limits<double>::infinity()
                                        : out.end() * std::pow(10, uniform(7, -2, 0));
  return out;
}

/// Throws a body against the element at the origin, from its distance along `way`, and compares the end.
void expect_rebound(const Throw& it, BodyKind kind, const Vec3& way, std::unique_ptr<ForceElement> element,
                    Method method, const std::string& what) {
  testing::ModelMaker maker;
  maker.add(kind, it.mass, testing::placed(-it.distance * way, Vec3::Zero(), it.speed * way));
  maker.add(std::move(element));
  const Model model = maker.finish();
  const Partition whole = testing::in_one_part(model);
  const Dynamics dynamics(*model.mechanism, whole.parts[0].bodies, whole.parts[0].elements);
  const MechanismPart part(model, dynamics, {});
  IntegratorOptions options;
  options.method = method;
  options.tolerances = {it.rtol, 1e-3 * it.rtol, it.rtol};
  options.max_step = it.max_step;
  const auto integrator = make_integrator(part, options);
  integrator->start(0, model.bodies.x, model.bodies.v);
  for (double t = 0; t < it.end();) {
    t = std::min(t + it.window, it.end());
    ASSERT_TRUE(integrator->advance(t, {}).ok) << what;
  }
  const std::size_t along = kind == BodyKind::point1 ? 0 : 2;
  const double tolerance = 1e-6 + it.rtol * (2000 + 10 * it.distance / it.depth());
  EXPECT_NEAR(integrator->velocity()[along] / (-it.speed * way[static_cast<Eigen::Index>(along)]), 1,
              tolerance)
      << what;
  EXPECT_NEAR(integrator->position()[along] / (-it.distance * way[static_cast<Eigen::Index>(along)]), 1,
              tolerance)
      << what;
  const Counters work = integrator->status().counters;
  EXPECT_LT(static_cast<double>(work.steps + work.rejected),
            (method == Method::ida ? 2000 : 600) + 2 * it.end() / std::min(it.max_step, it.window))
      << what;
}

class Drops : public ::testing::TestWithParam<Method> {};

TEST_P(Drops, NoneIsMissedByTheContactElement) {
  for (std::size_t i = 0; i < 250; ++i) {
    const Throw it = random_throw(i);
    GroundContactSpec spec;
    spec.stiffness = it.stiffness;
    expect_rebound(it, BodyKind::point3, -Vec3::UnitZ(),
                   make_contact("ground", {BodyId{0}, Vec3::Zero(), Mat3::Identity()}, spec), GetParam(),
                   "throw " + std::to_string(i));
  }
}

/// A layer that is left on the far side when it is not seen.
TEST_P(Drops, NoneIsMissedByAFormula) {
  for (std::size_t i = 0; i < 250; ++i) {
    const Throw it = random_throw(1000 + i);
    const double half = 1.2 * it.depth();
    char layer[128];
    std::snprintf(layer, sizeof layer, "%.17g*max(0, %.17g-abs(x-%.17g))*sign(x-%.17g)", it.stiffness, half,
                  half, half);
    AppliedSpec spec;
    spec.force[0] = layer;
    expect_rebound(it, BodyKind::point1, Vec3::UnitX(),
                   make_applied("layer", {}, {BodyId{0}, Vec3::Zero(), Mat3::Identity()}, spec), GetParam(),
                   "throw " + std::to_string(i));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Drops,
                         ::testing::Values(Method::rk, Method::radau, Method::ida, Method::automatic));

}  // namespace
}  // namespace cosimo
