#include "cosimo/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/counted.hpp"
#include "core/settings.hpp"

namespace cosimo {

namespace {

using Json = nlohmann::ordered_json;

Json subsystem_json(const SubsystemReport& s) {
  return {{"bodies", s.bodies},
          {"method", s.method},
          {"micro_steps", s.micro_steps},
          {"rejected_micro_steps", s.rejected_micro_steps},
          {"evaluations", s.evaluations},
          {"factorizations", s.factorizations},
          {"method_switches", s.method_switches},
          {"stiff_steps", s.stiff_steps},
          {"merson_steps", s.merson_steps},
          {"seconds", s.seconds},
          {"idle", s.idle},
          {"rank", s.rank}};
}

Json time_json(const TimeShare& t) {
  return {{"solve", t.solve},         {"idle", t.idle},           {"snapshot", t.snapshot},
          {"interface", t.interface}, {"transport", t.transport}, {"output", t.output}};
}

Json rank_json(const RankReport& r) {
  return {{"host", r.host},
          {"threads", r.threads},
          {"subsystems", r.subsystems},
          {"memory_mb", r.memory_mb},
          {"time", time_json(r.time)}};
}

Json sections_json(const Report& r) {
  Json all = Json::array();
  for (const SectionReport& s : r.sections)
    all.push_back({{"name", s.name}, {"meaning", s.meaning}, {"work", s.work}, {"waiting", s.waiting}});
  return all;
}

Json assembly_json(const Report& r) {
  Json out = Json::object();
  for (const Report::Shift& shift : r.assembly)
    out[shift.quantity] = {{"body", shift.body}, {"shift", shift.amount}};
  return out;
}

std::string orders(const Report& r) {
  std::string text;
  for (const auto& [kappa, share] : r.order_share)
    text += fmt::format("{}{}: {:.0f} %", text.empty() ? "" : ", ", kappa, 100 * share);
  return text;
}

/// "rk (18), rosenbrock (2)"
std::string methods(const Report& r) {
  std::map<std::string, int> count;
  for (const SubsystemReport& s : r.subsystems) ++count[s.method];
  std::string text;
  for (const auto& [method, n] : count) text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", method, n);
  return text;
}

/// What the error of a cut did to the macro steps, as far as it did anything.
/// Errors below are of signals that are recorded only: their tolerance is endless.
constexpr double hardly_judged = 1e-100;

std::string demanding_cut(const Report::Blame& blame) {
  const std::string error = fmt::format("up to {:.2g} times the tolerance", blame.largest_error);
  if (blame.rejected_steps == 0) return fmt::format("{}: error {}", blame.name, error);
  const std::string rejected =
      fmt::format("{}: {}", blame.name, counted(blame.rejected_steps, "rejected step"));
  return blame.largest_error > 0 ? fmt::format("{}, in accepted ones an error {}", rejected, error)
                                 : rejected;
}

void line(std::string& out, const char* label, const std::string& value) {
  if (!value.empty()) out += fmt::format("  {:<22} {}\n", label, value);
}

void time_lines(std::string& out, const Report& r) {
  struct Row {
    const char* name;
    double seconds;
    const char* meaning;
  };
  const Row rows[] = {{"solve", r.time.solve, "solvers, on the busiest thread"},
                      {"idle", r.time.idle, "waiting for the slowest thread of each step"},
                      {"snapshot", r.time.snapshot, "saving solver memory"},
                      {"interface", r.time.interface, "predicting, coupling, estimating"},
                      {"transport", r.time.transport,
                       r.ranks > 1 ? "messages, and waiting for other ranks" : "handing work to threads"},
                      {"output", r.time.output, "recording results"}};
  out += "  where the time went\n";
  for (const Row& row : rows)
    out += fmt::format("    {:<12} {:>10.4f} s  {:>5.1f} %  {}\n", row.name, row.seconds,
                       100 * row.seconds / std::max(r.wall_s, 1e-12), row.meaning);
  if (r.rank_reports.size() < 2) return;
  constexpr std::size_t shown = 16;
  out += fmt::format("    {:<6}{:<16}{:>6}{:>9}{:>10}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "rank", "host",
                     "parts", "MB", "solve", "idle", "snapshot", "interf.", "transport", "output");
  for (std::size_t i = 0; i < std::min(shown, r.rank_reports.size()); ++i) {
    const RankReport& rank = r.rank_reports[i];
    const TimeShare& t = rank.time;
    out +=
        fmt::format("    {:<6}{:<16.15}{:>6}{:>9.0f}{:>10.4f}{:>10.4f}{:>10.4f}{:>10.4f}{:>10.4f}{:>10.4f}\n",
                    i, rank.host, rank.subsystems, rank.memory_mb, t.solve, t.idle, t.snapshot, t.interface,
                    t.transport, t.output);
  }
  if (r.rank_reports.size() > shown)
    out += fmt::format("    and {}, in summary.json\n", counted(r.rank_reports.size() - shown, "more rank"));
}

/// Keys as in the scenario where there is one.
Json sizes_json(const Report::Sizes& s, const std::string& prefix) {
  const bool tolerance = !prefix.empty();
  Json j = {{prefix + (tolerance ? "pos" : "displacement"), s.position},
            {prefix + (tolerance ? "vel" : "velocity"), s.velocity}};
  if (s.angle > 0 || s.angular_velocity > 0) {
    j[prefix + "angle"] = s.angle;
    j[prefix + "angular_velocity"] = s.angular_velocity;
  }
  return j;
}

}  // namespace

std::string to_json(const Report& r) {
  Json shares = Json::object();
  for (const auto& [kappa, share] : r.order_share) shares[std::to_string(kappa)] = share;
  Json subsystems = Json::array();
  for (const SubsystemReport& s : r.subsystems) subsystems.push_back(subsystem_json(s));
  Json ranks = Json::array();
  for (const RankReport& rank : r.rank_reports) ranks.push_back(rank_json(rank));
  Json j = {
      {"status", r.status},
      {"outcome", {{"reason", r.outcome.reason}, {"time", r.outcome.time}, {"culprit", r.outcome.culprit}}},
      {"wall_s", r.wall_s},
      {"cpu_s", r.cpu_s},
      {"t_end", r.t_end},
      {"macro_steps", r.macro_steps},
      {"rejected_steps", r.rejected_steps},
      {"corrector_iterations", r.corrector_iterations},
      {"corrector_failures", r.corrector_failures},
      {"micro_steps_total", r.micro_steps_total},
      {"micro_steps_max", r.micro_steps_max},
      {"mean_H", r.mean_H},
      {"order_share", shares},
      {"scheme", r.scheme},
      {"decomposition", r.decomposition},
      {"estimator", r.estimator},
      {"details", r.details},
      {"choices", r.choices},
      {"assembly", assembly_json(r)},
      {"advice", r.advice},
      {"tolerances",
       {{"solve", sizes_json(r.tolerances.solve, "atol_")},
        {"control", sizes_json(r.tolerances.control, "atol_")},
        {"motion", sizes_json(r.tolerances.motion, "")}}},
      {"layers", r.layers},
      {"blame",
       {{"name", r.blame.name},
        {"element", r.blame.element},
        {"bodies", {r.blame.bodies[0], r.blame.bodies[1]}},
        {"rejected_steps", r.blame.rejected_steps},
        {"largest_error", r.blame.largest_error}}},
      {"speedup_bound", r.speedup_bound},
      {"time", time_json(r.time)},
      {"sections", sections_json(r)},
      {"subsystems", subsystems},
      {"parts", r.parts},
      {"threads", r.threads},
      {"ranks", r.ranks},
      {"rank_reports", ranks},
      {"bodies", r.bodies},
      {"version", r.version},
      {"command", r.command},
      {"started", r.started}};
  for (const Report::Measure& m : r.measures)
    j["measures"][m.set][m.column] = {{"min", m.least}, {"max", m.greatest}, {"rms", m.rms}};
  for (const auto& [quantity, unit] : r.units) j["units"][quantity] = unit;
  if (r.resumed_from) j["resumed_from"] = *r.resumed_from;
  if (r.local_error)
    j["local_error"] = {{"position", r.local_error->position}, {"velocity", r.local_error->velocity}};
  return j.dump(2) + "\n";
}

std::string to_table(const Report& r) {
  const bool cut = r.parts > 1;
  std::string out;
  out += r.status == "ok" ? fmt::format("Done: t = {:.6g} reached in {:.3g} s\n", r.outcome.time, r.wall_s)
                          : fmt::format("{}: stopped at t = {:.9g} of {:.6g} after {:.3g} s\n",
                                        r.status == "failed" ? "Failed" : "Interrupted", r.outcome.time,
                                        r.t_end, r.wall_s);
  line(out, "reason", r.outcome.reason);
  if (r.resumed_from) line(out, "resumed", fmt::format("from a checkpoint at t = {:.6g}", *r.resumed_from));
  const std::string bodies = r.bodies > 0 ? counted(r.bodies, "body") + " in " : "";
  line(out, "model",
       cut || r.bodies == 0 ? fmt::format("{}{} on {}{}", bodies, counted(r.parts, "subsystem"),
                                          r.ranks > 1 ? fmt::format("{} ranks with ", r.ranks) : "",
                                          counted(r.threads, "thread"))
                            : counted(r.bodies, "body") + ", uncut");
  if (cut) {
    line(out, "scheme",
         fmt::format("{}, {}, {}{}{}", r.scheme, r.decomposition, r.estimator, r.details.empty() ? "" : "; ",
                     r.details));
    line(out, "macro steps",
         fmt::format("{} accepted, {} rejected, mean H = {:.4g}", r.macro_steps, r.rejected_steps, r.mean_H));
    if (r.corrector_iterations > 0 && choice_of<SchemeKind>(r.scheme) == SchemeKind::semi_implicit)
      line(out, "corrector",
           fmt::format("1 iteration per step, {} left too large a residual", r.corrector_failures));
    else if (r.corrector_iterations > 0)
      line(out, "corrector",
           fmt::format("{:.2f} iterations per step, {} without convergence",
                       static_cast<double>(r.corrector_iterations) /
                           static_cast<double>(std::max<std::int64_t>(1, r.macro_steps + r.rejected_steps)),
                       r.corrector_failures));
    if (r.layers > 0)
      line(out, "overlap", fmt::format("up to {} of copies behind a cut", counted(r.layers, "layer")));
    else
      line(out, "order", orders(r));
    if (r.blame.rejected_steps > 0 || r.blame.largest_error > hardly_judged)
      line(out, r.blame.element > 0 ? "most demanding cut" : "most demanding signal", demanding_cut(r.blame));
  }
  line(out, "solver", methods(r));
  line(
      out, "micro steps",
      cut ? fmt::format("{} kept in all, {} in the busiest subsystem", r.micro_steps_total, r.micro_steps_max)
          : fmt::format("{} kept", r.micro_steps_total));
  if (r.local_error)
    line(out, "local error (5.2)",
         fmt::format("position {:.3g}, velocity {:.3g}", r.local_error->position, r.local_error->velocity));
  time_lines(out, r);
  if (cut)
    line(out, "speed-up bound",
         fmt::format("{:.1f} with enough threads (work / critical path)", r.speedup_bound));
  for (const std::string& choice : r.choices) line(out, "chosen", choice);
  for (const std::string& advice : r.advice) line(out, "advice", advice);
  return out;
}

}  // namespace cosimo
