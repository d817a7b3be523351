// A sphere (or a disc in the plane) on a road, by penalty.
//
// The road is z = h(x). With m = 1 + h'^2 the centre is away from it by
//
//   g = (z - h(x)) / sqrt(m),      G = dg/dr,      penetration p = radius - g,      p' = -G.v,
//
// exact over a plane and to second order in the slope elsewhere; unlike the true distance it is smooth
// everywhere, and no equation has to be solved for it. On the body act
//
//   N G            N = stiffness p^exponent max(0, 1 + damping p'), p > 0  (Hunt and Crossley)
//   f              -friction N |G| k v_t,  at the lowest point -radius n, n = G / |G|
//
// with v_t the tangential part of that point's velocity v - radius w x n. From the speed `slip` on k = 1 /
// |v_t|: all of the friction acts. Below, k = (3 - x^2) / (2 slip), x = |v_t| / slip: it fades smoothly, and
// a body that friction could hold creeps with less than `slip`. The undamped force is the gradient of the
// potential stiffness p^(exponent + 1) / (exponent + 1), whatever the road. `from` is the ground.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "mechanics/elements.hpp"
#include "mechanics/road_profile.hpp"

namespace cosimo {

namespace {

/// The gap g with gradient and second derivatives.
struct Gap {
  Gap(const RoadProfile& road, const Vec3& r, Eigen::Index up) {
    const auto [h, h1, h2, h3] = road.at(r.x());
    const double above = r[up] - h, m = 1 + h1 * h1, a = 1 / std::sqrt(m), a3 = a / m;
    g = above * a;
    G.x() = -h1 * a - above * h1 * h2 * a3;
    G[up] = a;
    H(0, 0) =
        -h2 * a + 2 * h1 * h1 * h2 * a3 - above * ((h2 * h2 + h1 * h3) * a3 - 3 * h1 * h1 * h2 * h2 * a3 / m);
    H(0, up) = H(up, 0) = -h1 * h2 * a3;
  }
  double g = 0;
  Vec3 G = Vec3::Zero();
  Mat3 H = Mat3::Zero();
};

/// Friction and what it depends on.
struct Sliding {
  Sliding(const Vec3& gradient, const Frame& at, const GroundContactSpec& spec)
      : length(gradient.norm()),
        n(gradient / length),
        velocity(at.v - spec.radius * at.w.cross(n)),
        along(velocity - n.dot(velocity) * n) {
    const double speed = along.norm(), slip = spec.slip, x = speed / slip;
    grip = x < 1 ? (3 - x * x) / (2 * slip) : 1 / speed;
    bend = x < 1 ? -1 / (slip * slip * slip) : -1 / (speed * speed * speed);
  }
  double length;
  Vec3 n, velocity, along;
  double grip;  ///< k
  double bend;  ///< dk/d|v_t| / |v_t|
};

class Contact final : public ForceElement {
 public:
  Contact(std::string element_name, const Marker& on_body, const GroundContactSpec& spec)
      : ForceElement(std::move(element_name), Marker{}, on_body),
        spec_(spec),
        road_(spec.road),
        up_(spec.planar ? 1 : 2) {
    double bend = 0;
    for (const Road::Wave& wave : spec_.road.waves) {
      const double k = 2 * std::numbers::pi / std::fabs(wave.wavelength),
                   slope = std::fabs(wave.amplitude) * k;
      steepest_ += slope;
      bend += slope * k;
      shortest_ = std::min(shortest_, std::fabs(wave.wavelength));
    }
    steepest_ *= 1 + spec_.radius * bend;
  }

  EffortMask components() const override {
    return EffortMask(spec_.friction != 0 && spec_.radius != 0 ? 0b111000111U : 0b000000111U);
  }

  bool effort(double /*t*/, const Frame& /*from*/, const Frame& to, Effort& out) const override {
    out = {};
    const Gap gap(road_, to.r, up_);
    const double p = spec_.radius - gap.g;
    if (p <= 0) return true;
    const double N = spec_.stiffness * std::pow(p, spec_.exponent) * resistance(gap, to);
    out.force = -N * gap.G;
    if (spec_.friction != 0) {
      const Sliding sliding(gap.G, to, spec_);
      const Vec3 f = -spec_.friction * N * sliding.length * sliding.grip * sliding.along;
      out.force -= f;
      out.torque_to = -spec_.radius * sliding.n.cross(f);
    }
    return out.force.allFinite() && out.torque_to.allFinite();
  }

