#include "subsystem/cut_ports.hpp"

#include "core/check.hpp"
#include "model/dof_map.hpp"

namespace cosimo {

std::vector<std::size_t> first_coordinates(const Model& model, std::span<const BodyId> bodies) {
  std::vector<std::size_t> first{0};
  first.reserve(bodies.size() + 1);
  for (const BodyId body : bodies) first.push_back(first.back() + model.coordinates(body).size());
  return first;
}

namespace {

/// At the end of a cut element.
CutPort cut_port(const Model& model, const Coupling& coupling, CutSide side) {
  const CutEnd& end = side == CutSide::from ? coupling.from : coupling.to;
  CutPort port;
  port.outputs = end.coordinates;
  port.element = coupling.element;
  port.components = coupling.components;
  port.far_coordinates = (side == CutSide::from ? coupling.to : coupling.from).coordinates;
  if (end.drive == Drive::motion && !model.mechanism) port.law = model.elements.law(coupling.element);
  return port;
}

std::size_t input_count(const CutPort& port) {
  switch (port.drive) {
    case Drive::force:
      return port.components;
    case Drive::motion:
      return 2 * port.far_coordinates;
    case Drive::signal:
      return 1;
    case Drive::none:
      break;
  }
  return 0;
}

}  // namespace

std::vector<CutPort> ports_of(const Model& model, const Interface& interface, PartId part,
                              const std::vector<BodyId>& bodies) {
  const DofMap place_of(bodies);
  const std::vector<std::size_t> first = first_coordinates(model, bodies);
  std::vector<CutPort> ports;
  for (std::size_t i = 0; i < interface.couplings.size(); ++i) {
    const Coupling& coupling = interface.couplings[i];
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? coupling.from : coupling.to;
      if (end.part != part) continue;
      const std::int32_t place = place_of(end.body);
      COSIMO_CHECK(place >= 0, "a coupling body must belong to its part");
      CutPort port;
      if (!coupling.is_signal()) port = cut_port(model, coupling, side);
      port.coupling = CouplingId{i};
      port.side = side;
      port.body = end.body;
      port.drive = end.drive;
      port.dof = static_cast<std::int32_t>(first[static_cast<std::size_t>(place)]);
      if (coupling.is_signal()) {
        port.outputs = end.coordinates;
        if (end.drive == Drive::none)
          port.dof += static_cast<std::int32_t>(end.variable);
        else
          port.freedom = end.variable;
      }
      ports.push_back(port);
    }
  }
  number_inputs(ports);
  return ports;
}

std::size_t number_inputs(std::span<CutPort> ports) {
  std::size_t inputs = 0, outputs = 0;
  for (CutPort& port : ports) {
    port.inputs = input_count(port);
    port.input = inputs;
    port.output = outputs;
    inputs += port.inputs;
    outputs += port.outputs;
  }
  return inputs;
}

std::vector<Port> plain_ports(std::span<const CutPort> ports) {
  return {ports.begin(), ports.end()};
}

std::vector<std::size_t> inputs_of(std::span<const CutPort> ports, const CouplingVariables& variables) {
  std::vector<std::size_t> inputs;
  for (const CutPort& port : ports) {
    const std::size_t first = variables.driving(port.coupling, port.side);
    for (std::size_t k = 0; k < port.inputs; ++k) inputs.push_back(first + k);
  }
  return inputs;
}

std::vector<std::int32_t> output_dofs(std::span<const CutPort> ports) {
  std::vector<std::int32_t> dofs;
  for (const CutPort& port : ports)
    for (std::size_t k = 0; k < port.outputs; ++k) dofs.push_back(port.dof + static_cast<std::int32_t>(k));
  return dofs;
}

}  // namespace cosimo
