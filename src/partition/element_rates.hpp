// How fast every element moves the bodies at its two ends: the numbers on which cutting by cost rests.
//
// For the body at one end, with mass matrix M, and the element's stiffness K and damping D as that body feels
// them (the far end held),
//
//   stiffness = largest eigenvalue of M^-1 K   (rate squared),     damping = that of M^-1 D   (rate).
//
// In a scalar model they are k/m and d/m; for rigid bodies they weigh translations and rotations alike, and
// the ratio of both ends' rates is the inverse ratio of the masses that the element sees, whatever its kind.
//
// Laws are nonlinear and initial states often random: one sample of what will come. In a scalar model all
// laws are therefore evaluated at the root mean square elongation and speed of the model's elements, so that
// elements of equal law are equal. Elements of a mechanism are taken at the initial state.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace cosimo {

/// 1/time^2 and 1/time; zero at the ground.
struct EndRates {
  double stiffness = 0, damping = 0;
};
struct ElementRates {
  EndRates from, to;
};

/// One entry per element.
std::vector<ElementRates> element_rates(const Model& model);

}  // namespace cosimo
