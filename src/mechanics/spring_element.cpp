// Spring and damper between two points.
//
// With delta = r_to - r_from, length L = |delta|, n = delta / L, s = L - length0, u = v_to - v_from:
//
//   force = F(s, n.u) n,   dforce = F/L P ddelta + n (F_s n + F_v P u / L).ddelta + F_v n n.du,
//   P = I - n n^T
//
// The force lies on the line: no torques. Vector damping replaces d (n.u) n by
//
//   d (u - w x delta),        w = (w_from + w_to) / 2,      torque_from = torque_to = delta x force / 2,
//
// which balances and whose power is -d |u - w x delta|^2. Point masses do not turn and feel no torques: what
// is left is 3.2 of 003, with the signs that attract and damp.
#include <Eigen/Geometry>

#include "mechanics/elements.hpp"
#include "mechanics/spring_force.hpp"

namespace cosimo {

namespace {

class Spring final : public ForceElement {
 public:
  Spring(std::string element_name, const Marker& from, const Marker& to, const SpringSpec& spec)
      : ForceElement(std::move(element_name), from, to), spec_(spec), force_(spec) {}

  EffortMask components() const override { return EffortMask(force_.whole == 0 ? 0b111U : 0b111111111U); }

  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    const Vec3 delta = to.r - from.r, u = to.v - from.v;
    out = {};
    if (force_.whole == 0) return force_.find(delta, u, u, out.force);
    const bool found = force_.find(delta, u, u - mean_rotation(from, to).cross(delta), out.force);
    if (found) out.torque_from = out.torque_to = 0.5 * delta.cross(out.force);
    return found;
  }

  void gradient(double t, const Frame& from, const Frame& to, EffortGradient& out) const override {
    const Vec3 delta = to.r - from.r, u = to.v - from.v;
    const double L = delta.norm();
    Mat3 by_delta = stiffness_of(force_.law, 0) * Mat3::Identity(),
         by_u = damping_of(force_.law, 0) * Mat3::Identity();
    if (L > 0) {
      const Vec3 n = delta / L, across = (u - n.dot(u) * n) / L;
      const double s = L - force_.length, rate = n.dot(u), f_v = damping_of(force_.law, rate);
      by_delta = force_of(force_.law, s, rate) / L * (Mat3::Identity() - n * n.transpose()) +
                 n * (stiffness_of(force_.law, s) * n + f_v * across).transpose();
      by_u = f_v * n * n.transpose();
    }
    out = {};
    if (force_.whole != 0) {
      by_delta -= force_.whole * skew(mean_rotation(from, to));
      by_u += force_.whole * Mat3::Identity();
      out.from.block<3, 3>(0, 9) = out.to.block<3, 3>(0, 9) = 0.5 * force_.whole * skew(delta);
    }
    out.to.block<3, 3>(0, 0) = by_delta;
    out.to.block<3, 3>(0, 6) = by_u;
    out.from.block<3, 3>(0, 0) = -by_delta;
    out.from.block<3, 3>(0, 6) = -by_u;
    if (force_.whole != 0) add_moments(t, from, to, out);
  }

  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    return energy_of(force_.law, (to.r - from.r).norm() - force_.length);
  }

  std::string_view kind() const override { return "spring"; }
  const SpringSpec* spring() const override { return &spec_; }

 private:
  static Vec3 mean_rotation(const Frame& from, const Frame& to) { return 0.5 * (from.w + to.w); }

  /// Rows of the torques delta x force / 2 from those of the force.
  void add_moments(double t, const Frame& from, const Frame& to, EffortGradient& out) const {
    Effort now;
    if (!effort(t, from, to, now)) return;
    const Mat3 half_delta = 0.5 * skew(to.r - from.r), half_force = 0.5 * skew(now.force);
    for (EffortGradient::Block* block : {&out.from, &out.to}) {
      block->middleRows<3>(3) = half_delta * block->topRows<3>();
      block->block<3, 3>(3, 0) += block == &out.to ? Mat3(-half_force) : half_force;
      block->bottomRows<3>() = block->middleRows<3>(3);
    }
  }

  SpringSpec spec_;
  SpringForce force_;
};

}  // namespace

std::unique_ptr<ForceElement> make_spring(std::string name, const Marker& from, const Marker& to,
                                          const SpringSpec& spec) {
  return std::make_unique<Spring>(std::move(name), from, to, spec);
}

}  // namespace cosimo
