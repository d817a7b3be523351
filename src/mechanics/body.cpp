#include "mechanics/body.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <Eigen/Geometry>

namespace cosimo {

namespace {

// Quaternions (w, x, y, z) turn body axes into global ones; the angular velocity w along the global axes is
// the vector part of 2 p' conj(p) / (p.p), whatever the length of p and the rate at which it changes.
//
//   p' = (w/2) p + s p,                  s = p.p' / p.p
//   p'' = ((dw/dt)/2 + s w) p + m p,     m free: it is what leads the length

using Quat = Eigen::Map<const Eigen::Vector4d>;

/// (0, a) p.
Eigen::Vector4d turned(const Vec3& a, const Eigen::Vector4d& p) {
  return {-a[0] * p[1] - a[1] * p[2] - a[2] * p[3], a[0] * p[0] + a[1] * p[3] - a[2] * p[2],
          a[1] * p[0] + a[2] * p[1] - a[0] * p[3], a[2] * p[0] + a[0] * p[2] - a[1] * p[1]};
}

/// Vector part of a conj(p).
Vec3 vector_part(const Eigen::Vector4d& a, const Eigen::Vector4d& p) {
  return {-a[0] * p[1] + a[1] * p[0] - a[2] * p[3] + a[3] * p[2],
          -a[0] * p[2] + a[2] * p[0] - a[3] * p[1] + a[1] * p[3],
          -a[0] * p[3] + a[3] * p[0] - a[1] * p[2] + a[2] * p[1]};
}

Vec3 angular_velocity(const double* q, const double* v) {
  const Eigen::Vector4d p = Quat(q + 3);
  return (2.0 / p.squaredNorm()) * vector_part(Quat(v + 3), p);
}

Mat3 orientation(const Eigen::Vector4d& p) {
  const double s = 2.0 / p.squaredNorm();
  const double xx = s * p[1] * p[1], yy = s * p[2] * p[2], zz = s * p[3] * p[3];
  const double xy = s * p[1] * p[2], xz = s * p[1] * p[3], yz = s * p[2] * p[3];
  const double wx = s * p[0] * p[1], wy = s * p[0] * p[2], wz = s * p[0] * p[3];
  Mat3 R;
  R << 1.0 - (yy + zz), xy - wz, xz + wy, xy + wz, 1.0 - (xx + zz), yz - wx, xz - wy, yz + wx,
      1.0 - (xx + yy);
  return R;
}

/// The largest of the four components is found from the diagonal and divides the others, so that nothing is
/// lost at any rotation.
Eigen::Vector4d quaternion_of(const Mat3& R) {
  const double trace = R.trace();
  Eigen::Vector4d p;
  Eigen::Index largest = 0;
  const double diagonal = R.diagonal().maxCoeff(&largest);
  if (trace >= diagonal) {
    p << 1.0 + trace, R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1);
  } else {
    const Eigen::Index i = largest, j = (i + 1) % 3, k = (i + 2) % 3;
    p[0] = R(k, j) - R(j, k);
    p[1 + i] = 1.0 + 2.0 * R(i, i) - trace;
    p[1 + j] = R(i, j) + R(j, i);
    p[1 + k] = R(i, k) + R(k, i);
  }
  p.normalize();
  return p[0] < 0 ? Eigen::Vector4d(-p) : p;
}

}  // namespace

std::span<const std::uint8_t> freedom_components(BodyKind kind) {
  static constexpr std::array<std::uint8_t, 6> space{0, 1, 2, 3, 4, 5};
  static constexpr std::array<std::uint8_t, 3> plane{0, 1, 5};
  if (kind == BodyKind::planar) return plane;
  return std::span(space).first(freedoms_of(kind));
}

Frame frame_of(BodyKind kind, const double* q, const double* v) {
  Frame frame;
  switch (kind) {
    case BodyKind::rigid:
      frame.r = Vec3(q[0], q[1], q[2]);
      frame.v = Vec3(v[0], v[1], v[2]);
      frame.R = orientation(Quat(q + 3));
      frame.w = angular_velocity(q, v);
      frame.turned = std::numeric_limits<double>::quiet_NaN();
      break;
    case BodyKind::planar: {
      const double c = std::cos(q[2]), s = std::sin(q[2]);
      frame.r = Vec3(q[0], q[1], 0);
      frame.v = Vec3(v[0], v[1], 0);
      frame.R << c, -s, 0, s, c, 0, 0, 0, 1;
      frame.w = Vec3(0, 0, v[2]);
      frame.turned = q[2];
      break;
    }
    case BodyKind::point3:
      frame.r[2] = q[2];
      frame.v[2] = v[2];
      [[fallthrough]];
    case BodyKind::point2:
      frame.r[1] = q[1];
      frame.v[1] = v[1];
      [[fallthrough]];
    case BodyKind::point1:
      frame.r[0] = q[0];
      frame.v[0] = v[0];
      break;
  }
  return frame;
}

