#include "run/plan_pilot.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <numeric>
#include <thread>

#include "run/coupling_options.hpp"
#include "run/decompose.hpp"
#include "run/plan_schedule.hpp"
#include "run/session.hpp"

namespace cosimo {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Fewest accepted steps that tell a rate.
constexpr std::int64_t fewest_steps = 4;

/// More do not find much shorter times.
constexpr int most_repetitions = 5;

/// Raises a flag when the time is up, or when the user interrupts. Runs poll the flag.
class Watch {
 public:
  explicit Watch(const std::atomic<bool>* interrupt)
      : thread_([this, interrupt](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            if (seconds_since(begin_) > limit_ || (interrupt && interrupt->load())) flag_ = true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
          }
        }) {}

  const std::atomic<bool>* flag() const { return &flag_; }
  /// From now on. Before, there is no limit.
  void allow(double seconds) { limit_ = seconds_since(begin_) + seconds; }
  void raise() { flag_ = true; }

 private:
  const Clock::time_point begin_ = Clock::now();
  std::atomic<bool> flag_{false};
  std::atomic<double> limit_{std::numeric_limits<double>::infinity()};
  std::jthread thread_;  // the last member: it ends before the others do
};

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
  Stopwatch(const PilotOptions& options, double hand_over, Watch& watch, PilotCosts& costs)
      : options_(options), hand_over_(hand_over), watch_(watch), costs_(costs), begin_(Clock::now()) {}

  void output(double, std::span<const double>, std::span<const double>) override {}

  void step(const StepRow& row, const Scheme&, const AttemptCost& cost) override {
    const double solve = std::accumulate(cost.solve.begin(), cost.solve.end(), 0.0);
    const double all = std::accumulate(cost.threads.begin(), cost.threads.end(), 0.0);
    const double batches = 1.0 + row.iterations;
    costs_.solve.insert(costs_.solve.end(), cost.solve.begin(), cost.solve.end());
    for (const double work : cost.work) costs_.work.push_back(batches * work);
    costs_.steps.push_back({row.t, row.H, row.accepted, std::max(0.0, all - solve),
                            cost.interface + cost.snapshot,
                            options_.threads > 1 ? cost.transport : batches * hand_over_});
  }

  void macro_point(double t, double, int) override {
    reached_ = t;
    if (seconds_since(begin_) > options_.wall_s) watch_.raise();
  }

  double reached() const { return reached_; }

 private:
  const PilotOptions& options_;
  double hand_over_;
  Watch& watch_;
  PilotCosts& costs_;
  Clock::time_point begin_;
  double reached_ = 0;
};

std::string scheme_of(const config::Scenario& scenario, const Assembly& assembly) {
  if (!assembly.cut()) return "none";
  if (assembly.overlap) return "explicit, overlap";
  return std::string(scheme_name(scheme_kind(scenario))) + ", " +
         decomposition_name(assembly.partition.interface);
}

/// One run from the start; `costs` and `pilot` tell how it went.
void run_once(const config::Scenario& scenario, const Assembly& assembly, const PilotOptions& options,
              double hand_over, Watch& watch, Pilot& pilot, PilotCosts& costs) {
  Session session(scenario, assembly, options.threads);
  if (options.end > 0) session.loop.end = std::min(session.loop.end, options.end);
  Stopwatch stopwatch(options, hand_over, watch, costs);
  TimeLoop loop(assembly, *session.lanes, *session.scheme, *session.control, session.loop, stopwatch, nullptr,
                watch.flag());
  watch.allow(2 * options.wall_s);
  const LoopResult result = loop.run();
  pilot.status = result.status;
  pilot.reason = result.reason;
  pilot.reached = std::max(pilot.reached, stopwatch.reached());
  const bool asked = options.interrupt && options.interrupt->load();
  if (result.status == LoopResult::Status::interrupted && !asked) {
    pilot.status = LoopResult::Status::ok;
    pilot.reason.clear();
  }
}

}  // namespace

void PilotCosts::take_shorter(const PilotCosts& other, std::size_t subsystems) {
  const std::size_t common = std::min(steps.size(), other.steps.size());
  for (std::size_t i = 0; i < common; ++i) {
    Step& mine = steps[i];
    const Step& theirs = other.steps[i];
    mine.beside = std::min(mine.beside, theirs.beside);
    mine.serial = std::min(mine.serial, theirs.serial);
    mine.hand_over = std::min(mine.hand_over, theirs.hand_over);
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
      if (work[i] > 0) solve[i] = *median * work[i];
  }
}

Pilot run_pilot(const config::Scenario& scenario, const PilotOptions& options) {
  Pilot pilot;
  Watch watch(options.interrupt);
  config::Scenario timed = scenario;  // measuring and drawing beside the run would be timed with it
  timed.simulate.local_error = timed.simulate.vtk = false;
  const auto assembly = assemble(timed, watch.flag());
  pilot.subsystems = assembly->subsystems.size();
  pilot.couplings = assembly->laws->size();
  pilot.stages = assembly->stages;
  pilot.scheme = scheme_of(timed, *assembly);
  pilot.choices = assembly->choices;
  const double hand_over = options.threads > 1 || pilot.subsystems < 2 ? 0 : hand_over_seconds();
  const auto begin = Clock::now();
  run_once(timed, *assembly, options, hand_over, watch, pilot, pilot.costs);
  const double once = seconds_since(begin);
  for (int i = 1; i < most_repetitions && pilot.measured() && !watch.flag()->load() &&
                  seconds_since(begin) + once < options.wall_s;
       ++i) {
    PilotCosts again;
    run_once(timed, *assembly, options, hand_over, watch, pilot, again);
    pilot.costs.take_shorter(again, pilot.subsystems);
  }
  pilot.costs.follow_work(pilot.subsystems);
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

PilotTimes::PilotTimes(const Pilot& pilot, std::size_t cores) : steps_(pilot.costs.steps) {
  StepSchedule schedule(pilot.stages);
  seconds_.reserve(steps_.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::span<const double> solve(pilot.costs.solve.data() + i * pilot.subsystems, pilot.subsystems);
    seconds_.push_back(
        schedule.seconds({solve, steps_[i].beside, steps_[i].serial, steps_[i].hand_over}, cores));
  }
}

double PilotTimes::sum(const Stretch& stretch) const {
  double result = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (steps_[i].t >= stretch.begin && steps_[i].t < stretch.end) result += seconds_[i];
  return result;
}

double PilotTimes::rate(const Stretch& stretch) const {
  return stretch.end > stretch.begin ? sum(stretch) / (stretch.end - stretch.begin) : 0;
}

double PilotTimes::expected(const Stretch& stretch, double end) const {
  return sum({-1.0, stretch.begin}) + rate(stretch) * (end - stretch.begin);
}

}  // namespace cosimo
