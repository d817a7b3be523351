// Six springs and dampers along and about the axes of the `from` marker.
//
// Translations, with delta = r_to - r_from and u = v_to - v_from - w_from x delta:
//
//   d = R^T delta,   d' = R^T u,   f_i = F_i(d_i, d_i'),   force = R f,   torque_from has delta x force
//
// (R of `from`). Rotations phi as rotation_measure.hpp has them, with phi' = G Omega,
// Omega = R^T (w_to - w_from):
//
//   tau_i = F_i(phi_i, phi_i'),   T = R G^T tau,   torque_from has T, torque_to is -T
//
// Both follow from the potential V(d) + V(phi); the dampers' power is -(sum of d_i' f_i and phi_i' tau_i).
#include <Eigen/Geometry>

#include "mechanics/elements.hpp"
#include "mechanics/power_law.hpp"
#include "mechanics/rotation_measure.hpp"

namespace cosimo {

namespace {

using ThreeLaws = std::array<PowerLaw, 3>;

Vec3 forces_of(const ThreeLaws& laws, const Vec3& s, const Vec3& rate) {
  return {force_of(laws[0], s[0], rate[0]), force_of(laws[1], s[1], rate[1]),
          force_of(laws[2], s[2], rate[2])};
}
Vec3 stiffnesses_of(const ThreeLaws& laws, const Vec3& s) {
  return {stiffness_of(laws[0], s[0]), stiffness_of(laws[1], s[1]), stiffness_of(laws[2], s[2])};
}
Vec3 dampings_of(const ThreeLaws& laws, const Vec3& rate) {
  return {damping_of(laws[0], rate[0]), damping_of(laws[1], rate[1]), damping_of(laws[2], rate[2])};
}
double energies_of(const ThreeLaws& laws, const Vec3& s) {
  return energy_of(laws[0], s[0]) + energy_of(laws[1], s[1]) + energy_of(laws[2], s[2]);
}
bool all_free(const ThreeLaws& laws) {
  return is_free(laws[0]) && is_free(laws[1]) && is_free(laws[2]);
}

class Bushing final : public ForceElement {
 public:
  Bushing(std::string element_name, const Marker& from, const Marker& to, const BushingSpec& spec)
      : ForceElement(std::move(element_name), from, to),
        spec_(spec),
        translations_{spec.law[0], spec.law[1], spec.law[2]},
        rotations_{spec.law[3], spec.law[4], spec.law[5]},
        measure_(is_free(spec.law[5]) ? RotationMeasure::tilt : RotationMeasure::vector),
        translates_(!all_free(translations_)),
        rotates_(!all_free(rotations_)) {}

  EffortMask components() const override {
    if (translates_) return EffortMask().set();
    return EffortMask(rotates_ ? 0b000111000U : 0U);  // a pure torque is opposite on `to`
  }

  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    const Vec3 delta = to.r - from.r;
    out = {};
    if (translates_) {
      out.force = from.R * forces_of(translations_, from.R.transpose() * delta,
                                     from.R.transpose() * slip(from, to, delta));
    }
    if (rotates_) {
      const MeasuredRotation turned = measure_rotation(measure_, from.R.transpose() * to.R);
      const Vec3 Omega = from.R.transpose() * (to.w - from.w);
      out.torque_from = from.R * (turned.G.transpose() * forces_of(rotations_, turned.phi, turned.G * Omega));
    }
    out.torque_to = -out.torque_from;
    out.torque_from += delta.cross(out.force);
    return out.force.allFinite() && out.torque_from.allFinite();
  }

  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    out = {};
    if (rotates_) rotation_gradient(from, to, out);
    if (translates_) translation_gradient(from, to, out);
  }

  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    double energy = energies_of(translations_, from.R.transpose() * (to.r - from.r));
    if (rotates_)
      energy += energies_of(rotations_, measure_rotation(measure_, from.R.transpose() * to.R).phi);
    return energy;
  }

  std::string_view kind() const override { return "bushing"; }
  const BushingSpec* bushing() const override { return &spec_; }

 private:
  /// Velocity of the `to` marker as seen from the `from` marker, along the global axes.
  static Vec3 slip(const Frame& from, const Frame& to, const Vec3& delta) {
    return to.v - from.v - from.w.cross(delta);
  }

  /// Adds to what rotation_gradient() has left.
  void translation_gradient(const Frame& from, const Frame& to, EffortGradient& out) const {
    const Vec3 delta = to.r - from.r, u = slip(from, to, delta);
    const Vec3 d = from.R.transpose() * delta, rate = from.R.transpose() * u;
    const Vec3 force = from.R * forces_of(translations_, d, rate);
    const Mat3 K = from.R * stiffnesses_of(translations_, d).asDiagonal() * from.R.transpose();
    const Mat3 C = from.R * dampings_of(translations_, rate).asDiagonal() * from.R.transpose();
    const Mat3 arm = skew(delta), by_delta = K - C * skew(from.w);

    Eigen::Matrix<double, 3, 12> of_from, of_to = Eigen::Matrix<double, 3, 12>::Zero();
    of_from << -by_delta, K * arm + C * skew(u) - skew(force), -C, C * arm;
    of_to.leftCols<3>() = by_delta;
    of_to.middleCols<3>(6) = C;
    out.from.topRows<3>() = of_from;
    out.to.topRows<3>() = of_to;
    out.from.middleRows<3>(3) += arm * of_from;
    out.to.middleRows<3>(3) += arm * of_to;
    out.from.block<3, 3>(3, 0) += skew(force);
    out.to.block<3, 3>(3, 0) -= skew(force);
  }

  void rotation_gradient(const Frame& from, const Frame& to, EffortGradient& out) const {
    const Mat3 &R = from.R, B = R.transpose() * to.R;
    const Vec3 w = to.w - from.w, Omega = R.transpose() * w;
    const auto [phi, G] = measure_rotation(measure_, B);
    const Vec3 rate = G * Omega, tau = forces_of(rotations_, phi, rate);
    const RotationCurvature curvature = rotation_curvature(measure_, B, Omega, tau);
    const Mat3 GtC = G.transpose() * dampings_of(rotations_, rate).asDiagonal();
    const Mat3 by_chi = curvature.torque + GtC * curvature.rate +
                        G.transpose() * stiffnesses_of(rotations_, phi).asDiagonal() * G;
    const Mat3 relative = R * by_chi * R.transpose(), by_w = R * GtC * G * R.transpose();
    const Vec3 torque = R * (G.transpose() * tau);
    // A rotation of `from` turns the torque, the other way the measured rotation, and Omega against w.
    const Mat3 of_from = -relative + by_w * skew(w) - skew(torque);
    out.from.block<3, 3>(3, 3) = of_from;
    out.from.block<3, 3>(3, 9) = -by_w;
    out.to.block<3, 3>(3, 3) = relative;
    out.to.block<3, 3>(3, 9) = by_w;
    out.from.bottomRows<3>() = -out.from.middleRows<3>(3);
    out.to.bottomRows<3>() = -out.to.middleRows<3>(3);
  }

  BushingSpec spec_;
  ThreeLaws translations_, rotations_;
  RotationMeasure measure_;
  bool translates_, rotates_;
};

}  // namespace

std::unique_ptr<ForceElement> make_bushing(std::string name, const Marker& from, const Marker& to,
                                           const BushingSpec& spec) {
  return std::make_unique<Bushing>(std::move(name), from, to, spec);
}

}  // namespace cosimo
