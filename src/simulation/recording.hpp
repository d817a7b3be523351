// The observer of a real run: writes results.h5, keeps what the overview picture needs,
// adds up where the time went, and reports progress.
#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "config/scenario.hpp"
#include "core/error.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/result_folder.hpp"
#include "multibody/derived_outputs.hpp"
#include "multibody/motion_files.hpp"
#include "results/column_measures.hpp"
#include "results/recorder.hpp"
#include "results/timing.hpp"
#include "results/trace.hpp"
#include "scheme/phases.hpp"
#include "scheme/sections.hpp"
#include "simulation/assembly.hpp"
#include "simulation/gather.hpp"
#include "simulation/local_reference.hpp"
#include "simulation/observer.hpp"
#include "simulation/overview_data.hpp"
#include "simulation/rows.hpp"

namespace cosimo {

/// What a run saw of one cut.
struct CutRecord {
  std::int64_t rejected = 0;     ///< steps taken back because of it: error test or corrector
  std::int64_t unconverged = 0;  ///< steps whose corrector failed there
  std::int64_t points = 0;       ///< accepted macro points
  double dx2 = 0, dv2 = 0;       ///< sums over them: squared extension of the element, and of its rate
};

/// What results are computed by; null: they are the coordinates that are collected.
std::unique_ptr<DerivedOutputs> derived_outputs(const Assembly& assembly);

/// Of results.h5: that of the assembly, with the names and tables of derived outputs.
ResultsLayout results_layout(const Assembly& assembly);

/// Every rank has one. That of rank 0 writes; the others send it what they know of each row.
class Recording final : public Observer {
 public:
  /// Collective, as is everything that may send.
  Recording(const Assembly& assembly, const RunOptions& options, double end);
  const ResultsLayout& layout() const { return layout_; }  ///< of results.h5
  /// Rank 0 makes its files; the others do nothing. `from`: goes on in the results of an earlier run. Throws
  /// Error when they do not fit, IoError when nothing can be written.
  void open(const std::optional<ResultsPosition>& from = {});
  /// From now on rows are told to it as well, where there is one process alone.
  void tell(RowListener& listener) { tap_.emplace(listener, layout_); }
  /// And attempted macro steps are written there.
  void keep(StepHistory& steps) { steps_ = &steps; }
  /// Checkpoints are wished for this often.
  void wish_checkpoints(const config::Checkpoint& every) { every_ = every; }

  void output(double t, std::span<const double> position, std::span<const double> velocity) override;
  void outputs(std::span<const double> values) override;
  void step(const StepRow& row, const Scheme& scheme, const AttemptCost& cost) override;
  void macro_point(double t, double H, int kappa) override;
  Wishes wishes() override;
  void flush() override;

  // Checkpoints: everything is brought to rank 0 and onto the disk; then archive() tells how far it is.
  void settle();  ///< collective
  ResultsPosition position() const { return writer_ ? writer_->position() : ResultsPosition{}; }
  void archive(Archive& a);
  void checkpoint_written();
  /// Runs what may fail for want of disk space: see failure().
  template <class Operation>
  void guarded(Operation operation) {
    if (!failure_.empty()) return;
    try {
      operation();
    } catch (const IoError& error) {
      if (single()) throw;
      failure_ = error.what();
    }
  }

  /// What the lanes and this rank do is kept for a trace from now on. Collective: clocks are set to zero
  /// together.
  void trace(PhaseLog& phases);
  /// From now on it is told when something is recorded, and knows at the end where the time went.
  void use_sections(SectionClock& sections) { sections_ = &sections; }
  /// The traces of all ranks, on rank 0. Collective.
  std::vector<TraceBuffer> collect_traces();

  /// Local errors are recorded with every accepted step.
  void use_local(const LocalReference& local) { local_ = &local; }
  double reached() const { return reached_; }  ///< last accepted point
  /// Why nothing can be written any more, on the rank that writes; empty: all is well. A run of its own gets
  /// an IoError instead.
  const std::string& failure() const { return failure_; }

  /// Everything on disk; the writer is closed. `complete`: the run has reached its end. Throws IoError in a
  /// run of its own.
  void close(bool complete = true);
  /// Counts, orders and times, of all ranks on rank 0. Collective, once, after the run.
  void collect(int threads);
  void fill(Report& report) const;
  const OverviewData& overview() const { return overview_; }
  const TimingWriter& timing() const { return timing_; }
  std::span<const CutRecord> cuts() const { return cuts_; }  ///< one per coupling of the whole
  /// Coupling variables grew tenfold and more from tenth to tenth of the run, three times in a row: no motion
  /// of the model, but an unstable coupling.
  bool grew() const;

