// The coupling conditions g = u - phi(y, u) = 0 of any mix of decompositions (Section 2.1): every coupling
// variable as a function of the states y of the coupling bodies.
//
//   force      law of the element at the states of both ends (network/laws.hpp), component by component
//   position   x of the end whose motion it is, coordinate by coordinate
//   velocity   v of that end
//   signal     the output where it begins
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
#include <memory>
#include <span>
#include <vector>

#include "coupling/condition_gradients.hpp"
#include "coupling/feed_graph.hpp"
#include "network/coupling_variables.hpp"
#include "network/laws.hpp"

namespace cosimo {

class CouplingConditions {
 public:
  CouplingConditions(std::shared_ptr<const Laws> laws, const Interface& interface);

  const CouplingVariables& variables() const { return variables_; }
  const CutLayout& layout() const { return variables_.layout(); }
  std::size_t size() const { return variables_.size(); }
  const Laws& laws() const { return *laws_; }
  /// Where components feed through.
  const FeedGraph& feed_graph() const { return feed_graph_; }
  /// Some force is computed by a motion-driven subsystem: there are force/displacement cuts.
  bool can_feed_through() const;

  /// Consistent variables u = phi(y) at time t.
  void evaluate(double t, const CutStates& y, std::span<double> u) const;
  /// What the subsystems report: forces of force/displacement cuts by the motion-driven side, with the
  /// motion in `used` (one entry per coupling variable, other storage than `u`). Everything else as
  /// evaluate().
  void evaluate_reported(double t, const CutStates& y, std::span<const double> used,
                         std::span<double> u) const;

  /// d phi / d(y, u) at the state, of evaluate(); or of evaluate_reported() when `used` is not empty.
  void gradients(double t, const CutStates& y, std::span<const double> used, ConditionGradients& out) const;

  /// What each variable is off by when states are off by so much: law(dx, dv), dx or dv; a signal what the
  /// components in between make of that. Where no state is measured before it, what they make of signals that
  /// are off by `signals` (one per variable; zero: not known; empty: none is).
  void resolution(const MotionSizes& off, std::span<const double> signals, std::span<double> u) const;
  /// These variables are given from outside: what components make of them counts as an ordinary value, also
  /// while it has not been reached yet.
  void give(std::span<const std::size_t> variables);
  void spread_given(std::span<double> sizes) const;
  /// Of a torque: the arm at which a force of its coupling matters as much (Laws::arm()). Otherwise
  /// zero.
  double arm(std::size_t variable) const;
  /// Of a signal: what counts as an ordinary value. Otherwise zero.
  double nominal(std::size_t variable) const {
    return variables_[variable].quantity == Quantity::signal ? nominal_[variables_[variable].coupling.index()]
                                                             : 0.0;
  }

 private:
  /// A force that a motion-driven side reports: which side, and the variable it takes the other end's
  /// motion from.
  struct FeedThrough {
    bool exists = false;
    CutSide motion_driven = CutSide::from;
    std::size_t motion = 0;
  };
  Laws::Ends ends(const CutStates& y, std::span<const double> used, std::size_t coupling) const;
  void evaluate_with(double t, const CutStates& y, std::span<const double> used, std::span<double> u) const;
  void follow_signals(std::vector<char>& known, std::span<double> u) const;

  std::shared_ptr<const Laws> laws_;
  CouplingVariables variables_;
  std::vector<FeedThrough> feed_;  ///< per coupling
  std::vector<double> nominal_;    ///< per coupling
  std::vector<Interface::Transfer> transfers_;
  std::vector<char> given_;  ///< per variable; empty: none
  FeedGraph feed_graph_;
};

}  // namespace cosimo