Frame marker_frame(const Frame& body, const Marker& marker) {
  Frame frame;
  const Vec3 arm = body.R * marker.point;
  frame.r = body.r + arm;
  frame.R.noalias() = body.R * marker.axes;
  frame.v = body.v + body.w.cross(arm);
  frame.w = body.w;
  frame.turned = body.turned - marker.placed;
  return frame;
}

double with_turns(double angle, const Frame& from, const Frame& to) {
  double near = turns_counted(from, to) ? to.turned - from.turned : 0;
  if (from.R(2, 2) < 0) near = -near;
  return near + std::remainder(angle - near, 2 * std::numbers::pi);
}

void twist_of(BodyKind kind, const double* q, const double* v, double* w) {
  if (kind != BodyKind::rigid) {
    std::copy_n(v, coordinates_of(kind), w);
    return;
  }
  std::copy_n(v, 3, w);
  Eigen::Map<Vec3>(w + 3) = angular_velocity(q, v);
}

void rates_of(BodyKind kind, const double* q, const double* w, double* v) {
  if (kind != BodyKind::rigid) {
    std::copy_n(w, coordinates_of(kind), v);
    return;
  }
  std::copy_n(w, 3, v);
  Eigen::Map<Eigen::Vector4d>(v + 3) = 0.5 * turned(Eigen::Map<const Vec3>(w + 3), Quat(q + 3));
}

void accelerations_of(BodyKind kind, const double* q, const double* v, const double* alpha, double* a) {
  if (kind != BodyKind::rigid) {
    std::copy_n(alpha, coordinates_of(kind), a);
    return;
  }
  std::copy_n(alpha, 3, a);
  const Eigen::Vector4d p = Quat(q + 3), p_rate = Quat(v + 3);
  const Vec3 w = angular_velocity(q, v);
  const double square = p.squaredNorm(), speed_square = w.squaredNorm(), speed = std::sqrt(speed_square);
  const double s = p.dot(p_rate) / square;
  // e = (p.p - 1)/2, e' = s p.p, e'' = p'.p' + p.p'' = -2 |w| e' - |w|^2 e.
  const double lead = -2.0 * speed * s - 0.5 * speed_square * (square - 1.0) / square;
  const double m = lead - 0.25 * speed_square - s * s;
  const Vec3 turning = 0.5 * Eigen::Map<const Vec3>(alpha + 3) + s * w;
  Eigen::Map<Eigen::Vector4d>(a + 3) = turned(turning, p) + m * p;
}

void twist_rates_of(BodyKind kind, const double* q, const double* v, const double* a, double* alpha) {
  if (kind != BodyKind::rigid) {
    std::copy_n(a, coordinates_of(kind), alpha);
    return;
  }
  std::copy_n(a, 3, alpha);
  const Eigen::Vector4d p = Quat(q + 3), p_rate = Quat(v + 3);
  const double square = p.squaredNorm(), s = p.dot(p_rate) / square;
  Eigen::Map<Vec3>(alpha + 3) =
      (2.0 / square) * vector_part(Quat(a + 3), p) - 2.0 * s * angular_velocity(q, v);
}

void normalise(BodyKind kind, double* q, double* v) {
  if (kind != BodyKind::rigid) return;
  Eigen::Map<Eigen::Vector4d> p(q + 3), p_rate(v + 3);
  const double scale = 1.0 / p.norm();
  p *= scale;
  p_rate *= scale;
  p_rate -= p.dot(p_rate) * p;
}

void coordinates_from(BodyKind kind, const Frame& frame, double* q, double* v) {
  const std::size_t places = kind == BodyKind::planar ? 2 : std::min<std::size_t>(3, coordinates_of(kind));
  std::copy_n(frame.r.data(), places, q);
  std::copy_n(frame.v.data(), places, v);
  if (kind == BodyKind::planar) {
    q[2] = std::atan2(frame.R(1, 0), frame.R(0, 0));
    v[2] = frame.w[2];
  } else if (kind == BodyKind::rigid) {
    const Eigen::Vector4d p = quaternion_of(frame.R);
    Eigen::Map<Eigen::Vector4d>(q + 3) = p;
    Eigen::Map<Eigen::Vector4d>(v + 3) = 0.5 * turned(frame.w, p);
  }
}

}  // namespace cosimo
