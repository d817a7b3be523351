#include "scheme/classic.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "scheme/clock.hpp"

namespace cosimo {

namespace {

constexpr const char* no_loop_solution =
    "an algebraic loop, in which signals depend on each other at once, has no solution that could be found";

// Points that any predictor, estimator or the order control may look back to.
std::size_t history_capacity(const ClassicOptions& options) {
  return static_cast<std::size_t>(std::max(max_degree + 2, options.predictor.least_squares_points));
}

bool compares_lanes(Estimator e) {
  return e == Estimator::exLE || e == Estimator::exMD;
}

std::vector<double> consistent_variables(LaneSet& lanes, const CouplingConditions& conditions, double t,
                                         CutStates& y) {
  std::vector<double> u(conditions.size());
  lanes.gather(Beside::none, y);
  conditions.evaluate(t, y, u);
  if (!conditions.feed_graph().needed()) return u;
  const auto refresh = [&](std::span<const double> with, std::span<double> out) {
    lanes.feed(t, with, y);
    conditions.evaluate(t, y, out);
  };
  if (!conditions.feed_graph().settle(u, refresh))
    throw Error(
        Fault{.field = "connections", .problem = no_loop_solution, .remedy = "put a lag into the loop"});
  return u;
}

std::size_t counted_coordinates(const CutLayout& layout, const Seam& seam) {
  std::size_t count = 0;
  for (std::size_t c = 0; c < layout.couplings(); ++c)
    if (seam.counts(c))
      for (const CutSide side : {CutSide::from, CutSide::to})
        if (layout.is_motion(c, side)) count += layout.coordinates(c, side).size();
  return count;
}

/// Bends a course so that it ends at `end`. What it lacks there has grown with this power of time.
void bend(Polynomial& course, double t_end, double end, int power) {
  const int degree = std::min(power, max_degree);
  course.a[static_cast<std::size_t>(degree)] += end - course(t_end);
  course.degree = std::max(course.degree, degree);
}

}  // namespace

/// Weighted norms of coupling-variable derivatives, for order and step control. All that may be asked for at
/// one point are taken in one reduction.
class ClassicScheme::Norms final : public DerivativeNorms {
 public:
  explicit Norms(const ClassicScheme& scheme) : scheme_(scheme), scratch_(scheme.u_.size()) {
    scaled_.reserve(max_degree + 1);
  }

  void at(double H) {
    H_ = H;
    scaled_.clear();
  }
  int available() const override { return static_cast<int>(scheme_.history_.size()) - 1; }
  double scaled_derivative(int j) const override {
    if (scaled_.empty()) find_all();
    return scaled_[static_cast<std::size_t>(j)];
  }
  double a_priori(int kappa, double next_H) const override {
    a_priori_error(scheme_.history_, scheme_.history_.time(0) + next_H, kappa, scratch_);
    return scheme_.norms_.norm(scratch_, scheme_.history_.values(0));
  }

 private:
  void find_all() const {
    std::array<ExactSum, max_degree + 1> sums;
    const auto count = static_cast<std::size_t>(std::min(available(), max_degree)) + 1;
    for (std::size_t j = 1; j < count; ++j) {
      cosimo::scaled_derivative(scheme_.history_, static_cast<int>(j), H_, scratch_);
      sums[j] = scheme_.norms_.squares(scratch_, scheme_.history_.values(0));
    }
    scheme_.lanes_.seam().total(std::span(sums).first(count));
    for (std::size_t j = 0; j < count; ++j) scaled_.push_back(scheme_.norms_.norm_of(sums[j]));
  }

