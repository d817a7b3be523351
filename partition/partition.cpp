#include "partition/partition.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "partition/assignment.hpp"
#include "partition/body_graph.hpp"
#include "partition/path_cover.hpp"

namespace cosimo {

namespace {

[[noreturn]] void refuse_parts(std::int64_t parts, std::string problem, std::string remedy) {
  throw Error(Fault{.field = "partition.parts",
                    .value = std::to_string(parts),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

std::size_t wanted_parts(const Model& model, std::int64_t parts) {
  const auto bodies = static_cast<std::int64_t>(model.bodies.count);
  if (parts == 0) return static_cast<std::size_t>(automatic_parts(model));
  const std::string range = "write a number from 1 to " + std::to_string(bodies) + ", or auto";
  if (parts < 0) refuse_parts(parts, "the number of parts is negative", range);
  if (parts > bodies)
    refuse_parts(parts, "the model has only " + std::to_string(bodies) + (bodies == 1 ? " body" : " bodies"),
                 range);
  return static_cast<std::size_t>(parts);
}

Assignment assign(const Model& model, const BodyGraph& graph, const PartitionRequest& request) {
  if (request.method == CutMethod::manual) {
    Assignment manual = assign_manual(model, request.cuts);
    if (request.parts < 0 || (request.parts > 1 && manual.parts != static_cast<std::size_t>(request.parts)))
      refuse_parts(request.parts, "the cuts make " + std::to_string(manual.parts) + " parts",
                   "leave partition.parts out; manual cuts say it all");
    return manual;
  }
  if (!request.cuts.empty())
    throw Error(
        Fault{.field = "partition.cuts",
              .value = std::to_string(request.cuts.front()) + (request.cuts.size() > 1 ? ", ..." : ""),
              .problem = "only method: manual takes cuts",
              .remedy = "add method: manual, or remove the cuts"});
  const std::size_t parts = wanted_parts(model, request.parts);
  return request.method == CutMethod::metis ? assign_metis(graph, parts)
                                            : assign_equal(model.bodies.count, parts);
}

/// Parts and couplings that follow from an assignment.
Partition build(const Model& model, const BodyGraph& graph, const Assignment& assignment) {
  const SpringDampers& elements = model.elements;
  Partition result;
  result.parts.resize(assignment.parts);
  const auto number = [&](BodyId body) { return assignment.part_of[body.index()]; };
  const auto part = [&](BodyId body) -> Part& {
    return result.parts[static_cast<std::size_t>(number(body))];
  };
  for (std::size_t i = 0; i < model.bodies.count; ++i) part(BodyId(i)).bodies.push_back(BodyId(i));
  for (std::size_t e = 0; e < elements.count(); ++e) {
    const BodyId from = elements.from[e];
    const BodyId to = elements.to[e];
    if (from == ground && to == ground) continue;
    if (joins_bodies(elements, e) && number(from) != number(to))
      result.interface.couplings.push_back(
          {ElementId(e), {PartId(number(from)), from}, {PartId(number(to)), to}});
    else
      part(from == ground ? to : from).elements.push_back(ElementId(e));
  }
  PathCover cover(graph);
  for (Part& each : result.parts) {
    each.bodies = cover.order(std::move(each.bodies));
    each.owned = {0, each.bodies.size()};
  }
  return result;
}

}  // namespace

std::int64_t automatic_parts(const Model& model) {
  constexpr std::int64_t bodies_per_part = 1000;
  constexpr std::int64_t most = 1000;
  const auto bodies = static_cast<std::int64_t>(model.bodies.count);
  return std::clamp<std::int64_t>((bodies + bodies_per_part / 2) / bodies_per_part, 1, most);
}

Partition make_partition(const Model& model, const PartitionRequest& request) {
  COSIMO_CHECK(model.bodies.count > 0, "a model without bodies");
  COSIMO_CHECK(model.constraints.count == 0, "constraints cannot be partitioned yet");
  const BodyGraph graph(model);
  return build(model, graph, assign(model, graph, request));
}

Partition uncut(const Model& model) {
  return make_partition(model, {});
}

std::vector<BodyId> natural_order(const Model& model, std::vector<BodyId> bodies) {
  std::sort(bodies.begin(), bodies.end());
  const BodyGraph graph(model);
  return PathCover(graph).order(std::move(bodies));
}

}  // namespace cosimo
