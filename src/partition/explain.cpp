#include "partition/explain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/counted.hpp"

namespace cosimo {

namespace {

/// Two significant digits are enough for a factor: "1.4", "12", "340".
std::string factor(double value) {
  char text[32];
  if (value < 10)
    std::snprintf(text, sizeof text, "%.1f", value);
  else
    std::snprintf(text, sizeof text, "%.0f", value < 100 ? value : std::round(value / 10) * 10);
  return text;
}

std::string about_stiffness(const CutReason& cut) {
  const double stiffest = cut.neighbours;
  if (stiffest == 0) return "nothing beside it to compare with";
  if (stiffest >= 1.5) return "soft: " + factor(stiffest) + "x below its stiffest neighbour";
  if (stiffest > 1 / 1.5) return "as stiff as its neighbours";
  return "stiff: " + factor(1 / stiffest) + "x above its neighbours";
}

std::string about_masses(const CutCost& cost) {
  if (cost.mass_ratio < 1.05) return "equal masses";
  return "masses 1 : " + factor(cost.mass_ratio);
}

std::string about_loads(const BodyGraph& model, const CutCosts& costs, const ElementEnds& ends) {
  const auto exposure = [&](BodyId body) { return costs.body[body.index()].exposure; };
  const BodyId worse = exposure(ends.from) >= exposure(ends.to) ? ends.from : ends.to;
  const double value = exposure(worse);
  if (value >= 2) return "a contact on " + model.name(worse);
  if (value >= 1) return "a load on " + model.name(worse) + " or a contact beside it";
  if (value == 0) return "no load nearby";
  const auto away = static_cast<int>(std::lround(-std::log2(value)));
  return "no load on either body, the nearest " + counted(away, "element") + " away";
}

/// Greatest rate of the elements that share a body with this one, over its own rate.
double stiffest_neighbour(const BodyGraph& model, const CutCosts& costs, const ElementEnds& ends,
                          ElementId element) {
  double greatest = 0;
  for (const BodyId body : {ends.from, ends.to})
    for (const Incident& incident : model.around(body))
      if (incident.element != element)
        greatest = std::max(greatest, costs.element[incident.element.index()].rate);
  const double own = costs.element[element.index()].rate;
  return own > 0 ? greatest / own : 0;
}

}  // namespace

Explanation explain(const BodyGraph& model, const Partition& partition, const CutCosts& costs,
                    std::span<const ElementId> named) {
  Explanation result;
  double total = 0, largest = 0;
  for (const Part& part : partition.parts) {
    PartFacts facts;
    facts.bodies = part.owned.size();
    for (std::size_t i = part.owned.first; i < part.owned.last; ++i) {
      const BodyCost& body = costs.body[part.bodies[i].index()];
      facts.freedoms += body.freedoms;
      facts.rate = std::max(facts.rate, body.rate);
      facts.steps = std::max(facts.steps, body.steps);
    }
    facts.share = facts.freedoms * facts.steps;
    total += facts.share;
    largest = std::max(largest, facts.share);
    result.parts.push_back(facts);
  }
  for (PartFacts& facts : result.parts) facts.share /= total;
  result.largest_share = largest / total * static_cast<double>(partition.parts.size());
  for (const Coupling& coupling : partition.interface.couplings) {
    ++result.parts[coupling.from.part.index()].cuts;
    ++result.parts[coupling.to.part.index()].cuts;
    const ElementEnds ends{coupling.from.body, coupling.to.body};
    CutReason cut{coupling.element, costs.element[coupling.element.index()], 0, {}};
    cut.neighbours = stiffest_neighbour(model, costs, ends, coupling.element);
    if (std::binary_search(named.begin(), named.end(), coupling.element)) cut.reason = "as the file says; ";
    cut.reason +=
        about_stiffness(cut) + "; " + about_masses(cut.cost) + "; " + about_loads(model, costs, ends);
    if (cut.cost.components > 1) cut.reason += "; " + std::to_string(cut.cost.components) + " components";
    result.cuts.push_back(std::move(cut));
  }
  return result;
}

}  // namespace cosimo
