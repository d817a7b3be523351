// An FMU for co-simulation as a component: it brings its own solver.
//
// Over a macro step the FMU gets the polynomials of its inputs in the best way it takes them: with their
// derivatives (FMI 2, canInterpolateInputs), on its way (FMI 3, intermediate update), or step by step: the
// macro step is divided into equal steps, each with the mean of the polynomial, which is accurate to second
// order in their size.
#pragma once

#include <memory>

#include "fmi/ports.hpp"
#include "fmi/prepared.hpp"
#include "native/signal_component.hpp"
#include "network/component.hpp"

namespace cosimo::fmi {

/// What it refers to must outlive it.
std::unique_ptr<Component> make_cosimulation(const Prepared& prepared, const Ports& ports, SignalEnds ends,
                                             int substeps);

}  // namespace cosimo::fmi
