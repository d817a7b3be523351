// The ports of a part of a multibody model, and the numbers of what drives them.
//
//   std::vector<CutPort> ports = ports_of(model, interface, id, bodies);
//   std::vector<std::size_t> inputs = inputs_of(ports, CouplingVariables(interface));
//
// Ports are in the order of the couplings, the `from` end first; their inputs and outputs follow each other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "model/spring_damper.hpp"
#include "network/component.hpp"
#include "network/coupling_variables.hpp"
#include "partition/part.hpp"

namespace cosimo {

/// A port at a body. Of a cut element: the element's force drives it, or the motion of the body beyond. Of a
/// signal: a coordinate that is measured, or a force along a freedom.
struct CutPort : Port {
  BodyId body;              ///< the coupling body
  std::int32_t dof = 0;     ///< its first coordinate in the part, or the one that is measured
  std::size_t freedom = 0;  ///< of the body, that the signal pushes
  Drive drive = Drive::force;
  ElementId element{};              ///< the one that is cut
  std::size_t components = 1;       ///< of the element's force: inputs with Drive::force
  std::size_t far_coordinates = 1;  ///< of the body at the other end: with Drive::motion inputs, twice
  SpringLaw law{};                  ///< of the element, with Drive::motion; scalar models
};

/// Where the coordinates of every body of a list begin, and how many there are in all.
std::vector<std::size_t> first_coordinates(const Model& model, std::span<const BodyId> bodies);

/// `bodies` are those of the part in coordinate order.
std::vector<CutPort> ports_of(const Model& model, const Interface& interface, PartId part,
                              const std::vector<BodyId>& bodies);

/// Counts the ports' inputs, and numbers inputs and outputs one after the other; returns how many inputs
/// there are.
std::size_t number_inputs(std::span<CutPort> ports);

/// What the schemes see of them.
std::vector<Port> plain_ports(std::span<const CutPort> ports);

/// The coupling variable behind every input.
std::vector<std::size_t> inputs_of(std::span<const CutPort> ports, const CouplingVariables& variables);

/// The degree of freedom behind every output.
std::vector<std::int32_t> output_dofs(std::span<const CutPort> ports);

}  // namespace cosimo
