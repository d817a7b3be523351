#include "multibody/joint_start.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "mechanics/start.hpp"

namespace cosimo {

namespace {

/// A rigid motion x -> A x + b, and the turns of a body of the plane with it.
struct Motion {
  Mat3 A = Mat3::Identity();
  Vec3 b = Vec3::Zero();
  double turned = 0;

  Vec3 operator()(const Vec3& x) const { return A * x + b; }
};

bool joins_markers(config::JointKind kind) {
  using Kind = config::JointKind;
  return kind != Kind::distance && kind != Kind::motor && kind != Kind::gear;
}

class Chain {
 public:
  Chain(const config::Mechanism& model, PlacedMechanism& placed)
      : model_(model),
        placed_(placed),
        first_(placed.mechanism->coordinate_offsets()),
        edges_(model.bodies.size() + 1) {
    for (std::size_t b = 0; b < model.bodies.size(); ++b)
      frames_.push_back(frame_of(placed.mechanism->bodies[b].kind, placed.q.data() + first_[b],
                                 placed.v.data() + first_[b]));
    frames_.emplace_back();  // the ground
    now_ = frames_;
    motions_.resize(frames_.size());
    span();
  }

  void move() {
    std::vector<bool> seen(frames_.size(), false);
    const std::size_t ground_place = frames_.size() - 1;
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const std::size_t root = (i + ground_place) % frames_.size();  // the ground first
      if (seen[root]) continue;
      seen[root] = true;
      std::vector<std::size_t> reached{root};
      for (std::size_t next = 0; next < reached.size(); ++next)
        for (const std::size_t e : edges_[reached[next]]) {
          const std::size_t from = place(model_.joints[e].from), to = place(model_.joints[e].to);
          const std::size_t parent = reached[next], child = parent == from ? to : from;
          if (seen[child]) continue;
          seen[child] = true;
          carry(model_.joints[e], parent, child);
          reached.push_back(child);
        }
    }
    write();
  }

 private:
  std::size_t place(std::int32_t body) const {
    return body == config::on_ground ? frames_.size() - 1 : static_cast<std::size_t>(body);
  }

  /// A tree, of joints with start values as far as possible.
  void span() {
    std::vector<std::size_t> group(frames_.size());
    std::iota(group.begin(), group.end(), 0);
    const auto find = [&](std::size_t k) {
      while (group[k] != k) k = group[k] = group[group[k]];
      return k;
    };
    for (const bool with_start : {true, false})
      for (std::size_t e = 0; e < model_.joints.size(); ++e) {
        const config::Joint& joint = model_.joints[e];
        if (!joins_markers(joint.kind) || joint.start.has_value() != with_start) continue;
        const std::size_t a = find(place(joint.from)), b = find(place(joint.to));
        if (a == b) continue;
        group[b] = a;
        edges_[place(joint.from)].push_back(e);
        edges_[place(joint.to)].push_back(e);
      }
  }

  void carry(const config::Joint& joint, std::size_t parent, std::size_t child) {
    const Motion& before = motions_[parent];
    const config::JointStart start = joint.start.value_or(config::JointStart{});
    const double sign = parent == place(joint.from) ? 1 : -1;
    Vec3 point = Vec3::Zero(), axis = Vec3::UnitZ();
    for (const JointCoordinate& each : placed_.mechanism->joint_coordinates)
      if (each.joint == joint.name) {
        const Frame marker = marker_frame(frames_[place(joint.from)], each.from);
        point = marker.r;
        axis = marker.R.col(2);
      }
    const Mat3 turn = Eigen::AngleAxisd(sign * start.angle, axis).toRotationMatrix();
    Motion& motion = motions_[child];
    motion.A = before.A * turn;
    motion.b = before(point + sign * start.displacement * axis - turn * point);
    motion.turned = before.turned + sign * start.angle * (axis.z() < 0 ? -1 : 1);
    // What the file says of the velocities is relative to the parent's.
    const Frame &old = frames_[child], &of = frames_[parent], &base = now_[parent];
    Frame& out = now_[child];
    out.r = motion(old.r);
    out.R = motion.A * old.R;
    const Vec3 along = sign * (before.A * axis), spin = start.angular_speed * along;
    const Vec3 v_old = old.v - of.v - of.w.cross(old.r - of.r), w_old = old.w - of.w;
    out.w = base.w + motion.A * w_old + spin;
    out.v = base.v + base.w.cross(out.r - base.r) + motion.A * v_old + start.speed * along +
            spin.cross(out.r - motion(point));
  }

  void write() {
    for (std::size_t b = 0; b + 1 < frames_.size(); ++b) {
      const BodyKind kind = placed_.mechanism->bodies[b].kind;
      double *const q = placed_.q.data() + first_[b], *const v = placed_.v.data() + first_[b];
      const double angle = kind == BodyKind::planar ? q[2] + motions_[b].turned : 0;
      coordinates_from(kind, now_[b], q, v);
      if (kind == BodyKind::planar) q[2] = angle;
    }
  }

  const config::Mechanism& model_;
  PlacedMechanism& placed_;
  std::vector<std::size_t> first_;
  std::vector<Frame> frames_, now_;  ///< as the file places them, and as they begin; the ground is the last
  std::vector<Motion> motions_;
  std::vector<std::vector<std::size_t>> edges_;  ///< joints of the tree at each body
};

}  // namespace

bool has_start_values(const config::Mechanism& model) {
  return std::ranges::any_of(model.joints,
                             [](const config::Joint& joint) { return joint.start.has_value(); });
}

void apply_start_values(const config::Mechanism& model, PlacedMechanism& placed,
                        const std::function<PlacedMechanism()>& held) {
  if (!has_start_values(model)) return;
  Chain(model, placed).move();
  PlacedMechanism conditions = held();
  conditions.q = placed.q;
  conditions.v = placed.v;
  try {
    assemble(conditions);
  } catch (const Error& error) {
    Fault fault = error.faults().front();
    fault.problem =
        "the start values of joints do not fit together: where joints close a loop " + fault.problem;
    fault.remedy = "leave out `start` of a joint of the loop, or correct its value";
    throw Error(std::move(fault));
  }
  placed.q = std::move(conditions.q);
  placed.v = std::move(conditions.v);
}

}  // namespace cosimo
