#include "model/media.hpp"

#include <algorithm>
#include <cmath>

#include "model/power.hpp"

namespace cosimo {

namespace {

bool conducts(const EndRates& end) {
  return end.stiffness > 0 || end.damping > 0;
}

/// Of the ends that conduct.
EndRates mean_of(const std::vector<ElementRates>& rates) {
  EndRates sum;
  double count = 0;
  for (const ElementRates& element : rates)
    for (const EndRates& end : {element.from, element.to}) {
      if (!conducts(end)) continue;
      sum.stiffness += end.stiffness;
      sum.damping += end.damping;
      count += 1;
    }
  return count > 0 ? EndRates{sum.stiffness / count, sum.damping / count} : EndRates{};
}

/// Exponents below one make a tangent infinite at zero; a small stretch is as good as none.
double tangent(double linear, double nonlinear, double exponent, double own, double other) {
  double difference = other - own;
  if (exponent < 1) difference = std::fabs(difference) + 1e-3 * std::max(std::fabs(own), std::fabs(other));
  const double value = power_slope(linear, nonlinear, exponent, difference);
  return std::isfinite(value) ? value : 0.0;
}

}  // namespace

Media::Media(const Model& model, const BodyGraph& graph) : model_(model), graph_(graph) {
  if (!model.mechanism) return;
  fixed_.resize(model.bodies.count);
  const std::vector<ElementRates> rates = graph.element_rates();
  const EndRates mean = mean_of(rates);
  for (std::size_t e = 0; e < rates.size(); ++e) {
    const auto [from, to] = graph.ends(ElementId{e});
    if (from == ground || to == ground || from == to) continue;  // nothing passes through the ground
    const bool idle = !conducts(rates[e].from) && !conducts(rates[e].to);
    const auto add = [&](BodyId body, const EndRates& end) {
      fixed_[body.index()].omega2 += 2 * end.stiffness;
      fixed_[body.index()].mu += 2 * end.damping;
    };
    add(from, idle ? mean : rates[e].from);
    add(to, idle ? mean : rates[e].to);
  }
}

void Media::at(std::span<const BodyId> bodies, std::span<const double> x, std::span<const double> v,
               std::span<Medium> out) const {
  if (model_.mechanism) {
    for (std::size_t i = 0; i < bodies.size(); ++i) out[i] = fixed_[bodies[i].index()];
    return;
  }
  const SpringDampers& table = model_.elements;
  const bool uniform = table.c.uniform() && table.d.uniform() && table.C.uniform() && table.D.uniform();
  const SpringLaw common = uniform && table.count() > 0 ? table.law(ElementId{std::size_t{0}}) : SpringLaw{};
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t own = bodies[i].index();
    Medium medium;
    for (const Incident& incident : graph_.around(bodies[i])) {
      if (incident.other == ground) continue;  // nothing passes through the ground
      const SpringLaw law = uniform ? common : table.law(incident.element);
      const std::size_t other = incident.other.index();
      medium.omega2 += tangent(law.c, law.C, law.ex, x[own], x[other]);
      medium.mu += tangent(law.d, law.D, law.ev, v[own], v[other]);
    }
    const double factor = 2 / model_.bodies.mass[own];
    out[i] = {medium.omega2 * factor, medium.mu * factor};
  }
}

}  // namespace cosimo
