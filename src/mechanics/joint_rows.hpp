// What joints are made of: products of two vectors that are fixed in the bodies, or join them.
//
//   h = scale (u . v - constant),   u, v one of   e_k   global axis k
//                                                 a_k   axis k of the `from` marker
//                                                 b_k   axis k of the `to` marker
//                                                 d     from the `from` marker to the `to` marker
//
// A displacement (dr, dtheta) of both bodies turns a_k and b_k and moves and turns the ends of d, s being the
// way from a centre of mass to its marker:
//
//   da = dtheta_from x a,   db = dtheta_to x b,
//   dd = dr_to + dtheta_to x s_to - dr_from - dtheta_from x s_from.
//
// All derivatives follow by the product rule. With J = dh/dx and H_ij = dJ_i/dx_j (x the twelve displacements
// in the order dr_from, dtheta_from, dr_to, dtheta_to) a constraint needs no more:
//
//   curvature = w^T H w,   rate gradient = w^T H,   force gradient = lambda H,   w = dx/dt.
//
// H is not symmetric, as rotations do not commute. The curvature is also found directly, from the centripetal
// parts of u and v: it belongs to every evaluation of accelerations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mechanics/constraint.hpp"

namespace cosimo {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

/// The two sides of a joint as they are now, along the global axes.
struct PairView {
  std::array<Mat3, 2> axes;  ///< of the markers; 0 is `from`, 1 is `to`
  std::array<Vec3, 2> s;     ///< from the centres of mass to the markers
  Vec3 d;                    ///< from marker to marker
  Vec12 twist;               ///< v, w of `from`, v, w of `to`
};
PairView view_pair(const Frame& from, const Frame& to, const Marker& at_from, const Marker& at_to);

struct JointVector {
  enum class Origin : std::uint8_t { global, from, to, difference };
  Origin origin = Origin::difference;
  std::uint8_t axis = 0;
  friend bool operator==(const JointVector&, const JointVector&) = default;
};

struct BilinearRow {
  JointVector u, v;
  double scale = 1, constant = 0;
  /// Limits a displacement; otherwise an angle.
  bool is_length() const;
};

double value(const BilinearRow& row, const PairView& pair);
Vec12 gradient(const BilinearRow& row, const PairView& pair);
Mat12 hessian(const BilinearRow& row, const PairView& pair);
double curvature(const BilinearRow& row, const PairView& pair);

/// The bodies of a constraint, each once and without the ground, in the order they were named.
class BodyList {
 public:
  static constexpr int no_slot = -1;
  /// The place of a body in the list, which it joins if it is new; `no_slot` for the ground.
  int slot(BodyId body);
  std::span<const BodyId> ids() const { return {ids_.data(), count_}; }

 private:
  std::array<BodyId, most_ends> ids_{};
  std::size_t count_ = 0;
};

/// Two markers and where the frames and the columns of their bodies are in a constraint.
struct JoinedPair {
  JoinedPair(const Marker& at_from, const Marker& at_to, BodyList& bodies);

  PairView view(BodyFrames frames) const;
  /// Adds `factor` times twelve columns to a row of the constraint, or a block of them to its square.
  void add(const Vec12& columns, double factor, Eigen::Index row, ConstraintRows& out) const;
  void add(const Mat12& block, double factor, ConstraintBlock& out) const;

  Marker from, to;
  std::array<int, 2> slot;
};

/// All that a constraint is made of.
struct JoinedRows {
  JoinedPair pair;
  std::vector<BilinearRow> rows;
  /// Leading rows that join points, h = scale (e_k . d), each with an axis of its own.
  std::size_t points = 0;
};

/// Force and torque -J^T lambda on the body in `slot`, the torque about its marker.
void reaction_on(int slot, const Marker& marker, BodyFrames frames, const ConstraintRows& J,
                 const RowVector& lambda, Vec3& force, Vec3& torque);

}  // namespace cosimo
