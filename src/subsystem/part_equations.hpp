// The equations of a part, whatever its model is made of, and a system of them that can be driven.
//
//   const auto equations = make_part_equations(model, part);       // immutable, one per subsystem
//   const auto driven = equations->make_system(ports);             // one per lane
//   driven->drive(inputs);                                         // one polynomial per input of the ports
//   make_integrator(driven->system(), options);
//
// Three kinds exist: parts of scalar models (subsystem/driven_part.hpp), of mechanisms
// (subsystem/mechanism_part.hpp), and the pendulum in minimal coordinates (subsystem/pendulum_part.hpp).
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "integrator/system.hpp"
#include "model/model.hpp"
#include "numerics/polynomial.hpp"
#include "partition/part.hpp"
#include "subsystem/macro_states.hpp"
#include "subsystem/subsystem.hpp"

namespace cosimo {

/// A part's equations together with what drives its ports. Each lane has its own.
class DrivenSystem {
 public:
  virtual ~DrivenSystem() = default;

  /// What the integrators see.
  virtual const System& system() const = 0;
  /// One polynomial per input; they are copied.
  virtual void drive(std::span<const Polynomial> inputs) = 0;
  /// Accelerations of the coupling bodies, one per output, when the inputs have these values, whatever drives
  /// them. False when a force overflows.
  [[nodiscard]] virtual bool accelerations(double t, const Whole& y, std::span<const double> values,
                                           std::span<double> a) const = 0;
  /// States z and memory s of a run that starts at this position and velocity (integrator/whole.hpp).
  virtual void begin(const double* /*q*/, const double* /*v*/, double* /*z*/, double* /*s*/) const {}

  /// The state at the beginning of a macro step, and for ResponseMethod::rk those of the last macro points,
  /// it among them.
  struct Start {
    std::span<const double> q, v;
    const MacroStates& states;
    std::span<const double> z{}, s{};
  };
  /// Fills a response that is found before the step is taken: series or rk. False when it has no solution.
  [[nodiscard]] virtual bool respond(const Window& window, const Start& start, Response& response) = 0;
  /// Why a solver may have given up at a position, in words that follow its own; empty: nothing to tell.
  /// `initial` is the position that the system started from, `method` the solver's.
  virtual std::string explain(double /*t*/, const double* /*q*/, const double* /*initial*/,
                              std::string_view /*method*/) const {
    return {};
  }
};

class PartEquations {
 public:
  virtual ~PartEquations() = default;

  virtual std::span<const double> initial_position() const = 0;
  virtual std::span<const double> initial_velocity() const = 0;
  /// First instant after t at which a load has an edge; infinity when there is none.
  virtual double next_breakpoint(double t) const = 0;
  /// Nothing depends on time.
  virtual bool autonomous() const { return false; }
  /// `ports` must outlive the system, and so must the equations.
  virtual std::unique_ptr<DrivenSystem> make_system(std::span<const Port> ports) const = 0;
  /// What an element has to say about a failure at or after `since`; empty: nothing.
  virtual std::string_view complaint(double /*since*/) const { return {}; }
};

/// The model must outlive them. Evaluations that take seconds fail soon after `interrupt` has become true.
std::unique_ptr<PartEquations> make_part_equations(const Model& model, const Part& part,
                                                   const std::atomic<bool>* interrupt = nullptr);

}  // namespace cosimo
