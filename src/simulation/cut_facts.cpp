#include "simulation/cut_facts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

namespace {

/// A neighbouring cut must be better by this factor in the mass ratio, and its rates at most this much
/// higher, to be worth a word.
constexpr double much_more_equal = 5, hardly_higher = 1.1;

constexpr std::size_t reach_of_masses = 2, reach_of_blows = 5, undisturbed = 4;

}  // namespace

CutFacts cut_facts(const BodyGraph& graph, ElementId element, const ElementMotion& at) {
  const auto [from, to] = graph.ends(element);
  const double m1 = graph.mass(from), m2 = graph.mass(to);
  const ElementRates rates = graph.element_rates(element, {at.dx, at.dv, 0});
  CutFacts facts;
  facts.element = element.label();
  facts.bodies[0] = std::min(from, to).label();
  facts.bodies[1] = std::max(from, to).label();
  facts.mass_ratio = std::max(m1, m2) / std::min(m1, m2);
  facts.damping_rate = rates.from.damping + rates.to.damping;
  facts.frequency = std::sqrt(rates.from.stiffness + rates.to.stiffness);
  if (facts.damping_rate > 0)
    facts.damping_ratio = facts.frequency > 0 ? 0.5 * facts.damping_rate / facts.frequency
                                              : std::numeric_limits<double>::infinity();
  return facts;
}

NearbyCuts::NearbyCuts(const BodyGraph& graph, const Partition& partition) : graph_(graph) {
  for (const Coupling& coupling : partition.interface.couplings) cuts_.push_back(coupling.element);
}

/// From one end of the cut into its part. A part keeps at least one body, because the far end stays in it.
std::vector<NearbyCuts::Step> NearbyCuts::inward(const CutEnd& from, ElementId cut, std::size_t reach) const {
  std::vector<Step> steps;
  BodyId body = from.body;
  ElementId behind = cut;
  while (steps.size() < reach) {
    std::optional<Incident> on;
    for (const Incident& i : graph_.around(body)) {
      if (i.element == behind || i.other == ground) continue;
      if (on || std::binary_search(cuts_.begin(), cuts_.end(), i.element)) return steps;
      on = i;
    }
    if (!on) return steps;
    steps.push_back({on->element, body, on->other});
    behind = on->element;
    body = on->other;
  }
  return steps;
}

std::optional<ElementId> NearbyCuts::with_equal_masses(const Coupling& cut) const {
  const CutFacts old = cut_facts(graph_, cut.element);
  std::optional<ElementId> best;
  double ratio = old.mass_ratio / much_more_equal;
  for (const CutEnd& end : {cut.from, cut.to})
    for (const Step& step : inward(end, cut.element, reach_of_masses)) {
      const CutFacts facts = cut_facts(graph_, step.element);
      const bool faster = facts.frequency > hardly_higher * old.frequency ||
                          facts.damping_rate > hardly_higher * old.damping_rate;
      if (faster || !(best ? facts.mass_ratio < ratio : facts.mass_ratio <= ratio)) continue;
      best = step.element;
      ratio = facts.mass_ratio;
    }
  return best;
}

std::optional<ElementId> NearbyCuts::away_from_blows(const Coupling& cut) const {
  std::optional<ElementId> nearest;
  std::size_t reach = reach_of_blows;
  for (const bool to_first : {true, false}) {
    const CutEnd &inside = to_first ? cut.to : cut.from, &other = to_first ? cut.from : cut.to;
    std::size_t calm = graph_.struck(other.body) ? 0 : 1;  // bodies in a row that nothing strikes
    calm = graph_.struck(inside.body) ? 0 : calm + 1;
    const std::vector<Step> steps = inward(inside, cut.element, reach);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      calm = graph_.struck(steps[i].far) ? 0 : calm + 1;
      if (calm < undisturbed) continue;
      nearest = steps[i].element;
      reach = i;  // the other side must be nearer
      break;
    }
  }
  return nearest;
}

}  // namespace cosimo
