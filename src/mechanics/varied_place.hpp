// Measures of two frames with exact first and second derivatives, from one formula.
//
// A measure is a function of the places of two markers, written for any kind of number:
//
//   const auto distance = [](const auto& from, const auto& to) {
//     const auto d = to.r - from.r;
//     return std::array{sqrt(dot(d, d))};
//   };
//   const Measured<1> now = measured<1>(distance, from, to);          // s, J
//   const Curved<1> bent = curved<1>(distance, from, to);             // and H
//
// with x the twelve displacements (dr, dtheta) of both frames, J = ds/dx and H_ij = dJ_i/dx_j as in
// mechanics/joint_rows.hpp: a displacement turns the axes by dtheta x axis, and that of H comes first.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "mechanics/along.hpp"
#include "numerics/dual.hpp"

namespace cosimo {

template <class T>
struct Triple {
  T x{}, y{}, z{};

  friend Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Triple operator*(const T& c, const Triple& a) { return {c * a.x, c * a.y, c * a.z}; }
};
template <class T>
T dot(const Triple<T>& a, const Triple<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Triple<T> cross(const Triple<T>& a, const Triple<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Where a marker is: point and axes.
template <class T>
struct VariedPlace {
  Triple<T> r;
  std::array<Triple<T>, 3> axis;
};

inline VariedPlace<double> place_of(const Frame& frame) {
  const auto triple = [](const auto& v) { return Triple<double>{v[0], v[1], v[2]}; };
  return {triple(frame.r), {triple(frame.R.col(0)), triple(frame.R.col(1)), triple(frame.R.col(2))}};
}

/// With derivatives by the displacements first ... first + 5 of twelve.
template <class S>
VariedPlace<Dual<12, S>> varied(const VariedPlace<S>& at, std::size_t first) {
  using D = Dual<12, S>;
  const auto constant = [](const Triple<S>& v) {
    Triple<D> out;
    out.x.v = v.x;
    out.y.v = v.y;
    out.z.v = v.z;
    return out;
  };
  VariedPlace<D> out;
  out.r = constant(at.r);
  out.r.x.d[first] = out.r.y.d[first + 1] = out.r.z.d[first + 2] = S(1.0);
  for (std::size_t k = 0; k < 3; ++k) {
    const Triple<S>& e = at.axis[k];
    Triple<D>& to = out.axis[k] = constant(e);
    to.y.d[first + 3] = -e.z;  // (1, 0, 0) x e
    to.z.d[first + 3] = e.y;
    to.x.d[first + 4] = e.z;
    to.z.d[first + 4] = -e.x;
    to.x.d[first + 5] = -e.y;
    to.y.d[first + 5] = e.x;
  }
  return out;
}

template <std::size_t count>
using Measured = std::array<Travel, count>;

struct CurvedTravel : Travel {
  Mat12 H = Mat12::Zero();
};
template <std::size_t count>
using Curved = std::array<CurvedTravel, count>;

inline Vec12 pair_twist(const Frame& from, const Frame& to) {
  Vec12 twist;
  twist << from.v, from.w, to.v, to.w;
  return twist;
}

template <std::size_t count, class Measure>
Measured<count> measured(const Measure& measure, const Frame& from, const Frame& to) {
  const auto found = measure(varied(place_of(from), 0), varied(place_of(to), 6));
  const Vec12 twist = pair_twist(from, to);
  Measured<count> out;
  for (std::size_t n = 0; n < count; ++n) {
    out[n].s = found[n].v;
    for (std::size_t i = 0; i < 12; ++i) out[n].J[static_cast<Eigen::Index>(i)] = found[n].d[i];
    out[n].rate = out[n].J.dot(twist);
  }
  return out;
}

template <std::size_t count, class Measure>
Curved<count> curved(const Measure& measure, const Frame& from, const Frame& to) {
  const auto found = measure(varied(varied(place_of(from), 0), 0), varied(varied(place_of(to), 6), 6));
  const Vec12 twist = pair_twist(from, to);
  Curved<count> out;
  for (std::size_t n = 0; n < count; ++n) {
    out[n].s = found[n].v.v;
    for (std::size_t i = 0; i < 12; ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      out[n].J[row] = found[n].d[i].v;
      for (std::size_t j = 0; j < 12; ++j) out[n].H(row, static_cast<Eigen::Index>(j)) = found[n].d[i].d[j];
    }
    out[n].rate = out[n].J.dot(twist);
  }
  return out;
}

/// The effort of a force that counts positive where it makes s smaller, and its derivatives
/// (mechanics/along.hpp).
inline Effort effort_of(const Travel& at, double force) {
  Effort out;
  out.force = -force * at.J.head<3>();
  out.torque_from = -force * at.J.segment<3>(3);
  out.torque_to = -force * at.J.tail<3>();
  return out;
}
inline void gradient_of(const CurvedTravel& at, const Vec12& twist, const ForceAlong& law,
                        EffortGradient& out) {
  const Mat12 by_x =
      -at.J * (law.by_s * at.J + law.by_rate * (at.H.transpose() * twist)).transpose() - law.force * at.H;
  const Mat12 by_w = -law.by_rate * at.J * at.J.transpose();
  for (const bool end : {false, true}) {
    EffortGradient::Block& block = end ? out.to : out.from;
    const Eigen::Index column = end ? 6 : 0;
    block.setZero();
    for (const auto& [row, first] : {std::pair<Eigen::Index, Eigen::Index>{0, 0}, {3, 3}, {6, 9}}) {
      block.block<3, 6>(row, 0) = by_x.block<3, 6>(first, column);
      block.block<3, 6>(row, 6) = by_w.block<3, 6>(first, column);
    }
  }
}

}  // namespace cosimo
