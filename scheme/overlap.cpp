#include "scheme/overlap.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/check.hpp"

namespace cosimo {

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Subsystems whose step counts are within this factor take the same steps.
constexpr double same_grid = 0.6;

/// Below this part of the tolerance it does not matter where a mismatch comes from.
constexpr double worth_a_look = 0.1;

/// Equal steps over H that come nearest to the micro step wanted. The error control allows steps to
/// be a little longer than it would make them.
std::int64_t steps_for(double H, double micro) {
  return std::max<std::int64_t>(1, (std::llround(std::min(H / micro, 1e9))));
}

}  // namespace

/// An owned body with cut elements, and the ports of its part that are theirs.
struct OverlapScheme::CutBody {
  std::size_t part = 0;
  BodyId body;
  std::vector<std::size_t> ports;
  double mass = 1;
  std::vector<BodyId> inner;  ///< owned bodies next to it
};

OverlapScheme::OverlapScheme(LaneSet& lanes, std::span<const std::unique_ptr<Subsystem>> subsystems,
                             const OverlapModel& model, const ForceLaws& laws, const OverlapOptions& options,
                             Pool& pool)
    : lanes_(lanes),
      laws_(laws),
      options_(options),
      couplings_(model.couplings),
      states_(std::make_unique<BodyStates>(model.model.bodies.x, model.model.bodies.v)),
      // Before anything is measured the far edge may be wrong by as much as there is motion.
      layers_(laws.size(), -std::log(options.rtol), options.safety),
      wanted_(subsystems.size()),
      micro_(subsystems.size()),
      steps_(subsystems.size()),
      y_(laws.size()),
      u_(laws.size()),
      u_before_(laws.size()),
      cut_error_(laws.size()),
      cut_layers_(laws.size()),
      held_(laws.size()) {
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    const auto* subsystem = dynamic_cast<const OverlapSubsystem*>(subsystems[i].get());
    auto* lane = dynamic_cast<OverlapLane*>(&lanes.lane(i));
    COSIMO_CHECK(subsystem != nullptr && lane != nullptr, "overlap needs subsystems that carry copies");
    lane->connect(*states_);
    subsystems_.push_back(subsystem);
    overlap_.push_back(lane);
    const auto ports = subsystem->ports();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      auto known = std::find_if(cut_bodies_.begin(), cut_bodies_.end(), [&](const CutBody& body) {
        return body.part == i && body.body == ports[p].body;
      });
      if (known == cut_bodies_.end())
        known = cut_bodies_.insert(
            known, {i, ports[p].body, {}, model.model.bodies.mass[ports[p].body.index()], {}});
      known->ports.push_back(p);
    }
  }
  for (CutBody& each : cut_bodies_)
    for (const Incident& i : model.surroundings.of(each.body))
      if (i.other != ground && model.part_of[i.other.index()] == static_cast<std::int32_t>(each.part))
        each.inner.push_back(i.other);
  halos_ = std::make_unique<Halos>(model.model, model.surroundings, model.part_of, subsystems_, overlap_,
                                   *states_, options.layers, pool);
  if (!model.carriers.empty()) leave_sides_bare(model.carriers);
  lanes_.gather(false, y_);
  laws_.evaluate(y_, u_);
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
    const std::size_t near = port_of(carrying, CouplingId{c}), far = port_of(bare, CouplingId{c});
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

std::size_t OverlapScheme::port_of(std::size_t part, CouplingId coupling) const {
  const auto ports = subsystems_[part]->ports();
  const auto found =
      std::find_if(ports.begin(), ports.end(), [&](const Port& port) { return port.coupling == coupling; });
  COSIMO_CHECK(found != ports.end(), "a coupling has a port on both sides");
  return static_cast<std::size_t>(found - ports.begin());
}

void OverlapScheme::plan(double H) {
  planned_ = H;
  refit_ = true;
}

/// Neighbours with similar needs take the same micro steps: the copies then repeat what their owners do,
/// errors of the solver included, and momentum is conserved across the cuts.
void OverlapScheme::set_grids(double H) {
  std::vector<std::size_t> order(wanted_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted_[a] < wanted_[b]; });
  for (std::size_t first = 0, last = 0; first < order.size(); first = last) {
    const double smallest = wanted_[order[first]];
    double sum = 0;  // of the steps that each would take
    for (; last < order.size() && same_grid * wanted_[order[last]] <= smallest; ++last)
      sum += 1 / wanted_[order[last]];
    const double mean = 0.5 * (static_cast<double>(last - first) / sum + smallest);
    for (std::size_t i = first; i < last; ++i)
      overlap_[order[i]]->use_grid(smallest > 0 ? steps_for(H, mean) : 0);
  }
}

