#include "numerics/expression.hpp"

#include <algorithm>
#include <vector>

#include "core/check.hpp"
#include "numerics/formula.hpp"

namespace cosimo {

struct Expression::Impl {
  std::string text;
  Formula formula;
  std::vector<bool> used;
};

Expression::Expression(std::string text, std::span<const std::string> variables,
                       std::span<const NamedCurve> curves) {
  auto impl = std::make_shared<Impl>();
  impl->formula = read_formula(text, variables, curves);
  for (const std::string& formula : impl->formula.switches) read_formula(formula, variables, curves);
  impl->text = std::move(text);
  impl->used.assign(variables.size(), false);
  for (const Instruction& step : impl->formula.program)
    if (step.operation == Operation::variable) impl->used[step.index] = true;
  impl_ = std::move(impl);
}

const std::string& Expression::text() const {
  return impl_->text;
}

bool Expression::uses(std::size_t variable) const {
  return impl_->used[variable];
}

bool Expression::is_constant() const {
  return std::ranges::find(impl_->used, true) == impl_->used.end();
}

bool Expression::curves_take_time() const {
  return std::ranges::all_of(impl_->formula.calls, [](const CurveCall& call) { return call.argument.holds; });
}

Timetable Expression::breaks(Breaks which) const {
  Timetable all;
  for (const CurveCall& call : impl_->formula.calls)
    if (call.argument.holds)
      all.merge(call.curve->breaks(which).of(call.argument.scale, call.argument.shift));
  return all;
}

const std::vector<std::string>& Expression::switches() const {
  return impl_->formula.switches;
}

double Expression::operator()(std::span<const double> values) const {
  COSIMO_CHECK(values.size() == impl_->used.size(), "one value per variable of " + impl_->text);
  return impl_->formula.evaluate(values);
}

void Expression::gradient(std::span<const double> values, std::span<double> out) const {
  COSIMO_CHECK(values.size() == impl_->used.size() && out.size() == values.size(), impl_->text);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = impl_->used[i] ? impl_->formula.along(values, i).first : 0;
}

Jet Expression::along(std::span<const double> values, std::size_t variable) const {
  COSIMO_CHECK(values.size() == impl_->used.size() && variable < values.size(), impl_->text);
  return impl_->formula.along(values, variable);
}

}  // namespace cosimo
