#include "mechanics/gear_mesh_element.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "mechanics/pull.hpp"
#include "mechanics/turning_element.hpp"
#include "mechanics/varied_place.hpp"

namespace cosimo {
namespace {

auto place_in_mesh(const GearMeshSpec& spec) {
  return [&spec](const auto& from, const auto& to) {
    const auto d = to.r - from.r;
    const auto angle = [&](const auto& wheel) { return atan2(dot(d, wheel.axis[1]), dot(d, wheel.axis[0])); };
    return std::array{spec.radius_from * angle(from) + spec.radius_to * angle(to)};
  };
}

class GearMesh final : public TurningElement {
 public:
  GearMesh(std::string element_name, const Marker& from, const Marker& to, const GearMeshSpec& spec)
      : TurningElement(std::move(element_name), from, to, true), spec_(spec) {
    law_.c = spec.stiffness;
    law_.d = spec.damping;
  }

  EffortMask components() const override { return EffortMask().set(); }
  std::string_view kind() const override { return "gear_mesh"; }

  std::size_t switch_count() const override { return 2 * pull_switches; }
  void switches(double /*t*/, const Frame& from, const Frame& to, Switch* out) const override {
    const Travel at = error(measured<1>(place_in_mesh(spec_), from, to)[0], nullptr);
    constexpr double unknown = std::numeric_limits<double>::infinity();
    for (const double flank : {1.0, -1.0})
      out = put_pull_switches(law_, flank * at.s - half_gap(), flank * at.rate, unknown, out);
  }

 private:
  double half_gap() const { return 0.5 * spec_.gap; }

  /// s becomes the transmission error, near the one of `last` (as an angle, a pitch being a turn).
  template <class Found>
  Found error(Found at, const double* last) const {
    const double e = std::remainder(at.s - spec_.centred, spec_.pitch);
    at.s = e;
    if (last == nullptr) return at;
    const double before = *last / per_length();
    const double since = std::remainder(e - before, spec_.pitch);
    at.s = std::fabs(since) * per_length() < most_turned ? before + since
                                                         : std::numeric_limits<double>::quiet_NaN();
    return at;
  }
  double per_length() const { return 2 * std::numbers::pi / spec_.pitch; }

  ForceAlong force(const Travel& at) const {
    if (at.s >= 0) return pull_of(law_, at.s - half_gap(), at.rate);
    const ForceAlong other = pull_of(law_, -at.s - half_gap(), -at.rate);
    return {-other.force, other.by_s, other.by_rate};
  }

  bool effort_at(double /*t*/, const Frame& from, const Frame& to, const double* last,
                 Effort& out) const override {
    const Travel at = error(measured<1>(place_in_mesh(spec_), from, to)[0], last);
    if (!std::isfinite(at.s)) return false;
    out = effort_of(at, force(at).force);
    return out.force.allFinite() && out.torque_from.allFinite() && out.torque_to.allFinite();
  }
  void gradient_at(double /*t*/, const Frame& from, const Frame& to, const double* last,
                   EffortGradient& out) const override {
    const CurvedTravel at = error(curved<1>(place_in_mesh(spec_), from, to)[0], last);
    gradient_of(at, pair_twist(from, to), force(at), out);
  }
  double potential_at(double /*t*/, const Frame& from, const Frame& to, const double* last) const override {
    const Travel at = error(measured<1>(place_in_mesh(spec_), from, to)[0], last);
    return energy_of_pull(law_, std::fabs(at.s) - half_gap());
  }
  double angle_at(const Frame& from, const Frame& to, const double* last) const override {
    return per_length() * error(measured<1>(place_in_mesh(spec_), from, to)[0], last).s;
  }

  GearMeshSpec spec_;
  PowerLaw law_;
};

}  // namespace

double gear_mesh_place(const GearMeshSpec& spec, const Frame& from, const Frame& to) {
  return measured<1>(place_in_mesh(spec), from, to)[0].s;
}

std::unique_ptr<ForceElement> make_gear_mesh(std::string name, const Marker& from, const Marker& to,
                                             const GearMeshSpec& spec) {
  return std::make_unique<GearMesh>(std::move(name), from, to, spec);
}

}  // namespace cosimo
