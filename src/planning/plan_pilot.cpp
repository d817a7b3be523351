#include "planning/plan_pilot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "planning/plan_schemes.hpp"
#include "planning/plan_settling.hpp"
#include "planning/plan_watch.hpp"
#include "simulation/resolve_coupling.hpp"
#include "simulation/session.hpp"

namespace cosimo {

namespace {

/// Of the best of several repetitions that may be missing in their fastest pieces.
constexpr double most_lost = 0.25;

/// A piece that takes this many times what its work should was disturbed from outside.
constexpr double disturbed = 3;

/// Fewest accepted steps that tell a rate.
constexpr std::int64_t fewest_steps = 4;

/// What giving a batch of work to a second thread costs on this machine: the lower quartile of many, as
/// others may be busy on it, too.
double hand_over_seconds() {
  if (std::thread::hardware_concurrency() < 2) return 0;
  Pool pool(2);
  std::vector<double> found;
  std::array<double, 2> sink{};
  auto task = [&sink](std::size_t i) {
    double x = 1;
    for (int k = 0; k < 2000; ++k) x = 1 + 0.5 / x;
    sink[i] += x;
  };
  for (int i = 0; i < 200; ++i) {
    pool.run(sink.size(), task);
    found.push_back(pool.overhead());
  }
  const auto quartile = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 4);
  std::nth_element(found.begin(), quartile, found.end());
  return std::max(0.0, *quartile);
}

/// Keeps what the attempts cost, and ends the run in time.
class Stopwatch final : public Observer {
 public:
  Stopwatch(const PilotOptions& options, double end, double hand_over, Watch& watch, PilotCosts& costs)
      : options_(options), settling_(end), hand_over_(hand_over), watch_(watch), costs_(costs) {}

  void output(double, std::span<const double>, std::span<const double>) override {}

  void step(const StepRow& row, const Scheme&, const AttemptCost& cost) override {
    const auto entered = PlanClock::now();
    const double all = std::chrono::duration<double>(entered - last_).count();
    const double solve = std::accumulate(cost.solve.begin(), cost.solve.end(), 0.0);
    const double busy = std::accumulate(cost.threads.begin(), cost.threads.end(), 0.0);
    const double busiest = *std::max_element(cost.threads.begin(), cost.threads.end());
    const double passes = 1.0 + row.iterations;
    const double known = busiest + cost.interface + cost.snapshot + cost.transport;
    costs_.solve.insert(costs_.solve.end(), cost.solve.begin(), cost.solve.end());
    for (const double work : cost.work) costs_.work.push_back(passes * work);
    costs_.steps.push_back({row.t, row.H, row.accepted, std::max(0.0, busy - solve), cost.interface,
                            options_.threads > 1 ? cost.transport : passes * hand_over_, cost.snapshot,
                            std::max(0.0, all - known), passes});
    layers_ = row.layers;
    last_ = PlanClock::now();  // what was done here is no part of the run
    own_ += std::chrono::duration<double>(last_ - entered).count();
  }

  void macro_point(double t, double, int) override {
    reached_ = t;
    const double wall = seconds_since(begin_);
    settling_.reached(t, wall - own_);
    if (wall > options_.wall_s && (wall > options_.longest_s || settling_.settled())) watch_.raise();
  }

  double reached() const { return reached_; }
  bool settled() const { return settling_.settled(); }
  double layers() const { return layers_; }
  double own_seconds() const { return own_; }

 private:
  const PilotOptions& options_;
  Settling settling_;
  double hand_over_;
  Watch& watch_;
  PilotCosts& costs_;
  const PlanClock::time_point begin_ = PlanClock::now();
  PlanClock::time_point last_ = begin_;
  double reached_ = 0, own_ = 0;
  int layers_ = 0;
};

void describe(const Assembly& assembly, Pilot& pilot) {
  const CouplingPlan& plan = assembly.plan;
  pilot.subsystems = assembly.subsystems.size();
  pilot.couplings = assembly.laws->size();
  pilot.variables = assembly.layout.variables;
  pilot.stages = plan.stages;
  pilot.scheme = plan.cut() ? fmt::format("{}, {}", word_of(plan.scheme), decomposition_name(plan)) : "none";
  pilot.label = scheme_label(plan);
  pilot.estimator = plan.estimator;
  pilot.rtol = plan.estimator != Estimator::none ? plan.rtol : 0;
  pilot.choices = assembly.choices;
  pilot.overlap = plan.overlap;
  pilot.newton = plan.newton();
}

/// One run from the start; `costs` and `pilot` tell how it went. Returns its seconds.
double run_once(const config::Scenario& scenario, const Assembly& assembly, const PilotOptions& options,
                double hand_over, Watch& watch, Pilot& pilot, PilotCosts& costs) {
  Session session(scenario, assembly, options.threads);
  const double whole = session.loop.end;
  if (options.end > 0) session.loop.end = std::min(session.loop.end, options.end);
  Stopwatch stopwatch(options, whole, hand_over, watch, costs);
  TimeLoop loop(assembly, *session.lanes, *session.scheme, *session.control, session.loop, stopwatch, nullptr,
                watch.flag());
  const auto begin = PlanClock::now();
  const LoopResult result = loop.run();
  const double taken = seconds_since(begin) - stopwatch.own_seconds();
  pilot.status = result.status;
  pilot.reason = result.reason;
  pilot.reached = std::max(pilot.reached, stopwatch.reached());
  pilot.layers = stopwatch.layers();
  if (!assembly.cut() && assembly.helpers() > 0)
    pilot.members = static_cast<std::size_t>(assembly.helpers()) + 1;
  if (pilot.repetitions.empty()) pilot.settled = stopwatch.settled();
  if (result.status == LoopResult::Status::interrupted && !watch.asked()) {
    pilot.status = LoopResult::Status::ok;
    pilot.reason.clear();
  }
  return taken;
}

}  // namespace

