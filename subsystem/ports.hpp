// The ports of a part at the cuts of an interface, and the numbers of what drives them.
//
//   std::vector<Port> ports = ports_of(interface, id, bodies, elements);
//   std::vector<std::size_t> inputs = inputs_of(ports, CouplingVariables(interface));
//
// Ports stand in the order of the couplings, the `from` end first; their inputs follow each other.
#pragma once

#include <span>
#include <vector>

#include "model/coupling_variables.hpp"
#include "model/part.hpp"
#include "model/spring_damper.hpp"
#include "subsystem/subsystem.hpp"

namespace cosimo {

/// `bodies` are those of the part in coordinate order; `elements` is the model's table.
std::vector<Port> ports_of(const Interface& interface, PartId part, const std::vector<BodyId>& bodies,
                           const SpringDampers& elements);

/// Numbers the ports' inputs one after the other; returns how many there are.
std::size_t number_inputs(std::span<Port> ports);

/// The coupling variable behind every input.
std::vector<std::size_t> inputs_of(std::span<const Port> ports, const CouplingVariables& variables);

}  // namespace cosimo