  const ClassicScheme& scheme_;
  double H_ = 0;
  mutable std::vector<double> scratch_, scaled_;
};

ClassicScheme::ClassicScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                             const ClassicOptions& options)
    : lanes_(lanes),
      conditions_(conditions),
      y_(conditions.layout()),
      y_first_(y_),
      u_(consistent_variables(lanes, conditions, t_start, y_)),
      u_pre_(u_.size()),
      ends_(u_.size()),
      polynomials_(u_.size()),
      norms_(conditions, options.norms, u_, lanes.seam()),
      coordinates_in_all_(lanes.seam().total(counted_coordinates(conditions.layout(), lanes.seam()))),
      history_(conditions.size(), history_capacity(options)),
      options_(options),
      y_start_(y_),
      y_compare_(y_),
      estimate_(y_),
      u_compare_(u_.size()),
      u_error_(u_.size()),
      cut_error_(conditions.variables().couplings()),
      variables_error_(cut_error_.size()),
      extrapolated_(u_.size()),
      refined_(u_.size()),
      flat_(2 * conditions.layout().count()),
      next_accelerations_(conditions.layout().count()),
      end_accelerations_(next_accelerations_.size()),
      outputs_(u_.size()),
      old_outputs_(u_.size()),
      compare_(u_.size()),
      counts_turns_(lanes.seam().any(conditions.laws().counts_turns())) {
  history_.push(t_start, u_);
  if (!options_.stages.empty()) lanes_.advance_in_stages(options_.stages);
  find_stage_variables();
  if (options_.motion) {
    motion_.emplace(conditions_, options_.motion->degree);
    accelerations_.emplace(next_accelerations_.size(), history_.capacity());
    if (!lanes_.accelerations(t_start, u_, next_accelerations_))
      throw Error(
          {Fault{"", 0, 0, "model", "", "the acceleration of a coupling body is not finite at the start",
                 "check the initial state and the loads beside the cuts"}});
    accelerations_->push(t_start, next_accelerations_);
  } else if (gauss_seidel()) {
    states_.emplace(flat_.size(), history_.capacity());
    states_->push(t_start, flat(y_));
  }
  derivative_norms_ = std::make_unique<Norms>(*this);
}

ClassicScheme::~ClassicScheme() = default;

void ClassicScheme::find_stage_variables() {
  stage_variables_.resize(static_cast<std::size_t>(lanes_.stages()));
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    auto& variables = stage_variables_[static_cast<std::size_t>(gauss_seidel() ? options_.stages[i] : 0)];
    const auto inputs = lanes_.subsystem(i).inputs();
    variables.insert(variables.end(), inputs.begin(), inputs.end());
  }
  // What drives only subsystems of other ranks has ends and outputs, too, as if there were one rank.
  for (const Seam::End& end : lanes_.seam().foreign_ends()) {
    auto& variables =
        stage_variables_[static_cast<std::size_t>(gauss_seidel() ? options_.stages[end.part] : 0)];
    const CouplingId coupling{end.coupling};
    const std::size_t first = conditions_.variables().driving(coupling, end.side);
    for (std::size_t k = 0; k < conditions_.variables().driving_count(coupling, end.side); ++k)
      variables.push_back(first + k);
  }
  for (auto& variables : stage_variables_) {
    std::sort(variables.begin(), variables.end());
    variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  }
}

std::span<const double> ClassicScheme::flat(const CutStates& y) {
  auto out = flat_.begin();
  for (const auto* part : {&y.from_x, &y.from_v, &y.to_x, &y.to_v})
    out = std::copy(part->begin(), part->end(), out);
  return flat_;
}

int ClassicScheme::admissible(int kappa) const {
  const int points = static_cast<int>(history_.size());
  if (motion_ && !options_.motion->omega)
    kappa = std::min(options_.motion->degree, static_cast<int>(accelerations_->size()) - 1);
  // exLE and exMD look one point further back than the prediction itself (3.3, 3.8).
  const int most = compares_lanes(options_.estimator) ? std::max(0, points - 2) : points - 1;
  return std::min(kappa, most);
}

bool ClassicScheme::whole_course() const {
  return motion_ && !options_.motion->omega && options_.motion->whole_course;
}

void ClassicScheme::shape_inputs(std::span<const double> ends) {
  approximate(history_, window_.end, kappa_, ends, polynomials_);
  know_courses(polynomials_);
}

