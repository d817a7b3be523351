#include "partition/partition.hpp"

#include <algorithm>
#include <utility>

#include "partition/adjacency.hpp"
#include "partition/assignment.hpp"
#include "partition/body_order.hpp"
#include "partition/cut_cost.hpp"
#include "partition/request_checks.hpp"
#include "partition/user_cuts.hpp"

namespace cosimo {

namespace {

/// All elements cost the same, and so do all freedoms.
CutCosts unit_costs(const BodyGraph& model) {
  CutCosts costs;
  costs.element.resize(model.elements());
  costs.body.resize(model.bodies());
  for (CutCost& cut : costs.element) cut.cost = 1;
  return costs;
}

Assignment assign(const BodyGraph& model, const Adjacency& graph, const PartitionRequest& request) {
  check_lists(request);
  if (request.method == CutMethod::manual) {
    Assignment named = assign_manual(model, request.cuts);
    check_manual_parts(request, named.parts);
    return named;
  }
  const std::vector<std::int32_t> group = model.groups();
  const auto groups = static_cast<std::size_t>(*std::max_element(group.begin(), group.end())) + 1;
  const std::size_t parts = wanted_parts(request, model.bodies(), groups);
  if (request.method == CutMethod::equal) return assign_equal(group, parts);
  const UserCuts cuts = checked_cuts(model, {request.fix, request.forbid, request.add});
  const bool automatic = request.method == CutMethod::automatic;
  const bool free_bodies = static_cast<std::size_t>(group.back()) + 1 == group.size();
  if (!automatic && free_bodies && cuts.empty()) return assign_metis(graph, parts);
  const ByCost how{.parts = automatic && request.parts == 0 ? 0 : parts,
                   .fix = cuts.fix,
                   .forbid = cuts.forbid,
                   .multirate = automatic};
  Assignment found = assign_by_cost(model, automatic ? measure_cuts(model) : unit_costs(model), how);
  add_cuts(model, cuts, found);
  return found;
}

/// Parts and couplings that follow from an assignment.
Partition build(const BodyGraph& model, const Adjacency& graph, const Assignment& assignment) {
  Partition result;
  result.parts.resize(assignment.parts);
  const auto number = [&](BodyId body) { return assignment.part_of[body.index()]; };
  const auto part = [&](BodyId body) -> Part& {
    return result.parts[static_cast<std::size_t>(number(body))];
  };
  for (std::size_t i = 0; i < model.bodies(); ++i) part(BodyId(i)).bodies.push_back(BodyId(i));
  const auto end = [&](BodyId body) {
    return CutEnd{PartId(number(body)), body, Drive::force, model.coordinates(body)};
  };
  for (std::size_t e = 0; e < model.elements(); ++e) {
    const ElementEnds ends = model.ends(ElementId(e));
    const auto [from, to] = ends;
    if (from == ground && to == ground) continue;
    if (joins_bodies(ends) && number(from) != number(to))
      result.interface.couplings.push_back(
          {ElementId(e), end(from), end(to), model.components(ElementId(e))});
    else
      part(from == ground ? to : from).elements.push_back(ElementId(e));
  }
  const std::vector<std::int32_t> groups = model.groups();
  const bool joined = static_cast<std::size_t>(groups.back()) + 1 < groups.size();
  BodyOrder order(graph, !joined);
  for (Part& each : result.parts) {
    each.bodies = order.order(std::move(each.bodies));
    each.owned = {0, each.bodies.size()};
  }
  return result;
}

}  // namespace

std::int64_t automatic_parts(std::size_t bodies) {
  constexpr std::int64_t bodies_per_part = 1000;
  constexpr std::int64_t most = 1000;
  const auto count = static_cast<std::int64_t>(bodies);
  return std::clamp<std::int64_t>((count + bodies_per_part / 2) / bodies_per_part, 1, most);
}

Partition make_partition(const BodyGraph& model, const PartitionRequest& request) {
  if (model.bodies() == 0) return {};
  const Adjacency graph(model);
  return build(model, graph, assign(model, graph, request));
}

Partition uncut(const BodyGraph& model) {
  return make_partition(model, {});
}

}  // namespace cosimo
