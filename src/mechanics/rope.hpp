// A rope or belt that runs over bodies: a law over all of them (mechanics/force_group.hpp).
//
// Stations are points of bodies. A pulley has a radius and turns about the z axis of its marker; an eyelet
// has none; the ends of a rope are points, or drums on which it winds. A span runs straight between the
// points where it touches: with d the way between two centres, n the axis, h = n.d, d_p = d - h n, rho the
// difference of the signed radii (of the end minus of the beginning)
//
//   l^2 = d_p^2 - rho^2,   L = sqrt(l^2 + h^2),   t = (l d_p - rho n x d_p)/d_p^2,   psi of +-(t x n)
//
// The efforts are the exact gradients of the energy of mechanics/rope_law.hpp by L and psi, so that nothing
// is gained or lost, and action and reaction balance. Pulleys of one span have parallel axes; spans may leave
// their plane a little.
//
// Memory: the angles psi of all spans, which count turns, and what has slipped over each station. Bodies of
// the plane count their own turns: for them psi is remembered as it is in space, where it changes slowly, so
// that no step can lose a turn.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mechanics/force_group.hpp"
#include "numerics/curve.hpp"

namespace cosimo {

struct RopeStation {
  Marker at;     ///< z along the axis
  Frame placed;  ///< of this marker at the start
  double radius = 0;
  int sense = 0;  ///< of a pulley or drum: the rope runs about it counterclockwise (1) or clockwise (-1)
  int turns = 0;  ///< of a pulley: whole turns around it beside what the way asks for
  std::optional<double> friction{};  ///< of a pulley or eyelet; none: nothing slips
};

struct RopeSpec {
  std::vector<RopeStation> stations;
  bool closed = false;
  double stiffness = 1;            ///< force per strain, EA
  double damping = 0;              ///< force per rate of strain
  double tension = 0;              ///< in all spans at the start
  std::optional<double> length{};  ///< unstretched, with what lies on pulleys, instead of it
  std::string pay_out = "0";       ///< rope fed in at the first end, a formula of time
  std::vector<double> breakpoints{};
  std::vector<NamedCurve> curves{};
};

/// Throws Error for a formula that is none, and for stations where no rope can run.
std::unique_ptr<ForceGroup> make_rope(std::string name, const RopeSpec& spec);

}  // namespace cosimo
