#include "simulation/translate.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>

#include "core/error.hpp"

namespace cosimo {

namespace {

Fault fault(const config::Scenario& s, std::string field, std::string value, std::string problem,
            std::string remedy) {
  return {s.file, 0, 0, std::move(field), std::move(value), std::move(problem), std::move(remedy)};
}

}  // namespace

std::int64_t element_label(const BodyGraph& graph, const std::string& name, const std::string& field) {
  const std::size_t count = graph.elements();
  for (std::size_t e = 0; e < count; ++e)
    if (graph.name(ElementId(e)) == name) return ElementId(e).label();
  if (graph.is_joint(name))
    throw Error(Fault{.field = field,
                      .value = name,
                      .problem = "this is a joint, and joints are never cut",
                      .remedy = "make it a stiff force element: compliant: {stiffness: ..., damping: ...}"});
  std::string known;
  for (std::size_t e = 0; e < std::min<std::size_t>(count, 8); ++e)
    known += (e > 0 ? ", " : "") + graph.name(ElementId(e));
  throw Error(Fault{.field = field,
                    .value = name,
                    .problem = "there is no element of that name",
                    .remedy = "elements are " + known + (count > 8 ? ", ..." : "")});
}

std::int64_t body_label(const BodyGraph& graph, const std::string& name, const std::string& field) {
  for (std::size_t b = 0; b < graph.bodies(); ++b)
    if (graph.name(BodyId(b)) == name) return BodyId(b).label();
  std::string known;
  for (std::size_t b = 0; b < std::min<std::size_t>(graph.bodies(), 8); ++b)
    known += (b > 0 ? ", " : "") + graph.name(BodyId(b));
  throw Error(Fault{.field = field,
                    .value = name,
                    .problem = "there is no body of that name",
                    .remedy = "bodies are " + known + (graph.bodies() > 8 ? ", ..." : "")});
}

namespace {

std::vector<ElementId> elements_of(const config::ElementList& list, const BodyGraph& graph,
                                   const std::string& field) {
  std::vector<std::int64_t> labels = list.numbers;
  for (const std::string& name : list.names) labels.push_back(element_label(graph, name, field));
  std::vector<ElementId> ids;
  for (const std::int64_t label : labels) {
    if (label < 1 || label > static_cast<std::int64_t>(graph.elements()))
      throw Error(Fault{.field = field,
                        .value = std::to_string(label),
                        .problem = "there is no such element",
                        .remedy = "elements are numbered from 1 to " + std::to_string(graph.elements())});
    ids.push_back(ElementId(static_cast<std::size_t>(label - 1)));
  }
  return ids;
}

}  // namespace

PartitionRequest partition_request(const config::Partition& partition, const BodyGraph& graph) {
  PartitionRequest request;
  request.parts = partition.given ? partition.parts : 1;
  request.method = partition.method;
  request.cuts = partition.cuts;
  for (const std::string& name : partition.cut_names)
    request.cuts.push_back(element_label(graph, name, "partition.cuts"));
  request.fix = elements_of(partition.fix, graph, "partition.fix");
  request.forbid = elements_of(partition.forbid, graph, "partition.forbid");
  request.add = elements_of(partition.add, graph, "partition.add");
  return request;
}

IntegratorOptions integrator_options(const config::Scenario& scenario, const config::Solve& solve,
                                     const MotionScale& scale) {
  IntegratorOptions options;
  options.method = solve.method;
  options.linear = solve.linear;
  options.tolerances = {solve.rtol, solve.atol_pos.value_or(0), solve.atol_vel.value_or(0), &scale};
  options.stop = solve.stop;
  options.limit = static_cast<int>(solve.limit);
  options.max_step = solve.max_step;
  options.end = scenario.simulate.end;
  return options;
}

void check_consistency(const config::Scenario& s, std::int64_t parts) {
  std::vector<Fault> faults;
  for (const config::SolveOverride& override_ : s.solve_overrides)
    for (const std::int64_t part : override_.parts)
      if (part < 1 || part > parts)
        faults.push_back(fault(s, "solve.parts", std::to_string(part),
                               "there is no such part: the model is cut into " + std::to_string(parts),
                               "name parts from 1 to " + std::to_string(parts)));
  if (s.control.step && *s.control.step < 1e-12 * s.simulate.end)
    faults.push_back(fault(s, "control.step", std::to_string(*s.control.step),
                           "more than 1e12 macro steps would be needed",
                           "choose a larger step or a shorter simulate.end"));
  if (s.control.safety > 1e4)
    faults.push_back(fault(s, "control.safety", std::to_string(s.control.safety),
                           "no step could ever be long enough", "common values are 2 to 6"));
  for (std::size_t i = 0; i < s.chain.loads.size(); ++i)
    if (const auto* impulse = std::get_if<ImpulseSpec>(&s.chain.loads[i].kind);
        impulse != nullptr && impulse->steepness < 1e-12 * s.simulate.end)
      faults.push_back(fault(s, "model.chain.loads." + std::to_string(i + 1) + ".impulse.steepness",
                             std::to_string(impulse->steepness),
                             "the edge is too steep to be resolved in time",
                             "choose at least 1e-12 of simulate.end"));
  if (!faults.empty()) throw Error(std::move(faults));
}

}  // namespace cosimo
