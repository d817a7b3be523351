// The lanes of all subsystems, as one parallel batch: save once per macro point, run the actual lanes
// and those beside them as independent tasks, collect outputs and samples.
//
//   lanes.begin();                           a new attempt at a macro step
//   lanes.advance({window, polynomials});    any number of times; repeat() goes back to T_N in between
//   lanes.gather(Beside::none, y);
//   lanes.commit();  or  lanes.discard();
//
// Beside the actual lane a subsystem may have one for comparison (exLE, exMD), or one per input that sees
// that input perturbed (finite differences). They always start from the last macro point.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "network/component.hpp"
#include "network/laws.hpp"
#include "parallel/pool.hpp"
#include "parallel/team.hpp"
#include "scheme/phases.hpp"
#include "scheme/scheme.hpp"
#include "scheme/seam.hpp"
#include "scheme/sections.hpp"

namespace cosimo {

/// Which coordinates of a subsystem are recorded, and in which columns of the output.
struct Recorded {
  std::vector<std::int32_t> dofs;
  std::vector<std::size_t> columns;
  /// What it remembers beside them (Component::remembered()), all of it, as positions without velocity.
  std::vector<std::int32_t> states{};
  std::vector<std::size_t> state_columns{};
  /// Inputs of the subsystem, likewise.
  std::vector<std::size_t> inputs{};
  std::vector<std::size_t> input_columns{};
};

/// Lanes that every subsystem with ports has beside the actual one.
enum class Beside { none, comparison, perturbed };

/// One advance of lanes over a window. Everything is referred to until the call returns.
struct LaneStep {
  Window window;
  std::span<const Polynomial> inputs{};  ///< one per coupling variable
  std::span<const double> held{};        ///< or their values, where all stay as they are
  std::span<const Polynomial> beside{};  ///< what the lanes beside see: all of it, or the perturbed input
                                         ///< only; empty: they rest
  std::span<const double> output_times{};
  int stage = -1;                      ///< only the subsystems of this stage; -1: all
  const Response* response = nullptr;  ///< asked of every actual lane
};

class LaneSet {
 public:
  /// `repeatable`: steps may be taken back, so solver memory is saved at every macro point. With a seam the
  /// subsystems are those of this rank; construction, advance() and adopt() are then collective: they tell
  /// the other ranks what became of the ends of shared cuts, and hear of theirs.
  /// `teams`: threads that share the work of each subsystem, besides that of the pool which runs it; empty:
  /// none.
  LaneSet(std::span<const std::unique_ptr<Component>> subsystems, std::span<const Recorded> recorded,
          Pool& pool, Beside beside, bool repeatable, Seam* seam = nullptr,
          std::span<const std::unique_ptr<Team>> teams = {});

  /// A new attempt: times and work are counted from here on.
  void begin();

  /// The subsystems stand in stages from 0. An advance() of all then runs one stage after the other, those
  /// of a stage in parallel.
  void advance_in_stages(std::span<const int> stage);
  int stages() const { return static_cast<int>(std::max<std::size_t>(1, stages_.size())); }

  void advance(const LaneStep& step);
  /// The next advance() starts from the last macro point again.
  void repeat();

  /// First subsystem (in order) whose lane did not reach the end; -1: none. `result` is its story, which
  /// may be told anew by the next call. Its number is the global one, and the same on all ranks: collective.
  PartId failed(StepResult& result) const;
  /// Some component's events make outputs jump: advance() of its lane may end before them.
  bool ends_early() const { return ends_early_; }
  /// The subsystem whose lane ended first before such an event, and where; not valid: all reached the end.
  /// Global number, the same on all ranks: collective.
  PartId earliest(double& reached) const;
  /// The events that are due at t, where all lanes are: those of `culprit` (global number) whatever its
  /// roots say, and what is due in the others. True when outputs have jumped; the lanes are then at a new
  /// macro point. Collective.
  bool fire(double t, PartId culprit);
  /// Outputs that depend on inputs at once, with these values of the coupling variables; the others in y stay
  /// as they are. Collective.
  void feed(double t, std::span<const double> u, CutStates& y);
  /// States of the coupling bodies at the end: of the actual or of the comparison lanes; of one stage only
  /// (the other entries stay as they are), or of all.
  void gather(Beside lanes, CutStates& y, int stage = -1) const;
  /// Derivatives of a subsystem's outputs with respect to the end values of its inputs, [input * outputs +
  /// output]: the response of the last advance() that asked for one, or the difference that the perturbed
  /// lanes made, divided by what each coupling variable was perturbed by.
  std::span<const PortState> response(std::size_t subsystem) const {
    return slots_[subsystem].response.derivative;
  }
  void difference(std::size_t subsystem, std::span<const double> perturbation,
                  std::span<PortState> out) const;
  /// Accelerations of the coupling bodies where the lanes stand, coupling by coupling those of `from` and of
  /// `to` (CutLayout::joint_first()): with these values of all coupling variables, or, when `u` is empty,
  /// with the inputs that the lanes were driven by. False when a force overflows.
  [[nodiscard]] bool accelerations(double t, std::span<const double> u, std::span<double> a) const;
  /// What a course of the inputs that ends at `other` instead of `u` does to the states of the coupling
  /// bodies, while it is small: `unit` is what an acceleration that is off by one at the end of the step
  /// makes of a free body. `held`: a body that its subsystem holds back gives way no farther than to where
  /// the force that holds it equals the one that pushes it; this goes on from the same call without it, and
  /// asks for accelerations once more instead of three times. Not finite where a force is not. `a`: their
  /// accelerations with `u`, as accelerations() orders them.
  void effect(double t, std::span<const double> u, std::span<const double> other, PortState unit, bool held,
              CutStates& error, std::span<double> a);

