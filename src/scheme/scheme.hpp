// A coupling scheme: from the state at T_N, a window and an order it makes a candidate
// for T_{N+1} and an estimate of its error. It never decides acceptance:
//
//   Candidate c = scheme.attempt({window, kappa}, output_times);
//   if (good) scheme.accept(); else scheme.reject();     // reject leaves no trace
//
// attempt() runs all lanes in parallel; accept() and reject() are cheap. Where several ranks share a run each
// has a scheme of its own for its subsystems; attempt() and worst() are then collective, and every rank gets
// the same candidate.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "control/controller.hpp"
#include "core/archive.hpp"
#include "core/ids.hpp"
#include "core/settings.hpp"
#include "network/component.hpp"
#include "network/laws.hpp"

namespace cosimo {

struct Attempt {
  Window window;
  int kappa = 0;
};

struct Candidate {
  bool ok = true;             ///< all subsystems reached the end with finite numbers
  bool early = false;         ///< they may not, as an event of `culprit` at `reached` makes outputs jump
  int kappa = 0;              ///< degree really used
  ErrorNorms norms;           ///< zero without estimator
  CouplingId worst;           ///< where the corrector failed or a force is not finite; global number
  PartId culprit;             ///< subsystem that failed, if not ok; global number
  double reached = 0;         ///< where it failed
  std::string_view reason{};  ///< why
  int iterations = 0;         ///< of the corrector
  bool converged = true;      ///< the corrector did; a step of fixed size goes on without
};

/// What one attempt cost, in seconds.
struct AttemptCost {
  std::span<const double> solve;    ///< per subsystem: the longest of its lanes
  std::span<const double> threads;  ///< per thread: all lanes it ran
  std::span<const double> work;     ///< per subsystem: counted, not measured
  double snapshot = 0, interface = 0, transport = 0;
  std::span<const double> micro_steps{};  ///< per subsystem: accepted ones of its actual lane
};

/// What is known at the end of an attempted step, of the couplings of this rank. Views into the scheme, valid
/// until the next attempt.
struct PointView {
  std::span<const double> u;                   ///< coupling variables after the update
  std::span<const double> predicted;           ///< and as predicted
  const CutStates& y;                          ///< states of the coupling bodies
  std::span<const double> cut_errors;          ///< weighted error per coupling
  std::span<const std::int32_t> cut_layers{};  ///< layers of copies per coupling, the wider side; empty: none
  int layers = 0;                              ///< the most of any coupling of all ranks
};

class Scheme {
 public:
  virtual ~Scheme() = default;

  /// Lowers kappa to what history and estimator support now.
  virtual int admissible(int kappa) const = 0;
  [[nodiscard]] virtual Candidate attempt(const Attempt& attempt, std::span<const double> output_times) = 0;
  virtual void accept() = 0;
  virtual void reject() = 0;
  /// Steps may have to end early.
  virtual bool ends_early() const { return false; }
  /// After accept(): lets the events happen that are due there, and those of `culprit` (global number) in any
  /// case. Collective.
  struct Events {
    bool jumped = false;  ///< outputs have
    std::string failure;  ///< why it was given up; empty: it was not
  };
  [[nodiscard]] virtual Events fire(PartId /*culprit*/) { return {}; }
  /// After accept(), when the lanes have been put into other states by hand: goes on from there. Collective.
  virtual void restart() = 0;
  /// After accept(), when inputs from outside (OuterInputs) have other values: goes on with them. True when
  /// they have jumped by more than an error may be, and everything has begun anew as by restart().
  /// Collective.
  [[nodiscard]] virtual bool renew() {
    restart();
    return true;
  }
  /// The attempt was broken off from outside: as if it had never begun, also for attempts to come.
  virtual void abandon() { reject(); }

  virtual PointView point() const = 0;  ///< the candidate, or the accepted point after accept()
  /// The coupling variables at the last accepted point.
  virtual std::span<const double> variables() const = 0;
  /// And, after accept(), at an instant of the step that ended there: on their way, or (`held`) as they were
  /// until the end.
  virtual double variable_at(std::size_t variable, double /*t*/, bool /*held*/) const {
    return variables()[variable];
  }
  virtual AttemptCost cost() const = 0;
  /// Global number of the coupling with the largest weighted error of the last attempt. Collective.
  virtual CouplingId worst() const = 0;

  // Checkpoints: the state between two attempts, in pieces from which any number of ranks can put it
  // together again. Loaded they come in this order, and resume() at the end, which is collective.
  virtual void archive(Archive& a) = 0;                                 ///< the same on all ranks
  virtual void archive_coupling(Archive& a, std::size_t coupling) = 0;  ///< by local number
  virtual void archive_part(Archive& a, std::size_t part) = 0;          ///< an own one, its lane included
  virtual void resume() = 0;
};

}  // namespace cosimo
