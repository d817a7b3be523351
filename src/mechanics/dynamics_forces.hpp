// The forces on the bodies of a Dynamics, whether their frames are at hand or found when needed. Private to
// dynamics*.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "mechanics/dynamics_data.hpp"

namespace cosimo {

/// force += the components of a wrench that the body can feel.
inline void add_wrench(const BodyData& body, const Wrench& wrench, double* force) {
  double* const f = force + body.w;
  switch (body.kind) {
    case BodyKind::rigid:
      for (int k = 0; k < 3; ++k) f[k + 3] += wrench.torque[k];
      [[fallthrough]];
    case BodyKind::point3:
      f[2] += wrench.force[2];
      [[fallthrough]];
    case BodyKind::point2:
      f[1] += wrench.force[1];
      [[fallthrough]];
    case BodyKind::point1:
      f[0] += wrench.force[0];
      break;
    case BodyKind::planar:
      f[0] += wrench.force[0];
      f[1] += wrench.force[1];
      f[2] += wrench.torque[2];
      break;
  }
}

/// R I R^T a.
inline Vec3 inertia_times(const BodyData& body, const Frame& frame, const Vec3& a) {
  return frame.R * (body.inertia * (frame.R.transpose() * a));
}

/// The effort of an element, with the frames of its bodies.
template <class FrameOf>
bool find_effort(const ElementData& data, double t, const FrameOf& frame, Frame& from, Frame& to,
                 Effort& effort, const Remembered& y, double* z_rate) {
  if (data.from != no_body) from = frame(static_cast<std::size_t>(data.from));
  if (data.to != no_body) to = frame(static_cast<std::size_t>(data.to));
  if (data.remembers(y))
    return data.memory->effort(t, marker_frame(from, data.element->at_from),
                               marker_frame(to, data.element->at_to), data.of(y), effort,
                               z_rate == nullptr ? nullptr : z_rate + data.first.z);
  return data.element->effort(t, marker_frame(from, data.element->at_from),
                              marker_frame(to, data.element->at_to), effort);
}

template <class FrameOf>
bool Dynamics::Impl::forces(double t, const FrameOf& frame, std::span<const ExternalWrench> external,
                            double* force, const Remembered& y, double* z_rate) const {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyData& body = bodies[b];
    std::fill_n(force + body.w, body.freedoms, 0.0);
    Wrench wrench;
    wrench.force = body.mass * gravity;
    if (body.kind == BodyKind::rigid) {
      const Frame& at = frame(b);
      wrench.torque = inertia_times(body, at, at.w).cross(at.w);
    }
    add_wrench(body, wrench, force);
  }
  for (const ElementData& data : elements) {
    Frame from, to;
    Effort effort;
    if (!find_effort(data, t, frame, from, to, effort, y, z_rate)) return false;
    if (data.from != no_body)
      add_wrench(bodies[static_cast<std::size_t>(data.from)],
                 wrench_on_from(effort, from, data.element->at_from), force);
    if (data.to != no_body)
      add_wrench(bodies[static_cast<std::size_t>(data.to)], wrench_on_to(effort, to, data.element->at_to),
                 force);
  }
  for (const ExternalWrench& wrench : external) add_wrench(bodies[wrench.body], wrench.wrench, force);
  return true;
}

}  // namespace cosimo
