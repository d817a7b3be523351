// Buffers beyond bounds of a length, a displacement or an angle s (mechanics/along.hpp).
//
// With the penetration p = s - upper, or lower - s, the force back towards the bound is
//
//   N = stiffness p^exponent max(0, 1 + damping p'),    p > 0    (Hunt and Crossley)
//
// without a jump where it touches. Which branch holds is memory: touching and leaving are events, and so is
// the instant from which on the damper would pull, so that within a step the law is smooth. Without memory it
// follows from s and s'. An angle between bodies in space remembers its turns as well.
//
// Restitution. From m p'' = -stiffness p^n (1 + D p') follows, with u = p', an integral that p and u share:
//
//   u/D - ln(1 + D u)/D^2 + stiffness p^(n + 1) / ((n + 1) m) = const.
//
// A body that touches with the speed v and leaves with e v, at p = 0 both times, has d = D v with
// d - ln(1 + d) = -e d - ln(1 - e d): d depends on e alone. The element remembers v and acts with D = d/v, so
// that the rebound is e v at any speed, mass, stiffness and exponent, where no other force matters during the
// contact. Impacts slower than a thousandth of the fastest so far are damped as one of that speed. A body
// that is pressed on, so that it becomes twice as fast during the contact, counts as one that touched with
// that speed; one that touched without any is damped from where it first turns back, as if it had touched
// with the speed that it had had at most.
#include <algorithm>
#include <cmath>
#include <limits>

#include "mechanics/along.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/elements.hpp"

namespace cosimo {
namespace {

class StopElement final : public ForceElement, private ElementMemory {
 public:
  StopElement(std::string element_name, const Marker& from, const Marker& to, const StopSpec& spec)
      : ForceElement(std::move(element_name), from, to),
        spec_(spec),
        coefficient_(spec.restitution ? restitution_damping(*spec.restitution) : 0) {}

  EffortMask components() const override { return components_along(spec_.along); }
  const ElementMemory* memory() const override { return this; }
  std::string_view kind() const override { return "stop"; }
  bool is_load() const override { return true; }
  bool strikes() const override { return true; }

  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    const Travel at = travel(spec_.along, from, to);
    return acting(at, force(at, branch_at(at)).force, out);
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    const Travel at = travel(spec_.along, from, to);
    gradient_along(spec_.along, from, to, force(at, branch_at(at)), out);
  }
  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    const Travel at = travel(spec_.along, from, to);
    return stored(at, branch_at(at));
  }

  std::size_t switch_count() const override {
    return (spec_.lower ? 1U : 0U) + (spec_.upper ? 1U : 0U) + (spec_.turns ? 1U : 0U);
  }
  void switches(double /*t*/, const Frame& from, const Frame& to, Switch* out) const override {
    const Travel at = travel(spec_.along, from, to);
    const double bound = fastest(from, to);
    if (spec_.lower) *out++ = {.value = *spec_.lower - at.s, .rate = -at.rate, .bound = bound};
    if (spec_.upper) *out++ = {.value = at.s - *spec_.upper, .rate = at.rate, .bound = bound};
    if (spec_.turns) *out = {.value = at.s, .angle = true};
  }

 private:
  enum Slot : std::size_t { side, released, angle };
  enum Root : std::size_t { below, above, pulls, turns_back, outgrown };
  /// Of the memory of impacts: the speed of this one, of the fastest of all, the largest in this contact, and
  /// whether it has turned back.
  struct Impact {
    double speed, fastest, seen, turned;
  };
  static constexpr double slowest = 1e-3;
  /// Beyond which bound it is (1: upper, -1: lower, 0: none), whether the damper would pull, and the damper.
  struct Branch {
    double side = 0;
    bool released = false;
    double damping = 0;
  };

  std::size_t first_of_impact() const { return spec_.turns ? 3 : 2; }
  Extent extent() const override {
    const bool strikes_back = spec_.restitution.has_value();
    return {.z = 0, .s = first_of_impact() + (strikes_back ? 4U : 0U), .roots = strikes_back ? 5U : 3U};
  }
  bool essential() const override { return spec_.restitution.has_value(); }

