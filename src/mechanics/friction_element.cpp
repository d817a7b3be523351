// Dry friction that sticks: an elastic spring in a row with a slider, and a damper beside both.
//
// Memory: the place s0 of the slider, and the direction m in which it slides (0: it sticks). With the way
// e = s - s0 of the spring and the trial force T = k e + c s'
//
//   sticks   F = T              until |T| passes `limit`; then m = sign(T)
//   slides   F = m S(m s')      until m s' < 0; whenever an accepted step ends, the slider has followed as
//                               far as the spring is longer than S / k (a return mapping)
//
// S(u) = sliding + (limit - sliding) exp(-(u/v)^n), v the speed of Stribeck and n its exponent; without one
// S = sliding. While it slows down the spring grows to the limit again, with the way.
//
// and viscous friction d s' is added to both. Beginning and end of sliding are events, so that within a step
// the law is smooth. The spring stores no more than was put into it; where `sliding` is below `limit` some of
// it is lost as sliding begins. The slider also remembers the turns of an angle.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/along.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/elements.hpp"

namespace cosimo {
namespace {

class Friction final : public ForceElement, private ElementMemory {
 public:
  Friction(std::string element_name, const Marker& from, const Marker& to, const FrictionSpec& spec)
      : ForceElement(std::move(element_name), from, to), spec_(spec) {}

  EffortMask components() const override { return components_along(spec_.along); }
  const ElementMemory* memory() const override { return this; }
  std::string_view kind() const override { return "friction"; }

  // Without memory: as relaxed as it can be.
  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    const Travel at = travel(spec_.along, from, to);
    return acting(at, spec_.viscous * at.rate, out);
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    const Travel at = travel(spec_.along, from, to);
    gradient_along(spec_.along, from, to, {spec_.viscous * at.rate, 0, spec_.viscous}, out);
  }
  double potential(double /*t*/, const Frame& /*from*/, const Frame& /*to*/) const override { return 0; }

 private:
  enum Slot : std::size_t { slider, direction };
  enum Root : std::size_t { yields, turns };

  Extent extent() const override { return {.z = 0, .s = 2, .roots = 2}; }
  bool essential() const override { return true; }

  /// Without strain, and sliding where it moves too fast to stick.
  void begin(const Frame& from, const Frame& to, double* /*z*/, double* s) const override {
    const Travel at = travel(spec_.along, from, to);
    const double trial = spec_.damping * at.rate;
    s[slider] = at.s;
    s[direction] = std::fabs(trial) > spec_.limit ? std::copysign(1, trial) : 0;
  }

  bool effort(double /*t*/, const Frame& from, const Frame& to, const Remembered& y, Effort& out,
              double* /*z_rate*/) const override {
    const Travel at = remembered(from, to, y.s);
    return acting(at, force(at, y.s).force, out);
  }

  void gradient(double /*t*/, const Frame& from, const Frame& to, const Remembered& y, EffortGradient& out,
                StateGradient& /*z*/) const override {
    gradient_along(spec_.along, from, to, force(remembered(from, to, y.s), y.s), out);
  }

  double potential(double /*t*/, const Frame& from, const Frame& to, const Remembered& y) const override {
    const Travel at = remembered(from, to, y.s);
    double e = at.s - y.s[slider];
    if (y.s[direction] != 0) e = std::min(y.s[direction] * e, longest(at, y.s[direction]));
    return 0.5 * spec_.stiffness * e * e;
  }

  void commit(double /*t*/, const Frame& from, const Frame& to, const Remembered& y,
              double* s) const override {
    const double m = y.s[direction];
    if (m == 0) return;
    const Travel at = remembered(from, to, y.s);
    const double most = longest(at, m);
    if (m * (at.s - y.s[slider]) > most) s[slider] = at.s - m * most;
  }

  void roots(double /*t*/, const Frame& from, const Frame& to, const Remembered& y,
             double* g) const override {
    const Travel at = remembered(from, to, y.s);
    const bool sticks = y.s[direction] == 0;
    g[yields] = sticks ? spec_.limit - std::fabs(trial(at, y.s)) : spec_.limit;
    g[turns] = sticks ? spec_.limit : y.s[direction] * at.rate;
  }

  Fired fire(double /*t*/, std::span<const std::int8_t> crossed, const Frame& from, const Frame& to,
             double* /*z*/, double* s) const override {
    if (s[direction] == 0 && crossed[yields] < 0)
      s[direction] = trial(remembered(from, to, s), s) < 0 ? -1 : 1;
    else if (s[direction] != 0 && crossed[turns] < 0)
      stick(remembered(from, to, s), s);
    else
      return Fired::none;
    return Fired::inside;
  }

  /// With a spring that holds a little less than `limit`, well above what rounding leaves of its way: at the
  /// limit itself noise would decide whether it slides on, at the same instant and without end.
  void stick(const Travel& at, double* s) const {
    constexpr double share = 1e-6;
    const double now = at.s;
    const double rounding = 64 * std::numeric_limits<double>::epsilon() * std::fabs(now);
    const double below_limit = (1 - share) * spec_.limit / spec_.stiffness - rounding;
    const double held = std::max(0.0, std::min(longest(at, s[direction]), below_limit)), m = s[direction];
    if (m * (now - s[slider]) > held) s[slider] = now - m * held;
    s[direction] = 0;
  }

  bool acting(const Travel& at, double force_along, Effort& out) const {
    out = effort_along(spec_.along, at, force_along);
    return out.force.allFinite() && out.torque_from.allFinite();
  }

  Travel remembered(const Frame& from, const Frame& to, const double* s) const {
    return travel(spec_.along, from, to, s + slider);
  }
  /// S and its derivative. Back from where it turns, as far as a step goes there, it is the limit.
  struct Sliding {
    double force, slope;
  };
  Sliding sliding(double u) const {
    if (spec_.stribeck == 0) return {spec_.sliding, 0};
    const double more = spec_.limit - spec_.sliding, n = spec_.stribeck_exponent, x = u / spec_.stribeck;
    if (x <= 0) return {spec_.limit, 0};
    const double power = std::pow(x, n), left = more * std::exp(-power);
    return {spec_.sliding + left, -left * n * power / u};
  }
  /// The spring while it slides.
  double longest(const Travel& at, double m) const { return sliding(m * at.rate).force / spec_.stiffness; }
  double trial(const Travel& at, const double* s) const {
    return spec_.stiffness * (at.s - s[slider]) + spec_.damping * at.rate;
  }
  ForceAlong force(const Travel& at, const double* s) const {
    const double viscous = spec_.viscous * at.rate;
    if (const double m = s[direction]; m != 0) {
      const Sliding now = sliding(m * at.rate);
      return {m * now.force + viscous, 0, now.slope + spec_.viscous};
    }
    return {trial(at, s) + viscous, spec_.stiffness, spec_.damping + spec_.viscous};
  }

  FrictionSpec spec_;
};

}  // namespace

std::unique_ptr<ForceElement> make_friction(std::string name, const Marker& from, const Marker& to,
                                            const FrictionSpec& spec) {
  return std::make_unique<Friction>(std::move(name), from, to, spec);
}

}  // namespace cosimo
