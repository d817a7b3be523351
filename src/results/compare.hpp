// The error measure of the documents: NRMSE (5.1) and (5.2) between two result sets.
//
//   (5.1)  nrmse_j = sqrt( sum_i (ref_ij - z_ij)^2 / sum_i (ref_ij - mean_j)^2 )   over the output times i
//   (5.2)  NRMSE   = || (nrmse_1, ..., nrmse_n) ||_2                               over the variables j
//
// (5.2) grows with the number of variables; the root mean square beside it does not.
//
// A body with several columns is one variable: both sums of (5.1) run over all its coordinates, so that a
// coordinate which does not move (z of a motion in the plane) is measured by those that do. A quaternion and
// its negative are the same orientation: at every time the sign with a non-negative dot product is compared,
// and the reference is followed without jumps.
//
// A variable that hardly moves has a denominator near zero, and (5.1) of it says nothing. Each is taken to
// move at least `least_share` of what the most moving body of both results does in the same kind of
// coordinate (place, angle, quaternion) and level (position, velocity); the denominator of a body with
// several kinds is the sum of theirs. Variables that move more have the value of (5.1) to the last bit. Why a
// thousandth: docs/decisions/0021-compare-at-rest.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

inline constexpr double least_share = 1e-3;

/// A body whose position or velocity hardly changes in the reference.
struct StillBody {
  std::int64_t body = 0;
  std::string name{};  ///< its number where it has none
  bool position = false, velocity = false;
};

struct Difference {
  double position = 0;  ///< (5.2): 2-norm over the bodies of the NRMSE (5.1) of each
  double velocity = 0;
  double both = 0;
  double position_rms = 0;  ///< the same, root mean square over the bodies
  double velocity_rms = 0;
  double worst = 0;  ///< largest value of one body, of both levels
  std::int64_t worst_body = 0;
  std::string worst_name{};
  std::vector<StillBody> still{};  ///< weighed by `least_share` of what others move
  std::size_t rows = 0, bodies = 0;
  /// Outputs of components that both have, as variables of their own: how many, (5.2), and the worst.
  std::size_t outputs = 0;
  double output = 0, output_rms = 0, worst_output = 0;
  std::string worst_output_name{};
  bool same_model = true;  ///< by the recorded digests
};

/// Compare `a` with the reference over the output times, bodies and outputs of components they share (times
/// equal to 1e-9 relative); `bodies` (labels) restricts it to these, empty means all shared. Throws Error
/// when nothing is shared, a body asked for is not recorded in both, or a body is recorded with different
/// coordinates.
Difference compare(const Results& a, const Results& reference, std::span<const std::int64_t> bodies);

/// (5.1) for one variable; 0/0 counts as 0, x/0 and anything with a NaN as infinity.
double nrmse(std::span<const double> value, std::span<const double> reference);

}  // namespace cosimo
