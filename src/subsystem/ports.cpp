#include "subsystem/ports.hpp"

#include "core/check.hpp"
#include "model/dof_map.hpp"

namespace cosimo {

namespace {

/// The first coordinate of every body, in the order of the part.
std::vector<std::int32_t> first_coordinates(const Model& model, const std::vector<BodyId>& bodies) {
  std::vector<std::int32_t> first;
  first.reserve(bodies.size());
  std::size_t next = 0;
  for (const BodyId body : bodies) {
    first.push_back(static_cast<std::int32_t>(next));
    next += model.coordinates(body).size();
  }
  return first;
}

}  // namespace

std::vector<Port> ports_of(const Model& model, const Interface& interface, PartId part,
                           const std::vector<BodyId>& bodies) {
  const DofMap place_of(bodies);
  const std::vector<std::int32_t> first = first_coordinates(model, bodies);
  std::vector<Port> ports;
  for (std::size_t i = 0; i < interface.couplings.size(); ++i) {
    const Coupling& coupling = interface.couplings[i];
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? coupling.from : coupling.to;
      if (end.part != part) continue;
      const std::int32_t place = place_of(end.body);
      COSIMO_CHECK(place >= 0, "a coupling body must belong to its part");
      Port port{CouplingId{i}, side, end.body, first[static_cast<std::size_t>(place)], end.drive};
      port.element = coupling.element;
      port.coordinates = end.coordinates;
      port.components = coupling.components;
      port.far_coordinates = (side == CutSide::from ? coupling.to : coupling.from).coordinates;
      if (end.drive == Drive::motion && !model.mechanism) port.law = model.elements.law(coupling.element);
      ports.push_back(port);
    }
  }
  number_inputs(ports);
  return ports;
}

std::size_t number_inputs(std::span<Port> ports) {
  std::size_t inputs = 0, outputs = 0;
  for (Port& port : ports) {
    port.input = inputs;
    port.output = outputs;
    inputs += port.inputs();
    outputs += port.coordinates;
  }
  return inputs;
}

std::vector<std::size_t> inputs_of(std::span<const Port> ports, const CouplingVariables& variables) {
  std::vector<std::size_t> inputs;
  for (const Port& port : ports) {
    const std::size_t first = variables.driving(port.coupling, port.side);
    for (std::size_t k = 0; k < port.inputs(); ++k) inputs.push_back(first + k);
  }
  return inputs;
}

}  // namespace cosimo