  void gradient(double /*t*/, const Frame& /*from*/, const Frame& to, EffortGradient& out) const override {
    out = {};
    const Gap gap(road_, to.r, up_);
    const double p = spec_.radius - gap.g;
    if (p <= 0) return;
    const double elastic = spec_.stiffness * std::pow(p, spec_.exponent), q = resistance(gap, to);
    const double N = elastic * q;
    const double N_p = spec_.exponent * spec_.stiffness * std::pow(p, spec_.exponent - 1) * q;
    const double N_rate = q > 0 ? elastic * spec_.damping : 0;
    const Vec3 N_by_r = -N_p * gap.G - N_rate * (gap.H * to.v), N_by_v = -N_rate * gap.G;
    out.to.block<3, 3>(0, 0) = -(gap.G * N_by_r.transpose() + N * gap.H);
    out.to.block<3, 3>(0, 6) = -gap.G * N_by_v.transpose();
    if (spec_.friction != 0) friction_gradient(gap, to, N, N_by_r, N_by_v, out);
  }

  double potential(double /*t*/, const Frame& /*from*/, const Frame& to) const override {
    const double p = spec_.radius - Gap(road_, to.r, up_).g;
    return p <= 0 ? 0 : spec_.stiffness * std::pow(p, spec_.exponent + 1) / (spec_.exponent + 1);
  }

  /// The penetration times sqrt(m), which has no other zeros: h + radius sqrt(m) - z.
  std::size_t switch_count() const override { return 1; }
  void switches(double /*t*/, const Frame& /*from*/, const Frame& to, Switch* out) const override {
    const RoadHeight at = road_.at(to.r.x());
    const double along = std::fabs(to.v.x()), root = std::sqrt(1 + at.h1 * at.h1);
    out->value = at.h + spec_.radius * root - to.r[up_];
    out->rate = at.h1 * (1 + spec_.radius * at.h2 / root) * to.v.x() - to.v[up_];
    out->bound = std::fabs(to.v[up_]) + steepest_ * along;
    out->span = along > 0 ? shortest_ / (8 * along) : std::numeric_limits<double>::infinity();
  }

  bool is_load() const override { return true; }
  bool strikes() const override { return true; }
  const GroundContactSpec* ground_contact() const override { return &spec_; }
  std::string_view kind() const override { return "contact"; }

 private:
  double resistance(const Gap& gap, const Frame& to) const {
    return std::max(0.0, 1 - spec_.damping * gap.G.dot(to.v));
  }

  void friction_gradient(const Gap& gap, const Frame& to, double N, const Vec3& N_by_r, const Vec3& N_by_v,
                         EffortGradient& out) const {
    const Sliding s(gap.G, to, spec_);
    const Mat3 P = Mat3::Identity() - s.n * s.n.transpose();
    const Mat3 n_by_r = P * gap.H / s.length;
    // Derivatives of the tangential velocity.
    const Mat3 by_r = -(spec_.radius * P * skew(to.w) + s.n.dot(s.velocity) * Mat3::Identity() +
                        s.n * s.velocity.transpose()) *
                      n_by_r;
    const Mat3 by_w = spec_.radius * skew(s.n);
    // f = -friction (N |G|) k along.
    const Vec3 press_by_r = s.length * N_by_r + N * (gap.H * s.n), press_by_v = s.length * N_by_v;
    const Vec3 direction = s.grip * s.along, f = -spec_.friction * N * s.length * direction;
    const Mat3 bend = N * s.length * (s.grip * Mat3::Identity() + s.bend * s.along * s.along.transpose());
    Eigen::Matrix<double, 3, 12> f_by = Eigen::Matrix<double, 3, 12>::Zero();
    f_by.leftCols<3>() = -spec_.friction * (direction * press_by_r.transpose() + bend * by_r);
    f_by.middleCols<3>(6) = -spec_.friction * (direction * press_by_v.transpose() + bend * P);
    f_by.rightCols<3>() = -spec_.friction * bend * by_w;
    out.to.topRows<3>() -= f_by;
    out.to.bottomRows<3>() = -spec_.radius * skew(s.n) * f_by;
    out.to.block<3, 3>(6, 0) += spec_.radius * skew(f) * n_by_r;
  }

  GroundContactSpec spec_;
  RoadProfile road_;
  Eigen::Index up_;
  double steepest_ = 0;                                        ///< |d(h + radius sqrt(m))/dx| is below
  double shortest_ = std::numeric_limits<double>::infinity();  ///< wavelength
};

}  // namespace

std::unique_ptr<ForceElement> make_contact(std::string name, const Marker& on_body,
                                           const GroundContactSpec& spec) {
  return std::make_unique<Contact>(std::move(name), on_body, spec);
}

}  // namespace cosimo
