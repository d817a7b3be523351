#include "mechanics/minimal_pendulum.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "mechanics/testing.hpp"
#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd random_values(testing::Rng& rng, Eigen::Index n, double size) {
  VectorXd x(n);
  for (double& value : x) value = size * testing::random_number(rng);
  return x;
}

template <class Function>
MatrixXd differences(const VectorXd& x, const Function& function) {
  const double h = 1e-5;
  MatrixXd out(x.size(), x.size());
  for (Eigen::Index k = 0; k < x.size(); ++k)
    out.col(k) =
        (function(x + h * VectorXd::Unit(x.size(), k)) - function(x - h * VectorXd::Unit(x.size(), k))) /
        (2 * h);
  return out;
}

/// Classical Runge-Kutta steps of phi' = psi, psi' = acceleration.
void integrate(const MinimalPendulum& pendulum, VectorXd& phi, VectorXd& psi, double end, int steps) {
  MinimalPendulum::Workspace work(pendulum);
  const double h = end / steps;
  const auto slope = [&](const VectorXd& p, const VectorXd& v) {
    VectorXd a(p.size());
    EXPECT_TRUE(pendulum.acceleration(p, v, a, work));
    return a;
  };
  for (int i = 0; i < steps; ++i) {
    const VectorXd a1 = slope(phi, psi), v2 = psi + h / 2 * a1;
    const VectorXd a2 = slope(phi + h / 2 * psi, v2), v3 = psi + h / 2 * a2;
    const VectorXd a3 = slope(phi + h / 2 * v2, v3), v4 = psi + h * a3;
    const VectorXd a4 = slope(phi + h * v3, v4);
    phi += h / 6 * (psi + 2 * v2 + 2 * v3 + v4);
    psi += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
}

TEST(MinimalPendulum, IsTheEquationOfTheSource) {
  // M and F written down entry by entry, j and k from 1.
  testing::Rng rng(61);
  const int N = 7;
  const double g = 9.81, l = 0.6;
  const MinimalPendulum pendulum({.count = N, .gravity = g, .length = l});
  MinimalPendulum::Workspace work(pendulum);
  const VectorXd phi = random_values(rng, N, 3), psi = random_values(rng, N, 4);
  MatrixXd M(N, N);
  VectorXd F(N), a(N);
  pendulum.mass_matrix(phi, M, work);
  pendulum.force(phi, psi, F, work);
  for (int j = 1; j <= N; ++j) {
    double sum = g / l * (N - j + 1) * std::sin(phi[j - 1]);
    for (int k = 1; k <= N; ++k) {
      EXPECT_NEAR(M(j - 1, k - 1), (N - std::max(j, k) + 1) * std::cos(phi[k - 1] - phi[j - 1]), 1e-14 * N);
      sum += (N - std::max(j, k) + 1) * std::sin(phi[k - 1] - phi[j - 1]) * psi[k - 1] * psi[k - 1];
    }
    EXPECT_NEAR(F[j - 1], sum, 1e-12 * N);
  }
  ASSERT_TRUE(pendulum.acceleration(phi, psi, a, work));
  EXPECT_LT((M * a - F).norm(), 1e-10 * F.norm());
}

TEST(MinimalPendulum, HasExactDerivatives) {
  testing::Rng rng(62);
  const MinimalPendulum pendulum({.count = 6, .gravity = 3, .length = 0.8});
  MinimalPendulum::Workspace work(pendulum);
  const VectorXd phi = random_values(rng, 6, 3), psi = random_values(rng, 6, 2), a = random_values(rng, 6, 2);
  MatrixXd out(6, 6);
  const auto force = [&](const VectorXd& p, const VectorXd& v) {
    VectorXd F(6);
    pendulum.force(p, v, F, work);
    return F;
  };
  pendulum.force_by_angle(phi, psi, out, work);
  EXPECT_LT(
      testing::relative_difference(out, differences(phi, [&](const VectorXd& p) { return force(p, psi); })),
      1e-8);
  pendulum.force_by_rate(phi, psi, out, work);
  EXPECT_LT(
      testing::relative_difference(out, differences(psi, [&](const VectorXd& v) { return force(phi, v); })),
      1e-8);
  pendulum.inertia_by_angle(phi, a, out, work);
  EXPECT_LT(testing::relative_difference(out, differences(phi,
                                                          [&](const VectorXd& p) {
                                                            MatrixXd M(6, 6);
                                                            pendulum.mass_matrix(p, M, work);
                                                            return VectorXd(M * a);
                                                          })),
            1e-8);
}

TEST(MinimalPendulum, IsTheDoublePendulumOfTheTextbooks) {
  // Equal masses and lengths, theta = phi - pi from the downward vertical:
  // theta1'' = (-3 g sin t1 - g sin(t1 - 2 t2) - 2 sin(t1 - t2) l (w2^2 + w1^2 cos(t1 - t2))) / (l (3 - cos(2
  // t1 - 2 t2))) theta2'' = 2 sin(t1 - t2) (2 l w1^2 + 2 g cos t1 + l w2^2 cos(t1 - t2)) / (l (3 - cos(2 t1 -
  // 2 t2)))
  testing::Rng rng(63);
  const double g = 9.81, l = 1.3;
  const MinimalPendulum pendulum({.count = 2, .gravity = g, .length = l, .mass = 4});
  MinimalPendulum::Workspace work(pendulum);
  for (int n = 0; n < 10; ++n) {
    const VectorXd theta = random_values(rng, 2, 3), w = random_values(rng, 2, 5);
    const VectorXd phi = theta.array() + std::numbers::pi;
    VectorXd a(2);
    ASSERT_TRUE(pendulum.acceleration(phi, w, a, work));
    const double d = theta[0] - theta[1], below = l * (3 - std::cos(2 * d)), w1 = w[0] * w[0],
                 w2 = w[1] * w[1];
    EXPECT_NEAR(a[0],
                (-3 * g * std::sin(theta[0]) - g * std::sin(theta[0] - 2 * theta[1]) -
                 2 * std::sin(d) * l * (w2 + w1 * std::cos(d))) /
                    below,
                1e-11);
    EXPECT_NEAR(a[1],
                2 * std::sin(d) * (2 * l * w1 + 2 * g * std::cos(theta[0]) + l * w2 * std::cos(d)) / below,
                1e-11);
  }
}

TEST(MinimalPendulum, SwingsWithItsSmallPeriods) {
  // One mass at small angles: omega^2 = g/l. Two: omega^2 = (2 -+ sqrt 2) g/l with shapes (1, +-sqrt 2).
  const MinimalPendulum pendulum({.count = 2, .gravity = 2, .length = 0.5});
  for (const double sign : {1.0, -1.0}) {
    const double omega = std::sqrt((2 - sign * std::numbers::sqrt2) * 4), size = 1e-5;
    VectorXd phi(2), psi = VectorXd::Zero(2);
    phi << std::numbers::pi + size, std::numbers::pi + sign * std::numbers::sqrt2 * size;
    integrate(pendulum, phi, psi, 2.0, 400);
    EXPECT_NEAR(phi[0] - std::numbers::pi, size * std::cos(2 * omega), 1e-7 * size);
    EXPECT_NEAR(phi[1] - std::numbers::pi, sign * std::numbers::sqrt2 * size * std::cos(2 * omega),
                1e-7 * size);
  }
}

TEST(MinimalPendulum, KeepsItsEnergy) {
  testing::Rng rng(64);
  const MinimalPendulum pendulum({.count = 5, .gravity = 9.81, .length = 1, .mass = 2});
  VectorXd phi = random_values(rng, 5, 2), psi = random_values(rng, 5, 1);
  const double before = pendulum.energy(phi, psi), scale = 2 * 9.81 * 15;
  integrate(pendulum, phi, psi, 1.0, 4000);
  EXPECT_NEAR(pendulum.energy(phi, psi), before, 1e-9 * scale);
}

TEST(MinimalPendulum, EnergyIsThatOfTheMasses) {
  testing::Rng rng(65);
  const MinimalPendulum pendulum({.count = 4, .gravity = 9.81, .length = 0.7, .mass = 3});
  MinimalPendulum::Workspace work(pendulum);
  const VectorXd phi = random_values(rng, 4, 3), psi = random_values(rng, 4, 3);
  MatrixXd M(4, 4);
  pendulum.mass_matrix(phi, M, work);
  EXPECT_NEAR(pendulum.kinetic_energy(phi, psi), 0.5 * 3 * 0.49 * psi.dot(M * psi), 1e-12);
  double height = 0, speed = 0;
  const double h = 1e-5;
  for (std::size_t j = 0; j < 4; ++j) {
    height += pendulum.position(phi, j).y();
    speed +=
        ((pendulum.position(phi + h * psi, j) - pendulum.position(phi - h * psi, j)) / (2 * h)).squaredNorm();
  }
  EXPECT_NEAR(pendulum.potential_energy(phi), 3 * 9.81 * height, 1e-12);
  EXPECT_NEAR(pendulum.kinetic_energy(phi, psi), 0.5 * 3 * speed, 1e-7);
}

TEST(MinimalPendulum, DoesNotAllocateAndFailsWhereNothingIsFinite) {
  const MinimalPendulum pendulum({.count = 60});
  MinimalPendulum::Workspace work(pendulum);
  testing::Rng rng(66);
  VectorXd phi = random_values(rng, 60, 3), psi = random_values(rng, 60, 3), a(60);
  const std::size_t before = allocation_count();
  EXPECT_TRUE(pendulum.acceleration(phi, psi, a, work));
  EXPECT_EQ(allocation_count(), before);
  phi[3] = std::nan("");
  EXPECT_FALSE(pendulum.acceleration(phi, psi, a, work));
}

TEST(MinimalPendulum, ManyMassesAreFactorisedInPanelsAndCanBeInterrupted) {
  const MinimalPendulum pendulum({.count = 300});
  MinimalPendulum::Workspace work(pendulum);
  testing::Rng rng(67);
  const VectorXd phi = random_values(rng, 300, 3), psi = random_values(rng, 300, 3);
  VectorXd a(300), F(300);
  MatrixXd M(300, 300);
  std::atomic<bool> interrupt{false};
  ASSERT_TRUE(pendulum.acceleration(phi, psi, a, work, &interrupt));
  pendulum.mass_matrix(phi, M, work);
  pendulum.force(phi, psi, F, work);
  EXPECT_LT((M * a - F).norm(), 1e-10 * F.norm());
  interrupt = true;
  EXPECT_FALSE(pendulum.acceleration(phi, psi, a, work, &interrupt));
}

TEST(MinimalPendulum, RefusesWhatCannotSwing) {
  EXPECT_THROW(MinimalPendulum({.count = 0}), Error);
  EXPECT_THROW(MinimalPendulum({.length = 0}), Error);
  EXPECT_THROW(MinimalPendulum({.mass = -1}), Error);
}

}  // namespace
}  // namespace cosimo
