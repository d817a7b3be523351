#include "planning/plan_hardest.hpp"

#include <algorithm>

#include "simulation/cut_facts.hpp"

namespace cosimo {

Hardest hardest(const BodyGraph& graph, const Interface& interface) {
  Hardest result;
  for (const Coupling& c : interface.couplings) {
    const CutFacts facts = cut_facts(graph, c.element);
    result.damping_at_cuts = std::max(result.damping_at_cuts, facts.damping_ratio);
    result.mass_ratio = std::max(result.mass_ratio, facts.mass_ratio);
  }
  for (std::size_t e = 0; e < graph.elements(); ++e) {
    const auto [from, to] = graph.ends(ElementId(e));
    if (from != ground && to != ground)
      result.damping = std::max(result.damping, cut_facts(graph, ElementId(e)).damping_ratio);
  }
  return result;
}

}  // namespace cosimo
