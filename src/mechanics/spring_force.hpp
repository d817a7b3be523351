// The force of a spring and damper between two points (mechanics/spring_element.cpp), with what it needs of
// its law at hand.
#pragma once

#include "mechanics/elements.hpp"
#include "mechanics/power_law.hpp"

namespace cosimo {

struct SpringForce {
  PowerLaw law;       ///< along the line
  double length = 0;  ///< unstretched
  double whole = 0;   ///< of the damper that acts on the whole relative velocity

  explicit SpringForce(const SpringSpec& spec)
      : law(spec.law), length(spec.length), whole(spec.vector_damping ? spec.law.d : 0) {
    if (spec.vector_damping) law.d = 0;
  }

  /// On the `from` end, by the way to the other one and their relative velocity; `damped`: what the damper of
  /// the whole sees of it, the same where the ends do not turn. False when it has no direction, or overflows.
  [[nodiscard]] bool find(const Vec3& delta, const Vec3& u, const Vec3& damped, Vec3& force) const {
    const double L = delta.norm();
    if (L > 0) {
      const Vec3 n = delta / L;
      force = force_of(law, L - length, n.dot(u)) * n;
    } else if (length == 0) {
      force = damping_of(law, 0) * u;  // whatever meets moves along its line
    } else {
      force.setZero();
      return false;
    }
    if (whole != 0) force += whole * damped;
    return force.allFinite();
  }
  double energy(const Vec3& delta) const { return energy_of(law, delta.norm() - length); }
};

}  // namespace cosimo
