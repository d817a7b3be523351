// A force given by points: F(s) = curve(s) + d s', s a length, a displacement or an angle
// (mechanics/along.hpp), the curve monotone between the points and straight beyond them
// (numerics/monotone_cubic.hpp). The potential is the integral of the curve, from where it is without force
// if there is such a place between the points.
#include "mechanics/along.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/turning_element.hpp"

namespace cosimo {
namespace {

/// The first place where the force begins to resist, or the first point.
double unloaded(const TableSpec& spec, const MonotoneCubic& curve) {
  for (std::size_t i = 0; i + 1 < spec.s.size(); ++i) {
    if (!(spec.force[i] <= 0 && spec.force[i + 1] > 0)) continue;
    double below = spec.s[i], above = spec.s[i + 1];
    for (int k = 0; k < 60; ++k) {
      const double middle = below + 0.5 * (above - below);
      (curve(middle) > 0 ? above : below) = middle;
    }
    return below;
  }
  return spec.s.front();
}

class Table final : public TurningElement {
 public:
  Table(std::string element_name, const Marker& from, const Marker& to, const TableSpec& spec)
      : TurningElement(std::move(element_name), from, to, spec.turns),
        along_(spec.along),
        curve_(spec.s, spec.force),
        damping_(spec.damping),
        zero_(curve_.integral(unloaded(spec, curve_))) {}

  EffortMask components() const override { return components_along(along_); }

  std::size_t switch_count() const override { return along_ == Along::angle ? 1 : 0; }
  void switches(double /*t*/, const Frame& from, const Frame& to, Switch* out) const override {
    if (along_ == Along::angle) *out = {.value = travel(along_, from, to).s, .angle = true};
  }

  std::string_view kind() const override { return "table"; }

 private:
  bool effort_at(double /*t*/, const Frame& from, const Frame& to, const double* last,
                 Effort& out) const override {
    const Travel at = travel(along_, from, to, last);
    out = effort_along(along_, at, curve_(at.s) + damping_ * at.rate);
    return out.force.allFinite() && out.torque_from.allFinite();
  }

  void gradient_at(double /*t*/, const Frame& from, const Frame& to, const double* last,
                   EffortGradient& out) const override {
    const Travel at = travel(along_, from, to, last);
    const auto [force, slope] = curve_.at(at.s);
    gradient_along(along_, from, to, {force + damping_ * at.rate, slope, damping_}, out);
  }

  double potential_at(double /*t*/, const Frame& from, const Frame& to, const double* last) const override {
    return curve_.integral(travel(along_, from, to, last).s) - zero_;
  }
  double angle_at(const Frame& from, const Frame& to, const double* last) const override {
    return travel(along_, from, to, last).s;
  }

  Along along_;
  MonotoneCubic curve_;
  double damping_;
  double zero_;  ///< of the potential
};

}  // namespace

std::unique_ptr<ForceElement> make_table(std::string name, const Marker& from, const Marker& to,
                                         const TableSpec& spec) {
  return std::make_unique<Table>(std::move(name), from, to, spec);
}

}  // namespace cosimo
