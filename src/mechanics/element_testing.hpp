// What every force element is tested for, at random states:
//
//   gradient_error      analytic gradient against differences, with respect to the markers' frames
//   body_gradient_error the same through marker_jacobian(), with respect to the frames of the bodies
//   unbalanced          net force and net moment about the origin
//   work_error          d(potential) = -(work of the effort), bodies at rest
//   power               of the effort on both bodies
#pragma once

#include <algorithm>
#include <utility>

#include "mechanics/force_element.hpp"
#include "mechanics/testing.hpp"

namespace cosimo::testing {

inline Eigen::VectorXd stacked(const Effort& effort) {
  Eigen::VectorXd out(9);
  out << effort.force, effort.torque_from, effort.torque_to;
  return out;
}

inline Eigen::VectorXd effort_vector(const ForceElement& element, double t, const Frame& from,
                                     const Frame& to) {
  Effort out;
  if (!element.effort(t, from, to, out)) return Eigen::VectorXd::Constant(9, std::nan(""));
  return stacked(out);
}

/// Relative to the largest entry of all.
inline double gradient_error(const ForceElement& element, double t, const Frame& from, const Frame& to) {
  EffortGradient exact;
  exact.from.setConstant(7);  // must be overwritten
  exact.to.setConstant(7);
  element.gradient(t, from, to, exact);
  Eigen::MatrixXd a(9, 24), b(9, 24);
  a << exact.from, exact.to;
  b << frame_derivative(from, 12, 9, [&](const Frame& f) { return effort_vector(element, t, f, to); }),
      frame_derivative(to, 12, 9, [&](const Frame& f) { return effort_vector(element, t, from, f); });
  return relative_difference(a, b, 1e-3);
}

inline double body_gradient_error(const ForceElement& element, double t, const Frame& from, const Frame& to) {
  const auto at = [&](const Frame& f, const Frame& g) {
    return effort_vector(element, t, marker_frame(f, element.at_from), marker_frame(g, element.at_to));
  };
  EffortGradient exact;
  element.gradient(t, marker_frame(from, element.at_from), marker_frame(to, element.at_to), exact);
  Eigen::MatrixXd a(9, 24), b(9, 24);
  a << exact.from * marker_jacobian(from, element.at_from), exact.to * marker_jacobian(to, element.at_to);
  b << frame_derivative(from, 12, 9, [&](const Frame& f) { return at(f, to); }),
      frame_derivative(to, 12, 9, [&](const Frame& f) { return at(from, f); });
  return relative_difference(a, b, 1e-3);
}

/// Largest component of the sums of forces and of moments about the origin on both bodies, made of the
/// wrenches on their centres of mass; relative to the effort.
inline double unbalanced(const ForceElement& element, double t, const Frame& from, const Frame& to) {
  Effort effort;
  if (!element.effort(t, marker_frame(from, element.at_from), marker_frame(to, element.at_to), effort))
    return std::nan("");
  const Wrench a = wrench_on_from(effort, from, element.at_from), b = wrench_on_to(effort, to, element.at_to);
  const Vec3 force = a.force + b.force;
  const Vec3 moment = a.torque + b.torque + from.r.cross(a.force) + to.r.cross(b.force);
  return std::max(force.cwiseAbs().maxCoeff(), moment.cwiseAbs().maxCoeff()) /
         std::max(1.0, stacked(effort).cwiseAbs().maxCoeff());
}

inline Frame at_rest(Frame frame) {
  frame.v.setZero();
  frame.w.setZero();
  return frame;
}

/// Work of an effort along displacements (or power along twists) of both markers.
inline double work(const Effort& effort, const Vec6& from, const Vec6& to) {
  return effort.force.dot(from.head<3>() - to.head<3>()) + effort.torque_from.dot(from.tail<3>()) +
         effort.torque_to.dot(to.tail<3>());
}

inline double work_error(const ForceElement& element, double t, const Frame& from, const Frame& to) {
  const Frame a = at_rest(from), b = at_rest(to);
  Effort effort;
  if (!element.effort(t, a, b, effort)) return std::nan("");
  double worst = 0, size = 1;
  for (Eigen::Index i = element.at_from.body == ground ? 6 : 0; i < 12; ++i) {
    Vec6 da = Vec6::Zero(), db = Vec6::Zero();
    (i < 6 ? da[i] : db[i - 6]) = 1;
    const double h = 1e-5;
    const double slope = (element.potential(t, displaced(a, h * da), displaced(b, h * db)) -
                          element.potential(t, displaced(a, -h * da), displaced(b, -h * db))) /
                         (2 * h);
    worst = std::max(worst, std::fabs(slope + work(effort, da, db)));
    size = std::max(size, std::fabs(slope));
  }
  return worst / size;
}

/// Of the part of the effort that the velocities cause.
inline double damping_power(const ForceElement& element, double t, const Frame& from, const Frame& to) {
  const Eigen::VectorXd all =
      effort_vector(element, t, from, to) - effort_vector(element, t, at_rest(from), at_rest(to));
  const Effort effort{all.head<3>(), all.segment<3>(3), all.tail<3>()};
  Vec6 twist_from, twist_to;
  twist_from << from.v, from.w;
  twist_to << to.v, to.w;
  return work(effort, twist_from, twist_to);
}

/// What the mask of an element leaves out is zero, but for torque_to when it is the opposite of torque_from.
inline bool mask_holds(const ForceElement& element, double t, const Frame& from, const Frame& to) {
  const EffortMask mask = element.components();
  const Eigen::VectorXd all = effort_vector(element, t, from, to);
  const bool opposite = (mask >> 3).any() && (mask >> 6).none();
  for (std::size_t i = 0; i < effort_size; ++i) {
    if (mask[i]) continue;
    const double expected = i >= 6 && opposite ? -all[static_cast<Eigen::Index>(i - 3)] : 0;
    if (all[static_cast<Eigen::Index>(i)] != expected) return false;
  }
  return true;
}

}  // namespace cosimo::testing
