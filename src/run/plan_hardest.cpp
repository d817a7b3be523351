#include "run/plan_hardest.hpp"

#include <algorithm>

#include "run/cut_facts.hpp"

namespace cosimo {

Hardest hardest(const Model& model, const Interface& interface) {
  Hardest result;
  for (const Coupling& c : interface.couplings) {
    const CutFacts facts = cut_facts(model, c.element);
    result.damping_at_cuts = std::max(result.damping_at_cuts, facts.damping_ratio);
    result.mass_ratio = std::max(result.mass_ratio, facts.mass_ratio);
  }
  for (std::size_t e = 0; e < element_count(model); ++e) {
    const auto [from, to] = ends_of(model, ElementId(e));
    if (from != ground && to != ground)
      result.damping = std::max(result.damping, cut_facts(model, ElementId(e)).damping_ratio);
  }
  return result;
}

}  // namespace cosimo