void ClassicScheme::follow(std::shared_ptr<OuterInputs> outer, std::vector<Known> known) {
  outer_ = std::move(outer);
  known_ = std::move(known);
}

void ClassicScheme::know_ends(std::span<double> u) const {
  for (const Known& each : known_) u[each.variable] = outer_->inputs[each.input].course(window_.end);
}

void ClassicScheme::know_courses(std::span<Polynomial> courses) const {
  for (const Known& each : known_)
    courses[each.variable] = on_window(outer_->inputs[each.input].course, window_);
}

/// Ends and courses of all inputs, and in Gauss-Seidel the states that later stages start from.
void ClassicScheme::predict() {
  if (!motion_ || options_.motion->omega || options_.estimator != Estimator::none)
    cosimo::predict(history_, window_.end, kappa_, options_.predictor, motion_ ? extrapolated_ : u_pre_);
  if (motion_) {
    motion_->predict(*accelerations_, y_start_, window_.end);
    y_ = motion_->end_states();
    conditions_.evaluate(window_.end, y_, refined_);
    weigh_extrapolation(refined_);
    u_pre_ = refined_;
  } else if (gauss_seidel()) {
    predict_states(kappa_, y_);
  }
  know_ends(u_pre_);
  know_ends(extrapolated_);
  ends_ = outputs_ = u_pre_;
  if (!whole_course()) return shape_inputs(ends_);
  motion_->polynomials(polynomials_);
  know_courses(polynomials_);
}

/// accrel: what states say about u, and what u itself does. In Gauss-Seidel the states are the newest.
void ClassicScheme::weigh_extrapolation(std::span<double> u) const {
  const double omega = options_.motion->omega.value_or(0.0);
  if (!(omega > 0)) return;
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = (1 - omega) * u[i] + omega * extrapolated_[i];
}

void ClassicScheme::predict_states(int degree, CutStates& y) {
  cosimo::predict(*states_, window_.end, degree, options_.predictor, flat_);
  auto from = flat_.cbegin();
  for (auto* part : {&y.from_x, &y.from_v, &y.to_x, &y.to_v}) {
    const auto last = from + static_cast<std::ptrdiff_t>(part->size());
    std::copy(from, last, part->begin());
    from = last;
  }
}

/// (3.2), (3.3), (3.7), (3.8).
void ClassicScheme::predict_comparison() {
  cosimo::predict(history_, window_.end, kappa_ + 1, {}, u_compare_);
  know_ends(u_compare_);
  const int degree = options_.estimator == Estimator::exLE ? kappa_ + 1 : kappa_;
  approximate(history_, window_.end, degree, u_compare_, compare_);
  know_courses(compare_);
  if (states_) predict_states(kappa_ + 1, y_compare_);
  if (gauss_seidel() && motion_) y_compare_ = motion_->end_states();
}

/// New ends for the inputs of a stage, from the newest states known.
void ClassicScheme::refine(int stage, double weight) {
  update(y_, refined_);
  const auto& variables = stage_variables_[static_cast<std::size_t>(stage)];
  if (motion_) weigh_extrapolation(refined_);
  for (const std::size_t i : variables) {
    outputs_[i] = refined_[i];
    ends_[i] = (1 - weight) * refined_[i] + weight * old_outputs_[i];
  }
  know_ends(ends_);
  if (!whole_course()) return shape_inputs(ends_);
  for (const std::size_t i : variables)
    bend(polynomials_[i], window_.end, ends_[i], motion_->degree_used() + 2);
  know_courses(polynomials_);
}

void ClassicScheme::refine_comparison(int stage) {
  conditions_.evaluate(window_.end, y_compare_, refined_);
  for (const std::size_t i : stage_variables_[static_cast<std::size_t>(stage)]) u_compare_[i] = refined_[i];
  know_ends(u_compare_);
  approximate(history_, window_.end, kappa_ + 1, u_compare_, compare_);
  know_courses(compare_);
}

