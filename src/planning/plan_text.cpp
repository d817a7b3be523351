// A plan for people: about one and a half screens, whatever the size of the model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/counted.hpp"
#include "cosimo/plan.hpp"
#include "planning/plan_predict.hpp"

namespace cosimo {

namespace {

/// Longer lists are for plan.json.
constexpr std::size_t most_parts = 6, most_cuts = 3, most_left_out = 6;

/// Beside this machine's: a small cluster, a large one, all that is predicted.
constexpr std::array<std::int64_t, 3> shown_cores{16, 128, 1000};

std::string more(std::size_t count, std::size_t most) {
  return count > most ? fmt::format("  ... and {} more\n", count - most) : "";
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 600) return fmt::format("{:.3g} s", seconds);
  if (seconds < 36000) return fmt::format("{:.3g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

std::string part_table(const CutPlan& plan) {
  const bool measured = std::any_of(plan.parts.begin(), plan.parts.end(),
                                    [](const PlannedPart& part) { return part.measured_share > 0; });
  std::string text = fmt::format("  {:>5} {:>9} {:>9} {:>6} {:>12} {:>14} {:>14}\n", "part", "bodies",
                                 "freedoms", "cuts", "micro steps", "expected cost", "measured cost");
  for (std::size_t i = 0; i < std::min(plan.parts.size(), most_parts); ++i) {
    const PlannedPart& part = plan.parts[i];
    text += fmt::format("  {:>5} {:>9} {:>9.0f} {:>6} {:>11.1f}x {:>12.1f} % {:>14}\n", i + 1, part.bodies,
                        part.freedoms, part.cuts, part.steps, 100 * part.expected_share,
                        measured ? fmt::format("{:.1f} %", 100 * part.measured_share) : "-");
  }
  return text + more(plan.parts.size(), most_parts);
}

std::string cut_list(const CutPlan& plan) {
  std::string text;
  for (std::size_t i = 0; i < std::min(plan.cuts.size(), most_cuts); ++i) {
    const PlannedCut& cut = plan.cuts[i];
    text += fmt::format("  {} between {} and {} (parts {} and {})\n      {}\n", cut.name, cut.bodies[0],
                        cut.bodies[1], cut.parts[0], cut.parts[1], cut.reason);
  }
  return text + more(plan.cuts.size(), most_cuts);
}

std::string time_table(const CutPlan& plan) {
  std::string text =
      fmt::format("  {:>10} {:>20} {:>10}\n  {:>10} {:>20} {:>10}\n", "cores", "expected wall time",
                  "speed-up", "1, uncut", duration(plan.uncut_wall_s), "1.00");
  for (const ExpectedTime& time : plan.times)
    text += fmt::format("  {:>10} {:>20} {:>10.2f}{}\n",
                        time.cores > 0 ? std::to_string(time.cores) : "unlimited", duration(time.wall_s),
                        time.speedup, time.cores == plan.machine_cores ? "  this machine" : "");
  return text;
}

std::vector<std::int64_t> columns_of(const CutPlan& plan) {
  std::vector<std::int64_t> cores{1};
  if (plan.machine_cores > 1) cores.push_back(plan.machine_cores);
  for (const std::int64_t more_cores : shown_cores)
    if (more_cores > plan.machine_cores) cores.push_back(more_cores);
  return cores;
}

std::string trial_row(const SchemeTrial& trial, const std::string& name, const CutPlan& plan) {
  const std::string error = trial.error_seen >= 0 ? fmt::format("{:.1e}", trial.error_seen) : "-";
  const std::string rtol = trial.rtol > 0 ? fmt::format("{:.1e}", trial.rtol) : "-";
  std::string text = fmt::format("  {:<27} {:>8} {:>8}", name, rtol, error);
  if (trial.predictions.empty()) return text + "  " + trial.reason + "\n";
  for (const std::int64_t cores : columns_of(plan))
    text += cores > prediction_on(trial, cores).threads && trial.parts == 1
                ? fmt::format(" {:>9}", "")
                : fmt::format(" {:>9}", duration(prediction_on(trial, cores).wall_s.value));
  return text + fmt::format(" {:>8.0f}\n", trial.predictions.front().memory_mb);
}

std::string trial_table(const CutPlan& plan) {
  std::string text = fmt::format("  {:<27} {:>8} {:>8}", "", "rtol", "error");
  for (const std::int64_t cores : columns_of(plan))
    text += fmt::format(" {:>9}", counted(cores, cores > plan.machine_cores ? "rank" : "core"));
  text += fmt::format(" {:>8}\n", "MB");
  for (const SchemeTrial& trial : plan.schemes)
    text += trial_row(trial, trial.name + (trial.of_file ? " *" : ""), plan);
  for (const SchemeTrial& trial : plan.part_counts)
    text += trial_row(trial, fmt::format("{}, {} parts", plan.recommended.scheme, trial.parts), plan);
  return text;
}

std::string left_out(const CutPlan& plan) {
  // Those with one reason stand together.
  std::vector<LeftOut> groups;
  for (const LeftOut& one : plan.left_out) {
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const LeftOut& group) { return group.reason == one.reason; });
    if (same == groups.end())
      groups.push_back(one);
    else
      same->name += "; " + one.name;
  }
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), most_left_out); ++i)
    text += fmt::format("  left out: {}: {}\n", groups[i].name, groups[i].reason);
  return text + more(groups.size(), most_left_out);
}

