#include "scheme/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/check.hpp"
#include "scheme/clock.hpp"

namespace cosimo {

namespace {

constexpr int forecasting = 3;  ///< kind of batch

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

OverlapScheme::OverlapScheme(LaneSet& lanes, std::span<const std::unique_ptr<Subsystem>> subsystems,
                             const OverlapModel& model, const ForceLaws& laws, const OverlapOptions& options,
                             Pool& pool)
    : lanes_(lanes),
      pool_(pool),
      laws_(laws),
      options_(options),
      couplings_(model.couplings),
      states_(std::make_unique<BodyStates>(model.model.bodies.x, model.model.bodies.v)),
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
      cut_layers_(laws.size()),
      held_(laws.components()) {
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    const auto* subsystem = dynamic_cast<const OverlapSubsystem*>(subsystems[i].get());
    auto* lane = dynamic_cast<OverlapLane*>(&lanes.lane(i));
    COSIMO_CHECK(subsystem != nullptr && lane != nullptr, "overlap needs subsystems that carry copies");
    lane->connect(*states_);
    subsystems_.push_back(subsystem);
    overlap_.push_back(lane);
  }
  halos_ = std::make_unique<Halos>(model.model, model.surroundings, model.part_of, subsystems_, overlap_,
                                   *states_, options.layers, pool);
  estimator_ = std::make_unique<OverlapEstimator>(
      model, laws, OverlapEstimator::Sides{subsystems_, overlap_, *states_, *halos_}, options);
  if (!model.carriers.empty()) leave_sides_bare(model.carriers);
  lanes_.gather(Beside::none, y_);
  laws_.evaluate(0, y_, u_);
}

OverlapScheme::~OverlapScheme() = default;

/// One-sided cuts: the bare side follows the force that the carrying side records, and advances in a
/// later stage.
void OverlapScheme::leave_sides_bare(std::span<const Carrier> carriers) {
  records_.reserve(carriers.size());                       // lanes keep references
  std::vector<std::pair<std::size_t, std::size_t>> after;  // (earlier part, later part)
  for (std::size_t c = 0; c < carriers.size(); ++c) {
    if (carriers[c] == Carrier::both) continue;
    RecordedForce& force = records_.emplace_back(laws_.law(c));
    const Coupling& coupling = couplings_[c];
    const bool from = carriers[c] == Carrier::from;
    const std::size_t carrying = (from ? coupling.from : coupling.to).part.index();
    const std::size_t bare = (from ? coupling.to : coupling.from).part.index();
    const std::size_t near = subsystems_[carrying]->port_of(CouplingId{c}),
                      far = subsystems_[bare]->port_of(CouplingId{c});
    overlap_[carrying]->record_force(near, force);
    overlap_[bare]->follow_force(far, force);
    halos_->leave_bare(bare, far);
    after.emplace_back(carrying, bare);
  }
  std::vector<int> stage(overlap_.size(), 0);
  for (std::size_t round = 0; round <= overlap_.size(); ++round) {
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
  auto& micro = micro_;
  auto& order = order_;
  for (std::size_t i = 0; i < micro.size(); ++i) micro[i] = wanted_[i] * std::sqrt(growth_[i]);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return micro[a] != micro[b] ? micro[a] < micro[b] : a < b; });
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const double smallest = micro[order[first]];
    double sum = 0;  // of the steps that each would take
    for (; last < order.size() && same_grid * micro[order[last]] <= smallest; ++last)
      sum += 1 / micro[order[last]];
    const double mean = 0.5 * (static_cast<double>(last - first) / sum + smallest);
    for (std::size_t i = first; i < last; ++i)
      overlap_[order[i]]->use_grid(smallest > 0 ? steps_for(H, mean) : 0);
  }
}

Candidate OverlapScheme::attempt(const Attempt& attempt, std::span<const double> output_times) {
  Candidate candidate;
  H_ = attempt.window.size();
  const double begin = clock_seconds();
  if (std::exchange(refit_, false)) {
    halos_->fit(planned_, [&](CouplingId c) { return layers_.level(c.index()); });
    count_layers();
  }
  set_grids(H_);
  u_before_ = u_;
  for (std::size_t i = 0; i < held_.size(); ++i) held_[i].a[0] = u_[i];
  interface_seconds_ = clock_seconds() - begin;

  lanes_.begin();
  lanes_.advance({.window = attempt.window, .inputs = held_, .output_times = output_times});

  const double after = clock_seconds();
  if (blame_failed_lane(lanes_, candidate)) {
    // There is nothing to compare a repetition with: the errors known are those of an earlier step.
    std::fill(exponent_.begin(), exponent_.end(), -std::numeric_limits<double>::infinity());
    return candidate;
  }
  lanes_.gather(Beside::none, y_);
  laws_.evaluate(attempt.window.end, y_, u_);
  estimator_->estimate(attempt.window, y_, pool_, cut_error_);
  find_exponents();
  measured_error_ = cut_error_;
  excuse_solver_errors();
  const auto worst = std::max_element(cut_error_.begin(), cut_error_.end());
  candidate.worst = CouplingId{static_cast<std::size_t>(worst - cut_error_.begin())};
  candidate.norms.level = ErrorLevel::state;
  candidate.norms.pos = candidate.norms.vel = *worst;
  interface_seconds_ += clock_seconds() - after;
  return candidate;
}

