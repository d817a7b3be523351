// The ports of a part at the cuts of an interface, and the numbers of what drives them.
//
//   std::vector<Port> ports = ports_of(model, interface, id, bodies);
//   std::vector<std::size_t> inputs = inputs_of(ports, CouplingVariables(interface));
//
// Ports stand in the order of the couplings, the `from` end first; their inputs and outputs follow
// each other.
#pragma once

#include <span>
#include <vector>

#include "model/coupling_variables.hpp"
#include "model/model.hpp"
#include "partition/part.hpp"
#include "subsystem/subsystem.hpp"

namespace cosimo {

/// `bodies` are those of the part in coordinate order.
std::vector<Port> ports_of(const Model& model, const Interface& interface, PartId part,
                           const std::vector<BodyId>& bodies);

/// Numbers the ports' inputs and outputs one after the other; returns how many inputs there are.
std::size_t number_inputs(std::span<Port> ports);

/// The coupling variable behind every input.
std::vector<std::size_t> inputs_of(std::span<const Port> ports, const CouplingVariables& variables);

}  // namespace cosimo
