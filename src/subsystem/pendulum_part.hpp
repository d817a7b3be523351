// The N-pendulum in minimal coordinates as the integrators see it: no constraints, a dense mass matrix. It is
// one part and has no ports: nothing in it can be cut.
#pragma once

#include <memory>

#include "model/model.hpp"
#include "subsystem/part_equations.hpp"

namespace cosimo {

/// The model must outlive it and have a pendulum. Accelerations fail soon after `interrupt` has become true.
std::unique_ptr<PartEquations> make_pendulum_equations(const Model& model,
                                                       const std::atomic<bool>* interrupt = nullptr);

}  // namespace cosimo
