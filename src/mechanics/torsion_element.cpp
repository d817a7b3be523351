// Spring and damper about the z axis of the `from` marker.
//
// With e the x axis of `to`, c = e.z, p = e - c z its part in the plane, the angle is that of p in the plane:
//
//   phi = atan2(e.y, e.x),     dphi = h.(dtheta_to - dtheta_from),     h = z - c p / |p|^2
//
// (x, y, z the axes of `from`; h = z while both z axes are parallel). The torque on `from` is F(s, h.w) h,
// with s = phi - angle and w = w_to - w_from; the one on `to` is its opposite. Turns are counted
// (mechanics/turning_element.hpp); where they are not, s lies between -pi and pi, and a run in which it jumps
// ends there. The angle has no meaning when e lies along z: refused.
#include <Eigen/Geometry>
#include <numbers>

#include "mechanics/elements.hpp"
#include "mechanics/power_law.hpp"
#include "mechanics/turning_element.hpp"

namespace cosimo {

namespace {

/// The angle and how it changes with the rotation of `to`.
struct Twist {
  Twist(const Frame& a, const Frame& b, double unloaded, const double* last) : z(a.R.col(2)), e(b.R.col(0)) {
    c = e.dot(z);
    p = e - c * z;
    square = p.squaredNorm();
    h = z - c / square * p;
    const double angle = std::atan2(e.dot(a.R.col(1)), e.dot(a.R.col(0)));
    s = turns_counted(a, b) || last != nullptr ? with_all_turns(angle, a, b, last) - unloaded
                                               : std::remainder(angle - unloaded, 2 * std::numbers::pi);
  }
  /// dh / d(dtheta_to) with `from` at rest.
  Mat3 turning() const {
    const Mat3 by_e = -(p * z.transpose() + c * (Mat3::Identity() - z * z.transpose())) / square +
                      2 * c / (square * square) * p * p.transpose();
    return -by_e * skew(e);
  }

  Vec3 z, e, p, h;
  double c, square, s;
};

class Torsion final : public TurningElement {
 public:
  Torsion(std::string element_name, const Marker& from, const Marker& to, const TorsionSpec& spec)
      : TurningElement(std::move(element_name), from, to, spec.turns && (spec.law.c != 0 || spec.law.C != 0)),
        law_(spec.law),
        angle_(spec.angle) {}

  EffortMask components() const override { return EffortMask(0b111000U); }

  /// A damper alone does not ask for the angle.
  std::size_t switch_count() const override { return law_.c != 0 || law_.C != 0 ? 1 : 0; }
  void switches(double /*t*/, const Frame& from, const Frame& to, Switch* out) const override {
    *out = {.value = Twist(from, to, angle_, nullptr).s, .angle = true};
  }

  std::string_view kind() const override { return "torsion"; }

 private:
  bool effort_at(double /*t*/, const Frame& from, const Frame& to, const double* last,
                 Effort& out) const override {
    const Twist twist(from, to, angle_, last);
    out = {};
    out.torque_from = force_of(law_, twist.s, twist.h.dot(to.w - from.w)) * twist.h;
    out.torque_to = -out.torque_from;
    return out.torque_from.allFinite();
  }

  void gradient_at(double /*t*/, const Frame& from, const Frame& to, const double* last,
                   EffortGradient& out) const override {
    const Twist twist(from, to, angle_, last);
    const Vec3 w = to.w - from.w, &h = twist.h;
    const double rate = h.dot(w), f = force_of(law_, twist.s, rate), f_v = damping_of(law_, rate);
    const Mat3 turning = twist.turning();
    // A common rotation turns h and changes the rate, as the velocities stay; the rest is relative.
    const Mat3 relative =
        h * (stiffness_of(law_, twist.s) * h + f_v * turning.transpose() * w).transpose() + f * turning;
    const Mat3 common = f_v * h * h.cross(w).transpose() - f * skew(h);
    const Mat3 by_w = f_v * h * h.transpose();
    out = {};
    out.to.block<3, 3>(3, 3) = relative;
    out.from.block<3, 3>(3, 3) = common - relative;
    out.to.block<3, 3>(3, 9) = by_w;
    out.from.block<3, 3>(3, 9) = -by_w;
    out.to.bottomRows<3>() = -out.to.middleRows<3>(3);
    out.from.bottomRows<3>() = -out.from.middleRows<3>(3);
  }

  double potential_at(double /*t*/, const Frame& from, const Frame& to, const double* last) const override {
    return energy_of(law_, Twist(from, to, angle_, last).s);
  }
  /// The whole angle, not that from the unloaded one.
  double angle_at(const Frame& from, const Frame& to, const double* last) const override {
    return Twist(from, to, angle_, last).s + angle_;
  }

  PowerLaw law_;
  double angle_;
};

}  // namespace

std::unique_ptr<ForceElement> make_torsion(std::string name, const Marker& from, const Marker& to,
                                           const TorsionSpec& spec) {
  return std::make_unique<Torsion>(std::move(name), from, to, spec);
}

}  // namespace cosimo
