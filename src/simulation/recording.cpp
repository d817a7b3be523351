#include "simulation/recording.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "multibody/scene.hpp"
#include "scheme/clock.hpp"
#include "simulation/columns.hpp"
#include "simulation/connect.hpp"

namespace cosimo {

namespace {

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

}  // namespace

namespace {

std::vector<BodyId> ids(std::span<const std::int64_t> labels) {
  std::vector<BodyId> result;
  for (const std::int64_t label : labels) result.push_back(BodyId(static_cast<std::size_t>(label - 1)));
  return result;
}

void describe_derived(const Assembly& a, const DerivedOutputs* derived, ResultsLayout& layout) {
  if (derived == nullptr) return;
  for (const std::int64_t label : layout.bodies)
    layout.body_names.push_back(a.graph->name(BodyId(static_cast<std::size_t>(label - 1))));
  layout.bodies = derived->labels();
  layout.parts = parts_of(a, layout.bodies);
  layout.columns = derived->columns();
  // The assembly knows the ground, derived outputs the bodies.
  layout.scene = a.exchange->leads() ? joined_scenes(derived->scene(), layout.scene) : std::string();
  for (const DerivedOutputs::Table& table : derived->tables())
    layout.tables.push_back({table.name, table.columns});
}

/// The last table is that of the outputs of components.
ResultsLayout results_layout(const Assembly& a, const DerivedOutputs* derived) {
  ResultsLayout layout = a.layout;
  describe_layout(a, layout);
  describe_derived(a, derived, layout);
  if (a.outputs.empty()) return layout;
  TableLayout& table = layout.tables.emplace_back(TableLayout{.name = std::string(outputs_table)});
  for (const Assembly::Output& output : a.outputs) table.columns.push_back(output.name);
  return layout;
}

}  // namespace

std::unique_ptr<DerivedOutputs> derived_outputs(const Assembly& a) {
  return derived_outputs(*a.model, ids(a.layout.bodies), a.remembered, a.pushes);
}

ResultsLayout results_layout(const Assembly& assembly) {
  return results_layout(assembly, derived_outputs(assembly).get());
}

/// The time until it goes out of scope counts as output.
class Recording::Writing {
 public:
  explicit Writing(Recording& recording)
      : recording_(recording),
        before_(recording.sections_ != nullptr ? recording.sections_->enter(Section::output)
                                               : Section::control) {}
  ~Writing() {
    if (recording_.sections_ != nullptr) recording_.sections_->enter(before_);
    recording_.output_seconds_ += seconds_since(begin_);
  }
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;

