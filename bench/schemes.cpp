// Work and precision of every scheme and estimator on four models: the error of a run against its wall time
// and against the number of subsystem integrations that it took.
//
// The error is the NRMSE (5.2) of the bodies beside the cuts against an uncut run with rtol 1e-10. Every
// scheme runs at several tolerances; the subsystems are integrated a hundred times more accurately than the
// macro step is judged, so that the coupling decides. Between its tolerances a scheme is interpolated
// (log-log), and for every power of ten the scheme that reaches this error in the shortest time is compared
// with uncut rk. The one that needs the fewest integrations stands beside it: it would win if a subsystem
// were expensive.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "bench/benchmarks.hpp"
#include "bench/coupled.hpp"
#include "bench/curve.hpp"

namespace cosimo::bench {

namespace {

/// How a competitor is told its tolerance.
enum class Kind { classic, overlap, uncut };

struct Competitor {
  std::string name;
  Kind kind = Kind::classic;
  std::vector<std::string> overrides;
};

struct Case {
  std::string name, text;
  int threads = 1;
  std::vector<double> tolerances;       ///< control.rtol of classic schemes
  std::vector<double> fine_tolerances;  ///< solve.rtol of overlap and uncut runs
  bool overlap = false;                 ///< the parts are large enough for it
  const char* reference = "rk";         ///< method of the uncut runs
  std::int64_t max_steps = 0;
};

/// One competitor at one tolerance.
struct Entry {
  Setting setting;
  std::optional<CoupledRun> run;  ///< the fastest; empty: not tried
  double error = 0;
};

using Line = std::vector<Entry>;  ///< a competitor, from the loosest tolerance to the tightest

constexpr double limit = 5;       ///< seconds; a run that takes longer has lost
constexpr double long_run = 0.3;  ///< seconds; measured once

Competitor classic(const std::string& scheme, const std::string& estimator, const std::string& more = "",
                   const std::vector<std::string>& overrides = {}) {
  Competitor c{fmt::format("{} {}{}{}", scheme, estimator, more.empty() ? "" : " ", more),
               Kind::classic,
               {"couple.decomposition=force-force", fmt::format("couple.scheme={}", scheme),
                fmt::format("control.estimator={}", estimator)}};
  c.overrides.insert(c.overrides.end(), overrides.begin(), overrides.end());
  return c;
}

std::vector<Competitor> competitors(const Case& model) {
  std::vector<Competitor> all;
  all.push_back({fmt::format("uncut {}", model.reference),
                 Kind::uncut,
                 {"partition=none", fmt::format("solve.method={}", model.reference)}});
  if (model.overlap) all.push_back({"overlap exOV", Kind::overlap, {"couple.decomposition=overlap"}});
  for (const char* estimator : {"exLE", "exMD", "exCV"}) all.push_back(classic("explicit", estimator));
  all.push_back(classic("explicit", "exCV", "gauss-seidel", {"couple.sequence=gauss-seidel"}));
  for (const char* estimator : {"imMD", "imCV"}) all.push_back(classic("semi-implicit", estimator));
  for (const char* estimator : {"imMD", "imCV"})
    for (const char* jacobian : {"sensitivity", "sap", "fd"})
      all.push_back(classic("implicit", estimator, jacobian, {fmt::format("couple.jacobian={}", jacobian)}));
  all.push_back(classic("waveform", "waCV"));
  all.push_back(classic("waveform", "waCV", "omega 0.3", {"couple.relaxation=0.3"}));
  all.push_back(classic("waveform", "waCV", "gauss-seidel", {"couple.sequence=gauss-seidel"}));
  all.push_back(classic("waveform", "imMD"));
  return all;
}

Line line_of(const Case& model, const Competitor& competitor) {
  const bool is_classic = competitor.kind == Kind::classic;
  Line line;
  for (const double rtol : is_classic ? model.tolerances : model.fine_tolerances) {
    Setting s{competitor.name, competitor.overrides, competitor.kind == Kind::uncut ? 1 : model.threads};
    s.overrides.push_back(fmt::format("solve.rtol={}", is_classic ? 0.01 * rtol : rtol));
    if (is_classic) s.overrides.push_back(fmt::format("control.rtol={}", rtol));
    if (competitor.kind != Kind::uncut)
      s.overrides.push_back(fmt::format("control.max_steps={}", model.max_steps));
    line.push_back({std::move(s), {}, 0});
  }
  return line;
}

/// Runs one entry again, if that is worth it. False: it does not finish, nor will a tighter tolerance.
bool measure(const Case& model, const Trajectory& reference, int round, Entry& entry) {
  if (round > 0 && (!entry.run || !entry.run->finished())) return false;
  if (round > 0 && entry.run->seconds > long_run) return true;
  CoupledRun run = run_coupled(model.text, entry.setting, limit);
  if (round == 0 && run.finished()) entry.error = nrmse_5_2(run.trajectory, reference);
  const bool finished = run.finished();
  if (round == 0 || run.seconds < entry.run->seconds) entry.run = std::move(run);
  return finished;
}

std::vector<Line> measure_all(const Case& model, int rounds) {
  const CoupledRun reference =
      run_coupled(model.text, tight_uncut(model.reference), std::numeric_limits<double>::infinity());
  if (!reference.finished())
    throw std::runtime_error(fmt::format("schemes, {}: {}", model.name, reference.trouble));
  std::vector<Line> lines;
  for (const Competitor& c : competitors(model)) lines.push_back(line_of(model, c));
  for (int round = 0; round < rounds; ++round)
    for (Line& line : lines)
      for (Entry& entry : line)
        if (!measure(model, reference.trajectory, round, entry)) break;
  return lines;
}

std::string cell(const Entry& entry) {
  if (!entry.run) return "-";
  if (!entry.run->finished()) return entry.run->trouble.size() < 24 ? entry.run->trouble : "failed";
  return fmt::format("{:>7.1e} {:7.1f}ms {:6.1f}k", entry.error, 1e3 * entry.run->seconds,
                     1e-3 * static_cast<double>(entry.run->integrations));
}

void print_lines(const Case& model, const std::vector<Line>& lines, Table& table) {
  table.remark(fmt::format("{}: NRMSE (5.2), time, thousands of integrations; {} thread{}", model.name,
                           model.threads, model.threads == 1 ? "" : "s"));
  for (const bool fine : {true, false}) {
    std::string head = fmt::format("{:<30}", fine ? "solve.rtol" : "control.rtol");
    for (const double rtol : fine ? model.fine_tolerances : model.tolerances)
      head += fmt::format(" | {:<25.0e}", rtol);
    table.remark(head);
    for (const Line& line : lines) {
      const std::string& name = line.front().setting.name;
      if ((name.starts_with("uncut") || name.starts_with("overlap")) != fine) continue;
      std::string text = fmt::format("{:<30}", name);
      for (const Entry& entry : line) text += fmt::format(" | {:<25}", cell(entry));
      table.remark(text);
      for (const Entry& entry : line)
        if (entry.run && cell(entry) == "failed")
          table.remark(fmt::format("{:<30}   {}", "", entry.run->trouble));
    }
  }
}

/// Error against time, or against integrations in the place of seconds.
Curve curve(const Line& line, bool integrations) {
  Curve points;
  for (const Entry& e : line)
    if (e.run && e.run->finished() && std::isfinite(e.error))
      points.push_back(
          {0, integrations ? static_cast<double>(e.run->integrations) : e.run->seconds, e.error, 0});
  return points;
}

struct Ranked {
  std::string name;
  double cost = INFINITY;
};

/// All that reach the error, the cheapest first.
std::vector<Ranked> ranking(std::span<const Line> lines, double error, bool integrations) {
  std::vector<Ranked> all;
  for (const Line& line : lines) {
    const Point p = at_error(curve(line, integrations), error);
    if (std::isfinite(p.seconds)) all.push_back({line.front().setting.name, p.seconds});
  }
  std::stable_sort(all.begin(), all.end(), [](const Ranked& a, const Ranked& b) { return a.cost < b.cost; });
  return all;
}

/// Whether some scheme is less accurate than that: otherwise the loosest tolerances would be compared.
bool within_measured(std::span<const Line> lines, double error) {
  return std::any_of(lines.begin(), lines.end(), [&](const Line& line) {
    return std::any_of(line.begin(), line.end(),
                       [&](const Entry& e) { return e.run && e.run->finished() && e.error > error; });
  });
}

void winners(const Case& model, const std::vector<Line>& lines, Table& table) {
  const std::span<const Line> cut = std::span(lines).subspan(1);  // the first is uncut
  for (int decade = -1; decade >= -9; --decade) {
    const double error = std::pow(10.0, decade);
    const auto by_time = ranking(cut, error, false), by_integrations = ranking(cut, error, true);
    if (by_time.empty() || !within_measured(cut, error)) continue;
    const double uncut = at_error(curve(lines.front(), false), error).seconds;
    std::string note;
    if (by_time.size() > 1) note = fmt::format("then {}, {:.3g} s; ", by_time[1].name, by_time[1].cost);
    note += fmt::format("fewest integrations: {}, {:.3g}", by_integrations[0].name, by_integrations[0].cost);
    table.add({"schemes", fmt::format("{}, error {:.0e}: {}", model.name, error, by_time[0].name),
               lines.front().front().setting.name, uncut, by_time[0].cost, "s", uncut / by_time[0].cost,
               Goal::none, 0, note});
  }
}

/// The chain of Section 5.8, scaled down as examples/impulse.yaml is.
std::string impulse_yaml(std::size_t masses, std::size_t parts) {
  return table_5_9_yaml(
      masses,
      fmt::format("    initial: {{x: {{uniform: [-1.0e-2, 1.0e-2]}}, v: {{uniform: [-100, 100]}}}}\n"
                  "    loads: [{{impulse: {{bodies: {{beside_cuts_of: {}}}, sign: alternating, amplitude: "
                  "1.0e6,\n"
                  "                       start: 1.0e-4, duration: 1.0e-3, steepness: 1.0e-6}}}}]",
                  parts));
}

std::vector<Case> cases(const Options& options) {
  const int threads = options.thread_count();
  const double span = options.quick ? 0.1 : 1;
  std::vector<Case> all;
  all.push_back({.name = "Table 5.1 nonlinear",
                 .text = table_5_1_yaml() + run_yaml(50, 10, 0.25 * span),
                 .threads = 1,  // parts of five masses: handing them over costs more than integrating them
                 .tolerances = {1e-2, 1e-3, 1e-4, 1e-5},
                 .fine_tolerances = {1e-4, 1e-5, 1e-6, 1e-7},
                 .max_steps = 100'000});
  all.push_back({.name = "Section 5.8 scaled",
                 .text = impulse_yaml(2000, 20) + run_yaml(2000, 20, 1.5e-3 * span),
                 .threads = threads,
                 .tolerances = {1e-3, 1e-4, 1e-5, 1e-6},
                 .fine_tolerances = {1e-4, 1e-5, 1e-6, 1e-7},
                 .overlap = true,
                 .max_steps = 50'000});
  all.push_back({.name = "steel rod",
                 .text = steel_rod_yaml(1000, 1e-3) + run_yaml(1000, 20, 1e-4),
                 .threads = threads,
                 .tolerances = {1e-3, 1e-4, 1e-5, 1e-6},
                 .fine_tolerances = {1e-4, 1e-5, 1e-6, 1e-7},
                 .overlap = true,
                 .max_steps = 50'000});
  all.push_back({.name = "asymmetric oscillator",
                 .text = asymmetric_yaml(1e3, 1e3) + run_yaml(2, 2, span),
                 .threads = 1,
                 .tolerances = {1e-3, 1e-4, 1e-5, 1e-6},
                 .fine_tolerances = {1e-4, 1e-5, 1e-6, 1e-7},
                 .reference = "rosenbrock",
                 .max_steps = 100'000});
  return all;
}

}  // namespace

void schemes(const Options& options, Table& table) {
  for (const Case& model : cases(options)) {
    const auto lines = measure_all(model, options.quick ? 1 : 3);
    print_lines(model, lines, table);
    winners(model, lines, table);
  }
}

}  // namespace cosimo::bench
