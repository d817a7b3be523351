#include "subsystem/ports.hpp"

#include "core/check.hpp"
#include "model/dof_map.hpp"

namespace cosimo {

std::vector<Port> ports_of(const Interface& interface, PartId part, const std::vector<BodyId>& bodies,
                           const SpringDampers& elements) {
  const DofMap dof_of(bodies);
  std::vector<Port> ports;
  for (std::size_t i = 0; i < interface.couplings.size(); ++i) {
    const Coupling& coupling = interface.couplings[i];
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? coupling.from : coupling.to;
      if (end.part != part) continue;
      Port port{CouplingId{i}, side, end.body, dof_of(end.body), end.drive};
      COSIMO_CHECK(port.dof >= 0, "a coupling body must belong to its part");
      if (end.drive == Drive::motion) port.law = elements.law(coupling.element);
      ports.push_back(port);
    }
  }
  number_inputs(ports);
  return ports;
}

std::size_t number_inputs(std::span<Port> ports) {
  std::size_t count = 0;
  for (Port& port : ports) {
    port.input = count;
    count += port.drive == Drive::force ? 1 : 2;
  }
  return count;
}

std::vector<std::size_t> inputs_of(std::span<const Port> ports, const CouplingVariables& variables) {
  std::vector<std::size_t> inputs;
  for (const Port& port : ports) {
    const std::size_t first = variables.driving(port.coupling, port.side);
    inputs.push_back(first);
    if (port.drive == Drive::motion) inputs.push_back(first + 1);
  }
  return inputs;
}

}  // namespace cosimo