  void commit();   ///< keep the step just done
  void discard();  ///< go back to the last commit
  /// The lanes have been put into other states by hand: these are the last macro point now, at t.
  void adopt(double t);

  /// Another value for a coordinate of the whole model, or for its rate, at t, where the lanes were
  /// committed; adopt() once all are set. False when no lane of this rank has it.
  bool set(double t, std::size_t place, bool rate, double value);

  /// One lane at the last commit, for checkpoints; rewind() before saving, adopt() after loading all of them.
  void archive(Archive& a, std::size_t slot);

  /// Recorded states of the last advance(): row `k` of the output times.
  void sample(std::size_t k, std::span<double> position, std::span<double> velocity) const;
  /// Puts the lanes back to the last commit now, after a discard(); false if that is not possible.
  bool rewind();
  /// What the lanes remember, at the places of Subsystem::remembered(); others are left alone.
  void remembered(std::span<double> all) const;
  /// What is recorded, at the point where the lanes stand; `u`: all coupling variables there.
  void recorded_state(std::span<const double> u, std::span<double> position,
                      std::span<double> velocity) const;
  /// Largest displacements since the start and velocities, where the lanes of this rank are.
  MotionSizes motion() const;
  /// All owned states at the last committed point, in the order of the model's coordinates.
  void state(std::span<double> q, std::span<double> v) const;

  /// What the other ranks are told in the place of outputs, by schemes that exchange more: `tell` is called
  /// once per advance() of all, as soon as the lanes of the subsystems marked `early` are done and while
  /// others may still run, on any thread; at once when none is marked.
  void tell_others(std::vector<char> early, std::function<void()> tell);
  Seam& seam() const { return *seam_; }
  PhaseLog& phases() { return phases_; }
  SectionClock& sections() { return sections_; }

  std::size_t size() const { return slots_.size(); }
  const Lane& lane(std::size_t i) const { return *slots_[i].actual.lane; }
  Lane& lane(std::size_t i) { return *slots_[i].actual.lane; }
  const Component& subsystem(std::size_t i) const { return *slots_[i].subsystem; }
  /// The micro step that the actual lane of a subsystem wants where the last advance() ended.
  double next_step(std::size_t i) const { return slots_[i].next_step; }
  std::span<const double> solve_seconds() const { return solve_seconds_; }
  /// Integrations of one subsystem over one macro step, of all lanes since the start.
  std::int64_t integrations() const { return integrations_; }
  /// Work kept of the attempt per subsystem, counted (evaluations times bodies), not measured.
  std::span<const double> work() const { return work_; }
  /// Accepted micro steps of the attempt per subsystem, counted like its work.
  std::span<const double> micro_steps() const { return micro_steps_; }
  std::span<const double> thread_seconds() const { return thread_seconds_; }
  double snapshot_seconds() const { return snapshot_seconds_; }
  double transport_seconds() const { return transport_seconds_; }

