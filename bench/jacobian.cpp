// What the interface Jacobian costs and what it is worth, on the steel rod of A.3, example 1, in 20 parts
// with elements damped more and more: whole runs of the implicit scheme (imMD, rtol 1e-5) with every method
// and both ways of keeping a Jacobian, and single macro steps.
//
// A single step is one of the lightly damped rod with fixed H (the mean of the controlled run with fd),
// quadratic polynomials and one correction that is never good enough: two sweeps over all subsystems and one
// new Jacobian, whatever the method.
//
// Targets, for sensitivity: a whole run takes at most 1.5 times as long as with sap on the lightly damped
// rod, less than with fd at damping ratio 10, and no more than 1.1 times fd's corrector iterations anywhere.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>

#include "bench/benchmarks.hpp"
#include "bench/coupled.hpp"

namespace cosimo::bench {

namespace {

constexpr double limit = 10;    ///< seconds; a run that takes longer has lost
constexpr double long_run = 1;  ///< seconds; measured once
constexpr double end = 1e-4;    ///< simulated: the wave runs through the rod two and a half times
constexpr std::size_t parts = 20;
constexpr double lightly = 1e-3, strongly = 10;  ///< damping ratios that are judged

struct Entry {
  const char* method;
  const char* refresh;
  Setting setting;
  CoupledRun run{};  ///< the fastest
  double error = 0;
};

/// One rod.
struct Rod {
  std::size_t elements;
  double damping_ratio;
  std::string text;
  int threads;

