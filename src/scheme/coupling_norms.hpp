// Weighted norms of coupling variables (3.21), (3.23). Forces, torques, positions and velocities are side
// by side in u and have absolute tolerances of their own:
//
//   force       atol_u; not given: rtol times the running magnitude of all coupling forces, plus the
//               force that the coupling exerts when its ends are off by atol_pos and atol_vel: errors below
//               that do not matter, and a model that starts from rest has no magnitude yet
//   torque      the same with the magnitude of the torques, or of the forces at the arm where they turn a
//               body as much as they move it: torques that hardly matter (of a joint that turns freely) are
//               not resolved to the last digit
//   position    atol_pos
//   velocity    atol_vel
//   signal      rtol times its own running magnitude, or its nominal value where that is larger, plus what
//               components make of measured coordinates that are off by their tolerances, or, where none is
//               measured, of other signals
//
// The running magnitude grows with accepted points only: look_at() a candidate, then keep() or forget() it.
//
// Norms are over the coupling variables of all ranks: look_at(), norm() and the constructor are collective.
// Their sums are exact before they are rounded, so that neither the number of ranks nor the order matters.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/archive.hpp"
#include "coupling/conditions.hpp"
#include "scheme/seam.hpp"

namespace cosimo {

struct NormOptions {
  double rtol = 1e-4;
  double atol_pos = 1e-7, atol_vel = 1e-4;
  double atol_u = 0;                   ///< 0: see above
  const MotionScale* scale = nullptr;  ///< followed by states whose tolerance is zero

  Tolerances states() const { return {rtol, atol_pos, atol_vel, scale}; }
};

class CouplingNorms {
 public:
  /// The seam must outlive it.
  CouplingNorms(const CouplingConditions& conditions, const NormOptions& options, std::span<const double> u,
                const Seam& seam);

  /// The scale of the motion may have changed: to be called at the beginning of every attempt.
  void follow();
  /// False when a variable is not finite, on any rank; `bad` is then the first of this one.
  bool look_at(std::span<const double> u, std::size_t& bad);
  void keep() {
    kept_ = next_;
    kept_signals_ = next_signals_;
  }
  void forget() {
    next_ = kept_;
    next_signals_ = kept_signals_;
  }

  double atol(std::size_t variable) const;
  /// atol + rtol |u|.
  double tolerance(std::size_t variable, double u) const;
  /// |error| / (atol + rtol |u|).
  double weighted(std::size_t variable, double error, double u) const;
  /// Root mean square of all weighted errors.
  double norm(std::span<const double> error, std::span<const double> u) const;
  /// The same of the signals alone; zero without signals.
  double signal_norm(std::span<const double> error, std::span<const double> u) const;
  bool has_signals() const { return !kept_signals_.empty(); }
  /// The part of its sum of squares that counts on this rank, and what the sum over all ranks means: to take
  /// several norms in one reduction.
  ExactSum squares(std::span<const double> error, std::span<const double> u) const;
  double norm_of(const ExactSum& sum) const;
  /// The magnitudes that the weights follow, as they belong to a checkpoint.
  void archive(Archive& a) { a(kept_, next_, kept_signals_, next_signals_); }
  /// Running magnitude of all variables of the same quantity, or of a signal, the candidate included.
  double magnitude(std::size_t variable) const;

 private:
  using Magnitudes = std::array<double, quantities>;  ///< per Quantity
  Magnitudes magnitudes(std::span<const double> u) const;
  struct Floors {
    double force = 0, torque = 0;
  };
  void find_floors();
  void share_floors();
  void raise_signals(std::span<const double> u);

  bool counts(std::size_t variable) const { return seam_.counts(variables_[variable].coupling.index()); }

  const CouplingConditions& conditions_;
  const CouplingVariables& variables_;
  const Seam& seam_;
  NormOptions options_;
  std::array<std::size_t, quantities> in_all_{};  ///< variables of each quantity on all ranks
  std::size_t variables_in_all_ = 0;
  std::array<std::vector<std::size_t>, quantities> members_;  ///< variables of each quantity
  MotionSizes floors_of_;       ///< absolute tolerances that the floors below are for
  std::vector<double> floor_;   ///< each variable at the absolute tolerances of the states
  std::vector<Floors> floors_;  ///< of each coupling, the largest
  std::vector<double> arm_;     ///< of torques; zero otherwise
  Magnitudes kept_{}, next_{};
  std::vector<double> off_at_start_;  ///< a tolerable error of each signal by its nominal and first value
  std::vector<double> kept_signals_, next_signals_;  ///< largest value of each variable; empty: no signals
};

}  // namespace cosimo