Candidate OverlapScheme::attempt(const Attempt& attempt, std::span<const double> output_times) {
  Candidate candidate;
  H_ = attempt.window.size();
  const double begin = now();
  if (std::exchange(refit_, false)) {
    halos_->fit(planned_, [&](CouplingId c) { return layers_.level(c.index()); });
    count_layers();
  }
  set_grids(H_);
  u_before_ = u_;
  for (std::size_t i = 0; i < held_.size(); ++i) held_[i].a[0] = u_[i];
  interface_seconds_ = now() - begin;

  lanes_.advance(attempt.window, held_, {}, output_times);

  const double after = now();
  StepResult result;
  candidate.culprit = lanes_.failed(result);
  if (candidate.culprit.valid()) {
    candidate.ok = false;
    candidate.reached = result.reached;
    candidate.reason = result.reason;
    return candidate;
  }
  lanes_.gather(false, y_);
  laws_.evaluate(y_, u_);
  estimate(H_, candidate);
  interface_seconds_ += now() - after;
  return candidate;
}

/// A body that happens to pass through zero is weighed with where it comes from.
double OverlapScheme::weighted(BodyId body, PortState d) const {
  const std::size_t i = body.index();
  const double x = std::max(std::fabs(states_->x()[i]), std::fabs(states_->next_x()[i]));
  const double v = std::max(std::fabs(states_->v()[i]), std::fabs(states_->next_v()[i]));
  const double ex = d.x / (options_.atol_pos + options_.rtol * x);
  const double ev = d.v / (options_.atol_vel + options_.rtol * v);
  return std::sqrt(0.5 * (ex * ex + ev * ev));
}

/// Copy minus owner of the body behind a port. On the side of a one-sided cut that carries nothing it
/// is the port's own body, whose copy made the force it is driven by.
PortState OverlapScheme::mismatch(std::size_t part, std::size_t port) const {
  const Port& at = subsystems_[part]->ports()[port];
  const std::size_t c = at.coupling.index();
  const bool from = at.side == CutSide::from;
  if (overlap_[part]->carries(port)) {
    const PortState copy = overlap_[part]->copy(port);
    return from ? PortState{copy.x - y_.to_x[c], copy.v - y_.to_v[c]}
                : PortState{copy.x - y_.from_x[c], copy.v - y_.from_v[c]};
  }
  const std::size_t other = (from ? couplings_[c].to : couplings_[c].from).part.index();
  const std::size_t their = port_of(other, at.coupling);
  if (overlap_[other]->carries(their)) {
    const PortState copy = overlap_[other]->copy(their);
    return from ? PortState{copy.x - y_.from_x[c], copy.v - y_.from_v[c]}
                : PortState{copy.x - y_.to_x[c], copy.v - y_.to_v[c]};
  }
  return {};
}

double OverlapScheme::push_through(const CutBody& body, double H) {
  double impulse = 0, steepest = 1;
  PortState largest;  // of the mismatches
  const auto ports = subsystems_[body.part]->ports();
  for (const std::size_t port : body.ports) {
    const std::size_t c = ports[port].coupling.index();
    PortState d = mismatch(body.part, port);
    if (d.x == 0 && d.v == 0) continue;
    const double most = 2 * std::max(1, cut_layers_[c]) + 2;
    const double p = d.x != 0 ? std::clamp(std::fabs(H * d.v / d.x), 1.0, most) : most;
    // An oscillating mismatch that just passes through zero is as large as its other half says.
    d.x = std::copysign(std::max(std::fabs(d.x), std::fabs(H * d.v) / p), d.x);
    d.v = std::max(std::fabs(d.v), std::fabs(d.x) / H);
    const double dx = y_.to_x[c] - y_.from_x[c], dv = y_.to_v[c] - y_.from_v[c];
    impulse += (laws_.law(c).stiffness(dx) * H / (p + 1) + laws_.law(c).damping(dv)) * d.x;
    steepest = std::max(steepest, p);
    largest = {std::max(largest.x, std::fabs(d.x)), std::max(largest.v, d.v)};
  }
  const double dv = impulse / body.mass;
  const PortState pushed{dv * H / (steepest + 2), dv};
  const double full = weighted(body.body, pushed), capacity = weighted(body.body, largest);
  if (full == 0 || capacity == 0) return 0;
  double error = 1 / (1 / full + 1 / capacity);
  // The next bodies lose the same again, but may be at rest and weigh it more.
  const double onward = error / full * error / capacity;
  for (const BodyId inner : body.inner)
    error = std::max(error, weighted(inner, {onward * pushed.x, onward * pushed.v}));
  return error;
}

