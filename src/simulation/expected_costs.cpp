#include "simulation/expected_costs.hpp"

#include <algorithm>
#include <cmath>

#include "simulation/motion_of_ranks.hpp"

namespace cosimo {

std::vector<double> expected_costs(const BodyGraph& graph, const Partition& partition, Exchange& exchange) {
  const TypicalMotion motion = motion_of_ranks(graph, partition, exchange);
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