void OverlapScheme::count_layers() {
  std::fill(cut_layers_.begin(), cut_layers_.end(), 0);
  for (std::size_t i = 0; i < subsystems_.size(); ++i) {
    const auto ports = subsystems_[i]->ports();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      std::int32_t& layers = cut_layers_[ports[p].coupling.index()];
      layers = std::max(layers, static_cast<std::int32_t>(halos_->layers(i, p)));
    }
  }
}

/// What is left of a far-edge error at every cut, on its wider-open side.
void OverlapScheme::find_exponents() {
  std::fill(exponent_.begin(), exponent_.end(), -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < subsystems_.size(); ++i) {
    const auto ports = subsystems_[i]->ports();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (!overlap_[i]->carries(p)) continue;
      double& worst = exponent_[ports[p].coupling.index()];
      worst = std::max(worst, halos_->exponent(i, p, H_));
    }
  }
}

/// An error that a much wider overlap has not reduced, when the step was repeated with one, does not come
/// from the far edge. At most what that overlap lets through counts.
void OverlapScheme::excuse_solver_errors() {
  for (std::size_t c = 0; c < cut_error_.size(); ++c) {
    const double promised = rejected_exponent_[c] - exponent_[c];
    if (promised > clear_promise && cut_error_[c] > 0.7 * rejected_error_[c] &&
        cut_error_[c] < largest_solver_error)
      cut_error_[c] *= std::exp(-std::min(promised, 100.0));
  }
}

void OverlapScheme::observe(bool accepted) {
  for (std::size_t c = 0; c < exponent_.size(); ++c)
    layers_.observe(c, cut_error_[c], exponent_[c], accepted);
}

void OverlapScheme::accept() {
  for (std::size_t i = 0; i < overlap_.size(); ++i) {
    const double before = std::exchange(wanted_[i], overlap_[i]->status().next_step);
    growth_[i] = before > 0 ? std::clamp(wanted_[i] / before, 1.0, 4.0) : 1.0;
  }
  std::fill(rejected_exponent_.begin(), rejected_exponent_.end(), -std::numeric_limits<double>::infinity());
  states_->accept();
  lanes_.commit();
}

void OverlapScheme::reject() {
  rejected_error_ = measured_error_;
  rejected_exponent_ = exponent_;
  u_ = u_before_;
  lanes_.discard();
}

std::vector<double> OverlapScheme::predicted_costs(std::span<const double> sizes) {
  const std::size_t parts = overlap_.size();
  std::vector<OverlapCost> cost(sizes.size() * parts);  // one row per size
  auto forecast = [&](std::size_t i) {
    for (std::size_t k = 0; k < sizes.size(); ++k) {
      OverlapCost& c = cost[k * parts + i];
      c.owned = static_cast<double>(subsystems_[i]->bodies().size());
      c.copies = halos_->predicted_copies(
          i, sizes[k], [&](CouplingId coupling) { return layers_.level(coupling.index()); });
      c.micro = wanted_[i] > 0 ? wanted_[i] : sizes[k];
    }
  };
  pool_.run(parts, forecast, forecasting);
  std::vector<double> result;
  for (std::size_t k = 0; k < sizes.size(); ++k)
    result.push_back(overlap_cost(std::span(cost).subspan(k * parts, parts), sizes[k]));
  return result;
}

double OverlapScheme::longest_step() const {
  double longest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < overlap_.size(); ++i)
    longest =
        std::min(longest, halos_->longest_step(i, [&](CouplingId c) { return layers_.level(c.index()); }));
  return longest;
}

double OverlapScheme::copied_share() const {
  double copies = 0, owned = 0;
  for (std::size_t i = 0; i < overlap_.size(); ++i) {
    copies += static_cast<double>(halos_->copies(i));
    owned += static_cast<double>(subsystems_[i]->bodies().size());
  }
  return copies / owned;
}

AttemptCost OverlapScheme::cost() const {
  return {lanes_.solve_seconds(),    lanes_.thread_seconds(), lanes_.work(),
          lanes_.snapshot_seconds(), interface_seconds_,      lanes_.transport_seconds()};
}

}  // namespace cosimo
