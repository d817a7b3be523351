// One macro step of a part that carries copies, body by body against the whole model: what the forces
// held at the far edges get wrong, and how far that comes.
//
//   Experiment e{.model = spring_grid(...), .owned = {...}, .layers = 12, .H = 3.0, .steps = 60};
//   Spread measured = spread(e, 40);         error of every carried body at 40 instants
//   double bound = exponent(e);              ln of what the light cone lets through to owned bodies
//
// Part and whole take the same micro steps, so that the solver's own errors cancel and what is left are
// the far edges, down to rounding. Errors are root mean squares over random initial states, position and
// velocity together in the norm of the energy, in units of the motion:
//
//   e_i^2 = 1/2 (dx_i^2 + dv_i^2 m_i / c) / X^2,    X the root mean square of the initial positions.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "control/cone.hpp"
#include "model/model.hpp"
#include "partition/part.hpp"

namespace cosimo::bench {

/// Bodies on a grid, row after row, joined to their neighbours by springs c = 1 and dampers d, with free
/// ends: one row is a chain, more a lattice.
Model spring_grid(std::size_t rows, std::size_t columns, const std::function<double(std::size_t)>& mass,
                  double d);

struct Experiment {
  Model model;
  std::vector<BodyId> owned;  ///< ascending
  int layers = 1;
  double H = 1;
  int steps = 1;    ///< micro steps
  int samples = 1;  ///< random initial states
};

struct Spread {
  std::vector<BodyId> bodies;  ///< carried, in the order of the coordinates
  Range owned;                 ///< places in it
  std::vector<double> error;   ///< instant after instant, the last one is H; a column per body
  double on_owned = 0;         ///< the largest on owned bodies at H
};

/// Throws when a lane of the library, given the same part, does not come to the same bits.
Spread spread(const Experiment& experiment, int instants);

/// ln of the bound on owned bodies in units of the motion: the least s H - distance, the distance being
/// that of the bodies beyond the far edges, whose motion the held forces know nothing of.
double exponent(const Experiment& experiment);

/// The least s t - `distance` decays of one medium.
double exponent(const Medium& medium, double t, double distance);

}  // namespace cosimo::bench
