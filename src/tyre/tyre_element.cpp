#include "tyre/tyre_element.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "mechanics/element_memory.hpp"
#include "mechanics/road_profile.hpp"
#include "mechanics/varied_place.hpp"
#include "numerics/monotone_cubic.hpp"
#include "tyre/brush-inl.hpp"
#include "tyre/magic_formula-inl.hpp"
#include "tyre/rolling-inl.hpp"

namespace cosimo::tyre {
namespace {

constexpr std::string_view kind_name = "tyre";

/// (dr, dtheta, dv, dw) of the wheel, then z.
constexpr std::size_t directions = 14;
using Varied = Dual<directions>;

/// What the road does to a wheel, along its axes.
template <class T>
struct Action {
  Triple<T> force, torque;
  std::array<T, 2> z_rate{};
  double radial = 0;  ///< load in the plane of the wheel
  Grip<T> grip{};
  T load{}, sine{}, cosine{};
};

class Tyre final : public ForceElement, private ElementMemory {
 public:
  Tyre(std::string element_name, const Marker& road, const Marker& wheel, const Spec& spec)
      : ForceElement(std::move(element_name), road, wheel), spec_(spec), road_(spec.road) {
    if (!spec.points.empty()) {
      std::vector<double> p, force;
      for (const auto& [deflection, value] : spec.points) {
        p.push_back(deflection);
        force.push_back(value);
      }
      table_.emplace(p, force);
    }
    shown_.radius = spec.radius;
    shown_.road = spec.road;
    shown_.planar = spec.planar;
    for (const Road::Wave& wave : spec.road.waves) {
      const double k = 2 * std::numbers::pi / std::fabs(wave.wavelength);
      steepest_ += std::fabs(wave.amplitude) * k * (1 + spec.radius * k);
      shortest_ = std::min(shortest_, std::fabs(wave.wavelength));
    }
    const double nominal = std::visit([](const auto& model) { return model.load; }, spec.model);
    least_load_ = 1e-9 * nominal;
    const Grip<double> usual = grip(Slip<double>{nominal, 0, 0, 0, 1, 1, 1, spec.slow});
    for (std::size_t k = 0; k < 2; ++k) {
      const double model = k == 0 ? usual.relaxation_x : usual.relaxation_y;
      shortest_relaxation_[k] = 0.1 * (spec.relaxation ? (*spec.relaxation)[k] : model);
    }
  }

  EffortMask components() const override { return {0b111000111U}; }
  const ElementMemory* memory() const override { return this; }
  std::string_view kind() const override { return kind_name; }
  bool is_load() const override { return true; }
  bool strikes() const override { return true; }
  const GroundContactSpec* ground_contact() const override { return &shown_; }

  std::size_t switch_count() const override { return 3; }
  void switches(double /*t*/, const Frame& from, const Frame& to, Switch* out) const override {
    const Wheel<double> wheel = seen(from, to, nullptr);
    const Lowest low = lowest(wheel);
    const double along = std::fabs(wheel.v.x);
    out[0] = {.value = low.depth,
              .rate = low.rate,
              .bound = std::sqrt(dot(wheel.v, wheel.v)) + steepest_ * along +
                       spec_.radius * std::sqrt(dot(wheel.w, wheel.w)),
              .span = along > 0 ? shortest_ / (8 * along) : std::numeric_limits<double>::infinity()};
    double elastic = 0, damper = spec_.damping * low.nears;
    if (low.depth > 0) {
      const WayDown<double> way = way_down_with_gradient(road_, wheel.r, wheel.axle);
      const double rate = -dot(way.by_place, wheel.v) - dot(way.by_turn, wheel.w);
      elastic = low.cosine * elastic_force(spec_.radius - way.l);
      damper = low.cosine * spec_.damping * rate;
    }
    out[1] = {.value = elastic - damper};
    out[2] = {.value = elastic + damper};
  }

  // Without memory: as if there were no friction.
  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    return acting(from, act(seen(from, to, nullptr), Acts::radially), out);
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    StateGradient unused;
    unused.reset(2);
    differentiate(from, to, nullptr, Acts::radially, out, unused);
  }
  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    const Wheel<double> wheel = seen(from, to, nullptr);
    return stored(spec_.radius - way_down(road_, wheel.r, wheel.axle));
  }

