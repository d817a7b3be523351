#include "scheme/overlap.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/check.hpp"
#include "scheme/batch.hpp"
#include "scheme/clock.hpp"
#include "scheme/overlap_estimator.hpp"

namespace cosimo {

namespace {

/// ln of the factor by which a wider overlap must have promised to reduce an error, before its absence tells.
constexpr double clear_promise = 3;

/// Subsystems whose step counts are within this factor take the same steps.
constexpr double same_grid = 0.6;

/// Equal steps over H that come nearest to the micro step wanted. The error control allows steps to
/// be a little longer than it would make them.
std::int64_t steps_for(double H, double micro) {
  return std::max<std::int64_t>(1, std::llround(std::min(H / micro, 1e9)));
}

}  // namespace

OverlapScheme::OverlapScheme(LaneSet& lanes, std::span<const std::unique_ptr<Component>> subsystems,
                             const OverlapModel& model, const Laws& laws, const OverlapOptions& options,
                             Pool& pool)
    : lanes_(lanes),
      pool_(pool),
      laws_(laws),
      options_(options),
      couplings_(model.couplings),
      physics_(model.physics),
      states_(physics_.states()),
      // Before anything is measured the far edge may be wrong by as much as there is motion.
      layers_(laws.size(), -std::log(options.rtol), options.safety),
      wanted_(subsystems.size()),
      growth_(subsystems.size(), 1.0),
      micro_(subsystems.size()),
      order_(subsystems.size()),
      exponent_(laws.size()),
      y_(laws.layout()),
      u_(laws.components()),
      u_before_(laws.components()),
      cut_error_(laws.size()),
      measured_error_(laws.size()),
      rejected_error_(laws.size()),
      rejected_exponent_(laws.size(), -std::numeric_limits<double>::infinity()),
      cut_layers_(laws.size()) {
  ends_.resize(laws.size());
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    Copying* const lane = lanes.lane(i).copying();
    COSIMO_CHECK(lane != nullptr, "a lane that cannot carry copies");
    lane->connect(states_);
    sides_.push_back(overlap_side(*subsystems[i], couplings_, *lane));
    const auto& ports = sides_.back().ports;
    for (std::size_t p = 0; p < ports.size(); ++p)
      ends_[ports[p].coupling.index()][ports[p].side == CutSide::from ? 0 : 1] = {
          static_cast<std::int32_t>(i), static_cast<std::int32_t>(p)};
  }
  ghosts_ = std::make_unique<Ghosts>(lanes.seam(), sides_.size(), physics_, model.part_of);
  halos_ = std::make_unique<Halos>(model, sides_, *ghosts_, options.layers, pool);
  estimator_ = std::make_unique<OverlapEstimator>(model, sides_, *halos_);
  if (!model.carriers.empty()) leave_sides_bare(model.carriers);
  lanes_.gather(Beside::none, y_);
  laws_.evaluate(0, y_, u_);
}

OverlapScheme::~OverlapScheme() = default;

/// One-sided cuts: the bare side follows the force that the carrying side records, and advances in a
/// later stage.
void OverlapScheme::leave_sides_bare(std::span<const Carrier> carriers) {
  std::vector<std::pair<std::size_t, std::size_t>> after;  // (earlier part, later part)
  for (std::size_t c = 0; c < carriers.size(); ++c) {
    if (carriers[c] == Carrier::both) continue;
    const Coupling& coupling = couplings_[c];
    const bool from = carriers[c] == Carrier::from;
    const std::size_t carrying = (from ? coupling.from : coupling.to).part.index();
    const std::size_t bare = (from ? coupling.to : coupling.from).part.index();
    const std::size_t near = sides_[carrying].port_of(CouplingId{c}),
                      far = sides_[bare].port_of(CouplingId{c});
    sides_[carrying].lane->lead(near, *sides_[bare].lane, far);
    halos_->leave_bare(bare, far);
    after.emplace_back(carrying, bare);
  }
  std::vector<int> stage(sides_.size(), 0);
  for (std::size_t round = 0; round <= sides_.size(); ++round) {
    bool settled = true;
    for (const auto& [earlier, later] : after)
      if (stage[later] <= stage[earlier]) {
        stage[later] = stage[earlier] + 1;
        settled = false;
      }
    if (settled) return lanes_.advance_in_stages(stage);
  }
  COSIMO_CHECK(false, "one-sided cuts must not form a circle");
}

void OverlapScheme::plan(double H) {
  planned_ = H;
  refit_ = true;
}