bool ClassicScheme::sweep(Candidate& candidate, bool predicted, double weight, const LaneStep& extra) {
  old_outputs_ = outputs_;
  for (int stage = 0; stage < lanes_.stages(); ++stage) {
    if (stage > 0 || !predicted) refine(stage, weight);
    if (stage > 0 && comparing_) refine_comparison(stage);
    LaneStep step = extra;
    step.window = window_;
    step.inputs = polynomials_;
    step.output_times = output_times_;
    step.stage = gauss_seidel() ? stage : -1;
    if (comparing_) step.beside = compare_;
    const double begin = clock_seconds(), told = lanes_.seam().exchange_seconds();
    lanes_.phases().add(Phase::interface, mark_, begin);
    lanes_.advance(step);
    mark_ = clock_seconds();
    advance_seconds_ += mark_ - begin - (lanes_.seam().exchange_seconds() - told);
    if (blame_failed_lane(lanes_, candidate)) return false;
    if (lanes_.ends_early() && wait_for_event(candidate)) return false;
    lanes_.gather(Beside::none, y_, step.stage);
    if (comparing_) lanes_.gather(Beside::comparison, y_compare_, step.stage);
  }
  return true;
}

/// An event before the end of the window, whose jump all must see: the step has to end there.
bool ClassicScheme::wait_for_event(Candidate& candidate) {
  candidate.culprit = lanes_.earliest(candidate.reached);
  if (!candidate.culprit.valid()) return false;
  candidate.ok = false;
  candidate.early = true;
  candidate.reason = "an event is ahead";
  return true;
}

std::span<const double> ClassicScheme::reported_with() const {
  const bool reported = !options_.consistent_update && conditions_.can_feed_through();
  return reported ? std::span<const double>(ends_) : std::span<const double>();
}

void ClassicScheme::update(const CutStates& y, std::span<double> u) const {
  if (const auto used = reported_with(); !used.empty())
    conditions_.evaluate_reported(window_.end, y, used, u);
  else
    conditions_.evaluate(window_.end, y, u);
}

bool ClassicScheme::settle(Candidate& candidate) {
  update(y_, u_);  // (2.25)
  const FeedGraph& graph = conditions_.feed_graph();
  if (!graph.needed()) return true;
  const auto refresh = [&](std::span<const double> with, std::span<double> out) {
    lanes_.feed(window_.end, with, y_);
    update(y_, out);
  };
  if (graph.settle(u_, refresh)) return true;
  candidate.ok = false;
  candidate.reason = no_loop_solution;
  candidate.worst = conditions_.variables()[graph.loop().front()].coupling;
  return false;
}

Candidate ClassicScheme::attempt(const Attempt& attempt, std::span<const double> output_times) {
  Candidate candidate;
  const double begin = clock_seconds(), told = lanes_.seam().exchange_seconds();
  lanes_.sections().enter(Section::predict);
  mark_ = begin;
  advance_seconds_ = 0;
  candidate.kappa = kappa_ = admissible(attempt.kappa);
  window_ = attempt.window;
  output_times_ = output_times;
  lanes_.begin();
  norms_.follow();
  predict();
  comparing_ = compares_lanes(options_.estimator) && static_cast<int>(history_.size()) >= kappa_ + 2;
  if (comparing_) predict_comparison();
  lanes_.sections().enter(Section::couple);
  const bool solved = solve(candidate);
  lanes_.sections().enter(Section::estimate);
  if (solved) finish(candidate);
  lanes_.sections().enter(Section::control);
  if (!candidate.ok && !candidate.culprit.valid()) candidate.reached = window_.end;
  const double end = clock_seconds();
  interface_seconds_ = end - begin - advance_seconds_ - (lanes_.seam().exchange_seconds() - told);
  lanes_.phases().add(Phase::interface, mark_, end);
  return candidate;
}

