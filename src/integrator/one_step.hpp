// The Integrator made of one-step methods: rk, merson, rosenbrock (radau where there are constraints), or
// some of them with automatic choice.
//
// All that evolves is one small `Memory`: a reference to the current state, the step size, the
// counters. A snapshot is a copy of it, whatever the size of the system.
//
// The inputs may change between two calls of advance(). That touches the accelerations of the
// driven degrees of freedom only; overwrite() touches those within the system's reach of the new
// values. These are evaluated anew at the beginning of every advance(), into a copy, since the state
// may be shared. The others have the bits that they would get again. With first-order states or memory all
// are evaluated anew.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "integrator/circles.hpp"
#include "integrator/dense_output.hpp"
#include "integrator/direction_set.hpp"
#include "integrator/end_projection.hpp"
#include "integrator/events.hpp"
#include "integrator/grid.hpp"
#include "integrator/integrator.hpp"
#include "integrator/spectrum_probe.hpp"
#include "integrator/state.hpp"
#include "integrator/state_spectrum.hpp"
#include "integrator/step_control.hpp"
#include "integrator/stepper.hpp"
#include "integrator/stiffness.hpp"
#include "integrator/switch_watch.hpp"

namespace cosimo {

class OneStepIntegrator final : public Integrator {
 public:
  /// One stepper; or those to choose between: rk, merson where it takes part, and the implicit one.
  OneStepIntegrator(const System& system, const IntegratorOptions& options,
                    std::vector<std::unique_ptr<Stepper>> steppers);

  void start(double t, std::span<const double> q, std::span<const double> v, std::span<const double> z,
             std::span<const double> s) override;
  AdvanceResult advance(double t_end, const Sampling& samples) override;
  std::span<const double> position() const override { return memory_.state->q; }
  std::span<const double> velocity() const override { return memory_.state->v; }
  std::span<const double> states() const override { return memory_.state->z; }
  std::span<const double> memory() const override { return memory_.state->s; }
  std::span<const std::int8_t> due(double ahead) override;
  Fired fire(std::span<const std::int8_t> crossed) override;

  std::unique_ptr<Snapshot> make_snapshot() const override;
  void save(Snapshot& snapshot) const override;
  void restore(const Snapshot& snapshot) override;
  void archive(Archive& a) override;

  void overwrite(Range kept, std::span<const double> q, std::span<const double> v,
                 const Recalled& recalled) override;
  void use_grid(std::int64_t steps) override;
  void inherit(const Integrator& other) override;
  Status status() const override;

 private:
  /// Everything a snapshot holds.
  struct Memory {
    StateRef state;
    /// Where the last step began; systems with constraints only. None where the motion has a kink.
    StateRef previous;
    /// Accelerations in `state` that are right but for the inputs. None before the first advance(), as
    /// inputs come later than start(); after overwrite() those out of its reach.
    Range known;
    bool at_breakpoint = false;  ///< the right-hand side may change its character here
    StepMemory step;
    StepMemory left_step;  ///< of the method that a trial has left
    MethodChoice choice;
    Counters counters;
    std::int64_t stiff_steps = 0, merson_steps = 0;
    /// Of capped methods: the fastest motion, where it was looked for last, and the longest step that it
    /// allows; 0: not looked yet.
    SpectralBound fastest;
    StateRef direction;  ///< SpectrumProbe::follow()
    double cap = 0;
    int since_look = 0;  ///< accepted steps
    double last_step = 0;
  };
  struct MemorySnapshot;

  Stepper& stepper() const {
    return *(memory_.choice.implicit ? steppers_.back() : steppers_[memory_.choice.merson ? 1 : 0]);
  }
  /// Shares loops over the degrees of freedom; null where one thread has to do.
  Team* team() const { return system_.shareable() ? options_.team : nullptr; }
  bool choosing() const { return steppers_.size() > 1; }
  bool choosing_pairs() const { return steppers_.size() > 2; }
  double cap() const;
  Point point() const;
  void archive(Archive& a, StateRef& state, Range known);
  void archive(Archive& a, Memory& memory);

  AdvanceResult march(double t_end, const Sampling& samples, std::size_t row);
  bool enter();
  bool enter_whole();
  void size_step(double t_stop);
  StepPlan plan(double t_end, double breakpoint) const;
  double look_ahead();
  double watched_share(const Point& from, const State& to, double h);
  void accept(const StepPlan& plan, double error, StateRef next, double covered);
  void reject();
  void choose_first();
  void choose();
  SpectralBound spectral_bound();
  void look_for_limit(SpectrumProbe::Start start);
  double prospect_of(Stepper& method, double limit);
  void emit(const Point& from, const State& to, double h, const Sampling& samples, std::size_t& row,
            double until);
  bool resolve(const Point& from, const State& to, double h, Range dofs);
  void know_all();
  void state_inside(double theta, bool resolved, State& out);
  template <class F>
  void fill_row(const Sampling& samples, std::size_t row, F motion) const;
  void copy_row(const State& state, const Sampling& samples, std::size_t row) const;
  void memory_row(const double* s, const Sampling& samples, std::size_t row) const;
  void trace_row(Trace* trace) const;
  void projected_row(double t, double theta, bool resolved, const Sampling& samples, std::size_t row);
  void interpolate_row(double theta, bool resolved, const Sampling& samples, std::size_t row) const;

  // Memory and events (one_step_events.cpp).
  struct Meeting {
    StateRef at = {};    ///< none: no event
    bool early = false;  ///< it is the state before the event, and the advance ends there
    bool ok = true;      ///< there are accelerations
    double share = 1;    ///< less: of the step, which is to be repeated that long
  };
  void complete(const Point& from, State& to) const;
  void roots_inside(double theta, bool resolved, State& out);
  bool place(const Point& from, double theta, double h, bool resolved, State& out);
  Meeting meet(const Point& from, const State& to, double h, double t_end);
  bool fire_now();
  std::optional<AdvanceResult> fire_due();
  std::optional<AdvanceResult> enter_events(double t_end);
  std::optional<AdvanceResult> leave_step(const Meeting& event);
  double ahead() const { return short_step * std::max(memory_.step.h, memory_.last_step); }

  const System& system_;
  const ConstrainedSystem* constrained_;
  Extent extent_;
  IntegratorOptions options_;
  Range judged_;
  std::vector<std::unique_ptr<Stepper>> steppers_;
  StatePool pool_;
  Memory memory_;
  double max_step_ = 0;  ///< until the next breakpoint

  std::int64_t grid_steps_ = 0;    ///< for the next advance()
  std::optional<StepGrid> grid_;   ///< of this advance()
  AlignedVector patched_;          ///< accelerations at the beginning of an advance()
  const double* first_ = nullptr;  ///< the accelerations to start the next step from
  std::vector<double> patched_rates_;
  const double* first_rates_ = nullptr;  ///< the same of z
  Events events_;
  std::vector<double> root_q_, root_v_;
  double begin_ = 0;  ///< of this advance()
  DenseOutput dense_;
  std::optional<EndProjection> projection_;     ///< of samples, where there are constraints
  std::vector<std::int32_t> all_, all_states_;  ///< coordinates and z, once whole states are wanted inside
  SwitchWatch watch_;
  DirectionSet directions_;  ///< of this advance()
  // For the choice of method:
  std::optional<Circles> circles_;
  SpectrumProbe probe_;
  StateSpectrum spectrum_;
};

}  // namespace cosimo
