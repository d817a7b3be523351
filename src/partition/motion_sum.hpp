// The typical motion of a model (partition/body_graph.hpp), added up. Sums are exact until they are rounded
// at the end: ranks that know some of the bodies each add up theirs and find the same bits as one that knows
// them all.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "numerics/exact_sum.hpp"
#include "partition/body_graph.hpp"

namespace cosimo {

struct MotionSum {
  ExactSum dx2, dv2;
  std::int64_t elements = 0;
  double speed = 0;

  void add(const BodyGraph& graph, ElementId element) {
    const ElementEnds ends = graph.ends(element);
    if (ends.from == ends.to) return;
    const ElementMotion motion = graph.motion(element);
    dx2.add(motion.dx * motion.dx);
    dv2.add(motion.dv * motion.dv);
    ++elements;
  }
  void add(const BodyGraph& graph, BodyId body) { speed = std::max(speed, graph.speed(body)); }

  TypicalMotion typical() const {
    const double count = std::max(1.0, static_cast<double>(elements));
    return {std::sqrt(dx2.value() / count), std::sqrt(dv2.value() / count), speed};
  }
};

}  // namespace cosimo
