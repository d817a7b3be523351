#include "run/recording.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "numerics/exact_sum.hpp"
#include "record/overview.hpp"
#include "scheme/clock.hpp"

namespace cosimo {

namespace {

constexpr std::size_t overview_bodies = 120;
constexpr std::size_t overview_rows = 4000;
constexpr std::size_t overview_steps = 200'000;

double seconds_since(std::chrono::steady_clock::time_point t) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - t).count();
}

/// Keep every second entry of blocks of `width` numbers.
void thin(std::vector<double>& values, std::size_t width) {
  const std::size_t rows = values.size() / width;
  for (std::size_t i = 0; 2 * i < rows; ++i)
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(2 * i * width), width,
                values.begin() + static_cast<std::ptrdiff_t>(i * width));
  values.resize((rows + 1) / 2 * width);
}

}  // namespace

OverviewData::OverviewData(const ResultsLayout& layout, std::span<const std::int32_t> part_of_body) {
  // Whole bodies are kept or left out: a path needs all coordinates.
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < layout.bodies.size(); ++i)
    if (i == 0 || layout.bodies[i] != layout.bodies[i - 1]) first.push_back(i);
  const std::size_t n = first.size();
  const std::size_t wanted = std::min(n, overview_bodies);
  first.push_back(layout.bodies.size());
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t body = wanted == 1 ? 0 : i * (n - 1) / (wanted - 1);
    for (std::size_t column = first[body]; column < first[body + 1]; ++column) {
      columns_.push_back(column);
      parts_.push_back(part_of_body[static_cast<std::size_t>(layout.bodies[column] - 1)]);
      data_.bodies.push_back(layout.bodies[column]);
      if (!layout.columns.empty()) data_.columns.push_back(layout.columns[column]);
    }
    if (!layout.body_names.empty()) data_.body_names.push_back(layout.body_names[body]);
  }
}

void OverviewData::output(double t, std::span<const double> position) {
  output_block(t, 0, position, true);
}

void OverviewData::output_block(double t, std::size_t first, std::span<const double> position, bool last) {
  row_.resize(columns_.size());
  const auto begin = std::lower_bound(columns_.begin(), columns_.end(), first);
  for (auto c = begin; c != columns_.end() && *c < first + position.size(); ++c)
    row_[static_cast<std::size_t>(c - columns_.begin())] = position[*c - first];
  if (last) keep(t);
}

void OverviewData::keep(double t) {
  if (columns_.empty() || rows_seen_++ % row_stride_ != 0) return;
  data_.time.push_back(t);
  data_.position.insert(data_.position.end(), row_.begin(), row_.end());
  if (data_.time.size() < overview_rows) return;
  thin(data_.time, 1);
  thin(data_.position, columns_.size());
  row_stride_ *= 2;
}

void OverviewData::step(const StepRow& row) {
  if (row.accepted && steps_seen_++ % step_stride_ != 0) return;
  data_.steps.push_back(row);
  if (data_.steps.size() < overview_steps) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < data_.steps.size(); i += 2) data_.steps[kept++] = data_.steps[i];
  data_.steps.resize(kept);
  step_stride_ *= 2;
}

std::string OverviewData::svg(const std::string& title, const std::string& subtitle) const {
  return overview_svg({&data_, parts_, title, subtitle});
}

namespace {

std::vector<BodyId> ids(std::span<const std::int64_t> labels) {
  std::vector<BodyId> result;
  for (const std::int64_t label : labels) result.push_back(BodyId(static_cast<std::size_t>(label - 1)));
  return result;
}

std::unique_ptr<MechanismOutput> mechanism_output(const Assembly& a) {
  return a.model.mechanism ? std::make_unique<MechanismOutput>(a.model, ids(a.layout.bodies)) : nullptr;
}

/// The layout of the results: that of the assembly, with names and tables for a mechanism.
ResultsLayout results_layout(const Assembly& a, const MechanismOutput* mechanism) {
  ResultsLayout layout = a.layout;
  if (mechanism == nullptr) return layout;
  for (const std::int64_t label : layout.bodies)
    layout.body_names.push_back(body_name(a.model, BodyId(static_cast<std::size_t>(label - 1))));
  layout.bodies = mechanism->labels();
  layout.columns = mechanism->columns();
  for (const MechanismOutput::Table& table : mechanism->tables())
    layout.tables.push_back({table.name, table.columns});
  return layout;
}

}  // namespace

