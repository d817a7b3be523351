#include "mechanics/joints.hpp"

#include <cmath>
#include <utility>

#include "mechanics/joint_layout.hpp"
#include "mechanics/joint_rows.hpp"

namespace cosimo {

namespace {

/// Rows between two markers that do not depend on time. The first of them mostly say that two points
/// coincide, h = scale (e_k . d): these are found without the axes of the markers, for every evaluation needs
/// them.
class Joint final : public Constraint {
 public:
  Joint(std::string joint_name, std::string_view kind, const JointSides& sides, std::vector<BilinearRow> rows)
      : Constraint(std::move(joint_name)),
        kind_(kind),
        joined_{{sides.from, sides.to, bodies_}, std::move(rows)} {
    while (points_ < size() && joins_points(row(points_))) ++points_;
    joined_.points = static_cast<std::size_t>(points_);
  }

  std::span<const BodyId> bodies() const override { return bodies_.ids(); }
  std::size_t rows() const override { return rows_.size(); }
  const JoinedRows* joined_rows() const override { return &joined_; }
  std::string_view kind() const override { return kind_; }
  bool is_length(std::size_t row) const override { return rows_[row].is_length(); }

  void residual(double /*t*/, BodyFrames frames, RowVector& g) const override {
    const PairView pair = pair_.view(frames);
    g.resize(size());
    for (Eigen::Index i = 0; i < size(); ++i) g[i] = value(row(i), pair);
  }

  void jacobian(double /*t*/, BodyFrames frames, ConstraintRows& J) const override {
    J.setZero(size(), columns());
    for (std::size_t side = 0; side < 2; ++side)
      if (pair_.slot[side] != BodyList::no_slot) points_jacobian(side, frames, J);
    if (points_ == size()) return;
    const PairView pair = pair_.view(frames);
    for (Eigen::Index i = points_; i < size(); ++i) pair_.add(gradient(row(i), pair), 1, i, J);
  }

  void drift(double /*t*/, BodyFrames /*frames*/, RowVector& g_t) const override { g_t.setZero(size()); }

  void curvature(double /*t*/, BodyFrames frames, RowVector& c) const override {
    c.setZero(size());
    for (std::size_t side = 0; side < 2; ++side)
      if (pair_.slot[side] != BodyList::no_slot) points_curvature(side, frames, c);
    if (points_ == size()) return;
    const PairView pair = pair_.view(frames);
    for (Eigen::Index i = points_; i < size(); ++i) c[i] = cosimo::curvature(row(i), pair);
  }

  void force_gradient(double /*t*/, BodyFrames frames, const RowVector& lambda,
                      ConstraintBlock& out) const override {
    const PairView pair = pair_.view(frames);
    Mat12 sum = Mat12::Zero();
    for (Eigen::Index i = 0; i < size(); ++i) sum += lambda[i] * hessian(row(i), pair);
    out.setZero(columns(), columns());
    pair_.add(sum, 1, out);
  }

  void rate_gradient(double /*t*/, BodyFrames frames, ConstraintRows& out) const override {
    const PairView pair = pair_.view(frames);
    out.setZero(size(), columns());
    for (Eigen::Index i = 0; i < size(); ++i)
      pair_.add(hessian(row(i), pair).transpose() * pair.twist, 1, i, out);
  }

  void reaction(double t, BodyFrames frames, const RowVector& lambda, Vec3& force,
                Vec3& torque) const override {
    ConstraintRows J;
    jacobian(t, frames, J);
    const bool on_to = pair_.slot[1] != BodyList::no_slot;
    reaction_on(pair_.slot[on_to ? 1 : 0], on_to ? pair_.to : pair_.from, frames, J, lambda, force, torque);
  }

 private:
  Eigen::Index size() const { return static_cast<Eigen::Index>(rows_.size()); }
  Eigen::Index columns() const { return 6 * static_cast<Eigen::Index>(bodies_.ids().size()); }
  const BilinearRow& row(Eigen::Index i) const { return rows_[static_cast<std::size_t>(i)]; }

  static bool joins_points(const BilinearRow& row) {
    return row.u.origin == JointVector::Origin::global && row.v.origin == JointVector::Origin::difference;
  }
  const Marker& marker(std::size_t side) const { return side == 0 ? pair_.from : pair_.to; }
  const Frame& frame(std::size_t side, BodyFrames frames) const {
    return frames[static_cast<std::size_t>(pair_.slot[side])];
  }

  /// d(e_k . d) = e_k . dr + (s x e_k) . dtheta on the side of `to`, the opposite on that of `from`.
  void points_jacobian(std::size_t side, BodyFrames frames, ConstraintRows& J) const {
    const Vec3 s = frame(side, frames).R * marker(side).point;
    const Eigen::Index move = Eigen::Index{6} * pair_.slot[side], turn = move + 3;
    for (Eigen::Index i = 0; i < points_; ++i) {
      const Eigen::Index k = row(i).u.axis, next = (k + 1) % 3, last = (k + 2) % 3;
      const double scale = side == 0 ? -row(i).scale : row(i).scale;
      J(i, move + k) = scale;
      J(i, turn + next) = scale * s[last];
      J(i, turn + last) = -scale * s[next];
    }
  }

  /// w x (w x s), added for `to` and subtracted for `from`.
  void points_curvature(std::size_t side, BodyFrames frames, RowVector& c) const {
    const Frame& body = frame(side, frames);
    const Vec3 s = body.R * marker(side).point;
    const Vec3 centripetal = body.w.dot(s) * body.w - body.w.squaredNorm() * s;
    for (Eigen::Index i = 0; i < points_; ++i)
      c[i] += (side == 0 ? -row(i).scale : row(i).scale) * centripetal[row(i).u.axis];
  }

  std::string_view kind_;  ///< of a literal
  BodyList bodies_;        ///< before the pair, which fills it
  JoinedRows joined_;
  const std::vector<BilinearRow>& rows_ = joined_.rows;
  const JoinedPair& pair_ = joined_.pair;
  Eigen::Index points_ = 0;  ///< leading rows that join points
};

}  // namespace

std::string_view name_of(JointKind kind) {
  static constexpr std::array<std::string_view, 7> names{"revolute",  "prismatic", "cylindrical", "universal",
                                                         "spherical", "planar",    "fixed"};
  return names[static_cast<std::size_t>(kind)];
}

std::unique_ptr<Constraint> make_joint(std::string name, JointKind kind, const JointSides& sides) {
  std::vector<BilinearRow> rows = rows_between(name, kind, sides);
  return std::make_unique<Joint>(std::move(name), name_of(kind), sides, std::move(rows));
}

std::unique_ptr<Constraint> make_distance(std::string name, const JointSides& sides, double length) {
  check_ends(name, sides);
  if (!(length > 0) || !std::isfinite(length))
    refuse(name, "a rigid distance of " + std::to_string(length),
           "give a positive length; points that coincide are a spherical joint");
  // (d.d - L^2)/(2 L): a length, with a gradient of size one.
  const BilinearRow row{.u = {}, .v = {}, .scale = 0.5 / length, .constant = length * length};
  return std::make_unique<Joint>(std::move(name), "distance", sides, std::vector{row});
}

}  // namespace cosimo
