#include "fmi/input_orders.hpp"

#include <limits>
#include <vector>

#include "numerics/polynomial.hpp"

namespace cosimo::fmi {

namespace {

/// Derivatives up to this order of all inputs that have some.
bool takes(const Prepared& prepared, const std::vector<std::uint32_t>& inputs, int order) {
  const std::unique_ptr<Instance> instance = prepared.begin();
  if (instance->exit_initialisation() != Result::ok) return false;
  std::vector<std::uint32_t> references;
  std::vector<int> orders;
  for (const std::uint32_t each : inputs)
    for (int k = 1; k <= order; ++k) {
      references.push_back(each);
      orders.push_back(k);
    }
  const std::vector<double> zeros(orders.size());
  return instance->set_input_derivatives(references, orders, zeros) == Result::ok;
}

}  // namespace

int input_orders(const Prepared& prepared, const Wires& wires) {
  std::vector<std::uint32_t> inputs;
  for (std::size_t k = 0; k < wires.held.size(); ++k)
    if (wires.held[k] == 0) inputs.push_back(wires.input_reference[k]);
  if (inputs.empty()) return 0;
  if (takes(prepared, inputs, max_degree)) return std::numeric_limits<int>::max();
  return takes(prepared, inputs, 1) ? 1 : 0;
}

}  // namespace cosimo::fmi
