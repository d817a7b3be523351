// Equations that we know, with inputs and outputs: what a NativeLane integrates.
//
//   const auto driven = ...;                        one per lane: scratch is not shared
//   driven->drive(inputs);                          one polynomial per input
//   make_integrator(driven->system(), options);
//   driven->outputs(t, state, {}, y);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "integrator/system.hpp"
#include "native/macro_states.hpp"
#include "network/component.hpp"
#include "numerics/polynomial.hpp"

namespace cosimo {

class DrivenSystem {
 public:
  virtual ~DrivenSystem() = default;

  /// What the integrators see.
  virtual const System& system() const = 0;
  /// One polynomial per input; they are copied.
  virtual void drive(std::span<const Polynomial> inputs) = 0;
  /// Where outputs are motions: the degree of freedom behind each.
  virtual std::span<const std::int32_t> output_dofs() const { return {}; }
  /// All outputs at a state; `inputs` as in Lane::outputs(). Unless it says otherwise, the motions of
  /// output_dofs().
  virtual void outputs(double t, const Whole& state, std::span<const double> inputs,
                       std::span<PortState> y) const;

  /// Accelerations of the outputs, one per output, when the inputs have these values, whatever drives them.
  /// False when a force overflows. A system whose outputs are no motions has nothing to say.
  [[nodiscard]] virtual bool accelerations(double /*t*/, const Whole& /*state*/,
                                           std::span<const double> /*values*/,
                                           std::span<double> /*a*/) const {
    return true;
  }
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
  [[nodiscard]] virtual bool respond(const Window& /*window*/, const Start& /*start*/,
                                     Response& /*response*/) {
    return false;
  }

  /// What the model has to say about a failure at or after `since`, in the place of the solver; empty:
  /// nothing.
  virtual std::string_view complaint(double /*since*/) const { return {}; }
  /// Why a solver may have given up at a position, in words that follow its own; empty: nothing to tell.
  /// `method` is the solver's.
  virtual std::string explain(double /*t*/, const double* /*q*/, std::string_view /*method*/) const {
    return {};
  }
};

}  // namespace cosimo