std::string schemes(const CutPlan& plan) {
  if (plan.schemes.size() < 2 && plan.left_out.empty()) return "";
  std::string text = fmt::format(
      "\nSchemes, the whole run (* as the file says; ranks: {:.2g} us, {:.2g} GB/s between machines)\n",
      1e6 * plan.messages.latency, 1e-9 * plan.messages.bandwidth);
  text += trial_table(plan) + left_out(plan);
  if (plan.error_target > 0)
    text += fmt::format(
        "  error: of the motion up to t = {:.3g} against an accurate uncut run; the target was {:.1e}\n",
        plan.error_until, plan.error_target);
  return text;
}

/// The same shared by the threads of this machine.
std::string by_a_team(const CutPlan& plan) {
  if (plan.schemes.empty() || plan.schemes.front().predictions.empty()) return "";
  const Prediction& here = prediction_on(plan.schemes.front(), plan.machine_cores);
  return here.threads > 1 ? fmt::format(", {} on {}", duration(here.wall_s.value), here.threads) : "";
}

std::string sureness(const CutPlan& plan) {
  const auto same = [&](const SchemeTrial& trial) {
    return trial.name == plan.recommended.scheme && trial.parts == plan.recommended.parts &&
           !trial.predictions.empty();
  };
  const SchemeTrial* chosen = nullptr;
  for (const auto* list : {&plan.schemes, &plan.part_counts})
    for (const SchemeTrial& trial : *list)
      if (same(trial)) chosen = &trial;
  if (chosen == nullptr || plan.confidence.text.empty()) return "";
  const Estimate& wall = prediction_on(*chosen, plan.machine_cores).wall_s;
  std::string text = fmt::format("Expected on {}: {} to {}", counted(plan.machine_cores, "core"),
                                 duration(wall.low), duration(wall.high));
  if (chosen->error.high > 0)
    text += chosen->error.high > 1.05 * chosen->error.low
                ? fmt::format(", error {:.1e} to {:.1e}", chosen->error.low, chosen->error.high)
                : fmt::format(", error {:.1e}", chosen->error.value);
  return text + ". " + plan.confidence.text + "\n";
}

std::string keys(const CutPlan& plan) {
  if (plan.recommended.settings.size() < 2) return "";
  std::string text = plan.worth_cutting ? fmt::format("  {}, expected to be {}:\n", plan.recommended.scheme,
                                                      plan.recommended.reason)
                                        : fmt::format("  Cut nevertheless, best with {}, {}:\n",
                                                      plan.recommended.scheme, plan.recommended.reason);
  for (std::size_t i = 1; i < plan.recommended.settings.size(); ++i)
    text += fmt::format("  --set '{}'\n", plan.recommended.settings[i]);
  return text;
}

}  // namespace

std::string to_text(const CutPlan& plan) {
  std::string text = "Model: " + plan.model + "\n";
  if (plan.parts.size() == 1) {
    text += "Proposed: one part, nothing is cut\n";
  } else {
    const std::size_t cuts = plan.cuts.size();
    text += fmt::format("Proposed: {}, {}\n\n", counted(plan.parts.size(), "part"), counted(cuts, "cut"));
    text += part_table(plan);
    if (cuts > 0) text += "\nCuts\n" + cut_list(plan);
  }
  if (!plan.times.empty()) {
    text +=
        fmt::format("\nThe whole run, expected from pilot runs to t = {:.3g} ({}) and, uncut, t = {:.3g}\n",
                    plan.pilot.reached, plan.scheme, plan.uncut.reached);
    text += time_table(plan);
  } else if (plan.uncut.ok) {
    text += fmt::format("\nThe whole run, expected from a pilot run to t = {:.3g}: {} uncut on one core{}\n",
                        plan.uncut.reached, duration(plan.uncut_wall_s), by_a_team(plan));
  }
  text += schemes(plan) + "\n";
  for (const std::string& remark : plan.remarks) text += "Remark: " + remark + "\n";
  text += plan.recommendation + "\n" + keys(plan) + sureness(plan);
  return text + fmt::format("Pilot runs took {:.1f} s of at most {:.2g} s.\n", plan.pilots_wall_s,
                            plan.pilots_limit_s);
}

}  // namespace cosimo
