// What the surroundings of a body let through: with the stiffness k and the damping d of the elements around
// a body of mass m (control/cone.hpp says what follows from it).
#pragma once

namespace cosimo {

struct Medium {
  double omega2 = 0;  ///< 2 sum k / m
  double mu = 0;      ///< 2 sum d / m
};

}  // namespace cosimo
