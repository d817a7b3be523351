// The signals of an FMU: which variables are inputs and outputs, element by element, and what depends on
// what.
#pragma once

#include <cstddef>
#include <vector>

#include "fmi/description.hpp"
#include "network/component_spec.hpp"

namespace cosimo::fmi {

struct Ports {
  /// One element of a variable.
  struct Slot {
    std::size_t variable = none, element = 0;
  };
  std::vector<Slot> input_slots, output_slots;
  std::vector<SignalPort> inputs, outputs;

  bool feeds(const Description& description, std::size_t input, std::size_t output) const;
};

Ports find_ports(const Description& description);

/// "y", "y[2]", "A[1,3]".
std::string element_name(const Variable& variable, std::size_t element);

}  // namespace cosimo::fmi
