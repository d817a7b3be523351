#include "simulation/columns.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "core/error.hpp"
#include "model/traits.hpp"
#include "network/coupling_variables.hpp"
#include "simulation/translate.hpp"

namespace cosimo {

namespace {

/// Ascending labels of the bodies whose motion is recorded, unless all are.
std::vector<std::int64_t> recorded_bodies(const config::Scenario& scenario, const BodyGraph& graph,
                                          const Interface& wanted) {
  std::vector<std::int64_t> labels;
  if (scenario.simulate.record == config::Record::coupling) {
    for (const Coupling& c : wanted.couplings)
      for (const CutEnd& end : {c.from, c.to}) labels.push_back(end.body.label());
  } else {
    labels = scenario.simulate.record_bodies;
    for (const std::string& name : scenario.simulate.record_names)
      labels.push_back(body_label(graph, name, "simulate.record"));
    for (const std::int64_t label : labels)
      if (label < 1 || label > static_cast<std::int64_t>(graph.bodies()))
        throw Error(Fault{.field = "simulate.record",
                          .value = std::to_string(label),
                          .problem = "there is no such body",
                          .remedy = "bodies are numbered from 1 to " + std::to_string(graph.bodies())});
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

std::size_t place_of(const std::vector<std::size_t>& sorted, std::size_t value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

/// A signal that is a force on a body.
bool pushes(const Coupling& coupling) {
  return coupling.is_signal() && coupling.to.body.valid();
}

/// What the elements inside the parts remember; those of cuts do without, and with copies those that can.
std::vector<std::size_t> kept_memory(const Assembly& a) {
  std::vector<ElementId> elements;
  std::vector<BodyId> bodies;
  if (a.overlap) {
    elements = a.graph->uncut();
  } else {
    for (const Part& part : a.partition.parts) {
      elements.insert(elements.end(), part.elements.begin(), part.elements.end());
      bodies.insert(bodies.end(), part.bodies.begin(), part.bodies.end());
    }
  }
  std::vector<std::size_t> places = remembered_places(*a.model, elements, bodies);
  std::sort(places.begin(), places.end());
  return places;
}

/// It goes behind the coordinates.
void map_memory(Assembly& a) {
  const std::size_t behind = a.model->coordinate_count();
  for (std::size_t s = 0; s < a.subsystems.size() && !a.remembered.empty(); ++s) {
    std::int32_t number = 0;
    for (const std::size_t place : a.subsystems[s]->remembered()) {
      a.recorded[s].states.push_back(number++);
      a.recorded[s].state_columns.push_back(behind + place_of(a.remembered, place));
      a.own_columns.push_back(a.recorded[s].state_columns.back());
    }
  }
}

/// And the forces of signals behind that.
void map_pushes(Assembly& a) {
  const std::size_t behind = a.model->coordinate_count() + a.remembered.size();
  std::vector<std::size_t> number(a.interface.couplings.size());
  for (std::size_t c = 0, next = 0; c < number.size(); ++c)
    if (pushes(a.interface.couplings[c])) number[c] = next++;
  for (std::size_t s = 0; s < a.subsystems.size() && !a.pushes.empty(); ++s)
    for (const Port& port : a.subsystems[s]->ports()) {
      const std::size_t coupling = a.local.couplings[port.coupling.index()].index();
      if (port.side != CutSide::to || !pushes(a.interface.couplings[coupling])) continue;
      a.recorded[s].inputs.push_back(port.input);
      a.recorded[s].input_columns.push_back(behind + number[coupling]);
      a.own_columns.push_back(a.recorded[s].input_columns.back());
    }
}

/// Which coordinates of which subsystems are collected, and where they go.
void map_columns(Assembly& a) {
  a.recorded.resize(a.subsystems.size());
  for (std::size_t s = 0; s < a.subsystems.size(); ++s) {
    std::int32_t dof = 0;
    for (const BodyId body : a.subsystems[s]->bodies()) {
      const Range coordinates = a.model->coordinates(body);
      for (std::size_t c = coordinates.first; c < coordinates.last; ++c, ++dof) {
        const auto column = a.collected.find(c);
        if (!column) continue;
        a.recorded[s].dofs.push_back(dof);
        a.recorded[s].columns.push_back(*column);
        a.own_columns.push_back(*column);
      }
    }
  }
  map_memory(a);
  map_pushes(a);
  std::sort(a.own_columns.begin(), a.own_columns.end());
  for (Recorded& recorded : a.recorded)
    for (std::vector<std::size_t>* columns :
         {&recorded.columns, &recorded.state_columns, &recorded.input_columns})
      for (std::size_t& c : *columns) c = place_of(a.own_columns, c);
}

/// Of the recorded bodies where the model is spread over ranks, otherwise of all.
void name_parts(Assembly& a) {
  a.part_of_body = LazyArray<std::int32_t>(a.model->bodies.count);
  if (a.window)
    for (const std::int64_t label : a.layout.bodies) {
      const BodyId body(static_cast<std::size_t>(label - 1));
      a.part_of_body[body.index()] = a.window->division().part_of(body).value;
    }
  else
    for (std::size_t p = 0; p < a.partition.parts.size(); ++p)
      for (const BodyId body : a.partition.parts[p].bodies)
        a.part_of_body[body.index()] = static_cast<std::int32_t>(p);
}

/// Every output that somebody takes, or that the results take.
void name_outputs(Assembly& a) {
  std::set<std::pair<std::size_t, std::size_t>> seen;
  const std::size_t parts = a.partition.parts.size();
  const CouplingVariables variables(a.interface);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const CutEnd& from = a.interface.couplings[variables[i].coupling.index()].from;
    if (variables[i].quantity != Quantity::signal || !seen.emplace(from.part.index(), from.variable).second)
      continue;
    const ComponentSpec& spec = *a.wiring.components[from.part.index() - parts];
    const SignalPort& output = spec.outputs()[from.variable];
    if (spec.name().starts_with("/")) continue;  // nobody has written it
    a.outputs.push_back({spec.name() + "." + output.name, i, output.held});
  }
}

}  // namespace

void choose_columns(const config::Scenario& scenario, const Interface& wanted, Assembly& a) {
  const bool all = scenario.simulate.record == config::Record::all;
  if (!all) {
    a.layout.bodies = recorded_bodies(scenario, *a.graph, wanted);
  } else if (!a.window || a.exchange->leads()) {
    a.layout.bodies.resize(a.model->bodies.count);
    std::iota(a.layout.bodies.begin(), a.layout.bodies.end(), std::int64_t{1});
  }
  const bool from_all = traits_of(*a.model).output_from_all;
  if (all || from_all) {
    a.remembered = kept_memory(a);
    if (from_all)
      for (const Coupling& c : a.interface.couplings)
        if (pushes(c)) a.pushes.push_back({c.to.body, c.to.variable});
    a.collected = Selection(a.model->coordinate_count() + a.remembered.size() + a.pushes.size());
  } else {
    std::vector<std::size_t> coordinates;
    for (const std::int64_t label : a.layout.bodies)
      coordinates.push_back(static_cast<std::size_t>(label - 1));
    a.collected = Selection(std::move(coordinates));
  }
  map_columns(a);
  name_parts(a);
  name_outputs(a);
}

}  // namespace cosimo
