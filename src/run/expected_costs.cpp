#include "run/expected_costs.hpp"

#include <algorithm>
#include <cmath>

#include "partition/element_rates.hpp"

namespace cosimo {

namespace {

double rate_of(double stiffness, double damping) {
  return std::sqrt(std::max(0.0, stiffness)) + std::max(0.0, damping);
}

/// Where laws are evaluated: the root mean square over all elements of all ranks.
struct Motion {
  double dx = 0, dv = 0;
};

struct Ends {
  double dx = 0, dv = 0, inverse_mass = 0;  ///< of the lighter body
};

/// Between what is known here: an element inside a part.
Ends ends_in(const Model& model, ElementId element) {
  Ends result;
  const auto [from, to] = ends_of(model, element);
  for (const auto& [body, sign] : {std::pair(from, -1.0), std::pair(to, 1.0)}) {
    if (body == ground) continue;
    result.dx += sign * model.bodies.x[body.index()];
    result.dv += sign * model.bodies.v[body.index()];
    result.inverse_mass = std::max(result.inverse_mass, 1 / model.bodies.mass[body.index()]);
  }
  return result;
}

Motion mean_motion(const Model& model, const Partition& partition, Exchange& exchange) {
  constexpr std::size_t width = 3;
  double own[width] = {};  // sums of squares, and how many
  for (const Part& part : partition.parts)
    for (const ElementId element : part.elements) {
      const Ends ends = ends_in(model, element);
      own[0] += ends.dx * ends.dx;
      own[1] += ends.dv * ends.dv;
      own[2] += 1;
    }
  const auto ranks = static_cast<std::size_t>(exchange.ranks());
  std::vector<double> all(width * ranks);
  exchange.gather_all(own, std::vector<int>(ranks, static_cast<int>(width)), all);
  double sum[width] = {};
  for (std::size_t i = 0; i < all.size(); ++i) sum[i % width] += all[i];
  const double count = std::max(1.0, sum[2]);
  return {std::sqrt(sum[0] / count), std::sqrt(sum[1] / count)};
}

std::vector<double> scalar_rates(const Model& model, const Partition& partition, Exchange& exchange) {
  const Motion motion = mean_motion(model, partition, exchange);
  std::vector<double> fastest;
  for (const Part& part : partition.parts) {
    double& rate = fastest.emplace_back(0);
    for (const ElementId element : part.elements) {
      const SpringLaw law = model.elements.law(element);
      const double by_mass = ends_in(model, element).inverse_mass;
      rate = std::max(rate, rate_of(law.stiffness(motion.dx) * by_mass, law.damping(motion.dv) * by_mass));
    }
  }
  return fastest;
}

std::vector<double> mechanism_rates(const Model& model, const Partition& partition) {
  const std::vector<ElementRates> rates = element_rates(model);
  std::vector<double> fastest;
  for (const Part& part : partition.parts) {
    double& rate = fastest.emplace_back(0);
    for (const ElementId element : part.elements)
      for (const EndRates& end : {rates[element.index()].from, rates[element.index()].to})
        rate = std::max(rate, rate_of(end.stiffness, end.damping));
  }
  return fastest;
}

}  // namespace

std::vector<double> expected_costs(const Model& model, const Partition& partition, Exchange& exchange) {
  const std::vector<double> fastest =
      model.mechanism ? mechanism_rates(model, partition) : scalar_rates(model, partition, exchange);
  std::vector<double> cost;
  for (std::size_t p = 0; p < fastest.size(); ++p) {
    double coordinates = 0;
    for (const BodyId body : partition.parts[p].bodies)
      coordinates += static_cast<double>(model.coordinates(body).size());
    cost.push_back(coordinates * (fastest[p] > 0 && std::isfinite(fastest[p]) ? fastest[p] : 1));
  }
  exchange.max(cost);
  return cost;
}

}  // namespace cosimo