/// Neighbours with similar needs take the same micro steps: the copies then repeat what their owners do,
/// errors of the solver included, and momentum is conserved across the cuts.
void OverlapScheme::set_grids(double H) {
  // Steps that have been growing, as after a violent start, will grow on.
  const Seam& seam = lanes_.seam();
  for (std::size_t i = 0; i < sides_.size(); ++i) micro_[i] = wanted_[i] * std::sqrt(growth_[i]);
  seam.gather_parts(micro_, 1, all_micro_);
  const std::vector<double>& micro = all_micro_;
  auto& order = order_;
  order.resize(micro.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return micro[a] != micro[b] ? micro[a] < micro[b] : a < b; });
  grids_.resize(micro.size());
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const double smallest = micro[order[first]];
    double sum = 0;  // of the steps that each would take
    for (; last < order.size() && same_grid * micro[order[last]] <= smallest; ++last)
      sum += 1 / micro[order[last]];
    const double mean = 0.5 * (static_cast<double>(last - first) / sum + smallest);
    for (std::size_t i = first; i < last; ++i) grids_[order[i]] = smallest > 0 ? steps_for(H, mean) : 0;
  }
  for (std::size_t i = 0; i < sides_.size(); ++i)
    sides_[i].lane->use_grid(grids_[seam.global(PartId{i}).index()]);
}

/// Halos for the size planned, and with several ranks what each has to tell the others from now on.
void OverlapScheme::fit_halos() {
  const Seam& seam = lanes_.seam();
  const auto level = [&](CouplingId c) { return layers_.level(c.index()); };
  ghosts_->look_around();
  bool again = false;
  while (seam.any(!halos_->fit(planned_, level, again))) {
    ghosts_->look_further();
    again = true;
  }
  tell_others();
  count_layers();
}

/// From now on the others hear of the bodies whose copies they carry as soon as their states are known.
void OverlapScheme::tell_others() {
  if (lanes_.seam().single()) return;
  ghosts_->follow(halos_->foreign_bodies());
  lanes_.tell_others(ghosts_->told_parts(), [this] { ghosts_->start(); });
}

void OverlapScheme::archive(Archive& a) {
  a.section("overlap");
  a(planned_, refit_, widest_, widest_ever_);
  halos_->archive(a);
  // Lanes that are loaded next carry copies that far away, and the forces there need the bodies beyond.
  if (a.loading()) physics_.reach(static_cast<std::size_t>(widest_ever_) + 2);
}

void OverlapScheme::archive_coupling(Archive& a, std::size_t coupling) {
  a.section("coupling");
  const std::size_t first = laws_.first_component(coupling);
  const std::size_t last = coupling + 1 < laws_.size() ? laws_.first_component(coupling + 1) : u_.size();
  for (std::size_t i = first; i < last; ++i) a(u_[i]);
  layers_.archive_cut(a, coupling);
  a(rejected_error_[coupling], rejected_exponent_[coupling], cut_layers_[coupling]);
}

void OverlapScheme::archive_part(Archive& a, std::size_t part) {
  lanes_.archive(a, part);
  halos_->archive(a, part);
  a(wanted_[part], growth_[part]);
}

/// Owners publish where their lanes stand, and the others hear of it.
void OverlapScheme::resume() {
  lanes_.adopt(0);
  for (const OverlapSide& side : sides_) side.lane->publish();
  tell_others();
  if (!lanes_.seam().single()) ghosts_->start();
  ghosts_->finish();
  lanes_.gather(Beside::none, y_);
  hear_ends();
  states_.accept();
}

/// The ends of cuts on other ranks, from the states of their bodies.
void OverlapScheme::hear_ends() {
  for (const Seam::End& end : lanes_.seam().foreign_ends()) {
    const std::size_t from = physics_.coordinates(end.body).first,
                      to = laws_.layout().first(end.coupling, end.side);
    for (std::size_t k = 0; k < end.coordinates; ++k) {
      y_.x(end.side)[to + k] = states_.next_x()[from + k];
      y_.v(end.side)[to + k] = states_.next_v()[from + k];
    }
  }
}

