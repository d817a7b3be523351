#include "mechanics/measure.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "mechanics/joint_layout.hpp"

namespace cosimo {

namespace {

using Origin = JointVector::Origin;

constexpr BilinearRow cosine{{Origin::to, 0}, {Origin::from, 0}};
constexpr BilinearRow sine{{Origin::to, 0}, {Origin::from, 1}};
constexpr BilinearRow along{{Origin::from, 2}, {Origin::difference, 0}};

/// Derivatives of atan2(y, x). Where b_x is parallel to the axis the angle has no value; the floor keeps
/// the numbers finite there.
struct AngleSlopes {
  double x, y, xx, xy, yy;
  explicit AngleSlopes(const PairView& pair) {
    const double cos = value(cosine, pair), sin = value(sine, pair);
    const double square = std::max(cos * cos + sin * sin, 1e-30);
    x = -sin / square;
    y = cos / square;
    xx = -2 * x * y;
    yy = 2 * x * y;
    xy = x * x - y * y;
  }
};

}  // namespace

double measure(Quantity quantity, const PairView& pair) {
  if (quantity == Quantity::displacement) return value(along, pair);
  return std::atan2(value(sine, pair), value(cosine, pair));
}

Vec12 measure_gradient(Quantity quantity, const PairView& pair) {
  if (quantity == Quantity::displacement) return gradient(along, pair);
  const AngleSlopes slope(pair);
  return slope.x * gradient(cosine, pair) + slope.y * gradient(sine, pair);
}

Mat12 measure_hessian(Quantity quantity, const PairView& pair) {
  if (quantity == Quantity::displacement) return hessian(along, pair);
  const AngleSlopes slope(pair);
  const Vec12 Jx = gradient(cosine, pair), Jy = gradient(sine, pair);
  Mat12 H = slope.x * hessian(cosine, pair) + slope.y * hessian(sine, pair);
  H += Jx * (slope.xx * Jx + slope.xy * Jy).transpose();
  H += Jy * (slope.xy * Jx + slope.yy * Jy).transpose();
  return H;
}

void check_measure(const std::string& name, Quantity quantity, const JointSides& sides) {
  check_ends(name, sides);
  const bool from_point = is_point_mass(sides.from, sides.from_kind);
  if (quantity == Quantity::angle && (from_point || is_point_mass(sides.to, sides.to_kind)))
    refuse(name, "a point mass has no angle", "name a planar or a rigid body");
  if (from_point)
    refuse(name, "its axis would belong to a point mass, which has no orientation",
           "name the body that guides the point mass as `from`");
  if (!stays_in_plane(sides.from, sides.from_kind) || !stays_in_plane(sides.to, sides.to_kind)) return;
  const double slope = sides.from.axes.col(2).head<2>().norm(),
               slope_to = sides.to.axes.col(2).head<2>().norm();
  constexpr double crooked = 1e-8;
  if (quantity == Quantity::angle && std::max(slope, slope_to) > crooked)
    refuse(name, "bodies in the plane do not turn about this axis", "make z its axis");
  if (quantity == Quantity::displacement && slope < crooked)
    refuse(name, "bodies in the plane do not move along this axis", "turn its axis into the plane");
}

MeasuredConstraint::MeasuredConstraint(std::string constraint_name, std::string_view kind, Quantity quantity,
                                       std::span<const Term> terms, double offset,
                                       std::optional<PrescribedMotion> motion)
    : Constraint(std::move(constraint_name)),
      kind_(kind),
      quantity_(quantity),
      offset_(offset),
      motion_(std::move(motion)) {
  for (const Term& term : terms) {
    terms_.push_back({JoinedPair(term.from, term.to, bodies_), static_cast<double>(term.factor)});
    divisor_ = std::max(divisor_, std::abs(terms_.back().factor));
  }
}

void MeasuredConstraint::residual(double t, BodyFrames frames, RowVector& g) const {
  double sum = -offset_;
  if (motion_) sum -= motion_->value(t);
  for (const Weighted& term : terms_) sum += term.factor * measure(quantity_, term.pair.view(frames));
  if (quantity_ == Quantity::angle) sum = std::remainder(sum, 2 * std::numbers::pi);
  g.resize(1);
  g[0] = sum / divisor_;
}

void MeasuredConstraint::jacobian(double /*t*/, BodyFrames frames, ConstraintRows& J) const {
  J.setZero(1, columns());
  for (const Weighted& term : terms_)
    term.pair.add(measure_gradient(quantity_, term.pair.view(frames)), term.factor / divisor_, 0, J);
}

void MeasuredConstraint::drift(double t, BodyFrames /*frames*/, RowVector& g_t) const {
  g_t.setZero(1);
  if (motion_) g_t[0] = -motion_->at(t).rate / divisor_;
}

void MeasuredConstraint::curvature(double t, BodyFrames frames, RowVector& c) const {
  double sum = motion_ ? -motion_->at(t).acceleration : 0.0;
  for (const Weighted& term : terms_) {
    const PairView pair = term.pair.view(frames);
    sum += term.factor * pair.twist.dot(measure_hessian(quantity_, pair) * pair.twist);
  }
  c.resize(1);
  c[0] = sum / divisor_;
}

void MeasuredConstraint::force_gradient(double /*t*/, BodyFrames frames, const RowVector& lambda,
                                        ConstraintBlock& out) const {
  out.setZero(columns(), columns());
  for (const Weighted& term : terms_)
    term.pair.add(measure_hessian(quantity_, term.pair.view(frames)), lambda[0] * term.factor / divisor_,
                  out);
}

void MeasuredConstraint::rate_gradient(double /*t*/, BodyFrames frames, ConstraintRows& out) const {
  out.setZero(1, columns());
  for (const Weighted& term : terms_) {
    const PairView pair = term.pair.view(frames);
    term.pair.add(measure_hessian(quantity_, pair).transpose() * pair.twist, term.factor / divisor_, 0, out);
  }
}

double MeasuredConstraint::next_breakpoint(double t) const {
  return motion_ ? motion_->next_breakpoint(t) : Constraint::next_breakpoint(t);
}

void MeasuredConstraint::reaction(double t, BodyFrames frames, const RowVector& lambda, Vec3& force,
                                  Vec3& torque) const {
  ConstraintRows J;
  jacobian(t, frames, J);
  const int last = static_cast<int>(bodies_.ids().size()) - 1;
  const Marker* marker = nullptr;  // where the last body was named last
  for (const Weighted& term : terms_) {
    if (term.pair.slot[0] == last) marker = &term.pair.from;
    if (term.pair.slot[1] == last) marker = &term.pair.to;
  }
  reaction_on(last, *marker, frames, J, lambda, force, torque);
}

}  // namespace cosimo