/// How much of the mismatch just behind a cut can have come from the far edge (control/layers.hpp).
double OverlapScheme::coupling_share(std::size_t part, std::size_t port) const {
  const Port& at = subsystems_[part]->ports()[port];
  if (!overlap_[part]->carries(port)) {
    const Coupling& c = couplings_[at.coupling.index()];
    part = (at.side == CutSide::from ? c.to : c.from).part.index();
    port = port_of(part, at.coupling);
    if (!overlap_[part]->carries(port)) return 1;
  }
  const auto& copies = halos_->halo(part).copies;
  const BodyId beyond = subsystems_[part]->beyond(port);
  // The body behind this cut may have been reached through another one.
  const auto first =
      std::find_if(copies.begin(), copies.end(), [&](const HaloCopy& copy) { return copy.body == beyond; });
  if (first == copies.end() || first->layer != 1) return 1;
  // The cone is that of the stiffer end of the step.
  const Halo end = halos_->measured(part, states_->next_x(), states_->next_v());
  std::vector<LayerMismatch> layers;
  for (std::size_t k = 0; k < copies.size(); ++k) {
    const HaloCopy& copy = copies[k];
    if (copy.root != first->root) continue;
    const auto number = static_cast<std::size_t>(copy.layer - 1);
    if (number >= layers.size()) layers.resize(number + 1);
    const std::size_t i = copy.body.index();
    const PortState own = overlap_[part]->carried_state(copy.body);
    const PortState d{own.x - states_->next_x()[i], own.v - states_->next_v()[i]};
    LayerMismatch& layer = layers[number];
    layer.mismatch = std::max(layer.mismatch, weighted(copy.body, d));
    layer.distance = std::min({layer.distance, copy.distance, end.copies[k].distance});
  }
  const auto root = static_cast<std::size_t>(first->root);
  const double far = std::min(halos_->halo(part).sides[root].distance, end.sides[root].distance);
  return far_edge_share(layers, far - halos_->rate(part) * H_);
}

void OverlapScheme::estimate(double H, Candidate& candidate) {
  std::fill(cut_error_.begin(), cut_error_.end(), 0.0);
  for (const CutBody& body : cut_bodies_) {
    double error = push_through(body, H);
    if (error > worth_a_look) {
      double share = 0;
      for (const std::size_t port : body.ports) share = std::max(share, coupling_share(body.part, port));
      error *= share;
    }
    for (const std::size_t port : body.ports) {
      double& cut = cut_error_[subsystems_[body.part]->ports()[port].coupling.index()];
      cut = std::isnan(error) ? error : std::max(cut, error);
    }
  }
  const auto worst = std::max_element(cut_error_.begin(), cut_error_.end());
  candidate.worst = CouplingId{static_cast<std::size_t>(worst - cut_error_.begin())};
  candidate.norms.level = ErrorLevel::state;
  candidate.norms.pos = candidate.norms.vel = *worst;
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

void OverlapScheme::observe(bool accepted) {
  std::vector<double> exponent(laws_.size(), -std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < subsystems_.size(); ++i) {
    const auto ports = subsystems_[i]->ports();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      if (!overlap_[i]->carries(p)) continue;
      double& worst = exponent[ports[p].coupling.index()];
      worst = std::max(worst, halos_->exponent(i, p, H_));
    }
  }
  for (std::size_t c = 0; c < exponent.size(); ++c) layers_.observe(c, cut_error_[c], exponent[c], accepted);
}

void OverlapScheme::accept() {
  for (std::size_t i = 0; i < overlap_.size(); ++i) {
    const Integrator::Status status = overlap_[i]->status();
    wanted_[i] = status.next_step;
    const std::int64_t done = status.counters.steps - std::exchange(steps_[i], status.counters.steps);
    micro_[i] = H_ / static_cast<double>(std::max<std::int64_t>(1, done));
  }
  states_->accept();
  lanes_.commit();
}

void OverlapScheme::reject() {
  u_ = u_before_;
  lanes_.discard();
}

double OverlapScheme::predicted_cost(double H) const {
  std::vector<OverlapCost> parts(overlap_.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].owned = static_cast<double>(subsystems_[i]->bodies().size());
    parts[i].copies =
        halos_->predicted_copies(i, planned_, H, [&](CouplingId c) { return layers_.level(c.index()); });
    parts[i].micro = wanted_[i] > 0 ? wanted_[i] : H;
  }
  return overlap_cost(parts, H);
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