void ClassicScheme::finish(Candidate& candidate) {
  std::size_t bad = 0;
  if (!norms_.look_at(u_, bad)) {
    candidate.ok = false;
    candidate.reason = "a coupling force is not finite: the coupling is unstable with this macro step";
    const bool here = bad < u_.size() && !std::isfinite(u_[bad]);
    candidate.worst = lanes_.seam().where_largest(here ? conditions_.variables()[bad].coupling : CouplingId{},
                                                  here ? 1.0 : 0.0);
    return;
  }
  if (counts_turns_ && lost_turn(candidate)) return;
  if (motion_) {
    const std::span<const double> u =
        options_.motion->update ? std::span<const double>(u_) : std::span<const double>();
    if (!lanes_.accelerations(window_.end, u, next_accelerations_)) {
      candidate.ok = false;
      candidate.reason = "the acceleration of a coupling body is not finite";
      return;
    }
  }
  if (options_.estimator != Estimator::none) estimate(candidate);
}

/// Lanes see turns of the elements that they hold; those of force-driven ends none does.
bool ClassicScheme::lost_turn(Candidate& candidate) {
  const CouplingId here = conditions_.laws().lost_turn(window_.end, y_, window_.begin, y_start_, switches_);
  const Seam& seam = lanes_.seam();
  if (!seam.any(here.valid())) return false;
  candidate.ok = false;
  candidate.reason = turn_lost_reason;
  candidate.worst = seam.where_largest(here, here.valid() ? 1.0 : 0.0);
  return true;
}

void ClassicScheme::accept() {
  history_.push(window_.end, u_);
  if (accelerations_) accelerations_->push(window_.end, next_accelerations_);
  if (states_) states_->push(window_.end, flat(y_));
  y_start_ = y_;
  norms_.keep();
  lanes_.commit();
}

void ClassicScheme::reject() {
  norms_.forget();
  lanes_.discard();
}

/// Events that follow from each other at one instant are fired until none is left.
Scheme::Events ClassicScheme::fire(PartId culprit) {
  constexpr int most = 100;
  const double t = history_.time(0);
  Events events;
  for (int round = 0; lanes_.fire(t, culprit); ++round) {
    events.jumped = true;
    culprit = {};
    restart();
    if (round < most) continue;
    events.failure = "events follow from each other without end";
    break;
  }
  return events;
}

/// What was is no guide to what comes: the histories begin anew where the lanes are.
void ClassicScheme::restart() {
  u_ = consistent_variables(lanes_, conditions_, history_.time(0), y_);
  begin_anew();
}

/// Without a jump the histories hold on: what follows the inputs goes on as it went.
bool ClassicScheme::renew() {
  const double t = history_.time(0);
  u_ = consistent_variables(lanes_, conditions_, t, y_);
  const std::span<const double> before = history_.values(0);
  bool jumps = false;
  for (const Known& each : known_) {
    const std::size_t i = each.variable;
    jumps = jumps || std::fabs(u_[i] - before[i]) > norms_.tolerance(i, before[i]);
  }
  if (jumps) {
    begin_anew();
    return true;
  }
  y_start_ = y_;
  history_.amend(u_);
  if (states_) states_->amend(flat(y_));
  if (accelerations_ && lanes_.accelerations(t, u_, next_accelerations_))
    accelerations_->amend(next_accelerations_);
  return false;
}

void ClassicScheme::begin_anew() {
  const double t = history_.time(0);
  y_start_ = y_;
  history_.clear();
  history_.push(t, u_);
  if (accelerations_) {
    accelerations_->clear();
    if (!lanes_.accelerations(t, u_, next_accelerations_))
      throw Error(Fault{.field = "model",
                        .problem = "the acceleration of a coupling body is not finite after an event",
                        .remedy = "look at the event"});
    accelerations_->push(t, next_accelerations_);
  }
  if (states_) {
    states_->clear();
    states_->push(t, flat(y_));
  }
}

const DerivativeNorms& ClassicScheme::derivative_norms(double H) {
  derivative_norms_->at(H);
  return *derivative_norms_;
}

AttemptCost ClassicScheme::cost() const {
  return {lanes_.solve_seconds(), lanes_.thread_seconds(),    lanes_.work(),       lanes_.snapshot_seconds(),
          interface_seconds_,     lanes_.transport_seconds(), lanes_.micro_steps()};
}

}  // namespace cosimo
