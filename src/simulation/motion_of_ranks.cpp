#include "simulation/motion_of_ranks.hpp"

#include "partition/motion_sum.hpp"

namespace cosimo {

TypicalMotion motion_of_ranks(const BodyGraph& graph, const Partition& partition, Exchange& exchange) {
  if (!any(exchange, !graph.complete())) return graph.motion();
  MotionSum sum;
  for (const Part& part : partition.parts) {
    for (const ElementId element : part.elements) sum.add(graph, element);
    for (const BodyId body : part.bodies) sum.add(graph, body);
  }
  for (const Coupling& cut : partition.interface.couplings)
    if (!partition.parts[cut.from.part.index()].bodies.empty()) sum.add(graph, cut.element);
  exchange.sum(sum.dx2.words());
  exchange.sum(sum.dv2.words());
  exchange.sum({&sum.elements, 1});
  exchange.max({&sum.speed, 1});
  return sum.typical();
}

}  // namespace cosimo
