// The couplings that appendix B distinguishes, and what is measured of each. Part 1 of the two-mass
// oscillator is driven by the force; with force/displacement cuts part 2 is driven by the motion of mass 1.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "studies/oscillator_orders.hpp"

namespace cosimo::studies {

/// Columns of the measurements. a) to d): the cases of the appendix.
enum FeedthroughWay {
  ff_jacobi,
  dd_jacobi,
  ff_seidel,
  dd_seidel,
  a_jacobi,
  a_force_first,
  a_base_first,
  b_jacobi,
  c_force_first,
  d_base_first,
  implicit_no_update,
  feedthrough_ways
};

const std::string& name_of(FeedthroughWay way);
/// The inside of `couple:`.
std::string couple_of(FeedthroughWay way);

/// What was measured of one way with one degree; an entry per macro step.
struct FeedthroughErrors {
  Orders orders;
  std::vector<double> coupling;   ///< global error of the coupling variables, relative
  std::vector<double> stored;     ///< largest distance of stored coupling variables from those of the states
  std::vector<double> sample;     ///< local error of the force that the new states give, rms
  std::vector<double> predicted;  ///< predicted less updated coupling variables, rms; empty without update

  double order(const std::vector<double>& errors) const { return observed_order(orders.H, errors); }
  bool is_consistent() const;  ///< stored variables are those of the states, up to rounding
};

/// [way][kappa]
using FeedthroughTable = std::array<std::vector<FeedthroughErrors>, feedthrough_ways>;

FeedthroughTable measure_feedthrough(OscillatorBench& bench, int degrees, std::span<const double> steps);

}  // namespace cosimo::studies
