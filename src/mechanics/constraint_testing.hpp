// What every constraint must satisfy, checked against differences at the given frames: for the tests of
// joints, gears and motors.
#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "mechanics/constraint.hpp"
#include "mechanics/testing.hpp"

namespace cosimo::testing {

using Frames = std::vector<Frame>;

inline Eigen::VectorXd residual_of(const Constraint& c, double t, const Frames& frames) {
  RowVector g;
  c.residual(t, frames, g);
  return g;
}

inline Eigen::MatrixXd jacobian_of(const Constraint& c, double t, const Frames& frames) {
  ConstraintRows J;
  c.jacobian(t, frames, J);
  return J;
}

/// All twists, body after body.
inline Eigen::VectorXd twists(const Frames& frames) {
  Eigen::VectorXd w(6 * static_cast<Eigen::Index>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i)
    w.segment<6>(6 * static_cast<Eigen::Index>(i)) << frames[i].v, frames[i].w;
  return w;
}

/// J w + g_t.
inline Eigen::VectorXd rate_of(const Constraint& c, double t, const Frames& frames) {
  RowVector g_t;
  c.drift(t, frames, g_t);
  return jacobian_of(c, t, frames) * twists(frames) + g_t;
}

/// Derivatives of a function of all frames with respect to the displacements of all bodies.
template <class Function>
Eigen::MatrixXd displacement_derivative(const Frames& frames, Eigen::Index rows, const Function& function) {
  Eigen::MatrixXd out(rows, 6 * static_cast<Eigen::Index>(frames.size()));
  for (std::size_t i = 0; i < frames.size(); ++i)
    out.middleCols<6>(6 * static_cast<Eigen::Index>(i)) =
        frame_derivative(frames[i], 6, rows, [&](const Frame& f) {
          Frames moved = frames;
          moved[i] = f;
          return Eigen::VectorXd(function(moved));
        });
  return out;
}

/// d2g/dt2 along a motion with the given accelerations of all bodies: central differences of fourth order.
inline Eigen::VectorXd second_derivative(const Constraint& c, double t, const Frames& frames,
                                         const std::vector<Vec6>& acceleration) {
  const double h = 2e-3;
  const auto at = [&](double dt) {
    Frames moved;
    for (std::size_t i = 0; i < frames.size(); ++i) moved.push_back(after(frames[i], acceleration[i], dt));
    return residual_of(c, t + dt, moved);
  };
  return (-at(-2 * h) + 16 * at(-h) - 30 * at(0) + 16 * at(h) - at(2 * h)) / (12 * h * h);
}

/// Everything a constraint says of its derivatives, at frames with random velocities.
inline void expect_exact_derivatives(const Constraint& c, double t, const Frames& frames, Rng& rng) {
  const auto rows = static_cast<Eigen::Index>(c.rows());
  const auto columns = 6 * static_cast<Eigen::Index>(frames.size());
  ASSERT_EQ(c.bodies().size(), frames.size());
  ASSERT_EQ(residual_of(c, t, frames).size(), rows);
  const Eigen::MatrixXd J = jacobian_of(c, t, frames);
  ASSERT_EQ(J.rows(), rows);
  ASSERT_EQ(J.cols(), columns);
  EXPECT_LT(relative_difference(J, displacement_derivative(
                                       frames, rows, [&](const Frames& f) { return residual_of(c, t, f); })),
            1e-8)
      << c.name;

  RowVector g_t, curvature, lambda(rows);
  c.drift(t, frames, g_t);
  const Eigen::VectorXd g_difference =
      (residual_of(c, t + 1e-5, frames) - residual_of(c, t - 1e-5, frames)) / 2e-5;
  EXPECT_LT(relative_difference(g_t, g_difference), 1e-8) << c.name;

  std::vector<Vec6> acceleration;
  Eigen::VectorXd alpha(columns);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    Vec6 a;
    a << random_vector(rng), random_vector(rng);
    acceleration.push_back(a);
    alpha.segment<6>(6 * static_cast<Eigen::Index>(i)) = a;
  }
  c.curvature(t, frames, curvature);
  EXPECT_LT(relative_difference(curvature, second_derivative(c, t, frames, acceleration) - J * alpha), 1e-7)
      << c.name;

  for (Eigen::Index i = 0; i < rows; ++i) lambda[i] = random_number(rng);
  ConstraintBlock K;
  c.force_gradient(t, frames, lambda, K);
  EXPECT_LT(relative_difference(K, displacement_derivative(frames, columns,
                                                           [&](const Frames& f) {
                                                             return Eigen::VectorXd(
                                                                 jacobian_of(c, t, f).transpose() * lambda);
                                                           })),
            1e-8)
      << c.name;

  ConstraintRows rate;
  c.rate_gradient(t, frames, rate);
  EXPECT_LT(relative_difference(rate, displacement_derivative(
                                          frames, rows, [&](const Frames& f) { return rate_of(c, t, f); })),
            1e-8)
      << c.name;
}

}  // namespace cosimo::testing
