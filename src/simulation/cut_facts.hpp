// What is mechanically special about a cut, and where a better one would be.
//
// Two bodies of masses m1, m2 joined by an element of stiffness c and damping d move against each other like
// one body of the reduced mass m = m1 m2 / (m1 + m2): with the frequency sqrt(c/m), and damped with the rate
// d/m. D = d / (2 sqrt(c m)) is the damping ratio. Coupling schemes that do not iterate, or iterate without a
// Jacobian, need macro steps of about m/d where D > 1, whatever the motion is ([K] 5.5).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "partition/body_graph.hpp"
#include "partition/part.hpp"

namespace cosimo {

struct CutFacts {
  std::int64_t element = 0, bodies[2] = {0, 0};  ///< labels
  double mass_ratio = 1;                         ///< heavier to lighter
  double damping_ratio = 0;                      ///< D
  double damping_rate = 0;                       ///< d/m
  double frequency = 0;                          ///< sqrt(c/m)
};

/// c/m and d/m are the sums of the rates at both ends (BodyGraph::element_rates()), with `at` as the motion
/// of the element.
CutFacts cut_facts(const BodyGraph& graph, ElementId element, const ElementMotion& at = {});

/// Cuts a few elements further inside one part, when exactly one element leads on there.
class NearbyCuts {
 public:
  NearbyCuts(const BodyGraph& graph, const Partition& partition);

  /// One or two elements away, where masses are much more equal and no rate is higher. Moving a cut by one
  /// mass changed the number of steps by 8.8 in [K] 5.4.
  std::optional<ElementId> with_equal_masses(const Coupling& cut) const;
  /// At most five elements away, with at least three elements between it and the nearest body that is struck.
  std::optional<ElementId> away_from_blows(const Coupling& cut) const;

 private:
  struct Step {
    ElementId element;
    BodyId near, far;  ///< seen from the old cut
  };
  std::vector<Step> inward(const CutEnd& from, ElementId cut, std::size_t reach) const;

  const BodyGraph& graph_;
  std::vector<ElementId> cuts_;  ///< ascending
};

}  // namespace cosimo