/// Errors and exponents of cuts whose sides lie on two ranks.
void OverlapScheme::merge_cuts() {
  const Seam& seam = lanes_.seam();
  if (seam.single()) return;
  std::vector<double>& both = merged_;
  both.resize(2 * cut_error_.size());
  for (std::size_t c = 0; c < cut_error_.size(); ++c) {
    both[2 * c] = cut_error_[c];
    both[2 * c + 1] = exponent_[c];
  }
  seam.merge_max(both, 2);
  for (std::size_t c = 0; c < cut_error_.size(); ++c) {
    cut_error_[c] = both[2 * c];
    exponent_[c] = both[2 * c + 1];
  }
}

Candidate OverlapScheme::attempt(const Attempt& attempt, std::span<const double> output_times) {
  Candidate candidate;
  H_ = attempt.window.size();
  const double begin = clock_seconds(), told = lanes_.seam().exchange_seconds();
  SectionClock& sections = lanes_.sections();
  sections.enter(Section::fit);
  if (std::exchange(refit_, false)) fit_halos();
  sections.enter(Section::predict);
  set_grids(H_);
  u_before_ = u_;
  const double before = clock_seconds();
  interface_seconds_ = before - begin - (lanes_.seam().exchange_seconds() - told);
  lanes_.phases().add(Phase::interface, begin, before);

  lanes_.begin();
  lanes_.advance({.window = attempt.window, .held = u_before_, .output_times = output_times});
  const double advanced = clock_seconds();
  sections.enter(Section::exchange);
  ghosts_->finish();
  sections.enter(Section::couple);

  const double after = clock_seconds(), heard = lanes_.seam().exchange_seconds();
  lanes_.phases().add(Phase::transport, advanced, after);
  if (blame_failed_lane(lanes_, candidate)) {
    // There is nothing to compare a repetition with: the errors known are those of an earlier step.
    std::fill(exponent_.begin(), exponent_.end(), -std::numeric_limits<double>::infinity());
    sections.enter(Section::control);
    return candidate;
  }
  lanes_.gather(Beside::none, y_);
  hear_ends();
  over_cuts([&](Range cuts) { laws_.evaluate(attempt.window.end, y_, cuts, u_); });
  sections.enter(Section::estimate);
  estimator_->estimate(attempt.window, y_, pool_);
  candidate.norms.level = ErrorLevel::state;
  candidate.norms.pos = candidate.norms.vel = judge_cuts();
  const double end = clock_seconds();
  interface_seconds_ += end - after - (lanes_.seam().exchange_seconds() - heard);
  lanes_.phases().add(Phase::interface, after, end);
  sections.enter(Section::control);
  return candidate;
}

void OverlapScheme::count_layers() {
  std::fill(cut_layers_.begin(), cut_layers_.end(), 0);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const auto& ports = sides_[i].ports;
    for (std::size_t p = 0; p < ports.size(); ++p) {
      std::int32_t& layers = cut_layers_[ports[p].coupling.index()];
      layers = std::max(layers, static_cast<std::int32_t>(halos_->layers(i, p)));
    }
  }
  const Seam& seam = lanes_.seam();
  if (!seam.single()) {
    std::vector<double> layers(cut_layers_.begin(), cut_layers_.end());
    seam.merge_max(layers, 1);
    for (std::size_t c = 0; c < layers.size(); ++c) cut_layers_[c] = static_cast<std::int32_t>(layers[c]);
  }
  int here = 0;
  for (const std::int32_t layers : cut_layers_) here = std::max(here, layers);
  widest_ = static_cast<int>(seam.largest(here));
  widest_ever_ = std::max(widest_ever_, widest_);
}

template <class Work>
void OverlapScheme::over_cuts(Work work) {
  constexpr std::size_t cuts_per_task = 256;
  const std::size_t cuts = cut_error_.size(), tasks = (cuts + cuts_per_task - 1) / cuts_per_task;
  if (tasks < 4) return work(Range{0, cuts});
  auto some = [&](std::size_t task) {
    work(Range{task * cuts_per_task, std::min(cuts, (task + 1) * cuts_per_task)});
  };
  pool_.run(tasks, some, batch::cutting);
}

/// The errors of all cuts after a step; returns the largest of all ranks.
double OverlapScheme::judge_cuts() {
  std::atomic<double> largest = 0;
  const auto excuse = [&](Range cuts) {
    double here = 0;
    for (std::size_t c = cuts.first; c < cuts.last; ++c) {
      measured_error_[c] = cut_error_[c];
      excuse_solver_error(c);
      here = std::max(here, cut_error_[c]);
    }
    for (double known = largest; known < here && !largest.compare_exchange_weak(known, here);) {
    }
  };
  const bool single = lanes_.seam().single();
  over_cuts([&](Range cuts) {
    for (std::size_t c = cuts.first; c < cuts.last; ++c) look_at_cut(c);
    if (single) excuse(cuts);
  });
  if (!single) {
    merge_cuts();
    over_cuts(excuse);
  }
  return lanes_.seam().largest(largest);
}

