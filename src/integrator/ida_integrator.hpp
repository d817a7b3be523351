// The Integrator made of IDA, for ida*.cpp alone (integrator/ida.hpp makes one).
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "integrator/end_projection.hpp"
#include "integrator/events.hpp"
#include "integrator/ida_directions.hpp"
#include "integrator/ida_handles.hpp"
#include "integrator/ida_memory.hpp"
#include "integrator/ida_problem.hpp"
#include "integrator/state.hpp"
#include "integrator/switch_watch.hpp"

namespace cosimo {

// How the next step begins.
enum class Resume {
  history,    // from IDA's history
  state,      // anew from the state given to start()
  breakpoint  // anew from the last point of the history: what follows is another function
};

/// What a lane needs to go on exactly from here.
struct IdaSnapshot final : Snapshot {
  bool saved = false;
  IdaState ida;
  Ref<const Counted> factors;
  VectorValue y;
  double time = 0;
  Resume resume = Resume::state;
  Counters before;
  std::vector<double> s;
  std::vector<std::int8_t> sides;
  double last_step = 0;
};

class Ida final : public Integrator {
 public:
  Ida(const System& system, const IntegratorOptions& options);

  void start(double t, std::span<const double> q, std::span<const double> v, std::span<const double> z,
             std::span<const double> s) override;
  AdvanceResult advance(double t_end, const Sampling& samples) override;
  std::span<const double> position() const override { return {read(y_.get()), system_.size()}; }
  std::span<const double> velocity() const override {
    return {read(y_.get()) + problem_->space().layout().stride, system_.size()};
  }

  std::span<const double> states() const override {
    return {read(y_.get()) + problem_->space().layout().first_state(), extent_.z};
  }
  std::span<const double> memory() const override { return s_; }
  std::span<const std::int8_t> due(double ahead) override;
  Fired fire(std::span<const std::int8_t> crossed) override;

  std::unique_ptr<Snapshot> make_snapshot() const override { return std::make_unique<IdaSnapshot>(); }
  void save(Snapshot& snapshot) const override;
  void restore(const Snapshot& snapshot) override;
  void archive(Archive& a) override;
  void overwrite(Range kept, std::span<const double> q, std::span<const double> v,
                 const Recalled& recalled) override;
  void use_grid(std::int64_t) override {}  // a multistep method has steps of its own
  void inherit(const Integrator& other) override;
  Status status() const override;

 private:
  double now() const { return resume_ == Resume::state ? time_ : memory_.time(); }
  Counters counters() const;
  void limit_steps(double window);
  bool begin_anew();
  bool begin_again(double t_end);
  int step(double t_end, double target);
  void complete(double from);
  int attempt(double t_end, double target);
  double watched_share(double from);
  void copy_watched(double* q, double* v) const;
  void adjust_step(double target);
  std::size_t sample(const Sampling& samples, std::size_t next, double until);
  template <class MotionOf>
  void project_sample(double t, const MotionOf& motion);

  // Memory and events (ida_events.cpp).
  struct Meeting {
    bool there = false, early = false, ok = true;
  };
  void interpolate(double t, State& out) const;
  void commit(double t, const Whole& y);
  bool place(double t);
  bool load_present();
  void take_over(const State& state);
  Meeting meet(double from, double t_end, double begin);
  bool fire_now();
  std::optional<AdvanceResult> fire_due();
  std::optional<AdvanceResult> enter_events(double t_end);
  std::optional<AdvanceResult> leave_step(const Meeting& event);
  double ahead() const { return short_step * last_step_; }

  StateView view(N_Vector y) const;
  void carry();
  void finish(double t_end);
  AdvanceResult failed(std::string_view reason);

  const System& system_;
  Extent extent_;
  IntegratorOptions options_;
  ContextOwner context_;
  std::unique_ptr<IdaProblem> problem_;
  VectorOwner y_, yp_;            // the state at time_; its derivative where IDA begins anew
  VectorOwner step_y_, step_yp_;  // IDA's working place for a step
  IdaOwner ida_;
  IdaMemory memory_;
  IdaDirections directions_;                 // of this advance()
  std::optional<EndProjection> projection_;  // of samples, where there are constraints
  std::vector<double> sample_q_, sample_v_;
  SwitchWatch watch_;
  IdaState before_step_;                   // where laws may switch
  std::vector<double> begin_q_, begin_v_;  // of the step, what switches depend on
  double time_ = 0;                        // reached
  Resume resume_ = Resume::state;
  double longest_ = std::numeric_limits<double>::infinity();   // that the system allows
  double max_step_ = std::numeric_limits<double>::infinity();  // in this advance()
  int restarts_ = 0;                                           // close to each other
  double stuck_ = 0;                                           // where IDA last failed in this advance()
  Counters before_;  // work before IDA last began anew, and that for directions

  std::vector<double> s_, committed_;  // the memory at time_, and after a step
  std::vector<std::int8_t> sides_;     // of the roots, there
  double last_step_ = 0;               // for events: how long a short step is
  Events events_;
  std::optional<State> at_;  // where an event is
};

}  // namespace cosimo