 private:
  using Clock = std::chrono::steady_clock;
  Report::Blame blame() const;
  void judge_cuts(const StepRow& row, const PointView& point);
  void see_extensions(const CutStates& y);
  void report_progress(double t, double H, int kappa);
  bool writes() const { return assembly_.exchange->leads(); }
  bool single() const { return assembly_.exchange->single(); }
  void merge_cuts();
  Team* largest_team() const;
  void write_row(double t, std::span<const double> position, std::span<const double> velocity);
  void write_outputs(std::span<const double> values);
  void write_step(const StepRow& row);
  void write_block(double t, std::size_t first, std::span<const double> position,
                   std::span<const double> velocity);
  /// A coupling of the whole and its weighted error.
  struct WorstCut {
    double error = 0;
    std::int32_t cut = -1;  ///< none
  };
  WorstCut worst_cut(const PointView& point) const;
  void gather_step(const StepRow& row, const PointView& point, const AttemptCost& cost);
  void add_waiting(std::span<const double> solve);
  void log_output(double begin);
  void prepare_ranks();
  void drain();
  void drain_steps();
  void drain_if_full();
  RankReport own_report(int threads) const;
  std::vector<SectionReport> all_sections() const;
  class Writing;

  const RunOptions& options_;
  const Assembly& assembly_;
  double end_;
  std::unique_ptr<DerivedOutputs> derived_;  ///< may be null
  ResultsLayout layout_;
  std::optional<ResultsWriter> writer_;
  std::optional<RowTap> tap_;
  StepHistory* steps_ = nullptr;
  std::unique_ptr<MotionFiles> motion_;  ///< for ParaView, when asked for
  TimingWriter timing_;
  OverviewData overview_;
  ColumnMeasures measures_;
  bool taken_over_ = false;  ///< rows of an earlier run that `measures_` has not seen
  std::int64_t accepted_ = 0, rejected_ = 0, iterations_ = 0, corrector_failures_ = 0;
  int layers_ = 0;  ///< widest overlap of the last accepted step
  double sum_H_ = 0, output_seconds_ = 0;
  std::map<int, double> order_time_;
  std::vector<double> solve_total_;  ///< per subsystem of the whole
  std::vector<double>
      idle_total_;  ///< per subsystem of the whole: waiting for the slowest of each step (4.5)
  std::vector<double> thread_total_;    ///< per thread
  double critical_ = 0;                 ///< counted work of the busiest subsystem, summed over the steps
  double thread_critical_ = 0;          ///< sum over the steps of the busiest thread
  double total_ = 0, joint_total_ = 0;  ///< counted work of all own subsystems, and of all ranks'
  double snapshot_ = 0, interface_ = 0, transport_ = 0;
  std::vector<double> cut_error_;         ///< largest weighted error per cut in accepted steps
  std::vector<std::int32_t> cut_layers_;  ///< most layers per cut in accepted steps
  std::vector<CutRecord> cuts_;
  std::array<double, 10> peaks_{};  ///< of coupling variables, per tenth of the run
  Clock::time_point begin_, last_progress_, last_flush_;
  const LocalReference* local_ = nullptr;
  double reached_ = 0;
  double flush_interval_ = 0;  ///< seconds: the first row at once, then rarer, up to one
  config::Checkpoint every_;
  Clock::time_point last_checkpoint_;
  std::int64_t checkpoint_step_ = 0;  ///< accepted steps at the last one
  std::int64_t micro_steps_ = 0;      ///< of an uncut run, since it was started or resumed
  bool coupled_;
  std::string failure_;
  std::vector<RankReport> ranks_;  ///< on rank 0, after collect()

  // Rows on their way to rank 0, where there are several ranks.
  struct OnTheWay {
    RowGather motion, coupling, solve;
    std::vector<double> times;           ///< of the rows of motion
    std::vector<double> outputs;         ///< of components, in these rows; on rank 0, which knows them all
    std::vector<StepRow> steps;          ///< attempted ones
    std::vector<double> busiest;         ///< counted work of the busiest own subsystem in each step
    std::vector<WorstCut> worst;         ///< of the own couplings in each step
    std::vector<std::size_t> variables;  ///< coupling variables that count on this rank
    std::vector<double> own_variables;
  };
  std::unique_ptr<OnTheWay> on_the_way_;
  PhaseLog* phases_ = nullptr;
  SectionClock* sections_ = nullptr;
  std::optional<TraceBuffer> trace_;
  double trace_begin_ = 0;     ///< on the clock of this rank
  double drain_exchange_ = 0;  ///< seconds in messages that are output, not coupling
};

}  // namespace cosimo
