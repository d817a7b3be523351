// The coupling conditions g = u - phi(y, u) = 0 of any mix of decompositions (Section 2.1): every coupling
// variable as a function of the states y of the coupling bodies.
//
//   force      law(x_to - x_from, v_to - v_from)
//   position   x of the end whose motion it is
//   velocity   v of that end
//
// A subsystem that is driven by motion computes the force of its own copy of the element with the motion it
// was given. Where only that force is available (2.7, `update: none`) the condition of the force reads
//
//   force      law with the state of the motion-driven end and, for the other end, the coupling variables u
//
// and the force feeds through: it depends on inputs. Solving the conditions for consistent u (2.25) is a
// plain evaluation in every case; `reported` is what is there without it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "coupling/force_laws.hpp"
#include "model/coupling_variables.hpp"
#include "model/part.hpp"

namespace cosimo {

/// Derivatives of one coupling variable with respect to the states at the ends of its coupling, and, with
/// feed-through, to the coupling variables that prescribe the motion of one end.
struct ConditionGradient {
  double from_x = 0, from_v = 0, to_x = 0, to_v = 0;
  std::size_t motion = 0;  ///< number of the position variable fed through; its velocity is the next
  double motion_x = 0, motion_v = 0;  ///< zero: nothing is fed through
};

class CouplingConditions {
 public:
  /// Copies what it needs.
  CouplingConditions(const ForceLaws& laws, const Interface& interface);

  const CouplingVariables& variables() const { return variables_; }
  std::size_t size() const { return variables_.size(); }
  const SpringLaw& law(CouplingId coupling) const { return laws_[coupling.index()]; }
  /// Some force is computed by a motion-driven subsystem: there are force/displacement cuts.
  bool can_feed_through() const;

  /// Consistent variables u = phi(y).
  void evaluate(const CutStates& y, std::span<double> u) const;
  /// What the subsystems report: forces of force/displacement cuts by the motion-driven side, with the
  /// motion in `used` (one entry per coupling variable, other storage than `u`). Everything else as
  /// evaluate().
  void evaluate_reported(const CutStates& y, std::span<const double> used, std::span<double> u) const;

  /// d phi / d(y, u) at the state, of evaluate(); or of evaluate_reported() when `used` is not empty.
  void gradients(const CutStates& y, std::span<const double> used, std::span<ConditionGradient> out) const;

  /// What each variable is off by when states are off by dx and dv: law(dx, dv), dx or dv.
  void resolution(double dx, double dv, std::span<double> u) const;

 private:
  /// A force that a motion-driven side reports: which side, and the variable it takes the other end's
  /// motion from.
  struct FeedThrough {
    bool exists = false;
    CutSide motion_driven = CutSide::from;
    std::size_t motion = 0;
  };
  struct Stretch {
    double dx = 0, dv = 0;
  };
  Stretch stretch(const CutStates& y, std::span<const double> used, std::size_t coupling) const;
  void evaluate_with(const CutStates& y, std::span<const double> used, std::span<double> u) const;

  std::vector<SpringLaw> laws_;  ///< per coupling
  CouplingVariables variables_;
  std::vector<FeedThrough> feed_;  ///< per coupling
};

}  // namespace cosimo