namespace {

/// The coupling variables that count on this rank: their places here and in the whole.
struct VariableShare {
  std::vector<std::size_t> variables, columns;
};

VariableShare variable_share(const Assembly& a) {
  const CouplingVariables whole(a.partition.interface), &here = a.conditions->variables();
  std::vector<std::size_t> first(a.layout.couplings, whole.size());  // variable of every coupling
  for (std::size_t i = whole.size(); i-- > 0;) first[whole[i].coupling.index()] = i;
  VariableShare share;
  for (std::size_t i = 0, k = 0; i < here.size(); ++i) {
    const CouplingId coupling = here[i].coupling;
    k = i > 0 && here[i - 1].coupling == coupling ? k + 1 : 0;
    const std::size_t global = a.seam->global(coupling).index();
    const std::size_t from = a.partition.interface.couplings[global].from.part.index();
    if (a.placement.rank_of_part[from] != a.exchange->rank()) continue;
    share.variables.push_back(i);
    share.columns.push_back(first[global] + k);
  }
  return share;
}

void archive_rank(Archive& a, RankReport& r) {
  a(r.host, r.threads, r.subsystems, r.memory_mb);
  a(r.time.solve, r.time.idle, r.time.snapshot, r.time.interface, r.time.transport, r.time.output);
}

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

Recording::Recording(const Assembly& assembly, const RunOptions& options, double end,
                     const std::optional<ResultsPosition>& from)
    : options_(options),
      assembly_(assembly),
      end_(end),
      mechanism_(mechanism_output(assembly)),
      layout_(results_layout(assembly, mechanism_.get())),
      timing_(assembly.partition.parts.size()),
      overview_(layout_, assembly.part_of_body),
      solve_total_(assembly.partition.parts.size()),
      idle_total_(assembly.partition.parts.size()),
      cut_error_(assembly.layout.couplings),
      cut_layers_(assembly.layout.couplings),
      cuts_(assembly.layout.couplings),
      begin_(Clock::now()),
      last_progress_(begin_),
      last_flush_(begin_),
      last_checkpoint_(begin_),
      coupled_(assembly.cut()) {
  if (!single()) {
    const VariableShare share = variable_share(assembly);
    std::vector<std::size_t> parts;
    for (std::size_t i = 0; i < assembly.local.own_parts; ++i)
      parts.push_back(assembly.local.parts[i].index());
    Exchange& exchange = *assembly.exchange;
    on_the_way_.reset(new OnTheWay{
        RowGather(exchange, assembly.own_columns, assembly.collected.size(), 2, !mechanism_),
        RowGather(exchange, share.columns, std::max<std::size_t>(1, assembly.layout.variables), 1),
        RowGather(exchange, parts, assembly.partition.parts.size(), 1),
        {},
        {},
        {},
        share.variables,
        std::vector<double>(share.variables.size())});
  }
  if (!options.output_dir.empty() && writes()) guarded([&] { open_files(from); });
}

void Recording::open_files(const std::optional<ResultsPosition>& from) {
  const auto results = options_.output_dir / "results.h5";
  const auto go_on = [&](const ResultsPosition& position) {
    writer_.emplace(
        results, layout_,
        ResumeFrom{position, [&](double t, std::span<const double> row) { overview_.output(t, row); },
                   [&](const StepRow& row) { overview_.step(row); }});
  };
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
  if (assembly_.vtk && mechanism_)
    motion_ = std::make_unique<MotionFiles>(options_.output_dir / "vtk", *assembly_.model.mechanism,
                                            assembly_.part_of_body, from.has_value());
}

void Recording::output(double t, std::span<const double> position, std::span<const double> velocity) {
  const auto begin = Clock::now();
  if (single()) {
    write_row(t, position, velocity);
  } else {
    on_the_way_->times.push_back(t);
    on_the_way_->motion.push(position, velocity);
    drain_if_full();
  }
  output_seconds_ += seconds_since(begin);
}

void Recording::write_row(double t, std::span<const double> position, std::span<const double> velocity) {
  if (mechanism_) {
    mechanism_->evaluate(t, position, velocity);
    position = mechanism_->position();
    velocity = mechanism_->velocity();
  }
  guarded([&] {
    if (writer_) writer_->output(t, position, velocity);
    if (writer_ && mechanism_)
      for (std::size_t k = 0; k < mechanism_->tables().size(); ++k)
        writer_->table(k, mechanism_->tables()[k].row);
    if (motion_) motion_->frame(t, *mechanism_);
  });
  overview_.output(t, position);
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

/// Everything gathered goes to rank 0 and into the file.
void Recording::drain() {
  if (single()) return;
  const double before = assembly_.exchange->seconds();
  OnTheWay& o = *on_the_way_;
  const std::size_t columns = assembly_.collected.size();
  o.motion.drain(
      [&](std::size_t row, std::size_t first, std::span<const double> q, std::span<const double> v) {
        if (q.size() == columns)
          write_row(o.times[row], q, v);
        else
          write_block(o.times[row], first, q, v);
      });
  o.coupling.drain([&](std::size_t, std::size_t, std::span<const double> u, std::span<const double>) {
    guarded([&] {
      if (writer_ && assembly_.layout.variables > 0) writer_->coupling(u);
    });
  });
  o.solve.drain([&](std::size_t row, std::size_t, std::span<const double> seconds, std::span<const double>) {
    timing_.step(o.step_times[row], seconds);
    add_waiting(seconds);
  });
  assembly_.exchange->max(o.busiest);
  for (const double work : o.busiest) critical_ += work;
  o.times.clear();
  o.step_times.clear();
  o.busiest.clear();
  drain_exchange_ += assembly_.exchange->seconds() - before;
}

void Recording::drain_if_full() {
  const OnTheWay& o = *on_the_way_;
  if (o.motion.full() || o.coupling.full() || o.solve.full()) drain();
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
      trace_->span(span.thread, static_cast<TraceKind>(span.phase), span.begin - trace_begin_,
                   span.end - trace_begin_, accepted_ + rejected_,
                   span.part < 0 ? -1 : assembly_.local.parts[static_cast<std::size_t>(span.part)].value);
  const auto begin = Clock::now();
  const double tracing = trace_ ? clock_seconds() : 0;
  gather_step(row, scheme.point(), cost);
  if (coupled_) {
    overview_.step(row);
    guarded([&] {
      if (writer_) writer_->step(row);
      if (writer_ && row.accepted && local_)
        writer_->local_error(local_->position_error(), local_->velocity_error(), local_->coupling_error());
    });
    judge_cuts(row, scheme.point());
  }
  log_output(tracing);
  output_seconds_ += seconds_since(begin);
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
  trace_->span(0, TraceKind::output, begin - trace_begin_, clock_seconds() - trace_begin_,
               accepted_ + rejected_);
}

std::vector<TraceBuffer> Recording::collect_traces() {
  std::vector<TraceBuffer> all;
  if (!trace_) return all;
  Exchange& exchange = *assembly_.exchange;
  if (!exchange.leads()) {
    Archive out;
    out(*trace_);
    exchange.send(0, out.take());
    return all;
  }
  all.push_back(std::move(*trace_));
  for (int r = 1; r < exchange.ranks(); ++r) {
    const Bytes bytes = exchange.receive(r);
    Archive in(bytes);
    in(all.emplace_back());
  }
  return all;
}

/// What only all ranks together know of a step.
void Recording::gather_step(const StepRow& row, const PointView& point, const AttemptCost& cost) {
  const double busiest = cost.work.empty() ? 0 : *std::max_element(cost.work.begin(), cost.work.end());
  if (single()) {
    critical_ += busiest;
    timing_.step(row.t, cost.solve);
    add_waiting(cost.solve);
    if (coupled_ && row.accepted)
      guarded([&] {
        if (writer_) writer_->coupling(point.u);
      });
    return;
  }
  OnTheWay& o = *on_the_way_;
  o.busiest.push_back(busiest);
  o.step_times.push_back(row.t);
  o.solve.push(cost.solve);
  if (coupled_ && row.accepted) {
    for (std::size_t k = 0; k < o.variables.size(); ++k) o.own_variables[k] = point.u[o.variables[k]];
    o.coupling.push(o.own_variables);
  }
  drain_if_full();
}

void Recording::judge_cuts(const StepRow& row, const PointView& point) {
  if (row.worst >= 0) {
    CutRecord& worst = cuts_[static_cast<std::size_t>(row.worst)];
    worst.rejected += row.accepted ? 0 : 1;
    worst.unconverged += row.converged ? 0 : 1;
  }
  if (!row.accepted) return;
  // Of couplings with one coordinate at either end; others are judged by their initial state.
  const bool scalar = !assembly_.overlap && !assembly_.model.mechanism;
  const auto place = [&](std::size_t i) { return assembly_.seam->global(CouplingId{i}).index(); };
  for (std::size_t i = 0; i < point.cut_errors.size() && scalar; ++i) {
    const double dx = point.y.to_x[i] - point.y.from_x[i], dv = point.y.to_v[i] - point.y.from_v[i];
    if (!std::isfinite(dx * dx + dv * dv)) continue;
    CutRecord& cut = cuts_[place(i)];
    cut.dx2 += dx * dx;
    cut.dv2 += dv * dv;
    ++cut.points;
  }
  const auto errors = point.cut_errors;
  const double tenth = std::clamp(10 * row.t / end_, 0.0, 9.0);
  double& peak = peaks_[static_cast<std::size_t>(tenth)];
  for (const double u : point.u) peak = std::max(peak, std::fabs(u));
  for (std::size_t i = 0; i < errors.size(); ++i)
    cut_error_[place(i)] = std::max(cut_error_[place(i)], errors[i]);
  for (std::size_t i = 0; i < point.cut_layers.size(); ++i)
    cut_layers_[place(i)] = std::max(cut_layers_[place(i)], point.cut_layers[i]);
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
  const auto begin = Clock::now();
  const double tracing = trace_ ? clock_seconds() : 0;
  drain();
  flush_interval_ = std::min(1.0, 2 * flush_interval_);
  guarded([&] {
    if (writer_) writer_->flush();
  });
  last_flush_ = Clock::now();
  log_output(tracing);
  output_seconds_ += seconds_since(begin);
}

void Recording::report_progress(double t, double H, int kappa) {
  if (!options_.progress || seconds_since(last_progress_) < 0.1) return;
  last_progress_ = Clock::now();
  options_.progress({t, end_, coupled_ ? accepted_ : 0, rejected_, H, kappa, layers_, seconds_since(begin_)});
}

/// Every rank knows its own cuts; afterwards all know all.
void Recording::merge_cuts() {
  joint_total_ = total_;
  if (single()) return;
  Exchange& exchange = *assembly_.exchange;
  ExactSum work;
  work.add(total_);
  exchange.sum(work.words());
  joint_total_ = work.value();
  exchange.max(cut_error_);
  exchange.max(solve_total_);
  exchange.max(peaks_);
  std::vector<double> seen;
  for (std::size_t i = 0; i < cuts_.size(); ++i)
    seen.insert(seen.end(), {static_cast<double>(cut_layers_[i]), cuts_[i].dx2, cuts_[i].dv2,
                             static_cast<double>(cuts_[i].points)});
  exchange.max(seen);
  for (std::size_t i = 0; i < cuts_.size(); ++i) {
    cut_layers_[i] = static_cast<std::int32_t>(seen[4 * i]);
    cuts_[i].dx2 = seen[4 * i + 1];
    cuts_[i].dv2 = seen[4 * i + 2];
    cuts_[i].points = static_cast<std::int64_t>(seen[4 * i + 3]);
  }
}

void Recording::settle() {
  const auto begin = Clock::now();
  drain();
  merge_cuts();
  guarded([&] {
    if (motion_) motion_->flush();
    if (writer_) writer_->sync();
  });
  output_seconds_ += seconds_since(begin);
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
  const auto begin = Clock::now();
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
  output_seconds_ += seconds_since(begin);
}

RankReport Recording::own_report(int threads) const {
  RankReport report;
  report.host = assembly_.exchange->host();
  report.threads = threads;
  report.subsystems = static_cast<std::int64_t>(assembly_.subsystems.size());
  report.memory_mb = peak_memory_mb();
  // (4.5) with threads in the place of subsystems: the same when every subsystem has its own.
  const double busiest =
      thread_total_.empty() ? 0 : *std::max_element(thread_total_.begin(), thread_total_.end());
  report.time.solve = busiest;
  report.time.idle = std::max(0.0, thread_critical_ - busiest);
  report.time.snapshot = snapshot_;
  report.time.interface = interface_;
  report.time.transport = transport_ + assembly_.exchange->seconds() - drain_exchange_;
  report.time.output = output_seconds_;
  return report;
}

void Recording::collect(int threads) {
  Exchange& exchange = *assembly_.exchange;
  RankReport own = own_report(threads);
  merge_cuts();
  if (!exchange.leads()) {
    Archive out;
    archive_rank(out, own);
    exchange.send(0, out.take());
    return;
  }
  ranks_.push_back(own);
  for (int r = 1; r < exchange.ranks(); ++r) {
    const Bytes bytes = exchange.receive(r);
    Archive in(bytes);
    archive_rank(in, ranks_.emplace_back());
  }
}

/// The cut that had most steps rejected, or if none was, the one with the largest error.
Report::Blame Recording::blame() const {
  std::size_t worst = 0;
  for (std::size_t i = 1; i < cut_error_.size(); ++i)
    if (cuts_[i].rejected != cuts_[worst].rejected ? cuts_[i].rejected > cuts_[worst].rejected
                                                   : cut_error_[i] > cut_error_[worst])
      worst = i;
  const Coupling& c = assembly_.partition.interface.couplings[worst];
  return {c.element.label(),
          {c.from.body.label(), c.to.body.label()},
          cut_name(assembly_.model, c.element),
          cuts_[worst].rejected,
          cut_error_[worst]};
}

void Recording::fill(Report& report) const {
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
  report.ranks = static_cast<std::int64_t>(ranks_.size());
  report.rank_reports = ranks_;
  report.speedup_bound = critical_ > 0 ? joint_total_ / critical_ : 1;
  for (std::size_t i = 0; i < solve_total_.size(); ++i) {
    report.subsystems[i].seconds = solve_total_[i];
    report.subsystems[i].idle = idle_total_[i];
  }
}

}  // namespace cosimo
