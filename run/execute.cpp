#include "run/execute.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "core/error.hpp"
#include "record/csv.hpp"
#include "run/assembly.hpp"
#include "run/recording.hpp"
#include "run/time_loop.hpp"
#include "run/translate.hpp"

namespace cosimo {

namespace {

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

int thread_count(const config::Scenario& scenario, const RunOptions& options, std::size_t tasks) {
  int threads = options.threads > 0 ? options.threads : static_cast<int>(scenario.run.threads.value_or(0));
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return std::clamp(threads, 1, static_cast<int>(tasks));
}

LoopOptions loop_options(const config::Scenario& s, const Assembly& a, const TestHooks& hooks) {
  LoopOptions loop;
  loop.end = s.simulate.end;
  loop.output = s.simulate.output;
  loop.fixed_step = s.control.step;
  loop.judge = a.laws->size() > 0 && !s.control.step;
  loop.control = control_options(s.control, automatic_first_step(a, s.control.rtol, s.simulate.end));
  loop.max_steps = s.control.max_steps;
  loop.rollback_every = hooks.rollback_every;
  return loop;
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (!out)
    throw IoError(fmt::format("{}: cannot be written; check free space and permissions", file.string()));
}

void describe_subsystems(const LaneSet& lanes, const Assembly& a, Report& report) {
  report.subsystems.resize(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const Integrator::Status status = lanes.lane(i).status();
    SubsystemReport& s = report.subsystems[i];
    s.bodies = static_cast<std::int64_t>(a.subsystems[i]->bodies().size());
    s.method = std::string(status.method);
    s.micro_steps = status.counters.steps;
    s.rejected_micro_steps = status.counters.rejected;
    s.evaluations = status.counters.evaluations;
    s.factorizations = status.counters.factorizations;
    s.method_switches = status.switches;
    s.stiff_steps = status.stiff_steps;
    report.micro_steps_total += s.micro_steps;
    report.micro_steps_max = std::max(report.micro_steps_max, s.micro_steps);
  }
}

/// What `method: auto` used, in words.
void describe_methods(const config::Scenario& scenario, Report& report) {
  if (scenario.solve.method != "auto") return;
  std::int64_t implicit = 0, switched = 0;
  for (const SubsystemReport& s : report.subsystems) {
    implicit += s.stiff_steps > 0 ? 1 : 0;
    switched += s.method_switches;
  }
  report.choices.push_back(
      implicit == 0
          ? "method: auto -> rk in every subsystem"
          : fmt::format("method: auto -> rosenbrock for some time in {} of {} subsystems ({} switches)",
                        implicit, report.subsystems.size(), switched));
}

void prepare_folder(const std::filesystem::path& folder, const config::Scenario& scenario) {
  if (folder.empty()) return;
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    throw Error(Fault{"", 0, 0, "--out", folder.string(),
                      "the output folder cannot be made: " + code.message(),
                      "name a folder that can be written"});
  for (const char* old : {"summary.json", "results.csv", "overview.svg", "timing.h5"})
    std::filesystem::remove(folder / old, code);
  write_text(folder / "scenario.effective.yaml", scenario.effective);
}

std::string title(const config::Scenario& s, const Report& r) {
  const std::string stem = std::filesystem::path(s.file).stem().string();
  return r.parts > 1 ? fmt::format("{}: {} bodies in {} subsystems", stem, r.bodies, r.parts)
                     : fmt::format("{}: {} bodies, uncut", stem, r.bodies);
}

std::string subtitle(const Report& r) {
  return r.parts > 1 ? fmt::format("{}, {}: {} macro steps ({} rejected), {:.3g} s", r.scheme, r.estimator,
                                   r.macro_steps, r.rejected_steps, r.wall_s)
                     : fmt::format("{} micro steps, {:.3g} s", r.micro_steps_total, r.wall_s);
}

std::string estimator_name(Estimator e) {
  switch (e) {
    case Estimator::exLE:
      return "exLE";
    case Estimator::exMD:
      return "exMD";
    case Estimator::exCV:
      return "exCV";
    case Estimator::none:
      break;
  }
  return "fixed step";
}

/// summary.json, timing.h5, overview.svg and, if asked for, results.csv.
void write_summary(const config::Scenario& scenario, const RunOptions& options, const Recording& recording,
                   const Report& report) {
  const auto& folder = options.output_dir;
  if (folder.empty()) return;
  write_text(folder / "summary.json", to_json(report));
  recording.timing().write(folder / "timing.h5");
  write_text(folder / "overview.svg", recording.overview().svg(title(scenario, report), subtitle(report)));
  if (options.csv) write_csv(read_results(folder / "results.h5"), folder / "results.csv");
}

}  // namespace

Report execute(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_begin = cpu_seconds();
  const auto assembly = assemble(scenario);
  prepare_folder(options.output_dir, scenario);

  ExplicitOptions scheme_options = explicit_options(scenario);
  const bool cut = assembly->laws->size() > 0;
  if (!cut) scheme_options.estimate.estimator = Estimator::none;
  const LoopOptions loop_opts = loop_options(scenario, *assembly, hooks);
  const Estimator kind = scheme_options.estimate.estimator;
  const bool comparison = kind == Estimator::exLE || kind == Estimator::exMD;
  Pool pool(thread_count(scenario, options, assembly->subsystems.size() * (comparison ? 2 : 1)));
  LaneSet lanes(assembly->subsystems, assembly->recorded, pool, comparison,
                comparison || loop_opts.judge || hooks.rollback_every > 0);
  ExplicitScheme scheme(lanes, *assembly->laws, 0.0, scheme_options);
  std::optional<LocalReference> local;
  if (scenario.simulate.local_error && cut) local.emplace(assembly->model, assembly->partition);

  Recording recording(*assembly, options, scenario.simulate.end);
  if (local) recording.use_local(*local);
  TimeLoop loop(*assembly, lanes, scheme, loop_opts, recording, local ? &*local : nullptr, options.interrupt);
  LoopResult result;
  try {
    result = loop.run();
    recording.close();
  } catch (const IoError& error) {
    result.status = LoopResult::Status::failed;
    result.time = recording.reached();
    result.reason = error.what();
    result.culprit = "output";
  }

  Report report;
  report.status = result.status == LoopResult::Status::ok       ? "ok"
                  : result.status == LoopResult::Status::failed ? "failed"
                                                                : "interrupted";
  report.outcome = {result.reason, result.time, result.culprit};
  report.t_end = scenario.simulate.end;
  report.scheme = cut ? "explicit" : "none";
  report.decomposition = cut ? "force-force" : "none";
  report.estimator = cut ? estimator_name(kind) : "none";
  report.parts = static_cast<std::int64_t>(assembly->subsystems.size());
  report.bodies = static_cast<std::int64_t>(assembly->model.bodies.count);
  report.threads = pool.threads();
  report.version = std::string(version());
  report.output_dir = options.output_dir.string();
  report.choices = assembly->choices;
  describe_subsystems(lanes, *assembly, report);
  describe_methods(scenario, report);
  recording.fill(report);
  if (local) report.local_error = Report::LocalError{local->position_nrmse(), local->velocity_nrmse()};
  report.cpu_s = cpu_seconds() - cpu_begin;
  report.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  try {
    write_summary(scenario, options, recording, report);
  } catch (const IoError& error) {
    if (report.status == "ok") {
      report.status = "failed";
      report.outcome.reason = error.what();
      report.outcome.culprit = "output";
    }
  }
  return report;
}

}  // namespace cosimo
