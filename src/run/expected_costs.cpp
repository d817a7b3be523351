#include "run/expected_costs.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

/// Where laws are evaluated: the root mean square over the elements inside the parts of all ranks.
TypicalMotion mean_motion(const BodyGraph& graph, const Partition& partition, Exchange& exchange) {
  constexpr std::size_t width = 3;
  double own[width] = {};  // sums of squares, and how many
  for (const Part& part : partition.parts)
    for (const ElementId element : part.elements) {
      const ElementMotion motion = graph.motion(element);
      own[0] += motion.dx * motion.dx;
      own[1] += motion.dv * motion.dv;
      own[2] += 1;
    }
  const auto ranks = static_cast<std::size_t>(exchange.ranks());
  std::vector<double> all(width * ranks);
  exchange.gather_all(own, std::vector<int>(ranks, static_cast<int>(width)), all);
  double sum[width] = {};
  for (std::size_t i = 0; i < all.size(); ++i) sum[i % width] += all[i];
  const double count = std::max(1.0, sum[2]);
  return {std::sqrt(sum[0] / count), std::sqrt(sum[1] / count), 0};
}

}  // namespace

std::vector<double> expected_costs(const BodyGraph& graph, const Partition& partition, Exchange& exchange) {
  const TypicalMotion motion = mean_motion(graph, partition, exchange);
  std::vector<double> cost;
  for (const Part& part : partition.parts) {
    double fastest = 0, coordinates = 0;
    for (const ElementId element : part.elements) {
      const ElementRates rates = graph.element_rates(element, motion);
      for (const EndRates& end : {rates.from, rates.to})
        fastest = std::max(fastest, std::sqrt(end.stiffness) + end.damping);
    }
    for (const BodyId body : part.bodies) coordinates += static_cast<double>(graph.coordinates(body));
    cost.push_back(coordinates * (fastest > 0 && std::isfinite(fastest) ? fastest : 1));
  }
  exchange.max(cost);
  return cost;
}

}  // namespace cosimo
