// Helpers of the tests of this module: random frames, displaced frames, and differences of functions of them.
//
// Frames are displaced as body.hpp says: dr along the global axes, R becomes exp(skew(dtheta)) R, velocities
// change independently. Derivatives by central differences:
//
//   Eigen::MatrixXd D = frame_derivative(frame, 12, rows, [&](const Frame& f) { return value(f); });
//
// has the columns (dr, dtheta, dv, dw) of EffortGradient, or the first six alone for `columns` = 6.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include <Eigen/Dense>

#include "mechanics/body.hpp"

namespace cosimo::testing {

using Rng = std::mt19937_64;

/// In [-1, 1], with the same bits on every platform.
inline double random_number(Rng& rng) {
  return 2.0 * (static_cast<double>(rng() >> 11U) * 0x1.0p-53) - 1.0;
}

inline Vec3 random_vector(Rng& rng) {
  const double x = random_number(rng), y = random_number(rng), z = random_number(rng);
  return {x, y, z};
}

/// exp(skew(theta)), by Rodrigues' formula.
inline Mat3 rotation(const Vec3& theta) {
  const double angle = theta.norm();
  const Mat3 S = skew(theta);
  if (angle < 1e-8) return Mat3::Identity() + S + 0.5 * S * S;
  return Mat3::Identity() + std::sin(angle) / angle * S + (1.0 - std::cos(angle)) / (angle * angle) * S * S;
}

inline Mat3 random_rotation(Rng& rng) {
  return rotation(3.0 * random_vector(rng));
}

/// Anywhere in space, turned anyhow, moving anyhow.
inline Frame random_frame(Rng& rng) {
  Frame frame;
  frame.r = random_vector(rng);
  frame.R = random_rotation(rng);
  frame.v = random_vector(rng);
  frame.w = random_vector(rng);
  return frame;
}

/// As far as a body of this kind can go: in the plane z = 0, on the x axis.
inline Frame random_frame(Rng& rng, BodyKind kind) {
  Frame frame = random_frame(rng);
  if (kind == BodyKind::rigid) return frame;
  const double angle = 3.0 * random_number(rng);
  frame.R = kind == BodyKind::planar ? rotation({0, 0, angle}) : Mat3::Identity();
  frame.w = kind == BodyKind::planar ? Vec3(0, 0, frame.w.z()) : Vec3::Zero();
  for (const int axis : {1, 2}) {
    const bool free = kind == BodyKind::point3 || (axis == 1 && kind != BodyKind::point1);
    if (!free) frame.r[axis] = frame.v[axis] = 0;
  }
  return frame;
}

inline Marker random_marker(Rng& rng, BodyId body) {
  Marker marker;
  marker.body = body;
  marker.point = random_vector(rng);
  marker.axes = random_rotation(rng);
  return marker;
}

/// dr = dx[0..2], dR = exp(skew(dx[3..5])) R.
inline Frame displaced(const Frame& frame, const Vec6& dx) {
  Frame out = frame;
  out.r += dx.head<3>();
  out.R = rotation(dx.tail<3>()) * frame.R;
  return out;
}

/// v and w replaced.
inline Frame with_velocity(const Frame& frame, const Vec6& twist) {
  Frame out = frame;
  out.v = twist.head<3>();
  out.w = twist.tail<3>();
  return out;
}

/// Moved along component `index` of (dr, dtheta, dv, dw).
inline Frame moved_along(const Frame& frame, Eigen::Index index, double step) {
  if (index < 6) return displaced(frame, step * Vec6::Unit(index));
  Frame out = frame;
  (index < 9 ? out.v[index - 6] : out.w[index - 9]) += step;
  return out;
}

/// Central differences of a vector function of one frame with respect to the first `columns` of (dr, dtheta,
/// dv, dw).
template <class Function>
Eigen::MatrixXd frame_derivative(const Frame& frame, Eigen::Index columns, Eigen::Index rows,
                                 const Function& function, double step = 1e-5) {
  Eigen::MatrixXd out(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    const Eigen::VectorXd plus = function(moved_along(frame, j, step));
    const Eigen::VectorXd minus = function(moved_along(frame, j, -step));
    out.col(j) = (plus - minus) / (2.0 * step);
  }
  return out;
}

/// Largest difference of two matrices relative to the largest entry of the second (at least `floor`).
inline double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double floor = 1.0) {
  if (a.size() == 0) return 0;
  return (a - b).cwiseAbs().maxCoeff() / std::max(floor, b.cwiseAbs().maxCoeff());
}

/// The frame after a short time with constant accelerations of both velocities: for second derivatives of
/// functions of frames with respect to time. Exact to the third power of dt in r; R by one exponential.
inline Frame after(const Frame& frame, const Vec6& acceleration, double dt) {
  Frame out = frame;
  out.r += dt * frame.v + 0.5 * dt * dt * acceleration.head<3>();
  out.R = rotation(dt * frame.w + 0.5 * dt * dt * acceleration.tail<3>()) * frame.R;
  out.v += dt * acceleration.head<3>();
  out.w += dt * acceleration.tail<3>();
  return out;
}

}  // namespace cosimo::testing
