// Contacts between bodies, and between bodies and what is fixed to the ground, as a law over all of them
// (mechanics/force_group.hpp).
//
// Friction that sticks remembers, for every ball of a body that touches something, which two points of the
// bodies were together (contact/touch-inl.hpp). Every body has a number of slots for that:
//
//   [key, point of the ball's body (3), point of the other (3)]     key 0: empty
//
// After an accepted step the points are chosen anew at the place of the touch, so that their distance along
// the surface is what the spring is stretched by, cut off where it slides. A body at rest keeps it to the
// last bit or two, and does not creep. Touches beyond the number of slots slide on a damper alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "contact/near_pairs.hpp"
#include "contact/outline.hpp"
#include "contact/spec.hpp"
#include "mechanics/force_group.hpp"

namespace cosimo::contact {

/// Shapes that may touch: of bodies, then of the ground.
struct Scene {
  std::vector<BodyId> bodies;
  std::vector<Outline> shapes;       ///< one of each body, then those of the ground
  std::vector<std::string> names{};  ///< of the shapes, for results
  Allowed allowed;
};

std::unique_ptr<ForceGroup> make_contacts(std::string name, Scene scene, const Spec& spec);

}  // namespace cosimo::contact
