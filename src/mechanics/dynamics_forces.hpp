// The forces on the bodies of a Dynamics, whether their frames are at hand or found when needed. Private to
// dynamics*.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <Eigen/Geometry>

#include "mechanics/dynamics_data.hpp"

namespace cosimo {

/// f += the components of a wrench that the body can feel.
inline void add_wrench(const BodyData& body, const Wrench& wrench, const ForceOn& f) {
  switch (body.kind) {
    case BodyKind::rigid:
      for (std::size_t k = 0; k < 3; ++k) f[k + 3] += wrench.torque[static_cast<Eigen::Index>(k)];
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
/// The same with the forces of all freedoms.
inline void add_wrench(const BodyData& body, const Wrench& wrench, double* force) {
  add_wrench(body, wrench, ForceOn{force + body.w});
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
  const auto place = [&](std::size_t b) { return ForceOn{force + bodies[b].w}; };
  for (const ElementData& data : elements)
    if (!add_force(data, t, frame, place, y, z_rate)) return false;
  const auto take = [&](std::size_t b, const Wrench& wrench) { add_wrench(bodies[b], wrench, force); };
  if (!find_group_wrenches(t, frame, y, {}, take)) return false;
  for (const ExternalWrench& wrench : external) add_wrench(bodies[wrench.body], wrench.wrench, force);
  return true;
}

template <class FrameOf>
ForceGroup::At Dynamics::Impl::look(const GroupData& data, double t, const FrameOf& frame,
                                    const Remembered& y, GroupRoom& room) {
  for (std::size_t k = 0; k < data.bodies.size(); ++k) room.frames[k] = frame(data.bodies[k]);
  return {t, room.frames, data.memory(y), room.scratch.get()};
}

template <class FrameOf, class Take>
bool Dynamics::Impl::find_group_wrenches(double t, const FrameOf& frame, const Remembered& y,
                                         std::span<GroupRoom> rooms, const Take& take) const {
  if (laws.empty()) return true;
  std::vector<GroupRoom> made;
  if (rooms.empty()) {
    made = make_rooms();
    rooms = made;
  }
  for (std::size_t g = 0; g < laws.size(); ++g) {
    const GroupData& data = laws[g];
    GroupRoom& room = rooms[g];
    std::fill(room.wrenches.begin(), room.wrenches.end(), Wrench{});
    if (!data.group->wrenches(look(data, t, frame, y, room), room.wrenches)) return false;
    for (std::size_t k = 0; k < data.bodies.size(); ++k) take(data.bodies[k], room.wrenches[k]);
  }
  return true;
}

template <class FrameOf, class ForceOf>
bool Dynamics::Impl::add_force(const ElementData& data, double t, const FrameOf& frame, const ForceOf& force,
                               const Remembered& y, double* z_rate) const {
  const auto add = [&](std::int32_t body, const Wrench& wrench) {
    const auto b = static_cast<std::size_t>(body);
    add_wrench(bodies[b], wrench, force(b));
  };
  Frame from, to;
  Effort effort;
  if (!find_effort(data, t, frame, from, to, effort, y, z_rate)) return false;
  if (data.from != no_body) add(data.from, wrench_on_from(effort, from, data.element->at_from));
  if (data.to != no_body) add(data.to, wrench_on_to(effort, to, data.element->at_to));
  return true;
}

}  // namespace cosimo