  void take_readings(const Frame& from, const Frame& to, const double* z, double* out) const {
    const Action<double> at = act(seen(from, to, z));
    const double turned = std::atan2(at.sine, at.cosine);
    for (const double x :
         {z[0], std::atan(z[1]), turned, at.grip.fx, at.grip.fy, at.load, at.grip.mx, at.grip.my, at.grip.mz})
      *out++ = x;
  }

 private:
  enum class Acts { radially, fully };

  /// How deep the lowest point of the wheel is in the road. It has the sign of the deflection, which is not
  /// finite where the wheel lies on its side, as one that tumbles in the air does for an instant.
  struct Lowest {
    double depth, rate, cosine;
    double nears;  ///< how fast its centre does
  };
  Lowest lowest(const Wheel<double>& wheel) const {
    using Moving = Dual<1>;
    const auto moving = [](const Triple<double>& a, const Triple<double>& rate) {
      Triple<Moving> out{a.x, a.y, a.z};
      out.x.d[0] = rate.x;
      out.y.d[0] = rate.y;
      out.z.d[0] = rate.z;
      return out;
    };
    const Below<Moving> at = below(road_, moving(wheel.r, wheel.v));
    const Moving sine = dot(moving(wheel.axle, cross(wheel.w, wheel.axle)), at.n), square = 1.0 - sine * sine;
    const Moving cosine = square.v > 0 ? sqrt(square) : Moving(0.0);
    const Moving depth = spec_.radius * cosine - at.gap;
    return {depth.v, depth.d[0], cosine.v, -at.gap.d[0]};
  }

  Extent extent() const override { return {.z = 2, .s = 0, .roots = 0}; }
  bool essential() const override { return true; }
  std::span<const double> nominals() const override { return nominals_; }

  /// A wheel that rolls begins with the slip that it has, one that stands with none.
  void begin(const Frame& from, const Frame& to, double* z, double* /*s*/) const override {
    z[0] = z[1] = 0;
    const std::array<double, 2> none{};
    const Wheel<double> wheel = seen(from, to, none.data());
    const Rolling<double> rolling = roll(spec_, road_, wheel);
    const double speed = std::fabs(rolling.vx);
    if (rolling.p <= 0 || speed < spec_.slow) return;
    z[0] = -rolling.vsx / speed;
    z[1] = rolling.vsy / speed;
  }
  bool effort(double /*t*/, const Frame& from, const Frame& to, const Remembered& y, Effort& out,
              double* z_rate) const override {
    const Action<double> at = act(seen(from, to, y.z));
    if (z_rate != nullptr) {
      z_rate[0] = at.z_rate[0];
      z_rate[1] = at.z_rate[1];
      if (!std::isfinite(z_rate[0]) || !std::isfinite(z_rate[1])) return false;
    }
    return acting(from, at, out);
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, const Remembered& y, EffortGradient& out,
                StateGradient& z) const override {
    differentiate(from, to, y.z, Acts::fully, out, z);
  }
  double potential(double t, const Frame& from, const Frame& to, const Remembered& /*y*/) const override {
    return potential(t, from, to);
  }

  /// Of the radial spring.
  template <class T>
  T elastic_force(const T& p) const {
    if (value_of(p) <= 0) return T(0.0);
    if (!table_) return (spec_.stiffness + spec_.progressive * p) * p;
    const MonotoneCubic::Value found = table_->at(value_of(p));
    if constexpr (std::is_same_v<T, double>)
      return found.y;
    else
      return chained(p, found.y, found.slope);
  }
  double stored(double p) const {
    if (p <= 0) return 0;
    return table_ ? table_->integral(p) : (0.5 * spec_.stiffness + spec_.progressive * p / 3) * p * p;
  }
  template <class T>
  T radial_force(const T& p, const T& rate) const {
    const T elastic = elastic_force(p), damper = spec_.damping * rate;
    if (value_of(damper) > value_of(elastic)) return 2.0 * elastic;
    if (value_of(damper) < -value_of(elastic)) return T(0.0);
    return elastic + damper;
  }

  template <class T>
  Grip<T> grip(Slip<T> slip) const {
    const double side = spec_.mirrored ? -1 : 1;
    slip.slope = side * slip.slope;
    slip.sine = side * slip.sine;
    Grip<T> out = std::visit([&](const auto& model) { return grip_of(model, slip); }, spec_.model);
    for (T* each : {&out.fy, &out.mx, &out.mz}) *each = side * *each;
    return out;
  }

