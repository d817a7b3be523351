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

#include "cosimo/cosimo.hpp"
#include "record/recorder.hpp"
#include "run/assembly.hpp"
#include "run/local_reference.hpp"
#include "run/mechanism_output.hpp"
#include "run/motion_files.hpp"
#include "run/observer.hpp"

namespace cosimo {

/// A thinned copy of the run for the picture: at most a few dozen columns and a few thousand rows.
class OverviewData {
 public:
  /// `layout` is that of the results; `part_of_body` the subsystem of every body.
  OverviewData(const ResultsLayout& layout, std::span<const std::int32_t> part_of_body);
  void output(double t, std::span<const double> position);
  void step(const StepRow& row);
  std::string svg(const std::string& title, const std::string& subtitle) const;

 private:
  std::vector<std::size_t> columns_;
  std::vector<std::int32_t> parts_;
  Results data_;
  std::int64_t row_stride_ = 1, rows_seen_ = 0, step_stride_ = 1, steps_seen_ = 0;
};

/// What a run saw of one cut.
struct CutRecord {
  std::int64_t rejected = 0;     ///< steps taken back because of it: error test or corrector
  std::int64_t unconverged = 0;  ///< steps whose corrector failed there
  std::int64_t points = 0;       ///< accepted macro points
  double dx2 = 0, dv2 = 0;       ///< sums over them: squared extension of the element, and of its rate
};

class Recording final : public Observer {
 public:
  Recording(const Assembly& assembly, const RunOptions& options, double end);

  void output(double t, std::span<const double> position, std::span<const double> velocity) override;
  void step(const StepRow& row, const Scheme& scheme, const AttemptCost& cost) override;
  void macro_point(double t, double H, int kappa) override;

  /// Local errors are recorded with every accepted step.
  void use_local(const LocalReference& local) { local_ = &local; }
  double reached() const { return reached_; }  ///< last accepted point

  /// Everything on disk; the writer is closed. Throws IoError.
  void close();
  /// Counts, orders and times gathered so far. `wall` is the whole run's time.
  void fill(Report& report) const;
  const OverviewData& overview() const { return overview_; }
  const TimingWriter& timing() const { return timing_; }
  std::span<const CutRecord> cuts() const { return cuts_; }  ///< one per coupling
  /// Coupling variables grew tenfold and more from tenth to tenth of the run, three times in a row: no motion
  /// of the model, but an unstable coupling.
  bool grew() const;

 private:
  using Clock = std::chrono::steady_clock;
  Report::Blame blame() const;
  void judge_cuts(const StepRow& row, const PointView& point);
  void report_progress(double t, double H, int kappa);
  void flush_if_due();

  const RunOptions& options_;
  const Assembly& assembly_;
  double end_;
  std::unique_ptr<MechanismOutput> mechanism_;  ///< null: a scalar model
  ResultsLayout layout_;
  std::optional<ResultsWriter> writer_;
  std::unique_ptr<MotionFiles> motion_;  ///< for ParaView, when asked for
  TimingWriter timing_;
  OverviewData overview_;
  std::int64_t accepted_ = 0, rejected_ = 0, iterations_ = 0, corrector_failures_ = 0;
  int layers_ = 0;  ///< widest overlap of the last accepted step
  double sum_H_ = 0, output_seconds_ = 0;
  std::map<int, double> order_time_;
  std::vector<double> solve_total_;   ///< per subsystem
  std::vector<double> thread_total_;  ///< per thread
  double critical_ = 0;               ///< counted work of the busiest subsystem, summed over the steps
  double thread_critical_ = 0;        ///< sum over the steps of the busiest thread
  double total_ = 0, snapshot_ = 0, interface_ = 0, transport_ = 0;
  std::vector<double> cut_error_;         ///< largest weighted error per cut in accepted steps
  std::vector<std::int32_t> cut_layers_;  ///< most layers per cut in accepted steps
  std::vector<CutRecord> cuts_;
  std::array<double, 10> peaks_{};  ///< of coupling variables, per tenth of the run
  Clock::time_point begin_, last_progress_, last_flush_;
  const LocalReference* local_ = nullptr;
  double reached_ = 0;
  double flush_interval_ = 0.01;  ///< seconds, doubles up to one
  bool coupled_;
};

}  // namespace cosimo