/// The larger error of its two ends, and what is left of a far-edge error on its wider-open side.
void OverlapScheme::look_at_cut(std::size_t c) {
  cut_error_[c] = 0;
  exponent_[c] = -std::numeric_limits<double>::infinity();
  for (const End& end : ends_[c]) {
    if (end.part < 0) continue;
    const auto part = static_cast<std::size_t>(end.part), port = static_cast<std::size_t>(end.port);
    const OverlapEstimator::End found = estimator_->end(part, port);
    cut_error_[c] = std::max(cut_error_[c], found.error);
    if (found.carried) exponent_[c] = std::max(exponent_[c], halos_->exponent(part, port, H_));
  }
}

/// An error that a much wider overlap has not reduced, when the step was repeated with one, does not come
/// from the far edge. At most what that overlap lets through counts.
void OverlapScheme::excuse_solver_error(std::size_t c) {
  const double promised = rejected_exponent_[c] - exponent_[c];
  if (promised > clear_promise && cut_error_[c] > 0.7 * rejected_error_[c] &&
      cut_error_[c] < largest_solver_error)
    cut_error_[c] *= std::exp(-std::min(promised, 100.0));
}

void OverlapScheme::observe(bool accepted) {
  over_cuts([&](Range cuts) {
    for (std::size_t c = cuts.first; c < cuts.last; ++c)
      layers_.observe(c, cut_error_[c], exponent_[c], accepted);
  });
}

void OverlapScheme::accept() {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double before = std::exchange(wanted_[i], lanes_.next_step(i));
    growth_[i] = before > 0 ? std::clamp(wanted_[i] / before, 1.0, 4.0) : 1.0;
  }
  std::fill(rejected_exponent_.begin(), rejected_exponent_.end(), -std::numeric_limits<double>::infinity());
  states_.accept();
  halos_->step();
  lanes_.commit();
}

void OverlapScheme::reject() {
  rejected_error_ = measured_error_;
  rejected_exponent_ = exponent_;
  abandon();
}

void OverlapScheme::abandon() {
  u_ = u_before_;
  lanes_.discard();
}

std::vector<double> OverlapScheme::predicted_costs(std::span<const double> sizes) {
  const std::size_t parts = sides_.size(), count = sizes.size();
  std::vector<double> copies(parts * count);  // a row per part
  const Halos::Level level = [&](CouplingId coupling) { return layers_.level(coupling.index()); };
  auto forecast = [&](std::size_t i) {
    halos_->predict_copies(i, sizes, level, std::span(copies).subspan(i * count, count));
  };
  pool_.run(parts, forecast, batch::forecasting);
  return joint_costs(sizes, copies);
}

/// Of all parts of all ranks together; `copies` of this rank's.
std::vector<double> OverlapScheme::joint_costs(std::span<const double> sizes,
                                               std::span<const double> copies) const {
  const std::size_t parts = sides_.size(), width = 3 * sizes.size();
  std::vector<double> own;
  for (std::size_t i = 0; i < parts; ++i)
    for (std::size_t k = 0; k < sizes.size(); ++k)
      own.insert(own.end(), {static_cast<double>(sides_[i].bodies), copies[i * sizes.size() + k],
                             wanted_[i] > 0 ? wanted_[i] : sizes[k]});
  std::vector<double> all;
  lanes_.seam().gather_parts(own, width, all);
  std::vector<OverlapCost> row(all.size() / width);
  std::vector<double> result;
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const double* c = all.data() + i * width + 3 * k;
      row[i] = {c[0], c[1], c[2]};
    }
    result.push_back(overlap_cost(row, sizes[k]));
  }
  return result;
}

double OverlapScheme::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < sides_.size(); ++i)
    longest =
        std::min(longest, halos_->longest_step(i, [&](CouplingId c) { return layers_.level(c.index()); }));
  return -lanes_.seam().largest(-longest);
}

AttemptCost OverlapScheme::cost() const {
  return {lanes_.solve_seconds(), lanes_.thread_seconds(),    lanes_.work(),       lanes_.snapshot_seconds(),
          interface_seconds_,     lanes_.transport_seconds(), lanes_.micro_steps()};
}

}  // namespace cosimo
