#include "fmi/ports.hpp"

#include <algorithm>

namespace cosimo::fmi {

namespace {

/// What changes only at events is not judged: a jump is no error of an extrapolation.
constexpr double not_judged = 1e300;

}  // namespace

std::string element_name(const Variable& variable, std::size_t element) {
  if (variable.dimensions.empty()) return variable.name;
  std::string index;
  for (std::size_t d = variable.dimensions.size(); d-- > 0;) {
    const auto size = static_cast<std::size_t>(variable.dimensions[d].size);
    index.insert(0, std::to_string(element % size + 1) + (index.empty() ? "" : ","));
    element /= size;
  }
  return variable.name + "[" + index + "]";
}

Ports find_ports(const Description& description) {
  Ports ports;
  for (std::size_t v = 0; v < description.variables.size(); ++v) {
    const Variable& variable = description.variables[v];
    const bool input = variable.causality == Causality::input;
    if (!is_numeric(variable.type) || (!input && variable.causality != Causality::output)) continue;
    const bool held = variable.held() || !is_real(variable.type);
    const double nominal = held ? not_judged : variable.nominal > 0 ? variable.nominal : 1;
    for (std::size_t e = 0; e < variable.elements; ++e) {
      (input ? ports.input_slots : ports.output_slots).push_back({v, e});
      (input ? ports.inputs : ports.outputs)
          .push_back(
              {.name = element_name(variable, e), .nominal = nominal, .required = false, .held = held});
    }
  }
  return ports;
}

bool Ports::feeds(const Description& description, std::size_t input, std::size_t output) const {
  const std::size_t in = input_slots[input].variable, out = output_slots[output].variable;
  const auto found = std::find_if(description.outputs.begin(), description.outputs.end(),
                                  [&](const Unknown& each) { return each.variable == out; });
  if (found == description.outputs.end() || !found->known) return true;
  return std::find(found->dependencies.begin(), found->dependencies.end(), in) != found->dependencies.end();
}

}  // namespace cosimo::fmi