  template <class T>
  Action<T> act(const Wheel<T>& wheel, Acts acts = Acts::fully) const {
    using std::tanh;
    Action<T> out;
    const Rolling<T> at = roll(spec_, road_, wheel);
    out.sine = at.sine;
    out.cosine = at.cosine;
    if (!(value_of(at.p) > 0)) return in_the_air(wheel, out);
    const T rate = -dot(at.way.by_place, wheel.v) - dot(at.way.by_turn, wheel.w);
    const T radial = radial_force(at.p, rate);
    out.force = radial * at.way.by_place;
    out.torque = radial * at.way.by_turn;
    out.load = dot(out.force, at.n);
    if (acts == Acts::radially || !(value_of(out.load) > least_load_)) return in_the_air(wheel, out);
    const T standing = stands(at.vx);
    const double sharp = 100 / spec_.slow;
    Slip<T> slip{out.load,
                 wheel.z[0] - (0.1 / spec_.slow) * standing * at.vsx,
                 wheel.z[1] + (0.1 / spec_.slow) * standing * at.vsy,
                 at.sine,
                 at.cosine,
                 tanh(sharp * at.vx),
                 tanh(sharp * at.radius * at.spin),
                 at.vx};
    out.grip = grip(slip);
    const Grip<T>& grip = out.grip;
    out.force = out.force + grip.fx * at.x + grip.fy * at.y;
    out.torque = out.torque + cross(at.radius * at.down, grip.fx * at.x) +
                 cross(at.way.l * at.down, grip.fy * at.y) + grip.mx * at.x + grip.my * wheel.axle +
                 grip.mz * at.n;
    relax(wheel, at, standing, out);
    return out;
  }

  /// 1 where it stands, 0 from the speed `slow` on.
  template <class T>
  T stands(const T& vx) const {
    const T x = vx * (1 / spec_.slow), rest = 1.0 - x * x;
    return value_of(rest) > 0 ? rest * rest : T(0.0);
  }
  /// |v|, smooth where it is a twentieth of `slow`.
  template <class T>
  T speed(const T& v) const {
    using std::tanh;
    return v * tanh((20 / spec_.slow) * v);
  }

  template <class T>
  Action<T> in_the_air(const Wheel<T>& wheel, Action<T>& out) const {
    const double fading = -spec_.slow / spec_.radius;
    out.z_rate = {fading * wheel.z[0], fading * wheel.z[1]};
    return out;
  }

  template <class T>
  void relax(const Wheel<T>& wheel, const Rolling<T>& at, const T& standing, Action<T>& out) const {
    using std::sqrt;
    const Grip<T>& grip = out.grip;
    const auto length = [&](std::size_t k, const T& model) {
      if (spec_.relaxation) return T((*spec_.relaxation)[k]);
      return value_of(model) > shortest_relaxation_[k] ? model : T(shortest_relaxation_[k]);
    };
    const T sx = length(0, grip.relaxation_x), sy = length(1, grip.relaxation_y), v = speed(at.vx);
    out.z_rate = {(-at.vsx - v * wheel.z[0]) / sx, (at.vsy - v * wheel.z[1]) / sy};
    if (value_of(standing) == 0) return;
    const T x = wheel.z[0] * grip.stiffness_x / (3.0 * grip.peak_x),
            y = wheel.z[1] * grip.stiffness_y / (3.0 * grip.peak_y), square = x * x + y * y;
    if (value_of(square) <= 1) return;
    const T sliding = sqrt(spec_.slow * spec_.slow + at.vsx * at.vsx + at.vsy * at.vsy);
    const T fading = 5.0 * standing * sliding * (sqrt(square) - 1.0);
    out.z_rate[0] += -(fading / sx) * wheel.z[0];
    out.z_rate[1] += -(fading / sy) * wheel.z[1];
  }

  /// Along the axes of the road.
  static Wheel<double> seen(const Frame& from, const Frame& to, const double* z) {
    const auto triple = [&](const Vec3& a) {
      const Vec3 own = from.R.transpose() * a;
      return Triple<double>{own.x(), own.y(), own.z()};
    };
    return {triple(to.r - from.r), triple(to.R.col(2)), triple(to.v), triple(to.w),
            z == nullptr ? std::array<double, 2>{} : std::array<double, 2>{z[0], z[1]}};
  }