 private:
  /// A lane, what goes into its step and what comes out of it; written by the task that runs it.
  struct Runner {
    std::unique_ptr<Lane> lane;
    std::vector<Polynomial> inputs;
    std::vector<PortState> outputs;
    std::vector<double> values;  ///< of the inputs at the end, where outputs depend on them at once
    StepResult result;
  };
  /// What effect() works with.
  struct Push {
    std::vector<double> u, here, pushed, held;
    std::vector<PortState> moved;
  };
  struct Slot {
    const Component* subsystem = nullptr;
    const Recorded* recorded = nullptr;
    Team* team = nullptr;  ///< null: the thread of the pool works alone
    Runner actual;
    std::vector<Runner> beside;
    std::unique_ptr<Snapshot> memory;
    bool moved = false;    ///< the actual lane has advanced since the last macro point, which is in `memory`
    bool go_back = false;  ///< and must restore before it advances again
    double saving = 0;     ///< seconds that its last advance spent on that
    int thread = 0;        ///< on which it did
    Response response;
    std::vector<double> sample_q, sample_v, sample_state, sample_input;
    PhaseSpan span;             ///< when the actual lane advanced last, while someone watches
    std::vector<double> start;  ///< positions of the actual lane before the first step
    Push push;
    MotionSizes motion;                              ///< since then, as far as the actual lane has come
    std::vector<MotionSizes> motion_of_member;       ///< of the rows that each member of the team has seen
    double next_step = 0;                            ///< of the actual lane
    double kept_work = 0, reached_work = 0;          ///< counted since the start: at the last commit, and now
    std::int64_t kept_steps = 0, reached_steps = 0;  ///< micro steps, likewise
  };
  struct Task {
    std::uint32_t slot = 0;
    std::int32_t beside = -1;  ///< -1: the actual lane
  };
  void share_accelerations(std::span<double> a) const;
  static void push(Slot& slot, double t, std::span<const double> u, std::span<const PortState> shift,
                   std::span<double> a);
  void share_effect(CutStates& error, std::span<double> a);
  void plan_messages();
  void tell(int stage);
  void await_early(std::size_t stage, std::size_t tasks, int told);
  void hear(int stage);
  PartId failed_here(StepResult& result, int& stage) const;
  void share_story(bool mine, StepResult& result) const;
  static Runner make_runner(const Component& subsystem, std::unique_ptr<Lane> lane);
  void plan_tasks();
  void save_all();
  void run_stage(std::size_t stage, const LaneStep& step);
  void run_before_stayers(std::size_t stage, std::function<void(std::size_t)> run);
  void log_stage(std::size_t stage, double begin, double end);
  void count_saving(std::size_t stage);
  void run_actual(Slot& slot, const LaneStep& step);
  static void measure(Slot& slot);
  void run_beside(Slot& slot, std::size_t number, const LaneStep& step);
  static void find_outputs(Runner& runner, double t);

  Seam alone_;
  Seam* seam_;
  std::vector<Slot> slots_;
  CutLayout layout_;                              ///< of the states of the coupling bodies
  std::vector<int> stage_of_;                     ///< per slot
  std::vector<std::vector<std::size_t>> stages_;  ///< empty: all at once
  /// Per stage the tasks of an advance(), the actual lanes first.
  std::vector<std::vector<Task>> tasks_;
  std::vector<std::size_t> actual_tasks_;  ///< how many of them those are
  std::vector<std::size_t> stayers_;       ///< and how many of these, the last, cannot go back
  std::vector<std::size_t> copied_;        ///< slots whose memory is worth a task to save
  Pool& pool_;
  Beside beside_;
  bool repeatable_;
  bool ends_early_ = false;
  bool some_stay_ = false;    ///< lanes that cannot go back, on whichever rank
  bool with_beside_ = false;  ///< in the last advance()
  std::int64_t integrations_ = 0;
  std::vector<double> solve_seconds_, thread_seconds_, work_, micro_steps_;
  std::vector<double> task_seconds_;                   ///< of one stage, where some lanes wait for others
  std::vector<double> stage_seconds_, stage_longest_;  ///< of one stage: per thread, per slot
  mutable std::vector<double> port_u_, port_a_;
  // Between ranks.
  std::vector<char> early_;  ///< per slot: others wait for it
  std::atomic<std::size_t> early_left_{0};
  std::function<void()> tell_;         ///< instead of the outputs
  std::vector<double> own_, foreign_;  ///< numbers of own and foreign ends: the message
  std::vector<double> effect_own_, effect_foreign_;
  mutable std::string told_reason_;              ///< why a lane of another rank failed
  std::vector<PortState> heard_, heard_beside_;  ///< states of the foreign ends
  double snapshot_seconds_ = 0, transport_seconds_ = 0;
  PhaseLog phases_;
  SectionClock sections_;
};

/// Whether a lane did not reach the end of the step; the candidate then tells which, where and why.
bool blame_failed_lane(const LaneSet& lanes, Candidate& candidate);

}  // namespace cosimo
