#include "model/media.hpp"

#include <algorithm>
#include <cmath>

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

Medium Media::at(BodyId body, std::span<const double> x, std::span<const double> v) const {
  const std::size_t own = body.index();
  if (model_.mechanism) return fixed_[own];
  Medium medium;
  // Exponents below one make a tangent infinite at zero; a small stretch is as good as none.
  const auto tangent = [](double exponent, double difference, double a, double b, auto slope) {
    if (exponent < 1) difference = std::fabs(difference) + 1e-3 * std::max(std::fabs(a), std::fabs(b));
    const double value = slope(difference);
    return std::isfinite(value) ? value : 0.0;
  };
  for (const Incident& i : graph_.around(body)) {
    if (i.other == ground) continue;  // nothing passes through the ground
    const SpringLaw law = model_.elements.law(i.element);
    const std::size_t other = i.other.index();
    medium.omega2 +=
        tangent(law.ex, x[other] - x[own], x[own], x[other], [&](double dx) { return law.stiffness(dx); });
    medium.mu +=
        tangent(law.ev, v[other] - v[own], v[own], v[other], [&](double dv) { return law.damping(dv); });
  }
  const double factor = 2 / model_.bodies.mass[own];
  return {medium.omega2 * factor, medium.mu * factor};
}

}  // namespace cosimo