  std::string name() const { return fmt::format("{} elements, damping ratio {:g}", elements, damping_ratio); }
};

std::vector<Entry> entries(const Rod& rod) {
  std::vector<Entry> all;
  for (const char* refresh : {"auto", "always"})
    for (const char* method : {"fd", "sap", "{series: 2}", "rk", "sensitivity"}) {
      // One series term costs nothing and is new in every step either way.
      if (std::string_view(method) == "sap" && std::string_view(refresh) == "always") continue;
      all.push_back({method,
                     refresh,
                     {fmt::format("{} {}", method, refresh),
                      {"couple.decomposition=force-force", "couple.scheme=implicit", "control.estimator=imMD",
                       "control.rtol=1e-5", fmt::format("couple.jacobian={}", method),
                       fmt::format("couple.refresh={}", refresh)},
                      rod.threads}});
    }
  return all;
}

std::vector<Entry> measured(const Rod& rod, int rounds) {
  const CoupledRun reference =
      run_coupled(rod.text, tight_uncut("auto"), std::numeric_limits<double>::infinity());
  if (!reference.finished()) throw std::runtime_error(fmt::format("jacobian: {}", reference.trouble));
  std::vector<Entry> all = entries(rod);
  for (int round = 0; round < rounds; ++round)
    for (Entry& e : all) {
      if (round > 0 && (!e.run.finished() || e.run.seconds > long_run)) continue;
      CoupledRun run = run_coupled(rod.text, e.setting, limit);
      if (round == 0 && run.finished()) e.error = nrmse_5_2(run.trajectory, reference.trajectory);
      if (round == 0 || run.seconds < e.run.seconds) e.run = std::move(run);
    }
  return all;
}

const Entry& find(std::span<const Entry> all, std::string_view method, std::string_view refresh) {
  return *std::find_if(all.begin(), all.end(),
                       [&](const Entry& e) { return e.method == method && e.refresh == refresh; });
}

double per_step(const CoupledRun& run, std::int64_t count) {
  return static_cast<double>(count) / static_cast<double>(run.macro_steps + run.rejected_steps);
}

/// Seconds over seconds; a run that does not finish takes forever.
double ratio(const Entry& a, const Entry& b) {
  if (!b.run.finished()) return 0;
  return a.run.finished() ? a.run.seconds / b.run.seconds : INFINITY;
}

void print(const Rod& rod, std::span<const Entry> all, Table& table) {
  table.remark(fmt::format("{}, {} thread{}", rod.name(), rod.threads, rod.threads == 1 ? "" : "s"));
  table.remark(fmt::format("{:<12} {:<7} {:>6} {:>8} {:>9} {:>8} {:>9} {:>12} {:>8} {:>9} {:>7} {:>7}",
                           "jacobian", "refresh", "steps", "rejected", "iter/step", "failures", "Jacobians",
                           "integrations", "error", "time", "/ sap", "/ fd"));
  for (const Entry& e : all) {
    const std::string head = fmt::format("{:<12} {:<7}", e.method, e.refresh);
    if (!e.run.finished()) {
      table.remark(fmt::format("{} {} after {} steps, {} failures", head, e.run.trouble, e.run.macro_steps,
                               e.run.corrector_failures));
      continue;
    }
    table.remark(fmt::format(
        "{} {:>6} {:>8} {:>9.2f} {:>8} {:>9} {:>12} {:>8.1e} {:>7.1f}ms {:>7.2f} {:>7.2f}", head,
        e.run.macro_steps, e.run.rejected_steps, per_step(e.run, e.run.iterations), e.run.corrector_failures,
        e.run.jacobians, e.run.integrations, e.error, 1e3 * e.run.seconds, ratio(e, find(all, "sap", "auto")),
        ratio(e, find(all, "fd", e.refresh))));
  }
}

void against_sap(const Rod& rod, std::span<const Entry> all, Table& table) {
  const Entry &sap = find(all, "sap", "auto"), &ours = find(all, "sensitivity", "auto");
  table.add({"jacobian", fmt::format("{}: sensitivity / sap, whole run", rod.name()), "sap", sap.run.seconds,
             ours.run.seconds, "s", ratio(ours, sap),
             rod.damping_ratio == lightly ? Goal::at_most : Goal::none, 1.5,
             fmt::format("errors {:.1e}, {:.1e}", sap.error, ours.error)});
}

void against_fd(const Rod& rod, std::span<const Entry> all, Table& table) {
  const Entry &fd = find(all, "fd", "auto"), &ours = find(all, "sensitivity", "auto");
  table.add({"jacobian", fmt::format("{}: sensitivity / fd, whole run", rod.name()), "fd", fd.run.seconds,
             ours.run.seconds, "s", ratio(ours, fd),
             rod.damping_ratio == strongly ? Goal::at_most : Goal::none, 1,
             fmt::format("errors {:.1e}, {:.1e}", fd.error, ours.error)});
  const auto theirs = static_cast<double>(fd.run.iterations), us = static_cast<double>(ours.run.iterations);
  table.add({"jacobian", fmt::format("{}: corrector iterations", rod.name()), "fd", theirs, us, "",
             us / theirs, Goal::at_most, 1.1,
             fmt::format("per step {:.2f}, {:.2f}", per_step(fd.run, fd.run.iterations),
                         per_step(ours.run, ours.run.iterations))});
}

/// What keeping a Jacobian saves.
void kept(const Rod& rod, std::span<const Entry> all, Table& table) {
  for (const char* method : {"fd", "sensitivity"}) {
    const Entry &always = find(all, method, "always"), &kept = find(all, method, "auto");
    table.add({"jacobian", fmt::format("{}: {}, refresh auto / always", rod.name(), method), "always",
               always.run.seconds, kept.run.seconds, "s", ratio(kept, always), Goal::none, 0,
               fmt::format("Jacobians {}, {}", always.run.jacobians, kept.run.jacobians)});
  }
}

/// Microseconds of one macro step with one new Jacobian.
void single_steps(const Rod& rod, std::span<const Entry> all, const char* solver, int rounds, Table& table) {
  const CoupledRun& controlled = find(all, "fd", "auto").run;
  if (!controlled.finished()) return;
  const double H = end / static_cast<double>(controlled.macro_steps);
  constexpr const char* methods[] = {"sap", "fd", "{series: 2}", "rk", "sensitivity"};
  std::vector<double> best(std::size(methods), INFINITY);
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < best.size(); ++i) {
      const Setting setting{
          "step",
          {"couple.decomposition=force-force", "couple.scheme=implicit", "couple.tau=1e-9",
           "couple.max_iterations=1", fmt::format("couple.jacobian={}", methods[i]),
           fmt::format("control.step={}", H), "control.order=2", fmt::format("solve.method={}", solver)},
          rod.threads};
      const CoupledRun run = run_coupled(rod.text, setting, limit);
      if (!run.finished()) throw std::runtime_error(fmt::format("jacobian, one step: {}", run.trouble));
      best[i] = std::min(best[i], run.seconds / static_cast<double>(run.macro_steps));
    }
  for (std::size_t i = 1; i < best.size(); ++i)
    table.add({"jacobian",
               fmt::format("{} elements, one macro step by {}: {} / sap", rod.elements, solver, methods[i]),
               "sap", 1e6 * best[0], 1e6 * best[i], "us", best[i] / best[0], Goal::none, 0,
               fmt::format("H {:.2g}, two sweeps and one Jacobian", H)});
}

}  // namespace

void jacobian(const Options& options, Table& table) {
  const std::vector<std::size_t> sizes =
      options.quick ? std::vector<std::size_t>{100} : std::vector<std::size_t>{100, 1000};
  const int rounds = options.quick ? 1 : 3;
  for (const std::size_t elements : sizes)
    for (const double damping_ratio : {lightly, 0.1, 1.0, strongly, 100.0}) {
      const Rod rod{elements, damping_ratio,
                    steel_rod_yaml(elements, damping_ratio) + run_yaml(elements, parts, end),
                    options.thread_count()};
      const auto all = measured(rod, rounds);
      print(rod, all, table);
      against_sap(rod, all, table);
      against_fd(rod, all, table);
      if (damping_ratio == lightly || damping_ratio == strongly) kept(rod, all, table);
      if (damping_ratio == lightly)
        for (const char* solver : {"rk", "rosenbrock"}) single_steps(rod, all, solver, rounds, table);
    }
}

}  // namespace cosimo::bench