 private:
  Recording& recording_;
  const Clock::time_point begin_ = Clock::now();
  Section before_;
};

Recording::Recording(const Assembly& assembly, const RunOptions& options, double end)
    : options_(options),
      assembly_(assembly),
      end_(end),
      derived_(derived_outputs(assembly)),
      layout_(results_layout(assembly, derived_.get())),
      timing_(assembly.components()),
      overview_(layout_, assembly.part_of_body),
      measures_(layout_),
      solve_total_(assembly.components()),
      idle_total_(assembly.components()),
      cut_error_(assembly.layout.couplings),
      cut_layers_(assembly.layout.couplings),
      cuts_(assembly.layout.couplings),
      begin_(Clock::now()),
      last_progress_(begin_),
      last_flush_(begin_),
      last_checkpoint_(begin_),
      coupled_(assembly.cut()) {
  if (!single()) prepare_ranks();
}

void Recording::open(const std::optional<ResultsPosition>& from) {
  if (options_.output_dir.empty() || !writes()) return;
  const auto results = options_.output_dir / "results.h5";
  const auto go_on = [&](const ResultsPosition& position) {
    writer_.emplace(
        results, layout_,
        ResumeFrom{position, [&](double t, std::span<const double> row) { overview_.output(t, row); },
                   [&](const StepRow& row) { overview_.step(row); }});
  };
  taken_over_ = from.has_value();
  if (from) {
    go_on(*from);
  } else if (options_.resume && std::filesystem::exists(results)) {
    // A run that was killed before its first checkpoint: its rows stay until the new ones have caught up.
    try {
      go_on({});
    } catch (const Error&) {  // of another model, or damaged
      writer_.emplace(results, layout_);
    }
  } else {
    writer_.emplace(results, layout_);
  }
  if (assembly_.vtk && derived_)
    motion_ = derived_->motion_files(options_.output_dir / "vtk", assembly_.part_of_body, from.has_value());
}

void Recording::output(double t, std::span<const double> position, std::span<const double> velocity) {
  const Writing writing(*this);
  if (single()) {
    write_row(t, position, velocity);
  } else {
    on_the_way_->times.push_back(t);
    on_the_way_->motion.push(position, velocity);
    drain_if_full();
  }
}

/// No subsystem works while a row is written.
Team* Recording::largest_team() const {
  Team* largest = nullptr;
  for (const auto& team : assembly_.teams)
    if (largest == nullptr || team->members() > largest->members()) largest = team.get();
  return largest;
}

void Recording::write_row(double t, std::span<const double> position, std::span<const double> velocity) {
  if (derived_) {
    derived_->evaluate(t, position, velocity, largest_team());
    position = derived_->position();
    velocity = derived_->velocity();
  }
  guarded([&] {
    if (writer_) writer_->output(t, position, velocity);
    measures_.position(position);
    measures_.velocity(velocity);
    if (writer_ && derived_)
      for (std::size_t k = 0; k < derived_->tables().size(); ++k)
        writer_->table(k, derived_->tables()[k].row);
    if (derived_)
      for (std::size_t k = 0; k < derived_->tables().size(); ++k)
        measures_.table(k, derived_->tables()[k].row);
    if (motion_) motion_->frame(t);
  });
  if (tap_) tap_->motion(t, position, velocity, derived_.get());
  overview_.output(t, position);
}

void Recording::outputs(std::span<const double> values) {
  if (!writes()) return;
  if (single()) return write_outputs(values);
  on_the_way_->outputs.insert(on_the_way_->outputs.end(), values.begin(), values.end());
}

void Recording::write_outputs(std::span<const double> values) {
  guarded([&] {
    if (writer_) writer_->table(layout_.tables.size() - 1, values);
    measures_.table(layout_.tables.size() - 1, values);
  });
  if (tap_) tap_->outputs(values);
}

void Recording::write_step(const StepRow& row) {
  if (steps_ != nullptr) append(*steps_, row);
  guarded([&] {
    if (writer_) writer_->step(row);
  });
}

/// A part of a row too wide to be held as a whole.
void Recording::write_block(double t, std::size_t first, std::span<const double> position,
                            std::span<const double> velocity) {
  const bool last = first + position.size() == assembly_.collected.size();
  guarded([&] {
    if (!writer_) return;
    if (first == 0) writer_->output_begin(t);
    writer_->output_block(first, position, velocity);
    if (last) writer_->output_end();
  });
  overview_.output_block(t, first, position, last);
}

void Recording::step(const StepRow& row, const Scheme& scheme, const AttemptCost& cost) {
  for (std::size_t i = 0; i < cost.solve.size(); ++i)
    solve_total_[assembly_.local.parts[i].index()] += cost.solve[i];
  for (const double work : cost.work) total_ += work;
  thread_total_.resize(cost.threads.size());
  for (std::size_t i = 0; i < cost.threads.size(); ++i) thread_total_[i] += cost.threads[i];
  thread_critical_ += cost.threads.empty() ? 0 : *std::max_element(cost.threads.begin(), cost.threads.end());
  snapshot_ += cost.snapshot;
  interface_ += cost.interface;
  transport_ += cost.transport;
  if (trace_)
    for (const PhaseSpan& span : phases_->take())
      trace_->span(span.thread, span.phase, span.begin - trace_begin_, span.end - trace_begin_,
                   accepted_ + rejected_,
                   span.part < 0 ? -1 : assembly_.local.parts[static_cast<std::size_t>(span.part)].value);
  const Writing writing(*this);
  const double tracing = trace_ ? clock_seconds() : 0;
  gather_step(row, scheme.point(), cost);
  if (coupled_) {
    overview_.step(row);
    guarded([&] {
      if (writer_ && row.accepted && local_)
        writer_->local_error(local_->position_error(), local_->velocity_error(), local_->coupling_error());
    });
    judge_cuts(row, scheme.point());
  } else if (row.accepted) {
    for (const double steps : cost.micro_steps) micro_steps_ += std::llround(steps);
  }
  log_output(tracing);
  iterations_ += row.iterations;
  corrector_failures_ += row.converged ? 0 : 1;
  if (row.accepted) {
    ++accepted_;
    layers_ = row.layers;
    sum_H_ += row.H;
    order_time_[row.kappa] += row.H;
  } else {
    ++rejected_;
  }
}

/// A subsystem waits for the slowest of the step (4.5), as if each had a core of its own.
void Recording::add_waiting(std::span<const double> solve) {
  double slowest = 0;
  for (const double seconds : solve) slowest = std::max(slowest, seconds);
  for (std::size_t p = 0; p < solve.size(); ++p) idle_total_[p] += slowest - solve[p];
}

void Recording::trace(PhaseLog& phases) {
  phases_ = &phases;
  phases.watch(true);
  trace_.emplace(assembly_.exchange->rank());
  double nothing = 0;
  assembly_.exchange->max({&nothing, 1});
  trace_begin_ = clock_seconds();
}

void Recording::log_output(double begin) {
  if (!trace_) return;
  trace_->span(0, Phase::output, begin - trace_begin_, clock_seconds() - trace_begin_, accepted_ + rejected_);
}

void Recording::judge_cuts(const StepRow& row, const PointView& point) {
  if (row.worst >= 0) {
    CutRecord& worst = cuts_[static_cast<std::size_t>(row.worst)];
    worst.rejected += row.accepted ? 0 : 1;
    worst.unconverged += row.converged ? 0 : 1;
  }
  if (!row.accepted) return;
  if (!assembly_.overlap) see_extensions(point.y);
  const auto errors = point.cut_errors;
  const double tenth = std::clamp(10 * row.t / end_, 0.0, 9.0);
  double& peak = peaks_[static_cast<std::size_t>(tenth)];
  for (const double u : point.u) peak = std::max(peak, std::fabs(u));
  const auto layers = point.cut_layers;
  if (single()) {  // couplings have the numbers of the whole
    for (std::size_t i = 0; i < errors.size(); ++i) cut_error_[i] = std::max(cut_error_[i], errors[i]);
    for (std::size_t i = 0; i < layers.size(); ++i) cut_layers_[i] = std::max(cut_layers_[i], layers[i]);
    return;
  }
  const auto place = [&](std::size_t i) { return assembly_.seam->global(CouplingId{i}).index(); };
  for (std::size_t i = 0; i < errors.size(); ++i)
    cut_error_[place(i)] = std::max(cut_error_[place(i)], errors[i]);
  for (std::size_t i = 0; i < layers.size(); ++i)
    cut_layers_[place(i)] = std::max(cut_layers_[place(i)], layers[i]);
}

/// Of cuts with one coordinate at either end; others are judged by their initial state.
void Recording::see_extensions(const CutStates& y) {
  std::size_t from = 0, to = 0;  // places of the ends (network/cut_layout.hpp)
  for (std::size_t i = 0; i < assembly_.laws->size(); ++i) {
    const Coupling& coupling = assembly_.local.interface.couplings[i];
    if (coupling.is_signal()) break;
    const std::size_t a = std::exchange(from, from + coupling.from.coordinates);
    const std::size_t b = std::exchange(to, to + coupling.to.coordinates);
    if (coupling.from.coordinates != 1 || coupling.to.coordinates != 1) continue;
    const double dx = y.to_x[b] - y.from_x[a], dv = y.to_v[b] - y.from_v[a];
    if (!std::isfinite(dx * dx + dv * dv)) continue;
    CutRecord& cut = cuts_[assembly_.seam->global(CouplingId{i}).index()];
    cut.dx2 += dx * dx;
    cut.dv2 += dv * dv;
    ++cut.points;
  }
}

bool Recording::grew() const {
  int times = 0;
  for (std::size_t i = 1; i < peaks_.size(); ++i) {
    times = peaks_[i - 1] > 0 && peaks_[i] > 10 * peaks_[i - 1] ? times + 1 : 0;
    if (times == 3) return true;
  }
  return false;
}

void Recording::macro_point(double t, double H, int kappa) {
  reached_ = t;
  report_progress(t, H, kappa);
}

/// A killed run loses at most this much. Early rows go out soon, so that a run that dies young leaves
/// something to look at; later a second of work is cheap against what is on disk.
Observer::Wishes Recording::wishes() {
  Wishes wishes;
  wishes.flush = writer_ && seconds_since(last_flush_) >= flush_interval_;
  wishes.checkpoint = writer_ && ((every_.seconds > 0 && seconds_since(last_checkpoint_) >= every_.seconds) ||
                                  (every_.steps > 0 && accepted_ - checkpoint_step_ >= every_.steps));
  wishes.stop = !failure_.empty();
  return wishes;
}

void Recording::flush() {
  const Writing writing(*this);
  const double tracing = trace_ ? clock_seconds() : 0;
  drain();
  flush_interval_ = std::clamp(2 * flush_interval_, 0.01, 1.0);
  guarded([&] {
    if (writer_) writer_->flush();
  });
  last_flush_ = Clock::now();
  log_output(tracing);
}

void Recording::report_progress(double t, double H, int kappa) {
  if (!options_.progress || seconds_since(last_progress_) < 0.1) return;
  last_progress_ = Clock::now();
  options_.progress({.time = t,
                     .end = end_,
                     .cut = coupled_,
                     .micro_steps = micro_steps_,
                     .macro_steps = coupled_ ? accepted_ : 0,
                     .rejected = rejected_,
                     .H = H,
                     .kappa = kappa,
                     .layers = layers_,
                     .wall_s = seconds_since(begin_)});
}

void Recording::settle() {
  const Writing writing(*this);
  drain();
  merge_cuts();
  guarded([&] {
    if (motion_) motion_->flush();
    if (writer_) writer_->sync();
  });
}

void Recording::checkpoint_written() {
  last_checkpoint_ = last_flush_ = Clock::now();
  checkpoint_step_ = accepted_;
}

void Recording::archive(Archive& a) {
  a.section("recording");
  double total = joint_total_;
  a(accepted_, rejected_, iterations_, corrector_failures_, layers_, sum_H_, order_time_, solve_total_,
    idle_total_, critical_, total, cut_error_, cut_layers_, cuts_, peaks_, reached_, timing_);
  if (derived_) derived_->archive(a);
  bool animated = motion_ != nullptr;
  a(animated);
  if (!a.loading()) {
    if (motion_) motion_->archive(a);
    return;
  }
  total_ = writes() ? total : 0;  // it is added up over the ranks
  if (animated) {
    MotionFiles::Frames frames;
    a(frames);
    if (motion_) motion_->resume(frames);
  }
  checkpoint_written();
}

void Recording::close(bool complete) {
  const Writing writing(*this);
  drain();
  merge_cuts();
  guarded([&] {
    if (writer_ && coupled_) writer_->cut_errors(cut_error_, cut_layers_);
    if (motion_) motion_->close();
    if (!writer_) return;
    // A resumed run that ends before it has caught up leaves the old file, which holds more, in its place.
    if (complete || writer_->caught_up())
      writer_->close();
    else
      writer_->sync();
  });
  writer_.reset();
}

/// The cut that had most steps rejected, or if none was, the one with the largest error.
Report::Blame Recording::blame() const {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < cut_error_.size(); ++i)
    if (cuts_[i].rejected != cuts_[worst].rejected ? cuts_[i].rejected > cuts_[worst].rejected
                                                   : cut_error_[i] > cut_error_[worst])
      worst = i;
  const Coupling& c = assembly_.interface.couplings[worst];
  return {c.is_signal() ? 0 : c.element.label(),
          {c.from.body.label(), c.to.body.label()},
          coupling_name(assembly_, CouplingId{worst}),
          cuts_[worst].rejected,
          cut_error_[worst]};
}

