#include "mechanics/law_element.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "mechanics/turning_element.hpp"
#include "numerics/expression.hpp"

namespace cosimo {
namespace {

constexpr std::size_t time_place = 0, s_place = 1, rate_place = 2;

Expression read(const std::string& element, const LawSpec& spec) {
  try {
    return {spec.force, law_variables(), spec.curves};
  } catch (const ExpressionError& error) {
    throw Error(Fault{
        .field = element + ".force", .value = spec.force, .problem = error.what(), .remedy = error.remedy});
  }
}

class Law final : public TurningElement {
 public:
  Law(std::string element_name, const Marker& from, const Marker& to, const LawSpec& spec)
      : TurningElement(std::move(element_name), from, to, spec.turns),
        along_(spec.along),
        force_(read(name, spec)),
        breakpoints_(spec.breakpoints),
        jumps_(spec.breakpoints) {
    breakpoints_.merge(force_.breaks(Breaks::slope));
    jumps_.merge(force_.breaks(Breaks::value));
    for (const std::string& text : force_.switches()) {
      Expression formula(text, law_variables(), spec.curves);
      if (!formula.is_constant()) switches_.push_back(std::move(formula));
    }
  }

  EffortMask components() const override { return components_along(along_); }
  std::string_view kind() const override { return "law"; }
  double next_breakpoint(double t) const override { return breakpoints_.next(t); }
  double next_jump(double t) const override { return jumps_.next(t); }
  double longest_step(double t) const override { return breakpoints_.longest_step(t); }

  Effort time_derivative(double t, const Frame& from, const Frame& to) const override {
    const Travel at = travel(along_, from, to);
    return effort_along(along_, at, force_.along(values(t, at), time_place).first);
  }

  std::size_t switch_count() const override { return switches_.size() + (along_ == Along::angle ? 1U : 0U); }
  void switches(double t, const Frame& from, const Frame& to, Switch* out) const override {
    const Travel at = travel(along_, from, to);
    for (const Expression& formula : switches_) *out++ = {.value = formula(values(t, at))};
    if (along_ == Along::angle) *out = {.value = at.s, .angle = true};
  }

 private:
  std::array<double, 3> values(double t, const Travel& at) const { return {t, at.s, at.rate}; }

  bool effort_at(double t, const Frame& from, const Frame& to, const double* last,
                 Effort& out) const override {
    const Travel at = travel(along_, from, to, last);
    out = effort_along(along_, at, force_(values(t, at)));
    return out.force.allFinite() && out.torque_from.allFinite();
  }

  void gradient_at(double t, const Frame& from, const Frame& to, const double* last,
                   EffortGradient& out) const override {
    const std::array<double, 3> at = values(t, travel(along_, from, to, last));
    std::array<double, 3> slopes{};
    force_.gradient(at, slopes);
    gradient_along(along_, from, to, {force_(at), slopes[s_place], slopes[rate_place]}, out);
  }

  double angle_at(const Frame& from, const Frame& to, const double* last) const override {
    return travel(along_, from, to, last).s;
  }

  Along along_;
  Expression force_;
  Timetable breakpoints_, jumps_;
  std::vector<Expression> switches_;
};

}  // namespace

std::span<const std::string> law_variables() {
  static const std::array<std::string, 3> names{"t", "s", "rate"};
  return names;
}

std::unique_ptr<ForceElement> make_law(std::string name, const Marker& from, const Marker& to,
                                       const LawSpec& spec) {
  return std::make_unique<Law>(std::move(name), from, to, spec);
}

}  // namespace cosimo
