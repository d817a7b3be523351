// What formulas of applied forces know of two markers (mechanics/elements.hpp), how it changes with the frame
// of `to`, and the effort that balances a force and a torque on `to`.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "mechanics/along.hpp"

namespace cosimo::applied {

inline constexpr Eigen::Index variable_count = 13;
/// Places of the variables; (x, y, z), (vx, vy, vz), (wx, wy, wz) follow each other.
struct At {
  static constexpr Eigen::Index time = 0, x = 1, vx = 4, angle = 7, wx = 8, length = 11, rate = 12;
};

using Values = Eigen::Matrix<double, variable_count, 1>;
using VariableGradient = Eigen::Matrix<double, variable_count, 12>;

/// The angle about the z axis of `from`, of B = R_from^T R_to: atan2(sine, cosine) of the rotation's part
/// about z.
struct AngleAboutZ {
  explicit AngleAboutZ(const Mat3& B) : sine(B(1, 0) - B(0, 1)), cosine(B(0, 0) + B(1, 1)) {}
  double sine, cosine;
};

inline Values values_of(double t, const Frame& from, const Frame& to, const double* last) {
  const Vec3 delta = to.r - from.r, u = to.v - from.v;
  const AngleAboutZ turned(from.R.transpose() * to.R);
  Values out;
  out[At::time] = t;
  out.segment<3>(At::x) = delta;
  out.segment<3>(At::vx) = u;
  out[At::angle] = with_all_turns(std::atan2(turned.sine, turned.cosine), from, to, last);
  out.segment<3>(At::wx) = to.w - from.w;
  out[At::length] = delta.norm();
  out[At::rate] = out[At::length] > 0 ? delta.dot(u) / out[At::length] : 0;
  return out;
}

/// With respect to the frame of `to`. Those of `from` are the opposite: only differences enter.
inline VariableGradient variable_gradient(const Frame& from, const Frame& to) {
  const Vec3 delta = to.r - from.r, u = to.v - from.v;
  VariableGradient out = VariableGradient::Zero();
  out.block<3, 3>(At::x, 0).setIdentity();
  out.block<3, 3>(At::vx, 6).setIdentity();
  out.block<3, 3>(At::wx, 9).setIdentity();
  if (const double L = delta.norm(); L > 0) {
    const Vec3 n = delta / L;
    out.block<1, 3>(At::length, 0) = n.transpose();
    out.block<1, 3>(At::rate, 0) = (u - n.dot(u) * n).transpose() / L;
    out.block<1, 3>(At::rate, 6) = n.transpose();
  }
  // dB = skew(chi) B: the column e of B changes by chi x e.
  const Mat3 B = from.R.transpose() * to.R;
  const AngleAboutZ turned(B);
  const Mat3 first = -skew(B.col(0)), second = -skew(B.col(1));
  const Eigen::RowVector3d sine = first.row(1) - second.row(0), cosine = first.row(0) + second.row(1);
  const double square = turned.sine * turned.sine + turned.cosine * turned.cosine;
  if (square > 0)
    out.block<1, 3>(At::angle, 3) =
        (turned.cosine * sine - turned.sine * cosine) / square * from.R.transpose();
  return out;
}

inline Effort balanced(const Vec6& F, const Vec3& delta) {
  const Vec3 force = F.head<3>(), torque = F.tail<3>();
  return {-force, -torque - delta.cross(force), torque};
}

}  // namespace cosimo::applied
