// The law of touches (contact/touch-inl.hpp).
#pragma once

#include <optional>

namespace cosimo::contact {

struct Sticking {
  double stiffness = 0, damping = 0;
};

struct Spec {
  double stiffness = 0;  ///< of a touch: N = stiffness p^exponent
  double exponent = 1.5;
  double damping = 0;  ///< 1/velocity
  double friction = 0;
  double slip = 1e-2;  ///< regularised: the velocity from which on all friction acts
  std::optional<Sticking> sticking{};
};

}  // namespace cosimo::contact
