#include "mechanics/cylinder_element.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "core/error.hpp"
#include "mechanics/along.hpp"
#include "mechanics/element_memory.hpp"
#include "mechanics/pull.hpp"
#include "mechanics/varied_place.hpp"
#include "numerics/expression.hpp"

namespace cosimo {
namespace {

constexpr std::size_t bore = 0, rod = 1;

constexpr auto length_between = [](const auto& from, const auto& to) {
  const auto d = to.r - from.r;
  return std::array{sqrt(dot(d, d))};
};

Expression read(const std::string& element, const CylinderSpec& spec) {
  try {
    return {spec.command, std::vector<std::string>{"t"}, spec.curves};
  } catch (const ExpressionError& error) {
    throw Error(Fault{.field = element + ".command",
                      .value = spec.command,
                      .problem = error.what(),
                      .remedy = error.remedy});
  }
}

class Cylinder final : public ForceElement, private ElementMemory {
 public:
  Cylinder(std::string element_name, const Marker& from, const Marker& to, const CylinderSpec& spec)
      : ForceElement(std::move(element_name), from, to),
        spec_(spec),
        command_(read(name, spec)),
        breakpoints_(spec.breakpoints),
        jumps_(spec.breakpoints) {
    stop_.c = spec.stop_stiffness;
    stop_.d = spec.stop_damping;
    breakpoints_.merge(command_.breaks(Breaks::slope));
    jumps_.merge(command_.breaks(Breaks::value));
    if (!command_.is_constant()) switches_.push_back(command_);
    for (const std::string& text : command_.switches()) {
      Expression formula(text, std::vector<std::string>{"t"}, spec.curves);
      if (!formula.is_constant()) switches_.push_back(std::move(formula));
    }
    const double usual = std::max({std::fabs(spec.supply), spec.pressures[bore], spec.pressures[rod]});
    nominals_.fill(usual > 0 ? usual : spec.drop);
  }

  EffortMask components() const override { return components_along(Along::length); }
  const ElementMemory* memory() const override { return this; }
  std::string_view kind() const override { return "cylinder"; }
  double next_breakpoint(double t) const override { return breakpoints_.next(t); }
  double next_jump(double t) const override { return jumps_.next(t); }
  double longest_step(double t) const override { return breakpoints_.longest_step(t); }

  std::size_t switch_count() const override { return 2 * pull_switches + switches_.size(); }
  void switches(double t, const Frame& from, const Frame& to, Switch* out) const override {
    const Travel at = travel(Along::length, from, to);
    const double fastest = (to.v - from.v).norm(), x = out_by(at);
    out = put_pull_switches(stop_, x - spec_.stroke, at.rate, fastest, out);
    out = put_pull_switches(stop_, -x, -at.rate, fastest, out);
    for (const Expression& formula : switches_) *out++ = {.value = formula(std::array{t})};
  }

  // Without memory: with the pressures of the start.
  bool effort(double /*t*/, const Frame& from, const Frame& to, Effort& out) const override {
    return acting(from, to, spec_.pressures.data(), out);
  }
  void gradient(double /*t*/, const Frame& from, const Frame& to, EffortGradient& out) const override {
    gradient_along(Along::length, from, to, force(travel(Along::length, from, to), spec_.pressures.data()),
                   out);
  }
  double potential(double /*t*/, const Frame& from, const Frame& to) const override {
    return stored(travel(Along::length, from, to), spec_.pressures.data());
  }

 private:
  /// Rates of the pressures with their derivatives by x, x' and the pressures.
  struct Rate {
    double value = 0, by_x = 0, by_rate = 0;
    std::array<double, 2> by_p{};
  };

  Extent extent() const override { return {.z = 2, .s = 0, .roots = 0}; }
  bool essential() const override { return true; }
  std::span<const double> nominals() const override { return nominals_; }
  void begin(const Frame& /*from*/, const Frame& /*to*/, double* z, double* /*s*/) const override {
    std::ranges::copy(spec_.pressures, z);
  }

  bool effort(double t, const Frame& from, const Frame& to, const Remembered& y, Effort& out,
              double* z_rate) const override {
    if (!acting(from, to, y.z, out)) return false;
    if (z_rate == nullptr) return true;
    const auto found = rates(t, travel(Along::length, from, to), y.z);
    z_rate[bore] = found[bore].value;
    z_rate[rod] = found[rod].value;
    return std::isfinite(z_rate[bore]) && std::isfinite(z_rate[rod]);
  }

