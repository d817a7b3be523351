// Weighted norms of coupling variables (3.21), (3.23). Forces, torques, positions and velocities stand side
// by side in u and have absolute tolerances of their own:
//
//   force       atol_u; not given: rtol times the running magnitude of all coupling forces, plus the
//               force that the coupling exerts when its ends are off by atol_pos and atol_vel: errors below
//               that do not matter, and a model that starts from rest has no magnitude yet
//   torque      the same with the magnitude of the torques, or of the forces at the arm where they turn a
//   body as much as
//               they move it: torques that hardly matter (of a joint that turns freely) are not resolved to
//               the last digit
//   position    atol_pos
//   velocity    atol_vel
//
// The running magnitude grows with accepted points only: look_at() a candidate, then keep() or forget() it.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "coupling/conditions.hpp"

namespace cosimo {

struct NormOptions {
  double rtol = 1e-4;
  double atol_pos = 1e-7, atol_vel = 1e-4;
  double atol_u = 0;  ///< 0: see above
};

class CouplingNorms {
 public:
  CouplingNorms(const CouplingConditions& conditions, const NormOptions& options, std::span<const double> u);

  /// False when a variable is not finite; `bad` is then the first.
  bool look_at(std::span<const double> u, std::size_t& bad);
  void keep() { kept_ = next_; }
  void forget() { next_ = kept_; }

  double atol(std::size_t variable) const;
  /// |error| / (atol + rtol |u|).
  double weighted(std::size_t variable, double error, double u) const;
  /// Root mean square of all weighted errors.
  double norm(std::span<const double> error, std::span<const double> u) const;
  /// Running magnitude of all variables of the same quantity, the candidate included.
  double magnitude(std::size_t variable) const;

 private:
  using Magnitudes = std::array<double, 4>;  ///< per Quantity
  Magnitudes magnitudes(std::span<const double> u) const;

  const CouplingVariables& variables_;
  NormOptions options_;
  std::array<std::vector<std::size_t>, 4> members_;  ///< variables of each quantity
  std::vector<double> floor_;  ///< each variable at the absolute tolerances of the states
  std::vector<double> arm_;    ///< of torques; zero otherwise
  Magnitudes kept_{}, next_{};
};

}  // namespace cosimo
