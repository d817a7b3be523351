#include "planning/plan_predict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

constexpr double always = 0.05, on_threads = 0.05, on_ranks = 0.15, unseen_always = 0.1, after_edges = 0.5;
constexpr double slower_network = 3;
constexpr double MB = 1024.0 * 1024.0;
constexpr double numbers_in_a_block = 131072, fewest_rows = 4, copies_of_a_row = 2.5, rows_of_times = 2000;

/// Between repeated runs; one alone says nothing, and is taken to differ by a little.
double spread_of(std::vector<double> seconds) {
  if (seconds.size() < 2) return always;
  std::sort(seconds.begin(), seconds.end());
  return seconds.front() > 0 ? seconds[seconds.size() / 2] / seconds.front() - 1 : 0;
}

double drift_of(const Pilot& pilot, const Stretch& s) {
  const PilotTimes times(pilot, {});
  const double all = times.rate(s);
  if (!(all > 0)) return 0;
  // Thirds that begin and end with macro steps.
  const auto step_from = [&](double t) {
    for (const PilotCosts::Step& step : pilot.costs.steps)
      if (step.t >= t) return step.t;
    return s.end;
  };
  const double third = (s.end - s.begin) / 3;
  const double first = step_from(s.begin + third), last = step_from(s.begin + 2 * third);
  return last < s.end ? (times.rate({last, s.end}) - times.rate({s.begin, first})) / all : 0;
}

std::string sentence(const Confidence& c, const Pilot& pilot) {
  std::string text = c.level == "good" ? "Quite sure: " : c.level == "fair" ? "Fairly sure: " : "A guess: ";
  text += c.coverage >= 1 ? "the pilot saw the whole run"
                          : fmt::format("the pilot saw {:.2g} % of the run", 100 * c.coverage);
  if (pilot.repetitions.size() > 1)
    text += fmt::format(", {} repetitions differ by {:.0f} %", pilot.repetitions.size(), 100 * c.spread);
  if (c.coverage < 1)
    text += fmt::format(", the cost per simulated time changed by {:+.0f} % over it", 100 * c.drift);
  if (c.edges_beyond) text += fmt::format(", loads change after it (first at t = {:.3g})", pilot.next_edge);
  return text + ".";
}

double uncertainty(const Confidence& c, const Platform& platform) {
  const double unseen = 1 - c.coverage;
  return 1 + always + c.spread +
         (platform.ranks       ? on_ranks
          : platform.cores > 1 ? on_threads
                               : 0) +
         unseen * (unseen_always + std::abs(c.drift) + (c.edges_beyond ? after_edges : 0));
}

double memory_mb(const Pilot& pilot, const Outlook& o, std::size_t ranks, double macro_steps) {
  const double share = ranks > 1 ? largest_share(pilot.subsystems, ranks) : 1;
  const double model = o.model_bytes * (ranks > 1 && o.windowed ? share : 1);
  const double parts = std::max(0.0, pilot.held_bytes - o.model_bytes) * share;
  const double rows = std::min(o.rows > 0 ? o.rows : macro_steps,
                               std::max(fewest_rows, numbers_in_a_block / std::max(1.0, o.columns)));
  const double recording = copies_of_a_row * 2 * rows * o.columns * sizeof(double) +
                           std::min(macro_steps, rows_of_times) * static_cast<double>(pilot.subsystems) * 16;
  return (o.program_bytes + model + parts + recording) / MB;
}

double expected_steps(const Pilot& pilot, double end) {
  return pilot.reached > 0 ? static_cast<double>(pilot.costs.steps.size()) * end / pilot.reached : 0;
}

}  // namespace

Confidence judge(const Pilot& pilot, const Stretch& stretch, double end) {
  Confidence c;
  if (!pilot.measured()) return c;
  c.coverage = std::min(1.0, pilot.reached / end * (1 + 1e-9));
  c.spread = spread_of(pilot.repetitions);
  c.drift = drift_of(pilot, stretch);
  c.edges_beyond = c.coverage < 1 && pilot.next_edge < end;
  const bool calm = std::abs(c.drift) < 0.3 && !c.edges_beyond;
  if (c.coverage >= 1 && c.spread < 0.2)
    c.level = "good";
  else if (c.spread < 0.4 && (c.coverage >= 1 || (c.coverage > 0.1 && calm && pilot.settled)))
    c.level = "fair";
  else
    c.level = "guess";
  c.text = sentence(c, pilot);
  return c;
}

double shared_by_team(double speedup, std::size_t members) {
  if (members < 2 || !(speedup > 1)) return 0;
  return std::min(1.0, (1 - 1 / speedup) / (1 - 1 / static_cast<double>(members)));
}

double slowdown_on(const Outlook& o, std::size_t cores) {
  if (o.machine_cores < 2) return 1;
  const auto busy = static_cast<double>(std::min(cores, o.machine_cores) - 1);
  return 1 + (o.messages.slowdown - 1) * busy / static_cast<double>(o.machine_cores - 1);
}

std::vector<Prediction> predict(const Pilot& pilot, const Stretch& stretch, const Confidence& confidence,
                                const Outlook& o) {
  std::vector<Prediction> all;
  for (const std::size_t cores : predicted_counts(o.machine_cores)) {
    Platform platform{.cores = cores, .ranks = cores > o.machine_cores, .messages = o.messages};
    const std::size_t used = std::min(cores, std::max<std::size_t>(1, pilot.subsystems));
    platform.slowdown = slowdown_on(o, used);
    if (o.messages.hand_over > 0) platform.hand_over = o.messages.hand_over;
    if (pilot.subsystems == 1) platform = {};
    const PilotTimes times(pilot, platform);
    Prediction p;
    p.cores = static_cast<std::int64_t>(cores);
    (platform.ranks ? p.ranks : p.threads) = static_cast<std::int64_t>(used);
    p.time = times.shares(stretch, o.end);
    double wall = times.expected(stretch, o.end);
    if (pilot.shared > 0) {
      p.threads = static_cast<std::int64_t>(std::min({cores, o.machine_cores, pilot.members}));
      const double saved = pilot.shared * (1 - 1 / static_cast<double>(p.threads)) * wall;
      p.time.solve = std::max(0.0, p.time.solve - saved);
      wall -= saved;
      if (p.threads > 1) platform.cores = static_cast<std::size_t>(p.threads);  // for the range
    }
    const double f = uncertainty(confidence, platform);
    p.wall_s = {wall, wall / f, wall * f};
    if (platform.ranks) {
      const double fast = o.messages.latency_here / o.messages.latency;
      p.wall_s.low = std::max(0.0, (wall - (1 - fast) * p.time.messages) / f);
      p.wall_s.high = (wall + (slower_network - 1) * p.time.messages) * f;
    }
    p.speedup = o.uncut_wall_s > 0 && wall > 0 ? o.uncut_wall_s / wall : 0;
    p.memory_mb = memory_mb(pilot, o, static_cast<std::size_t>(p.ranks), expected_steps(pilot, o.end));
    all.push_back(p);
  }
  return all;
}

Estimate error_to_end(double seen, double growth, double until, double end) {
  if (!(seen >= 0) || !(until > 0)) return {};
  const double times = std::max(1.0, end / until);
  return {seen * std::pow(times, growth), seen, seen * times};
}

const Prediction& prediction_on(const SchemeTrial& trial, std::int64_t cores) {
  const Prediction* best = &trial.predictions.front();
  for (const Prediction& p : trial.predictions)
    if (p.cores <= cores) best = &p;
  return *best;
}

}  // namespace cosimo
