#include "mechanics/joint_rows.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "core/check.hpp"

namespace cosimo {

namespace {

using Origin = JointVector::Origin;
using Wide = Eigen::Matrix<double, 3, 12>;

constexpr Eigen::Index turn_from = 3, move_to = 6, turn_to = 9;  // first columns; move_from is 0

Vec3 vector_of(const JointVector& u, const PairView& pair) {
  switch (u.origin) {
    case Origin::global:
      return Vec3::Unit(u.axis);
    case Origin::from:
      return pair.axes[0].col(u.axis);
    case Origin::to:
      return pair.axes[1].col(u.axis);
    case Origin::difference:
      return pair.d;
  }
  return Vec3::Zero();
}

/// du/dt.
Vec3 rate_of(const JointVector& u, const PairView& pair) {
  const Vec3 w_from = pair.twist.segment<3>(turn_from), w_to = pair.twist.segment<3>(turn_to);
  switch (u.origin) {
    case Origin::global:
      return Vec3::Zero();
    case Origin::from:
      return w_from.cross(vector_of(u, pair));
    case Origin::to:
      return w_to.cross(vector_of(u, pair));
    case Origin::difference:
      return pair.twist.segment<3>(move_to) + w_to.cross(pair.s[1]) - pair.twist.head<3>() -
             w_from.cross(pair.s[0]);
  }
  return Vec3::Zero();
}

/// d2u/dt2 without accelerations.
Vec3 centripetal_of(const JointVector& u, const PairView& pair) {
  const Vec3 w_from = pair.twist.segment<3>(turn_from), w_to = pair.twist.segment<3>(turn_to);
  switch (u.origin) {
    case Origin::global:
      return Vec3::Zero();
    case Origin::from:
      return w_from.cross(w_from.cross(vector_of(u, pair)));
    case Origin::to:
      return w_to.cross(w_to.cross(vector_of(u, pair)));
    case Origin::difference:
      return w_to.cross(w_to.cross(pair.s[1])) - w_from.cross(w_from.cross(pair.s[0]));
  }
  return Vec3::Zero();
}

/// J += (du/dx)^T p.
void add_gradient(const JointVector& u, const Vec3& p, const PairView& pair, Vec12& J) {
  switch (u.origin) {
    case Origin::global:
      return;
    case Origin::from:
      J.segment<3>(turn_from) += pair.axes[0].col(u.axis).cross(p);
      return;
    case Origin::to:
      J.segment<3>(turn_to) += pair.axes[1].col(u.axis).cross(p);
      return;
    case Origin::difference:
      J.head<3>() -= p;
      J.segment<3>(turn_from) -= pair.s[0].cross(p);
      J.segment<3>(move_to) += p;
      J.segment<3>(turn_to) += pair.s[1].cross(p);
      return;
  }
}

/// du/dx.
Wide jacobian_of(const JointVector& u, const PairView& pair) {
  Wide out = Wide::Zero();
  switch (u.origin) {
    case Origin::global:
      break;
    case Origin::from:
      out.middleCols<3>(turn_from) = -skew(vector_of(u, pair));
      break;
    case Origin::to:
      out.middleCols<3>(turn_to) = -skew(vector_of(u, pair));
      break;
    case Origin::difference:
      out.leftCols<3>() = -Mat3::Identity();
      out.middleCols<3>(turn_from) = skew(pair.s[0]);
      out.middleCols<3>(move_to) = Mat3::Identity();
      out.middleCols<3>(turn_to) = -skew(pair.s[1]);
      break;
  }
  return out;
}

/// H += d((du/dx)^T p)/dx for constant p: the change of c x p, c turned by dtheta, is p x (c x dtheta).
void add_second(const JointVector& u, const Vec3& p, const PairView& pair, Mat12& H) {
  const auto turned = [&](Eigen::Index at, const Vec3& c, double sign) {
    H.block<3, 3>(at, at) += sign * skew(p) * skew(c);
  };
  switch (u.origin) {
    case Origin::global:
      return;
    case Origin::from:
      return turned(turn_from, vector_of(u, pair), 1);
    case Origin::to:
      return turned(turn_to, vector_of(u, pair), 1);
    case Origin::difference:
      turned(turn_from, pair.s[0], -1);
      return turned(turn_to, pair.s[1], 1);
  }
}

const Frame of_ground{};

const Frame& frame_at(int slot, BodyFrames frames) {
  return slot == BodyList::no_slot ? of_ground : frames[static_cast<std::size_t>(slot)];
}

}  // namespace

PairView view_pair(const Frame& from, const Frame& to, const Marker& at_from, const Marker& at_to) {
  PairView pair;
  pair.axes = {from.R * at_from.axes, to.R * at_to.axes};
  pair.s = {from.R * at_from.point, to.R * at_to.point};
  pair.d = to.r - from.r + pair.s[1] - pair.s[0];
  pair.twist << from.v, from.w, to.v, to.w;
  return pair;
}

bool BilinearRow::is_length() const {
  return u.origin == Origin::difference || v.origin == Origin::difference;
}

double value(const BilinearRow& row, const PairView& pair) {
  return row.scale * (vector_of(row.u, pair).dot(vector_of(row.v, pair)) - row.constant);
}

Vec12 gradient(const BilinearRow& row, const PairView& pair) {
  Vec12 J = Vec12::Zero();
  add_gradient(row.u, row.scale * vector_of(row.v, pair), pair, J);
  add_gradient(row.v, row.scale * vector_of(row.u, pair), pair, J);
  return J;
}

Mat12 hessian(const BilinearRow& row, const PairView& pair) {
  const Wide U = jacobian_of(row.u, pair), V = jacobian_of(row.v, pair);
  Mat12 H = U.transpose().lazyProduct(V);
  H += H.transpose().eval();
  add_second(row.u, vector_of(row.v, pair), pair, H);
  add_second(row.v, vector_of(row.u, pair), pair, H);
  return row.scale * H;
}

double curvature(const BilinearRow& row, const PairView& pair) {
  const Vec3 u = vector_of(row.u, pair), v = vector_of(row.v, pair);
  return row.scale *
         (centripetal_of(row.u, pair).dot(v) + 2 * rate_of(row.u, pair).dot(rate_of(row.v, pair)) +
          u.dot(centripetal_of(row.v, pair)));
}

int BodyList::slot(BodyId body) {
  if (body == ground) return no_slot;
  const auto last = ids_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto found = std::find(ids_.begin(), last, body);
  if (found == last) {
    COSIMO_CHECK(count_ < most_ends, "bodies of a constraint");
    ids_[count_++] = body;
  }
  return static_cast<int>(found - ids_.begin());
}

JoinedPair::JoinedPair(const Marker& at_from, const Marker& at_to, BodyList& bodies)
    : from(at_from), to(at_to), slot{bodies.slot(at_from.body), bodies.slot(at_to.body)} {}

PairView JoinedPair::view(BodyFrames frames) const {
  return view_pair(frame_at(slot[0], frames), frame_at(slot[1], frames), from, to);
}

void JoinedPair::add(const Vec12& columns, double factor, Eigen::Index row, ConstraintRows& out) const {
  for (std::size_t side = 0; side < 2; ++side) {
    if (slot[side] == BodyList::no_slot) continue;
    out.block<1, 6>(row, Eigen::Index{6} * slot[side]) +=
        factor * columns.segment<6>(6 * static_cast<Eigen::Index>(side)).transpose();
  }
}

void JoinedPair::add(const Mat12& block, double factor, ConstraintBlock& out) const {
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j) {
      if (slot[i] == BodyList::no_slot || slot[j] == BodyList::no_slot) continue;
      out.block<6, 6>(Eigen::Index{6} * slot[i], Eigen::Index{6} * slot[j]) +=
          factor * block.block<6, 6>(6 * static_cast<Eigen::Index>(i), 6 * static_cast<Eigen::Index>(j));
    }
}

void reaction_on(int slot, const Marker& marker, BodyFrames frames, const ConstraintRows& J,
                 const RowVector& lambda, Vec3& force, Vec3& torque) {
  const Vec6 wrench = -J.middleCols<6>(Eigen::Index{6} * slot).transpose() * lambda;
  const Vec3 s = frames[static_cast<std::size_t>(slot)].R * marker.point;
  force = wrench.head<3>();
  torque = wrench.tail<3>() - s.cross(force);
}

}  // namespace cosimo
