// What a law of one number acts on between two markers, and the effort that its force is:
//
//   length         s = |d|, d the way from marker to marker
//   displacement   s = z.d, z the axis of the `from` marker
//   angle          of the x axis of `to` about the z axis of `from`, with all turns: bodies of the plane
//   count
//                  theirs, and those in space go on from the angle that an element remembers. Without memory
//                  it lies between -pi and pi
//
// With J = ds/dx and H = dJ/dx (mechanics/joint_rows.hpp has x and the order of the twelve displacements),
// s' = J.w, and a force F that counts positive where it makes s smaller is the generalised force -F J:
//
//   dF = F_s J.dx + F_v (J.dw + w.H dx),    d(F J) = J dF + F H dx.
//
// No measure changes when both bodies move as one, so that action and reaction balance. A length of zero and
// an angle whose x axis lies along z have no direction.
#pragma once

#include <cstdint>

#include "mechanics/force_element.hpp"
#include "mechanics/joint_rows.hpp"

namespace cosimo {

enum class Along : std::uint8_t { length, displacement, angle };

struct Travel {
  double s = 0, rate = 0;
  Vec12 J = Vec12::Zero();
};
/// Not finite where there is no direction. `last`: the angle at the beginning of the step, which `s` is
/// closest to; null: there is none. Further than `most_turned` from it `s` is not a number, as it would be a
/// guess.
Travel travel(Along along, const Frame& from, const Frame& to, const double* last = nullptr);
inline constexpr double most_turned = 3;

/// The same for an angle between -pi and pi that was found otherwise.
double with_all_turns(double angle, const Frame& from, const Frame& to, const double* last);

/// A force and its derivatives with respect to s and s'.
struct ForceAlong {
  double force = 0, by_s = 0, by_rate = 0;
};
Effort effort_along(Along along, const Travel& at, double force);
void gradient_along(Along along, const Frame& from, const Frame& to, const ForceAlong& law,
                    EffortGradient& out);
EffortMask components_along(Along along);

}  // namespace cosimo