  static bool acting(const Frame& from, const Action<double>& at, Effort& out) {
    out = {};
    out.force = -(from.R * Vec3(at.force.x, at.force.y, at.force.z));
    out.torque_to = from.R * Vec3(at.torque.x, at.torque.y, at.torque.z);
    return out.force.allFinite() && out.torque_to.allFinite();
  }

  /// Derivatives along the axes of the road, then turned.
  void differentiate(const Frame& from, const Frame& to, const double* z, Acts acts, EffortGradient& out,
                     StateGradient& states) const {
    const Wheel<double> plain = seen(from, to, z);
    Wheel<Varied> wheel;
    const auto vary = [](const Triple<double>& a, std::size_t first, Triple<Varied>& b) {
      b = {a.x, a.y, a.z};
      b.x.d[first] = b.y.d[first + 1] = b.z.d[first + 2] = 1;
    };
    vary(plain.r, 0, wheel.r);
    vary(plain.v, 6, wheel.v);
    vary(plain.w, 9, wheel.w);
    const Triple<double>& e = plain.axle;
    wheel.axle = {e.x, e.y, e.z};
    wheel.axle.y.d[3] = -e.z;
    wheel.axle.z.d[3] = e.y;
    wheel.axle.x.d[4] = e.z;
    wheel.axle.z.d[4] = -e.x;
    wheel.axle.x.d[5] = -e.y;
    wheel.axle.y.d[5] = e.x;
    for (std::size_t k = 0; k < 2; ++k) {
      wheel.z[k] = plain.z[k];
      wheel.z[k].d[12 + k] = 1;
    }
    const Action<Varied> at = act(wheel, acts);
    out = {};
    const auto row = [&](const Triple<Varied>& value, double sign, Eigen::Index first) {
      Eigen::Matrix<double, 3, directions> own;
      for (std::size_t k = 0; k < directions; ++k)
        own.col(static_cast<Eigen::Index>(k)) = sign * Vec3(value.x.d[k], value.y.d[k], value.z.d[k]);
      own = from.R * own;
      for (Eigen::Index k = 0; k < 4; ++k)
        out.to.block<3, 3>(first, 3 * k) = own.middleCols<3>(3 * k) * from.R.transpose();
      states.effort.block<3, 2>(first, 0) = own.rightCols<2>();
    };
    row(at.force, -1, 0);
    row(at.torque, 1, 6);
    for (std::size_t n = 0; n < 2; ++n) {
      const auto i = static_cast<Eigen::Index>(n);
      for (Eigen::Index k = 0; k < 4; ++k) {
        const auto first = static_cast<std::size_t>(3 * k);
        const std::array<double, directions>& d = at.z_rate[n].d;
        states.to.block<1, 3>(i, 3 * k) =
            Vec3(d[first], d[first + 1], d[first + 2]).transpose() * from.R.transpose();
      }
      for (std::size_t m = 0; m < 2; ++m)
        states.own(i, static_cast<Eigen::Index>(m)) = at.z_rate[n].d[12 + m];
    }
  }

  Spec spec_;
  RoadProfile road_;
  std::optional<MonotoneCubic> table_;
  GroundContactSpec shown_;
  std::array<double, 2> nominals_{0.1, 0.1}, shortest_relaxation_{};
  double least_load_ = 0;
  double steepest_ = 0, shortest_ = std::numeric_limits<double>::infinity();  ///< of the waves of the road
};

}  // namespace

bool is_tyre(const ForceElement& element) {
  return element.kind() == kind_name;
}

void take_readings(const ForceElement& element, const Frame& from, const Frame& to, const double* z,
                   double* out) {
  const std::array<double, 2> none{};
  static_cast<const Tyre&>(element).take_readings(from, to, z != nullptr ? z : none.data(), out);
}

std::unique_ptr<ForceElement> make_tyre(std::string name, const Marker& road, const Marker& wheel,
                                        const Spec& spec) {
  return std::make_unique<Tyre>(std::move(name), road, wheel, spec);
}

}  // namespace cosimo::tyre
