#include "model/cut_effort.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.hpp"
#include "mechanics/mechanism.hpp"

namespace cosimo {

namespace {

/// E(p) of the header, 3 x 4.
Eigen::Matrix<double, 3, 4> turning(const double* p) {
  Eigen::Matrix<double, 3, 4> E;
  E << -p[1], p[0], -p[3], p[2],  //
      -p[2], p[3], p[0], -p[1],   //
      -p[3], -p[2], p[1], p[0];
  return E;
}

/// The smallest moment of inertia that a body has about an axis it can turn about; infinite for points.
double least_inertia(const Body& body) {
  if (body.kind == BodyKind::planar) return body.inertia(2, 2);
  if (body.kind != BodyKind::rigid) return std::numeric_limits<double>::infinity();
  // Gershgorin's bound from below, where it says something; otherwise the smallest on the diagonal.
  double bound = std::numeric_limits<double>::infinity(), diagonal = bound;
  for (Eigen::Index i = 0; i < 3; ++i) {
    const double entry = body.inertia(i, i);
    bound = std::min(bound, 2 * entry - body.inertia.row(i).cwiseAbs().sum());
    diagonal = std::min(diagonal, entry);
  }
  return bound > 0.1 * diagonal ? bound : 0.1 * diagonal;
}

}  // namespace

FrameSlopes frame_slopes(BodyKind kind, const double* q, const double* v) {
  FrameSlopes out;
  const auto components = freedom_components(kind);
  if (kind != BodyKind::rigid) {
    for (std::size_t k = 0; k < components.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      out.x(components[k], column) = 1;
      out.v(6 + components[k], column) = 1;
    }
    return out;
  }
  out.x.topLeftCorner<3, 3>().setIdentity();
  out.v.block<3, 3>(6, 0).setIdentity();
  const Eigen::Map<const Eigen::Vector4d> p(q + 3), rate(v + 3);
  const double scale = 2 / p.squaredNorm();
  const Eigen::Matrix<double, 3, 4> E = turning(q + 3);
  const Vec3 w = scale * (E * rate);
  out.x.block<3, 4>(3, 3) = scale * E;
  out.x.block<3, 4>(9, 3) = -scale * (turning(v + 3) + w * p.transpose());
  out.v.block<3, 4>(9, 3) = scale * E;
  return out;
}

CutEffort::CutEffort(const Model& model, ElementId element)
    : element_(model.mechanism->elements[element.index()].get()) {
  const ElementEnds ends = ends_of(model, element);
  COSIMO_CHECK(ends.from != ground && ends.to != ground, "a cut element joins two bodies");
  from_ = &model.mechanism->bodies[ends.from.index()];
  to_ = &model.mechanism->bodies[ends.to.index()];
  const EffortMask mask = coupling_components(model, element), all = element_->components();
  for (std::size_t k = 0; k < effort_size; ++k)
    if (mask[k]) active_[count_++] = static_cast<std::uint8_t>(k);
  reverse_torque_ = (all >> 3).any() && (all >> 6).none();
}

bool CutEffort::effort(double t, const Frame& from, const Frame& to, Effort& out) const {
  if (!element_->effort(t, marker_frame(from, element_->at_from), marker_frame(to, element_->at_to), out))
    return false;
  if (reverse_torque_) out.torque_to = -out.torque_from;
  return true;
}

void CutEffort::evaluate(double t, BodyMotion from, BodyMotion to, double* u) const {
  Effort out;
  if (!effort(t, frame_of(from_->kind, from.x, from.v), frame_of(to_->kind, to.x, to.v), out)) {
    std::fill_n(u, count_, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const std::array<const Vec3*, 3> parts{&out.force, &out.torque_from, &out.torque_to};
  for (std::size_t k = 0; k < count_; ++k)
    u[k] = (*parts[active_[k] / 3U])[static_cast<Eigen::Index>(active_[k] % 3U)];
}

void CutEffort::switches(double t, BodyMotion from, BodyMotion to, Switch* out) const {
  element_->switches(t, marker_frame(frame_of(from_->kind, from.x, from.v), element_->at_from),
                     marker_frame(frame_of(to_->kind, to.x, to.v), element_->at_to), out);
}

Effort CutEffort::effort_of(const double* u) const {
  Effort out;
  const std::array<Vec3*, 3> parts{&out.force, &out.torque_from, &out.torque_to};
  for (std::size_t k = 0; k < count_; ++k)
    (*parts[active_[k] / 3U])[static_cast<Eigen::Index>(active_[k] % 3U)] = u[k];
  if (reverse_torque_) out.torque_to = -out.torque_from;
  return out;
}

void CutEffort::gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const {
  element_->gradient(t, marker_frame(from, element_->at_from), marker_frame(to, element_->at_to), out);
  out.from = (out.from * marker_jacobian(from, element_->at_from)).eval();
  out.to = (out.to * marker_jacobian(to, element_->at_to)).eval();
  if (!reverse_torque_) return;
  out.from.bottomRows<3>() = -out.from.middleRows<3>(3);
  out.to.bottomRows<3>() = -out.to.middleRows<3>(3);
}

void CutEffort::slopes(double t, BodyMotion from, BodyMotion to, EffortSlopes& by_from,
                       EffortSlopes& by_to) const {
  EffortGradient g;
  gradient(t, frame_of(from_->kind, from.x, from.v), frame_of(to_->kind, to.x, to.v), g);
  const FrameSlopes at_from = frame_slopes(from_->kind, from.x, from.v);
  const FrameSlopes at_to = frame_slopes(to_->kind, to.x, to.v);
  by_from.x.noalias() = g.from * at_from.x;
  by_from.v.noalias() = g.from * at_from.v;
  by_to.x.noalias() = g.to * at_to.x;
  by_to.v.noalias() = g.to * at_to.v;
}

CutEffort::Rate CutEffort::own_rate(CutSide side, const Frame& body, const EffortGradient& gradient) const {
  const Body& own = side == CutSide::from ? *from_ : *to_;
  const auto& g = side == CutSide::from ? gradient.from : gradient.to;
  const Eigen::Matrix<double, 6, 12> on_body = wrench_slopes(side, body.R * marker(side).point, g);
  const double per_mass = 1 / std::sqrt(own.mass), per_inertia = 1 / std::sqrt(least_inertia(own));
  const auto weight = [&](std::uint8_t component) { return component < 3 ? per_mass : per_inertia; };
  Rate rate;
  for (const std::uint8_t i : freedom_components(own.kind))
    for (const std::uint8_t j : freedom_components(own.kind)) {
      const double both = weight(i) * weight(j);
      rate.stiffness += std::pow(both * on_body(i, j), 2);
      rate.damping += std::pow(both * on_body(i, j + 6), 2);
    }
  return {std::sqrt(rate.stiffness), std::sqrt(rate.damping)};
}

double CutEffort::fastest_rate(double t, BodyMotion from, BodyMotion to) const {
  const Frame at_from = frame_of(from_->kind, from.x, from.v), at_to = frame_of(to_->kind, to.x, to.v);
  EffortGradient g;
  gradient(t, at_from, at_to, g);
  const Rate a = own_rate(CutSide::from, at_from, g), b = own_rate(CutSide::to, at_to, g);
  return std::max(std::sqrt(a.stiffness + b.stiffness), a.damping + b.damping);
}

double CutEffort::arm() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Body* body : {from_, to_}) {
    if (body->kind == BodyKind::planar) least = std::min(least, body->inertia(2, 2) / body->mass);
    if (body->kind == BodyKind::rigid)
      least = std::min(least,
                       body->inertia.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff() / body->mass);
  }
  return std::isfinite(least) ? std::sqrt(least) : 0;
}

}  // namespace cosimo