  Impact impact_of(const double* s) const {
    const double* const at = s + first_of_impact();
    return {at[0], at[1], at[2], at[3]};
  }
  void keep(const Impact& impact, double* s) const {
    double* const at = s + first_of_impact();
    at[0] = impact.speed;
    at[1] = impact.fastest;
    at[2] = impact.seen;
    at[3] = impact.turned;
  }
  double damping_of(const Impact& impact) const {
    const double speed = std::max(impact.speed, slowest * impact.fastest);
    return speed > 0 ? coefficient_ / speed : 0;
  }
  void touch(double speed, double before, double* s) const {
    if (spec_.restitution) keep({speed, std::max(speed, before), speed, 0}, s);
  }

  void begin(const Frame& from, const Frame& to, double* /*z*/, double* s) const override {
    const Travel at = travel(spec_.along, from, to);
    const Branch branch = branch_at(at);
    s[side] = branch.side;
    s[released] = branch.released ? 1 : 0;
    if (spec_.turns) s[angle] = at.s;
    touch(branch.side != 0 ? std::fabs(at.rate) : 0, 0, s);
  }

  bool effort(double /*t*/, const Frame& from, const Frame& to, const Remembered& y, Effort& out,
              double* /*z_rate*/) const override {
    const Travel at = remembered(from, to, y.s);
    return acting(at, force(at, branch_of(y.s)).force, out);
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, const Remembered& y, EffortGradient& out,
                StateGradient& /*z*/) const override {
    gradient_along(spec_.along, from, to, force(remembered(from, to, y.s), branch_of(y.s)), out);
  }
  double potential(double /*t*/, const Frame& from, const Frame& to, const Remembered& y) const override {
    return stored(remembered(from, to, y.s), branch_of(y.s));
  }
  void commit(double /*t*/, const Frame& from, const Frame& to, const Remembered& y,
              double* s) const override {
    if (spec_.turns || spec_.restitution) {
      const Travel at = remembered(from, to, y.s);
      if (spec_.turns) s[angle] = at.s;
      if (!spec_.restitution || y.s[side] == 0) return;
      Impact impact = impact_of(y.s);
      impact.seen = std::max(impact.seen, std::fabs(at.rate));
      keep(impact, s);
    }
  }

  void roots(double /*t*/, const Frame& from, const Frame& to, const Remembered& y,
             double* g) const override {
    const Travel at = remembered(from, to, y.s);
    g[below] = spec_.lower ? on_its_side(at.s - *spec_.lower, y.s[side] < 0) : 1;
    g[above] = spec_.upper ? on_its_side(*spec_.upper - at.s, y.s[side] > 0) : 1;
    g[pulls] = 1 + branch_of(y.s).damping * y.s[side] * at.rate;
    if (!spec_.restitution) return;
    const Impact impact = impact_of(y.s);
    const bool closing = y.s[side] != 0 && impact.turned == 0;
    g[turns_back] = closing ? on_its_side(y.s[side] * at.rate, false) : 1;
    g[outgrown] = closing && impact.speed > 0 ? 2 * impact.speed - y.s[side] * at.rate : 1;
  }
  Fired fire(double /*t*/, std::span<const std::int8_t> crossed, const Frame& from, const Frame& to,
             double* /*z*/, double* s) const override {
    const bool struck = spec_.restitution && s[side] != 0;
    const bool turned = struck && crossed[turns_back] < 0, grown = struck && crossed[outgrown] < 0;
    if (crossed[below] == 0 && crossed[above] == 0 && !turned && !grown &&
        (crossed[pulls] == 0 || s[side] == 0))
      return Fired::none;
    if (grown) {
      const Impact before = impact_of(s);
      const double speed = std::max(before.speed, std::fabs(remembered(from, to, s).rate));
      keep({speed, std::max(speed, before.fastest), before.seen, before.turned}, s);
    }
    if (turned) {
      const Impact before = impact_of(s);
      const double speed = std::max(before.speed, before.seen);
      keep({speed, std::max(speed, before.fastest), before.seen, 1}, s);
    }
    if (crossed[pulls] != 0 && s[side] != 0) s[released] = crossed[pulls] < 0 ? 1 : 0;
    for (const auto& [root, beyond] : {std::pair{below, -1.0}, {above, 1.0}}) {
      if (crossed[root] == 0) continue;
      s[side] = crossed[root] < 0 ? beyond : 0;
      s[released] = 0;
      if (spec_.restitution && s[side] != 0)
        touch(std::fabs(remembered(from, to, s).rate), impact_of(s).fastest, s);
    }
    return Fired::inside;
  }

