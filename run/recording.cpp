#include "run/recording.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "record/overview.hpp"

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
  if (columns_.empty() || rows_seen_++ % row_stride_ != 0) return;
  data_.time.push_back(t);
  for (const std::size_t c : columns_) data_.position.push_back(position[c]);
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

Recording::Recording(const Assembly& assembly, const RunOptions& options, double end)
    : options_(options),
      assembly_(assembly),
      end_(end),
      mechanism_(mechanism_output(assembly)),
      layout_(results_layout(assembly, mechanism_.get())),
      timing_(assembly.subsystems.size()),
      overview_(layout_, assembly.part_of_body),
      solve_total_(assembly.subsystems.size()),
      cut_error_(assembly.laws->size()),
      cut_layers_(assembly.laws->size()),
      cuts_(assembly.laws->size()),
      begin_(Clock::now()),
      last_progress_(begin_),
      last_flush_(begin_),
      coupled_(assembly.laws->size() > 0) {
  if (options.output_dir.empty()) return;
  writer_.emplace(options.output_dir / "results.h5", layout_);
  if (assembly.vtk && mechanism_)
    motion_ = std::make_unique<MotionFiles>(options.output_dir / "vtk", *assembly.model.mechanism,
                                            assembly.part_of_body);
}

void Recording::output(double t, std::span<const double> position, std::span<const double> velocity) {
  const auto begin = Clock::now();
  if (mechanism_) {
    mechanism_->evaluate(t, position, velocity);
    position = mechanism_->position();
    velocity = mechanism_->velocity();
  }
  if (writer_) writer_->output(t, position, velocity);
  if (writer_ && mechanism_)
    for (std::size_t k = 0; k < mechanism_->tables().size(); ++k)
      writer_->table(k, mechanism_->tables()[k].row);
  if (motion_) motion_->frame(t, *mechanism_);
  overview_.output(t, position);
  output_seconds_ += seconds_since(begin);
}

void Recording::step(const StepRow& row, const Scheme& scheme, const AttemptCost& cost) {
  for (std::size_t i = 0; i < cost.solve.size(); ++i) solve_total_[i] += cost.solve[i];
  critical_ += cost.work.empty() ? 0 : *std::max_element(cost.work.begin(), cost.work.end());
  for (const double work : cost.work) total_ += work;
  thread_total_.resize(cost.threads.size());
  for (std::size_t i = 0; i < cost.threads.size(); ++i) thread_total_[i] += cost.threads[i];
  thread_critical_ += cost.threads.empty() ? 0 : *std::max_element(cost.threads.begin(), cost.threads.end());
  snapshot_ += cost.snapshot;
  interface_ += cost.interface;
  transport_ += cost.transport;
  const auto begin = Clock::now();
  timing_.step(row.t, cost.solve);
  if (coupled_) {
    overview_.step(row);
    if (writer_) writer_->step(row);
    if (row.accepted) {
      if (writer_) writer_->coupling(scheme.point().u);
      if (writer_ && local_)
        writer_->local_error(local_->position_error(), local_->velocity_error(), local_->coupling_error());
    }
    judge_cuts(row, scheme.point());
  }
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

void Recording::judge_cuts(const StepRow& row, const PointView& point) {
  if (row.worst >= 0) {
    CutRecord& worst = cuts_[static_cast<std::size_t>(row.worst)];
    worst.rejected += row.accepted ? 0 : 1;
    worst.unconverged += row.converged ? 0 : 1;
  }
  if (!row.accepted) return;
  // Of couplings with one coordinate at either end; others are judged by their initial state.
  const bool scalar = !assembly_.overlap && !assembly_.model.mechanism;
  for (std::size_t i = 0; i < cuts_.size() && scalar; ++i) {
    const double dx = point.y.to_x[i] - point.y.from_x[i], dv = point.y.to_v[i] - point.y.from_v[i];
    if (!std::isfinite(dx * dx + dv * dv)) continue;
    cuts_[i].dx2 += dx * dx;
    cuts_[i].dv2 += dv * dv;
    ++cuts_[i].points;
  }
  const auto errors = point.cut_errors;
  const double tenth = std::clamp(10 * row.t / end_, 0.0, 9.0);
  double& peak = peaks_[static_cast<std::size_t>(tenth)];
  for (const double u : point.u) peak = std::max(peak, std::fabs(u));
  for (std::size_t i = 0; i < errors.size(); ++i) cut_error_[i] = std::max(cut_error_[i], errors[i]);
  for (std::size_t i = 0; i < point.cut_layers.size(); ++i)
    cut_layers_[i] = std::max(cut_layers_[i], point.cut_layers[i]);
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
  flush_if_due();
  report_progress(t, H, kappa);
}

void Recording::flush_if_due() {
  if (!writer_) return;
  // A killed run loses at most this much. Early rows go out soon, so that a run that dies young
  // leaves something to look at; later a second of work is cheap against what is on disk.
  if (seconds_since(last_flush_) < flush_interval_) return;
  flush_interval_ = std::min(1.0, 2 * flush_interval_);
  const auto begin = Clock::now();
  writer_->flush();
  last_flush_ = Clock::now();
  output_seconds_ += seconds_since(begin);
}

void Recording::report_progress(double t, double H, int kappa) {
  if (!options_.progress || seconds_since(last_progress_) < 0.1) return;
  last_progress_ = Clock::now();
  options_.progress({t, end_, coupled_ ? accepted_ : 0, rejected_, H, kappa, layers_, seconds_since(begin_)});
}

void Recording::close() {
  if (!writer_) return;
  const auto begin = Clock::now();
  if (coupled_) writer_->cut_errors(cut_error_, cut_layers_);
  if (motion_) motion_->close();
  writer_->close();
  writer_.reset();
  output_seconds_ += seconds_since(begin);
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
  // (4.5) with threads in the place of subsystems: the same when every subsystem has its own.
  const double busiest =
      thread_total_.empty() ? 0 : *std::max_element(thread_total_.begin(), thread_total_.end());
  report.time.solve = busiest;
  report.time.idle = std::max(0.0, thread_critical_ - busiest);
  report.time.snapshot = snapshot_;
  report.time.interface = interface_;
  report.time.transport = transport_;
  report.time.output = output_seconds_;
  report.speedup_bound = critical_ > 0 ? total_ / critical_ : 1;
  for (std::size_t i = 0; i < solve_total_.size(); ++i) report.subsystems[i].seconds = solve_total_[i];
}

}  // namespace cosimo
