// One attempt at one step: what distinguishes the one-step methods from each other. Everything
// they share (step size, ends, samples, snapshots) is in integrator/one_step.hpp.
//
//   to.t = ...                                       where the step ends, from.t + h up to rounding
//   error = attempt(from, h, retry, to, counters);   to: q, v, z, and when error <= 1 also a and z', at to.t
//   stage_interpolant(theta, dof)                    after an accepted attempt
//   carry(step, directions, counters)                after it, if there are directions
#pragma once

#include <optional>
#include <string_view>

#include "integrator/direction_set.hpp"
#include "integrator/integrator.hpp"
#include "integrator/state.hpp"
#include "integrator/step_control.hpp"

namespace cosimo {

struct StepperTraits {
  std::string_view name;
  int error_order = 1;  ///< the error of a step goes with h^error_order
  bool implicit = false;
  Control control = Control::smoothing;
  /// Steps are held below the limit of stability: its error test finds out too late.
  bool capped = false;
  /// Dense output gains from accelerations inside the step.
  bool inner_accelerations = true;
};

struct Motion {
  double q = 0;
  double v = 0;
};

/// From where to where the last attempt went.
struct AcceptedStep {
  const Point& from;
  const State& to;
  double h = 0;
};

class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual StepperTraits traits() const = 0;
  /// Work of one attempt in attempts of rk (stiffness.hpp): counted from the pattern of the equations, never
  /// measured, and the same at every point; infinite where it cannot be linearised.
  virtual double cost(const Point& /*at*/) { return 1; }
  /// And of asking for it for the first time, in the same currency, where that is worth a thought.
  virtual double count_cost() const { return 0; }

  /// Steps from `from` to to.t = from.t + h and returns the error in the weighted norm: at most 1 is good,
  /// infinity means that a force overflowed or a matrix was singular. `retry`: the same point again
  /// with another h.
  [[nodiscard]] virtual double attempt(const Point& from, double h, bool retry, State& to,
                                       Counters& counters) = 0;

  /// A continuous extension made of the stages alone, if the method has one. It needs no
  /// accelerations, so that it is also right where the step is much longer than the fastest motion.
  virtual std::optional<Motion> stage_interpolant(double theta, std::size_t dof) const = 0;
  /// The same for a first-order state.
  virtual std::optional<double> state_interpolant(double /*theta*/, std::size_t /*k*/) const {
    return std::nullopt;
  }

  /// Takes the directions through the step that was just accepted. The step itself takes no notice.
  virtual void carry(const AcceptedStep& step, DirectionSet& directions, Counters& counters) = 0;
};

}  // namespace cosimo