  Travel remembered(const Frame& from, const Frame& to, const double* s) const {
    return travel(spec_.along, from, to, spec_.turns ? s + angle : nullptr);
  }
  /// On the bound itself the branch says on which side it is.
  static double on_its_side(double way, bool beyond) {
    constexpr double least = std::numeric_limits<double>::min();
    return way != 0 ? way : (beyond ? -least : least);
  }
  Branch branch_of(const double* s) const {
    return {s[side], s[released] != 0, spec_.restitution ? damping_of(impact_of(s)) : spec_.damping};
  }
  /// On the bound itself the rate says where it will be.
  Branch branch_at(const Travel& at) const {
    const auto beyond = [](double p, double rate) { return p > 0 || (p == 0 && rate > 0); };
    Branch out;
    if (!spec_.restitution) out.damping = spec_.damping;
    if (spec_.upper && beyond(at.s - *spec_.upper, at.rate)) out.side = 1;
    if (spec_.lower && beyond(*spec_.lower - at.s, -at.rate)) out.side = -1;
    out.released = 1 + out.damping * out.side * at.rate < 0;
    return out;
  }
  double penetration(const Travel& at, double beyond) const {
    return beyond > 0 ? at.s - spec_.upper.value_or(at.s) : spec_.lower.value_or(at.s) - at.s;
  }

  /// On its branch, and smoothly on where a step goes beyond the event that ends it.
  ForceAlong force(const Travel& at, const Branch& branch) const {
    if (branch.side == 0 || branch.released) return {};
    const double p = penetration(at, branch.side), n = spec_.exponent;
    const double power = n == 1 ? 1 : std::pow(std::fabs(p), n - 1);
    const double elastic = spec_.stiffness * power * p,
                 resistance = 1 + branch.damping * branch.side * at.rate;
    return {branch.side * elastic * resistance, n * spec_.stiffness * power * resistance,
            elastic * branch.damping};
  }
  double stored(const Travel& at, const Branch& branch) const {
    if (branch.side == 0) return 0;
    const double p = penetration(at, branch.side);
    return p > 0 ? spec_.stiffness * std::pow(p, spec_.exponent + 1) / (spec_.exponent + 1) : 0;
  }

  bool acting(const Travel& at, double force_along, Effort& out) const {
    out = effort_along(spec_.along, at, force_along);
    return out.force.allFinite() && out.torque_from.allFinite();
  }

  /// How fast s can change while the velocities stay as they are.
  double fastest(const Frame& from, const Frame& to) const {
    if (spec_.along == Along::length) return (to.v - from.v).norm();
    if (spec_.along == Along::displacement)
      return (to.v - from.v).norm() + from.w.norm() * (to.r - from.r).norm();
    return turns_counted(from, to) ? (to.w - from.w).norm() : std::numeric_limits<double>::infinity();
  }

  StopSpec spec_;
  double coefficient_;  ///< of damping against the speed of an impact
};

/// x - ln(1 + x).
double shortfall(double x) {
  if (std::fabs(x) > 0.05) return x - std::log1p(x);
  double sum = 0;
  for (int n = 14; n >= 2; --n) sum = 1.0 / n - x * sum;
  return x * x * sum;
}

}  // namespace

double restitution_damping(double e) {
  double low = 0, high = 1 / e;  // the difference is positive below the solution
  for (int halvings = 0; halvings < 200; ++halvings) {
    const double d = 0.5 * (low + high);
    (shortfall(d) > shortfall(-e * d) ? low : high) = d;
  }
  return 0.5 * (low + high);
}

std::unique_ptr<ForceElement> make_stop(std::string name, const Marker& from, const Marker& to,
                                        const StopSpec& spec) {
  return std::make_unique<StopElement>(std::move(name), from, to, spec);
}

}  // namespace cosimo