  void gradient(double t, const Frame& from, const Frame& to, const Remembered& y, EffortGradient& out,
                StateGradient& z) const override {
    const Travel at = travel(Along::length, from, to);
    gradient_along(Along::length, from, to, force(at, y.z), out);
    const Vec12 bent = curved<1>(length_between, from, to)[0].H.transpose() * pair_twist(from, to);
    const auto found = rates(t, at, y.z);
    for (std::size_t k = 0; k < 2; ++k) {
      const auto i = static_cast<Eigen::Index>(k);
      z.effort.col(i).head<3>() = (k == bore ? spec_.area[bore] : -spec_.area[rod]) * at.J.head<3>();
      const Vec12 by_place = found[k].by_x * at.J + found[k].by_rate * bent,
                  by_speed = found[k].by_rate * at.J;
      z.from.row(i) << by_place.head<6>().transpose(), by_speed.head<6>().transpose();
      z.to.row(i) << by_place.tail<6>().transpose(), by_speed.tail<6>().transpose();
      for (std::size_t m = 0; m < 2; ++m) z.own(i, static_cast<Eigen::Index>(m)) = found[k].by_p[m];
    }
  }

  double potential(double /*t*/, const Frame& from, const Frame& to, const Remembered& y) const override {
    return stored(travel(Along::length, from, to), y.z);
  }

  double out_by(const Travel& at) const { return at.s - spec_.retracted; }
  double volume(std::size_t chamber, double x) const {
    return spec_.dead[chamber] + spec_.area[chamber] * (chamber == bore ? x : spec_.stroke - x);
  }

  /// Positive where it draws the points together.
  ForceAlong force(const Travel& at, const double* p) const {
    const double x = out_by(at);
    const ForceAlong far = pull_of(stop_, x - spec_.stroke, at.rate), near = pull_of(stop_, -x, -at.rate);
    return {spec_.area[rod] * p[rod] - spec_.area[bore] * p[bore] + spec_.damping * at.rate + far.force -
                near.force,
            far.by_s + near.by_s, spec_.damping + far.by_rate + near.by_rate};
  }
  bool acting(const Frame& from, const Frame& to, const double* p, Effort& out) const {
    const Travel at = travel(Along::length, from, to);
    out = effort_along(Along::length, at, force(at, p).force);
    return out.force.allFinite();
  }

  /// What flows through an edge of the valve, and how it grows with the difference of pressures.
  struct Flow {
    double value = 0, slope = 0;
  };
  Flow through(double difference) const {
    constexpr double linear = 1e-3;
    const double least = linear * spec_.drop, square = difference * difference + least * least;
    const double scale = spec_.flow / std::sqrt(spec_.drop), root = std::sqrt(std::sqrt(square));
    return {scale * difference / root, scale * (square - 0.5 * difference * difference) / (square * root)};
  }
  /// Into a chamber at the pressure p, by the command u.
  Flow into(std::size_t chamber, double u, double p) const {
    const bool supplied = (chamber == bore) == (u > 0);
    const Flow one = through((supplied ? spec_.supply : spec_.tank) - p);
    return {std::fabs(u) * one.value, -std::fabs(u) * one.slope};
  }

  std::array<Rate, 2> rates(double t, const Travel& at, const double* p) const {
    const double u = command_(std::array{t}), x = out_by(at);
    std::array<Rate, 2> out;
    for (const std::size_t k : {bore, rod}) {
      const double side = k == bore ? 1 : -1, v = volume(k, x), per_volume = spec_.bulk / v;
      const Flow flow = into(k, u, p[k]);
      const double leak = side * spec_.leakage * (p[bore] - p[rod]);
      Rate& rate = out[k];
      // A chamber that has no volume left has no rate: the step fails.
      if (!(v > 0)) rate.value = std::numeric_limits<double>::quiet_NaN();
      rate.value += per_volume * (flow.value - side * spec_.area[k] * at.rate - leak);
      rate.by_x = -rate.value * side * spec_.area[k] / v;
      rate.by_rate = -per_volume * side * spec_.area[k];
      rate.by_p[k] = per_volume * (flow.slope - spec_.leakage);
      rate.by_p[1 - k] = per_volume * spec_.leakage;
    }
    return out;
  }

  double stored(const Travel& at, const double* p) const {
    const double x = out_by(at);
    double sum = energy_of_pull(stop_, x - spec_.stroke) + energy_of_pull(stop_, -x);
    for (const std::size_t k : {bore, rod})
      sum += volume(k, x) * (spec_.bulk * std::expm1(p[k] / spec_.bulk) - p[k]);
    return sum;
  }

  CylinderSpec spec_;
  PowerLaw stop_;
  Expression command_;
  Timetable breakpoints_, jumps_;
  std::vector<Expression> switches_;
  std::array<double, 2> nominals_{};
};

}  // namespace

std::unique_ptr<ForceElement> make_cylinder(std::string name, const Marker& from, const Marker& to,
                                            const CylinderSpec& spec) {
  return std::make_unique<Cylinder>(std::move(name), from, to, spec);
}

}  // namespace cosimo
