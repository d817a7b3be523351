#include "subsystem/overlap_load.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "mechanics/element_memory.hpp"
#include "mechanics/mechanism.hpp"
#include "subsystem/cut_ports.hpp"

namespace cosimo {

namespace {

/// The copy's end of a far edge, driven by a force as a cut is.
CutPort far_port(const Model& model, const FarEdge& edge, std::int32_t dof) {
  const CutSide side = ends_of(model, edge.element).from == edge.copy ? CutSide::from : CutSide::to;
  CutPort port;
  port.side = side;
  port.body = edge.copy;
  port.dof = dof;
  port.element = edge.element;
  port.outputs = model.coordinates(edge.copy).size();
  port.far_coordinates = model.coordinates(edge.beyond).size();
  if (model.mechanism) port.components = coupling_components(model, edge.element).count();
  return port;
}

template <class DofOf>
std::vector<CutPort> input_ports(const OverlapSubsystem& subsystem, const Model& model,
                                 const OverlappingPart& part, DofOf dof_of) {
  std::vector<CutPort> inputs;
  for (const FarEdge& edge : part.edges) inputs.push_back(far_port(model, edge, dof_of(edge.copy)));
  const auto ports = subsystem.cut_ports();
  for (std::size_t p = 0; p < ports.size(); ++p) {
    if (dof_of(subsystem.beyond(p)) >= 0) continue;
    inputs.push_back(ports[p]);
    inputs.back().dof = dof_of(ports[p].body);
  }
  number_inputs(inputs);
  return inputs;
}

IntegratorOptions judging(IntegratorOptions options, Range judged) {
  options.judged = judged;
  return options;
}

}  // namespace

OverlapLane::Load::Load(const OverlapLane& owner, std::shared_ptr<const OverlappingPart> carried)
    : lane(&owner),
      part(std::move(carried)),
      place_of(part->part.bodies),
      first(first_coordinates(owner.subsystem_.model_, part->part.bodies)),
      places(places_of(owner.subsystem_.model_, part->part.bodies)),
      owned(coordinates(part->part.owned)),
      inputs(input_ports(owner.subsystem_, owner.subsystem_.model_, *part,
                         [this](BodyId body) { return dof_of(body); })),
      system(make_overlap_system(owner.subsystem_.model_, *part, inputs)),
      integrator(
          make_integrator(system->system(), judging(owner.subsystem_.options_, coordinates(part->judged)))),
      q(places.size()),
      v(places.size()) {
  const OverlapSubsystem& subsystem = owner.subsystem_;
  std::size_t driven = part->edges.size();
  for (std::size_t p = 0; p < subsystem.cut_ports().size(); ++p) {
    const CutPort& port = subsystem.cut_ports()[p];
    for (std::size_t k = 0; k < port.outputs; ++k)
      output_dof.push_back(dof_of(port.body) + static_cast<std::int32_t>(k));
    copy_dof.push_back(dof_of(subsystem.beyond(p)));
    if (copy_dof.back() < 0) driven_ports.push_back({p, driven++});
  }
  if (!inputs.empty()) polynomials.resize(inputs.back().input + inputs.back().inputs);
  map_memory(subsystem);
}

void OverlapLane::Load::map_memory(const OverlapSubsystem& subsystem) {
  const Model& model = subsystem.model_;
  const std::vector<ElementId> elements = essential_memories(model, part->part.elements);
  memory_places = remembered_places(model, elements);
  if (memory_places.empty()) return;
  std::vector<ElementId> others;
  const DofMap own(subsystem.core().bodies);
  for (const ElementId e : elements) {
    const bool other = own(keeper_of(model, e)) < 0;
    if (other) others.push_back(e);
    const Extent extent = model.mechanism->elements[e.index()]->memory()->extent();
    foreign_roots.insert(foreign_roots.end(), extent.roots, other ? 1 : 0);
  }
  std::unordered_map<std::size_t, std::size_t> number;
  for (std::size_t k = 0; k < memory_places.size(); ++k) number.emplace(memory_places[k], k);
  foreign.resize(memory_places.size());
  for (const std::size_t place : remembered_places(model, others)) foreign[number.at(place)] = 1;
  takes_memory = !others.empty();
  for (const std::size_t place : subsystem.remembered()) own_memory.push_back(number.at(place));
  remembered.resize(memory_places.size());
  for (std::size_t& place : memory_places) place += model.coordinate_count();
}

void OverlapLane::Load::recall() {
  const auto z = integrator->states(), s = integrator->memory();
  std::copy(s.begin(), s.end(), std::copy(z.begin(), z.end(), remembered.begin()));
}

}  // namespace cosimo
