#include "partition/cut_cost.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cosimo {

namespace {

constexpr double cheapest = 1e-3, dearest = 1e3;
constexpr double exposure_weight = 3;
constexpr double steps_per_rate = 0.6;  ///< exponent
constexpr double fewest_steps = 0.5, most_steps = 1e3;

/// The value in the middle of the total weight; 0 without values.
double weighted_median(std::vector<std::pair<double, double>> values) {
  std::sort(values.begin(), values.end());
  double total = 0, below = 0;
  for (const auto& [value, weight] : values) total += weight;
  for (const auto& [value, weight] : values) {
    below += weight;
    if (2 * below >= total) return value;
  }
  return 0;
}

/// Heavier over lighter of the masses that the element sees.
double mass_ratio(const BodyGraph& model, const ElementEnds& ends, const ElementRates& rates) {
  const auto ratio = [](double a, double b) { return a > 0 && b > 0 ? std::max(a, b) / std::min(a, b) : 0; };
  const double by_stiffness = ratio(rates.from.stiffness, rates.to.stiffness);
  const double by_damping = ratio(rates.from.damping, rates.to.damping);
  if (by_stiffness > 0 || by_damping > 0) return std::max(by_stiffness, by_damping);
  return std::max(1.0, ratio(model.mass(ends.from), model.mass(ends.to)));
}

}  // namespace

BodyCosts measure_bodies(const BodyGraph& model) {
  BodyCosts costs;
  costs.body.resize(model.bodies());
  const TypicalMotion at = model.motion();
  std::vector<std::pair<double, double>> all;
  all.reserve(model.bodies());
  for (std::size_t i = 0; i < model.bodies(); ++i) {
    BodyCost& body = costs.body[i];
    body.freedoms = static_cast<double>(model.freedoms(BodyId{i}));
    body.rate = model.body_rate(BodyId{i}, at);
    all.emplace_back(body.rate, body.freedoms);
  }
  costs.bulk_rate = weighted_median(std::move(all));
  for (BodyCost& body : costs.body) {
    const double relative = costs.bulk_rate > 0 ? body.rate / costs.bulk_rate : 1;
    body.steps = std::clamp(std::pow(relative, steps_per_rate), fewest_steps, most_steps);
  }
  return costs;
}

CutCosts measure_cuts(const BodyGraph& model) {
  CutCosts costs;
  const std::size_t elements = model.elements();
  costs.element.resize(elements);
  const std::vector<ElementRates> rates = model.element_rates();
  BodyCosts bodies = measure_bodies(model);
  costs.body = std::move(bodies.body);
  costs.bulk_rate = bodies.bulk_rate;
  const std::vector<double> exposed = model.exposure();
  for (std::size_t i = 0; i < exposed.size(); ++i) costs.body[i].exposure = exposed[i];
  const std::vector<std::int32_t> group = model.groups();
  std::vector<std::pair<double, double>> all;
  for (std::size_t e = 0; e < elements; ++e) {
    const ElementEnds ends = model.ends(ElementId{e});
    if (!joins_bodies(ends) || group[ends.from.index()] == group[ends.to.index()]) continue;
    CutCost& cut = costs.element[e];
    cut.possible = true;
    cut.rate = std::sqrt(rates[e].from.stiffness + rates[e].to.stiffness) + rates[e].from.damping +
               rates[e].to.damping;
    cut.mass_ratio = mass_ratio(model, ends, rates[e]);
    cut.exposure = std::max(costs.body[ends.from.index()].exposure, costs.body[ends.to.index()].exposure);
    cut.components = std::max<std::size_t>(1, model.components(ElementId{e}));
    all.emplace_back(cut.rate, 1.0);
  }
  costs.typical_rate = weighted_median(std::move(all));
  for (std::size_t e = 0; e < elements; ++e) {
    CutCost& cut = costs.element[e];
    if (!cut.possible) continue;
    cut.relative = costs.typical_rate > 0 ? cut.rate / costs.typical_rate : 1;
    cut.cost =
        std::clamp(cut.relative * (1 + std::log10(cut.mass_ratio)) * (1 + exposure_weight * cut.exposure) *
                       std::sqrt(static_cast<double>(cut.components)),
                   cheapest, dearest);
    if (model.sets_in(ElementId{e})) cut.cost = dearest;
  }
  return costs;
}

}  // namespace cosimo
