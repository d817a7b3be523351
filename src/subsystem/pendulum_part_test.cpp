#include "subsystem/pendulum_part.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "integrator/constrained_system.hpp"
#include "integrator/integrator.hpp"
#include "model/pendulum.hpp"

namespace cosimo {
namespace {

struct Parts {
  explicit Parts(const PendulumSpec& spec)
      : model(make_pendulum(spec)),
        equations(make_pendulum_equations(model)),
        driven(equations->make_system({})),
        system(dynamic_cast<const ConstrainedSystem&>(driven->system())) {}
  Model model;
  std::unique_ptr<PartEquations> equations;
  std::unique_ptr<DrivenSystem> driven;
  const ConstrainedSystem& system;
};

PendulumSpec four() {
  return {.links = 4,
          .length = 0.7,
          .mass = 2.0,
          .minimal = true,
          .angle = std::vector<double>{0.4, -0.3, 1.2, 0.1},
          .angular_velocity = std::vector<double>{1, -0.5, 2, 0.3}};
}

TEST(PendulumPart, HasNoConstraintsAndNoPorts) {
  const Parts parts(four());
  EXPECT_EQ(parts.system.size(), 4U);
  EXPECT_EQ(parts.system.freedoms(), 4U);
  EXPECT_EQ(parts.system.constraints(), 0U);
  EXPECT_DOUBLE_EQ(parts.equations->initial_position()[2], std::numbers::pi + 1.2);
  EXPECT_EQ(parts.equations->initial_velocity()[2], 2);
  EXPECT_EQ(parts.equations->next_breakpoint(0), std::numeric_limits<double>::infinity());
}

TEST(PendulumPart, AccelerationsLeaveNoResidual) {
  const Parts parts(four());
  const double *q = parts.model.bodies.x.data(), *v = parts.model.bodies.v.data();
  std::vector<double> a(4), r(4), block(4, 99.0);
  ASSERT_TRUE(parts.system.acceleration(0, q, v, a.data(), {0, 4}));
  ASSERT_TRUE(parts.system.residual(0, q, v, a.data(), nullptr, r.data()));
  for (const double x : r) EXPECT_NEAR(x, 0, 1e-12);
  ASSERT_TRUE(parts.system.acceleration(0, q, v, block.data(), {1, 3}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(block[i], i == 1 || i == 2 ? a[i] : 99.0);
}

/// Columns of the tangent against central differences of the residual.
TEST(PendulumPart, TangentIsTheDerivativeOfTheResidual) {
  const Parts parts(four());
  const auto &x0 = parts.model.bodies.x, &v0 = parts.model.bodies.v;
  std::vector<double> q(x0.begin(), x0.end()), v(v0.begin(), v0.end()), alpha{0.3, -1, 2, 0.7};
  ConstrainedTangent tangent;
  parts.system.linearise(0, q.data(), v.data(), alpha.data(), nullptr, tangent);
  const auto compare = [&](const std::vector<SparseEntry>& block, std::vector<double>& x) {
    std::array<std::array<double, 4>, 4> dense{};
    for (const SparseEntry& e : block)
      dense[static_cast<std::size_t>(e.row)][static_cast<std::size_t>(e.column)] += e.value;
    constexpr double h = 1e-6;
    for (std::size_t j = 0; j < 4; ++j) {
      std::vector<double> plus(4), minus(4);
      const double kept = x[j];
      x[j] = kept + h;
      ASSERT_TRUE(parts.system.residual(0, q.data(), v.data(), alpha.data(), nullptr, plus.data()));
      x[j] = kept - h;
      ASSERT_TRUE(parts.system.residual(0, q.data(), v.data(), alpha.data(), nullptr, minus.data()));
      x[j] = kept;
      for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(dense[i][j], (plus[i] - minus[i]) / (2 * h), 1e-7) << i << " " << j;
    }
  };
  compare(tangent.K, q);
  compare(tangent.C, v);
  compare(tangent.M, alpha);
}

class Swing : public ::testing::TestWithParam<Method> {};

/// One link from rest comes back after 4 sqrt(l/g) K(sin(angle/2)).
TEST_P(Swing, HasThePeriodOfTheEllipticIntegral) {
  const double angle = 1.0, length = 0.7;
  const Parts parts({.links = 1, .length = length, .minimal = true, .angle = angle});
  const double period = 4 * std::sqrt(length / 9.81) * std::comp_ellint_1(std::sin(0.5 * angle));
  IntegratorOptions options;
  options.method = GetParam();
  options.tolerances = {1e-9, 1e-10, 1e-9};
  const auto integrator = make_integrator(parts.system, options);
  integrator->start(0, parts.equations->initial_position(), parts.equations->initial_velocity());
  ASSERT_TRUE(integrator->advance(period, {}).ok);
  EXPECT_NEAR(integrator->position()[0], std::numbers::pi + angle, 3e-7);
  EXPECT_NEAR(integrator->velocity()[0], 0, 3e-6);
}
INSTANTIATE_TEST_SUITE_P(Methods, Swing, ::testing::Values(Method::rk, Method::radau, Method::ida));

}  // namespace
}  // namespace cosimo
