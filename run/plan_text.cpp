// A plan for people and for programs.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cosimo/plan.hpp"

namespace cosimo {

namespace {

using Json = nlohmann::ordered_json;

/// Longer lists are for plan.json.
constexpr std::size_t most_rows = 20;

std::string more(std::size_t count) {
  return count > most_rows ? fmt::format("  ... and {} more\n", count - most_rows) : "";
}

std::string part_table(const CutPlan& plan) {
  const bool measured = std::any_of(plan.parts.begin(), plan.parts.end(),
                                    [](const PlannedPart& part) { return part.measured_share > 0; });
  std::string text = fmt::format("  {:>5} {:>9} {:>9} {:>6} {:>12} {:>14} {:>14}\n", "part", "bodies",
                                 "freedoms", "cuts", "micro steps", "expected cost", "measured cost");
  for (std::size_t i = 0; i < std::min(plan.parts.size(), most_rows); ++i) {
    const PlannedPart& part = plan.parts[i];
    text += fmt::format("  {:>5} {:>9} {:>9.0f} {:>6} {:>11.1f}x {:>12.1f} % {:>14}\n", i + 1, part.bodies,
                        part.freedoms, part.cuts, part.steps, 100 * part.expected_share,
                        measured ? fmt::format("{:.1f} %", 100 * part.measured_share) : "-");
  }
  return text + more(plan.parts.size());
}

std::string cut_list(const CutPlan& plan) {
  std::string text;
  for (std::size_t i = 0; i < std::min(plan.cuts.size(), most_rows); ++i) {
    const PlannedCut& cut = plan.cuts[i];
    text += fmt::format("  {} between {} and {} (parts {} and {})\n      {}\n", cut.name, cut.bodies[0],
                        cut.bodies[1], cut.parts[0], cut.parts[1], cut.reason);
  }
  return text + more(plan.cuts.size());
}

std::string duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", 1e6 * seconds);
  if (seconds < 1) return fmt::format("{:.3g} ms", 1e3 * seconds);
  if (seconds < 600) return fmt::format("{:.3g} s", seconds);
  if (seconds < 36000) return fmt::format("{:.3g} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
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

Json pilot_json(const PilotTime& pilot) {
  return {{"ok", pilot.ok},
          {"reason", pilot.reason},
          {"reached", pilot.reached},
          {"wall_s", pilot.wall_s},
          {"macro_steps", pilot.macro_steps},
          {"rejected_steps", pilot.rejected_steps},
          {"per_simulated_s", pilot.per_simulated_s}};
}

}  // namespace

std::string to_text(const CutPlan& plan) {
  std::string text = "Model: " + plan.model + "\n";
  if (plan.parts.size() == 1) {
    text += "Proposed: one part, nothing is cut\n";
  } else {
    const std::size_t cuts = plan.cuts.size();
    text += fmt::format("Proposed: {} parts, {} cut{}\n\n", plan.parts.size(), cuts, cuts == 1 ? "" : "s");
    text += part_table(plan);
    if (cuts > 0) text += "\nCuts\n" + cut_list(plan);
  }
  if (!plan.times.empty()) {
    text +=
        fmt::format("\nThe whole run, expected from pilot runs to t = {:.3g} ({}) and, uncut, t = {:.3g}\n",
                    plan.pilot.reached, plan.scheme, plan.uncut.reached);
    text += time_table(plan);
  } else if (plan.uncut.ok) {
    text += fmt::format("\nThe whole run, expected from a pilot run to t = {:.3g}: {} uncut on one core\n",
                        plan.uncut.reached, duration(plan.uncut_wall_s));
  }
  text += "\n";
  for (const std::string& remark : plan.remarks) text += "Remark: " + remark + "\n";
  return text + plan.recommendation + "\n";
}

std::string to_json(const CutPlan& plan) {
  Json parts = Json::array(), cuts = Json::array(), times = Json::array();
  for (const PlannedPart& part : plan.parts)
    parts.push_back({{"bodies", part.bodies},
                     {"freedoms", part.freedoms},
                     {"cuts", part.cuts},
                     {"steps", part.steps},
                     {"expected_share", part.expected_share},
                     {"measured_share", part.measured_share}});
  for (const PlannedCut& cut : plan.cuts)
    cuts.push_back({{"element", cut.element},
                    {"name", cut.name},
                    {"bodies", cut.bodies},
                    {"parts", cut.parts},
                    {"cost", cut.cost},
                    {"reason", cut.reason}});
  for (const ExpectedTime& time : plan.times)
    times.push_back({{"cores", time.cores > 0 ? Json(time.cores) : Json("unlimited")},
                     {"wall_s", time.wall_s},
                     {"speedup", time.speedup}});
  const char* const status = plan.status == CutPlan::Status::ok       ? "ok"
                             : plan.status == CutPlan::Status::failed ? "failed"
                                                                      : "interrupted";
  const Json json = {{"status", status},
                     {"model", plan.model},
                     {"scheme", plan.scheme},
                     {"parts", parts},
                     {"cuts", cuts},
                     {"pilot", pilot_json(plan.pilot)},
                     {"uncut", pilot_json(plan.uncut)},
                     {"uncut_wall_s", plan.uncut_wall_s},
                     {"times", times},
                     {"machine_cores", plan.machine_cores},
                     {"worth_cutting", plan.worth_cutting},
                     {"recommendation", plan.recommendation},
                     {"remarks", plan.remarks}};
  return json.dump(2) + "\n";
}

}  // namespace cosimo
