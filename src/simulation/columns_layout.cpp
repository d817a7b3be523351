#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "network/coupling_variables.hpp"
#include "simulation/columns.hpp"
#include "simulation/connect.hpp"

namespace cosimo {

namespace {

constexpr std::size_t most_links = 200'000;

/// Elements join every body to the next one and nothing else but the ground.
bool is_chain(const BodyGraph& graph) {
  if (graph.named()) return false;
  for (std::size_t e = 0; e < graph.elements(); ++e) {
    const auto [from, to] = graph.ends(ElementId{e});
    if (from == ground || to == ground) continue;
    if (to.value - from.value != 1 && from.value - to.value != 1) return false;
  }
  return true;
}

/// Pairs that elements and joints join, each once, in order; none when there are too many to be drawn.
std::vector<std::int64_t> links_of(const BodyGraph& graph) {
  std::vector<std::array<std::int64_t, 2>> pairs;
  const auto add = [&](BodyId a, BodyId b) {
    const std::int64_t x = a.label(), y = b.label();  // 0: the ground
    if (x != y) pairs.push_back({std::min(x, y), std::max(x, y)});
  };
  for (std::size_t e = 0; e < graph.elements() && pairs.size() <= 2 * most_links; ++e) {
    const auto [from, to] = graph.ends(ElementId{e});
    add(from, to);
  }
  for (const std::span<const BodyId> bodies : graph.joints()) {
    if (bodies.size() == 1) add(bodies[0], ground);
    for (std::size_t i = 1; i < bodies.size(); ++i) add(bodies[0], bodies[i]);
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<std::int64_t> links;
  if (pairs.size() > most_links) return links;
  for (const auto& pair : pairs) links.insert(links.end(), pair.begin(), pair.end());
  return links;
}

/// "force", "torque 2", "position of body 7".
std::string variable_name(const Assembly& a, const CouplingVariable& variable) {
  const Coupling& coupling = a.interface.couplings[variable.coupling.index()];
  if (coupling.is_signal()) return coupling_name(a, variable.coupling);
  const BodyGraph& graph = *a.graph;
  if (is_effort(variable.quantity)) {
    const bool torque = variable.quantity == Quantity::torque;
    const std::size_t forces = coupling.components - coupling.torques;
    if (coupling.components == 1) return torque ? "torque" : "force";
    return torque ? fmt::format("torque {}", variable.component - forces + 1)
                  : fmt::format("force {}", variable.component + 1);
  }
  const CutEnd& end = variable.of == CutSide::from ? coupling.from : coupling.to;
  return fmt::format("{}{} of {}", variable.quantity == Quantity::position ? "position" : "velocity",
                     end.coordinates > 1 ? fmt::format(" {}", variable.component + 1) : "",
                     graph.name(end.body));
}

}  // namespace

std::vector<std::int32_t> parts_of(const Assembly& a, std::span<const std::int64_t> labels) {
  std::vector<std::int32_t> parts;
  parts.reserve(labels.size());
  for (const std::int64_t label : labels)
    parts.push_back(a.part_of_body[static_cast<std::size_t>(label - 1)] + 1);
  return parts;
}

void describe_layout(const Assembly& a, ResultsLayout& layout) {
  layout.parts = parts_of(a, layout.bodies);
  for (std::size_t i = 0; i < a.interface.couplings.size(); ++i) {
    const Coupling& c = a.interface.couplings[i];
    layout.cut_bodies.insert(layout.cut_bodies.end(), {c.from.body.label(), c.to.body.label()});
    layout.cut_parts.insert(layout.cut_parts.end(), {c.from.part.value + 1, c.to.part.value + 1});
    if (a.graph->named() || a.plan.signals) layout.cut_names.push_back(coupling_name(a, CouplingId{i}));
  }
  const CouplingVariables variables(a.interface);
  for (std::size_t i = 0; i < variables.size(); ++i)
    layout.variable_cuts.push_back(variables[i].coupling.value);
  if (variables.size() > layout.couplings || a.plan.signals)
    for (std::size_t i = 0; i < variables.size(); ++i)
      layout.variable_names.push_back(variable_name(a, variables[i]));
  // A window is of a chain, and the pendulum has no elements.
  if (a.window || !a.exchange->leads() || is_chain(*a.graph)) return;
  layout.links = links_of(*a.graph);
}

}  // namespace cosimo
