// Buffers beyond bounds of a length, a displacement or an angle s (mechanics/along.hpp).
//
// With the penetration p = s - upper, or lower - s, the force back towards the bound is
//
//   N = stiffness p^exponent max(0, 1 + damping p'),    p > 0    (Hunt and Crossley)
//
// without a jump where it touches. Which branch holds is memory: touching and leaving are events, and so is
// the instant from which on the damper would pull, so that within a step the law is smooth. Without memory it
// follows from s and s'. An angle between bodies in space remembers its turns as well.
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
      : ForceElement(std::move(element_name), from, to), spec_(spec) {}

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
  enum Root : std::size_t { below, above, pulls };
  /// Beyond which bound it is (1: upper, -1: lower, 0: none), and whether the damper would pull.
  struct Branch {
    double side = 0;
    bool released = false;
  };

  Extent extent() const override { return {.z = 0, .s = spec_.turns ? 3U : 2U, .roots = 3}; }
  bool essential() const override { return false; }

  void begin(const Frame& from, const Frame& to, double* /*z*/, double* s) const override {
    const Travel at = travel(spec_.along, from, to);
    const Branch branch = branch_at(at);
    s[side] = branch.side;
    s[released] = branch.released ? 1 : 0;
    if (spec_.turns) s[angle] = at.s;
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
    if (spec_.turns) s[angle] = remembered(from, to, y.s).s;
  }

  void roots(double /*t*/, const Frame& from, const Frame& to, const Remembered& y,
             double* g) const override {
    const Travel at = remembered(from, to, y.s);
    g[below] = spec_.lower ? on_its_side(at.s - *spec_.lower, y.s[side] < 0) : 1;
    g[above] = spec_.upper ? on_its_side(*spec_.upper - at.s, y.s[side] > 0) : 1;
    g[pulls] = 1 + spec_.damping * y.s[side] * at.rate;
  }
  Fired fire(double /*t*/, std::span<const std::int8_t> crossed, const Frame& /*from*/, const Frame& /*to*/,
             double* /*z*/, double* s) const override {
    if (crossed[below] == 0 && crossed[above] == 0 && (crossed[pulls] == 0 || s[side] == 0))
      return Fired::none;
    if (crossed[pulls] != 0 && s[side] != 0) s[released] = crossed[pulls] < 0 ? 1 : 0;
    for (const auto& [root, beyond] : {std::pair{below, -1.0}, {above, 1.0}}) {
      if (crossed[root] == 0) continue;
      s[side] = crossed[root] < 0 ? beyond : 0;
      s[released] = 0;
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
  static Branch branch_of(const double* s) { return {s[side], s[released] != 0}; }
  /// On the bound itself the rate says where it will be.
  Branch branch_at(const Travel& at) const {
    const auto beyond = [](double p, double rate) { return p > 0 || (p == 0 && rate > 0); };
    Branch out;
    if (spec_.upper && beyond(at.s - *spec_.upper, at.rate)) out.side = 1;
    if (spec_.lower && beyond(*spec_.lower - at.s, -at.rate)) out.side = -1;
    out.released = 1 + spec_.damping * out.side * at.rate < 0;
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
                 resistance = 1 + spec_.damping * branch.side * at.rate;
    return {branch.side * elastic * resistance, n * spec_.stiffness * power * resistance,
            elastic * spec_.damping};
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
};

}  // namespace

std::unique_ptr<ForceElement> make_stop(std::string name, const Marker& from, const Marker& to,
                                        const StopSpec& spec) {
  return std::make_unique<StopElement>(std::move(name), from, to, spec);
}

}  // namespace cosimo
