// How wide the overlap at every cut must be, and how long the macro step should be: layers and H
// are chosen together, the cheapest pair that meets the tolerance. Pure functions of counted
// numbers.
//
// The light cone (control/cone.hpp) says what an error loses on its way through the copies:
// error = A exp(exponent), exponent = s H - distance. What it does not know is A, the mismatch that
// the held forces make at the far edge; the error measured after every step tells it, cut by cut.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "core/archive.hpp"

namespace cosimo {

class LayerControl {
 public:
  /// `first`: ln A before anything is measured, in units of the tolerance. `safety`: the error aimed at
  /// is the tolerance divided by it.
  LayerControl(std::size_t cuts, double first, double safety);

  /// What a step showed at a cut: its error in units of the tolerance, and the exponent of its overlap
  /// (-infinity where nothing can come in). `accepted`: the step passed.
  void observe(std::size_t cut, double error, double exponent, bool accepted);

  /// ln(A * safety): the loss that the overlap at this cut needs beyond s H.
  double level(std::size_t cut) const;

  /// All that is remembered, cut by cut.
  void archive_cut(Archive& a, std::size_t cut) { a(amplitude_[cut]); }

 private:
  std::vector<double> amplitude_;  ///< ln A, per cut
  double margin_ = 0;              ///< ln(safety)
};

/// In units of the tolerance: no solver is that wrong in one macro step, but a shock that a linear cone
/// does not know of may be.
inline constexpr double largest_solver_error = 1e3;

/// A layer of copies after a step: its distance from the part, and how far its copies are from their owners.
struct LayerMismatch {
  double distance = std::numeric_limits<double>::infinity();
  double mismatch = 0;  ///< in units of the tolerance
};

/// The share of the first layer's mismatch that can have come from the far edge.
///
/// Neighbours with different micro steps also differ by the errors of their solvers, which no layer
/// reduces. What comes from the far edge has lost most of itself on the way: seen from the cut the
/// mismatch rises from layer to layer, up to the cone that began at the far edge. What rises by less than
/// half of that, or even falls, is the solvers'. Layers at an infinite distance tell nothing. `lost`: what an
/// error loses beyond s H over all layers.
double far_edge_share(std::span<const LayerMismatch> layers, double lost);

/// One subsystem's work as a function of H.
struct OverlapCost {
  double owned = 0;   ///< bodies
  double copies = 0;  ///< bodies carried besides
  double micro = 0;   ///< mean micro step
};

/// Counted work per simulated time when a macro step has size H: micro steps, the part of a micro step
/// that every macro point costs besides, and the hand-over, in body steps.
double overlap_cost(std::span<const OverlapCost> parts, double H);

}  // namespace cosimo