void PilotCosts::take_shorter(const PilotCosts& other, std::size_t subsystems) {
  const std::size_t common = std::min(steps.size(), other.steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    Step& mine = steps[i];
    const Step& theirs = other.steps[i];
    for (double Step::*piece : {&Step::beside, &Step::serial, &Step::hand_over, &Step::snapshot, &Step::rest})
      mine.*piece = std::min(mine.*piece, theirs.*piece);
  }
  for (std::size_t i = 0; i < common * subsystems; ++i) solve[i] = std::min(solve[i], other.solve[i]);
}

void PilotCosts::follow_work(std::size_t subsystems) {
  std::vector<double> pace;
  for (std::size_t s = 0; s < subsystems; ++s) {
    pace.clear();
    for (std::size_t i = s; i < solve.size(); i += subsystems)
      if (work[i] > 0) pace.push_back(solve[i] / work[i]);
    if (pace.empty()) continue;
    const auto median = pace.begin() + static_cast<std::ptrdiff_t>(pace.size() / 2);
    std::nth_element(pace.begin(), median, pace.end());
    for (std::size_t i = s; i < solve.size(); i += subsystems)
      if (work[i] > 0 && solve[i] > disturbed * *median * work[i]) solve[i] = *median * work[i];
  }
}

void PilotCosts::stretch(double factor) {
  for (double& seconds : solve) seconds *= factor;
  for (Step& step : steps)
    for (double Step::*piece : {&Step::beside, &Step::serial, &Step::snapshot, &Step::rest})
      step.*piece *= factor;
}

double Pilot::mean_passes() const {
  if (costs.steps.empty()) return 1;
  double all = 0;
  for (const PilotCosts::Step& step : costs.steps) all += step.passes;
  return all / static_cast<double>(costs.steps.size());
}

Pilot run_pilot(const config::Scenario& scenario, const PilotOptions& options) {
  Pilot pilot;
  Watch watch(options.interrupt);
  config::Scenario timed = scenario;  // measuring and drawing beside the run would be timed with it
  timed.simulate.local_error = timed.simulate.vtk = false;
  const auto entered = PlanClock::now();
  watch.allow(options.limit_s);
  const PeakMemory memory;
  const auto assembly = assemble(timed, watch.flag());
  describe(*assembly, pilot);
  const double hand_over = options.threads > 1 || pilot.subsystems < 2 ? 0 : hand_over_seconds();
  watch.allow(std::min(options.wall_s + std::max(options.wall_s, options.longest_s),
                       options.limit_s - seconds_since(entered)));
  const auto begin = PlanClock::now();
  pilot.repetitions.push_back(run_once(timed, *assembly, options, hand_over, watch, pilot, pilot.costs));
  const double once = seconds_since(begin);
  pilot.held_bytes = memory.bytes();
  for (int i = 1; i < options.repetitions && pilot.measured() && !watch.flag()->load() &&
                  seconds_since(begin) + once < options.wall_s;
       ++i) {
    PilotCosts again;
    const double taken = run_once(timed, *assembly, options, hand_over, watch, pilot, again);
    if (again.steps.size() == pilot.costs.steps.size()) pilot.repetitions.push_back(taken);
    pilot.costs.take_shorter(again, pilot.subsystems);
  }
  pilot.costs.follow_work(pilot.subsystems);
  // No run is as fast as the fastest pieces of several: together they take what the best one did.
  if (options.threads == 1 && pilot.repetitions.size() > 1) {
    const double pieces = PilotTimes(pilot, {}).expected({0, pilot.reached}, pilot.reached);
    const double best = *std::min_element(pilot.repetitions.begin(), pilot.repetitions.end());
    if (pieces > 0) pilot.costs.stretch(std::clamp(best / pieces, 1.0, 1.0 + most_lost));
  }
  pilot.next_edge = assembly->graph->next_breakpoint(pilot.reached);
  pilot.wall_s = seconds_since(begin);
  return pilot;
}

Stretch steady_stretch(const Pilot& pilot, double until) {
  const auto within = [&](double from, double to) {
    Stretch stretch{std::numeric_limits<double>::infinity(), 0};
    std::int64_t count = 0;
    for (const PilotCosts::Step& step : pilot.costs.steps) {
      // Ends of steps are sums, and may miss what they stand for by rounding.
      if (!step.accepted || step.t < from || step.t + step.H > to * (1 + 1e-9)) continue;
      stretch.begin = std::min(stretch.begin, step.t);
      stretch.end = std::max(stretch.end, step.t + step.H);
      ++count;
    }
    return count >= fewest_steps ? stretch : Stretch{};
  };
  Stretch stretch = within(0.25 * until, until);
  if (!(stretch.end > 0)) stretch = within(0, until);
  if (!(stretch.end > 0)) stretch = {0, pilot.reached};
  return stretch;
}

}  // namespace cosimo
