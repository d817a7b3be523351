// Forces and torques that users write as formulas.
//
// On `to` act F and T of the formulas, so that force = -F, torque_to = T, and balance asks for
// torque_from = -T - delta x F. Derivatives: those of the formulas with respect to their variables times
// those of the variables with respect to the frames, all exact.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <set>
#include <span>

#include "core/error.hpp"
#include "mechanics/applied_variables.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/turning_element.hpp"
#include "numerics/expression.hpp"

namespace cosimo {

namespace {

using applied::At;
using applied::balanced;
using applied::Values;
using applied::values_of;
using applied::variable_count;
using applied::variable_gradient;
using applied::VariableGradient;

/// A formula that is zero when it is not given.
std::optional<Expression> read(const std::string& element, const char* field, const std::string& text,
                               std::span<const NamedCurve> curves) {
  if (text.empty()) return std::nullopt;
  try {
    return Expression(text, applied_variables(), curves);
  } catch (const ExpressionError& error) {
    throw Error(Fault{
        .field = element + "." + field, .value = text, .problem = error.what(), .remedy = error.remedy});
  }
}

/// Whether a whole turn of `angle` makes no difference, as in sin(angle); tried at a few places.
bool is_periodic(const Expression& formula) {
  if (!formula.uses(At::angle)) return true;
  std::array<double, variable_count> values{};
  for (const double angle : {-3.1, -2.3, -1.2, -0.4}) {
    values.fill(0.7);
    values[At::angle] = angle;
    const double before = formula(values);
    values[At::angle] = angle + 2 * std::numbers::pi;
    if (std::fabs(formula(values) - before) > 1e-9 * std::fabs(before)) return false;
  }
  return true;
}

class Applied final : public TurningElement {
 public:
  Applied(std::string element_name, const Marker& from, const Marker& to, const AppliedSpec& spec)
      : TurningElement(std::move(element_name), from, to, false),
        breakpoints_(spec.breakpoints),
        jumps_(spec.breakpoints) {
    constexpr std::array<const char*, 6> fields{"force.x",  "force.y",  "force.z",
                                                "torque.x", "torque.y", "torque.z"};
    bool any_force = false;
    std::set<std::string> known;
    for (std::size_t i = 0; i < 6; ++i) {
      formulas_[i] = read(name, fields[i], i < 3 ? spec.force[i] : spec.torque[i - 3], spec.curves);
      if (!formulas_[i]) continue;
      breakpoints_.merge(formulas_[i]->breaks(Breaks::slope));
      jumps_.merge(formulas_[i]->breaks(Breaks::value));
      for (const std::string& text : formulas_[i]->switches())
        if (known.insert(text).second) switches_.emplace_back(text, applied_variables(), spec.curves);
      any_force = any_force || i < 3;
      if (i >= 3) components_.set(i).set(i + 3);
    }
    std::erase_if(switches_, [](const Expression& formula) { return formula.is_constant(); });
    counts_turns_ = std::ranges::any_of(formulas_, [](const auto& f) { return f && !is_periodic(*f); });
    remember(spec.turns && counts_turns_);
    if (any_force)
      components_.set();  // the moment of the distance, and so torque_to that is not its opposite
  }

  EffortMask components() const override { return components_; }

  Effort time_derivative(double t, const Frame& from, const Frame& to) const override {
    return balanced(slopes_of(values_of(t, from, to, nullptr)).col(At::time), to.r - from.r);
  }

  double next_breakpoint(double t) const override { return breakpoints_.next(t); }
  double next_jump(double t) const override { return jumps_.next(t); }
  double longest_step(double t) const override { return breakpoints_.longest_step(t); }

  std::size_t switch_count() const override { return switches_.size() + (counts_turns_ ? 1 : 0); }
  void switches(double t, const Frame& from, const Frame& to, Switch* out) const override {
    const Values values = values_of(t, from, to, nullptr);
    for (std::size_t k = 0; k < switches_.size(); ++k) out[k] = {.value = switches_[k](span_of(values))};
    if (counts_turns_) out[switches_.size()] = {.value = values[At::angle], .angle = true};
  }

  bool is_load() const override { return true; }
  std::string_view kind() const override { return "applied"; }

 private:
  using Slopes = Eigen::Matrix<double, 6, variable_count>;

  bool effort_at(double t, const Frame& from, const Frame& to, const double* last,
                 Effort& out) const override {
    const Values values = values_of(t, from, to, last);
    Vec6 F = Vec6::Zero();
    for (std::size_t i = 0; i < 6; ++i)
      if (formulas_[i]) F[static_cast<Eigen::Index>(i)] = (*formulas_[i])(span_of(values));
    out = balanced(F, to.r - from.r);
    return F.allFinite();
  }

  void gradient_at(double t, const Frame& from, const Frame& to, const double* last,
                   EffortGradient& out) const override {
    const Values values = values_of(t, from, to, last);
    const Slopes slopes = slopes_of(values);
    const VariableGradient by_frame = variable_gradient(from, to);
    const Eigen::Matrix<double, 6, 12> change = slopes * by_frame;
    const Vec3 delta = to.r - from.r;
    Vec3 F = Vec3::Zero();
    for (std::size_t i = 0; i < 3; ++i)
      if (formulas_[i]) F[static_cast<Eigen::Index>(i)] = (*formulas_[i])(span_of(values));
    out.to.topRows<3>() = -change.topRows<3>();
    out.to.middleRows<3>(3) = -change.bottomRows<3>() - skew(delta) * change.topRows<3>();
    out.to.block<3, 3>(3, 0) += skew(F);
    out.to.bottomRows<3>() = change.bottomRows<3>();
    out.from = -out.to;
  }

  double angle_at(const Frame& from, const Frame& to, const double* last) const override {
    return values_of(0, from, to, last)[At::angle];
  }

  static std::span<const double> span_of(const Values& values) {
    return {values.data(), static_cast<std::size_t>(variable_count)};
  }

  Slopes slopes_of(const Values& values) const {
    Slopes out = Slopes::Zero();
    std::array<double, variable_count> row{};
    for (std::size_t i = 0; i < 6; ++i) {
      if (!formulas_[i]) continue;
      formulas_[i]->gradient(span_of(values), row);
      out.row(static_cast<Eigen::Index>(i)) =
          Eigen::Map<const Eigen::Matrix<double, 1, variable_count>>(row.data());
    }
    return out;
  }

  std::array<std::optional<Expression>, 6> formulas_;  ///< force, torque
  std::vector<Expression> switches_;
  Timetable breakpoints_, jumps_;
  EffortMask components_;
  bool counts_turns_ = false;  ///< a formula means something else after a turn
};

}  // namespace

std::span<const std::string> applied_variables() {
  static const std::array<std::string, variable_count> names{"t",     "x",  "y",  "z",  "vx",     "vy",  "vz",
                                                             "angle", "wx", "wy", "wz", "length", "rate"};
  return names;
}

std::unique_ptr<ForceElement> make_applied(std::string name, const Marker& from, const Marker& to,
                                           const AppliedSpec& spec) {
  return std::make_unique<Applied>(std::move(name), from, to, spec);
}

}  // namespace cosimo