void Recording::fill(Report& report) const {
  if (!taken_over_)
    for (ColumnMeasure& m : measures_.all())
      report.measures.push_back({std::move(m.set), std::move(m.column), m.least, m.greatest, m.rms});
  if (coupled_) {
    report.layers = *std::max_element(cut_layers_.begin(), cut_layers_.end());
    report.blame = blame();
    report.macro_steps = accepted_;
    report.rejected_steps = rejected_;
    report.corrector_iterations = iterations_;
    report.corrector_failures = corrector_failures_;
    report.mean_H = accepted_ > 0 ? sum_H_ / static_cast<double>(accepted_) : 0;
    for (const auto& [kappa, time] : order_time_) report.order_share[kappa] = time / std::max(sum_H_, 1e-300);
  }
  // That of the rank that solved longest: the others waited for it.
  const auto slowest =
      std::max_element(ranks_.begin(), ranks_.end(),
                       [](const RankReport& x, const RankReport& y) { return x.time.solve < y.time.solve; });
  if (slowest != ranks_.end()) report.time = slowest->time;
  report.sections = all_sections();
  report.ranks = static_cast<std::int64_t>(ranks_.size());
  report.rank_reports = ranks_;
  report.speedup_bound = critical_ > 0 ? joint_total_ / critical_ : 1;
  for (std::size_t i = 0; i < solve_total_.size(); ++i) {
    report.subsystems[i].seconds = solve_total_[i];
    report.subsystems[i].idle = idle_total_[i];
  }
}

}  // namespace cosimo
