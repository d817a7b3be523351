// What a system may have beside its coordinates:
//
//   z      first-order states, z' = r(t, q, v, z, s): a current, a temperature, a controller's integral
//   s      memory without a differential equation (rate-independent: plastic flow, stick or slip, a breaker).
//          It is frozen within a micro step; every stage and every iterate starts from the same s. When a
//          step has been accepted, System::commit() makes the next s of the state reached: a return mapping
//   roots  functions g(t, q, v, z, s). Where one changes its sign something happens: the integrator finds
//          the instant and lets System::fire() edit the state
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "numerics/extent.hpp"

namespace cosimo {

/// A state with all that belongs to it.
struct Whole {
  const double* q = nullptr;
  const double* v = nullptr;
  const double* z = nullptr;
  const double* s = nullptr;
};

/// The same for fire().
struct Editable {
  std::span<double> q, v, z, s;
};

}  // namespace cosimo
