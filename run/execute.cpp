#include "run/execute.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>

#include "core/error.hpp"
#include "record/csv.hpp"
#include "run/assembly.hpp"
#include "run/recording.hpp"
#include "run/session.hpp"
#include "run/time_loop.hpp"

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

int wanted_threads(const config::Scenario& scenario, const RunOptions& options) {
  if (options.threads > 0) return options.threads;
  if (scenario.run.threads) return static_cast<int>(*scenario.run.threads);
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

/// Whole or not at all: a full disk leaves no half file under the final name.
void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::path part = file;
  part += ".part";
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  std::error_code code;
  if (out) std::filesystem::rename(part, file, code);
  if (out && !code) return;
  std::filesystem::remove(part, code);
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
  std::vector<bool> automatic(report.subsystems.size(), scenario.solve.method == "auto");
  for (const config::SolveOverride& o : scenario.solve_overrides)
    for (const std::int64_t part : o.parts)
      automatic[static_cast<std::size_t>(part - 1)] = o.solve.method == "auto";
  std::int64_t parts = 0, implicit = 0, switched = 0;
  for (std::size_t i = 0; i < automatic.size(); ++i) {
    if (!automatic[i]) continue;
    ++parts;
    implicit += report.subsystems[i].stiff_steps > 0 ? 1 : 0;
    switched += report.subsystems[i].method_switches;
  }
  if (parts == 0) return;
  report.choices.push_back(implicit == 0
                               ? "method: auto -> rk throughout"
                               : fmt::format("method: auto -> rk, and rosenbrock for some time in {} of {} "
                                             "subsystems ({} switches)",
                                             implicit, parts, switched));
}

/// An output folder that only one run writes to at a time.
class OutputFolder {
 public:
  explicit OutputFolder(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    if (code)
      refuse(folder, "the output folder cannot be made: " + code.message(),
             "name a folder that can be written");
    lock_ = open((folder / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (lock_ < 0)
      refuse(folder, std::string("the output folder cannot be written: ") + std::strerror(errno),
             "name a folder that can be written");
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0)
      refuse(folder, "another run is writing there", "wait for it, or name another folder with --out");
  }
  ~OutputFolder() {
    if (lock_ >= 0) close(lock_);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  /// Nothing of an older run is left to be taken for this one's.
  static void clear(const std::filesystem::path& folder, const config::Scenario& scenario) {
    if (folder.empty()) return;
    std::error_code ignored;
    for (const char* old : {"summary.json", "results.csv", "overview.svg", "timing.h5"})
      std::filesystem::remove(folder / old, ignored);
    write_text(folder / "scenario.effective.yaml", scenario.effective);
  }

 private:
  [[noreturn]] static void refuse(const std::filesystem::path& folder, std::string problem,
                                  std::string remedy) {
    throw Error(Fault{"", 0, 0, "--out", folder.string(), std::move(problem), std::move(remedy)});
  }
  int lock_ = -1;
};

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

/// timing.h5, overview.svg and, if asked for, results.csv.
void write_extras(const config::Scenario& scenario, const RunOptions& options, const Recording& recording,
                  const Report& report) {
  const auto& folder = options.output_dir;
  if (folder.empty()) return;
  recording.timing().write(folder / "timing.h5");
  write_text(folder / "overview.svg", recording.overview().svg(title(scenario, report), subtitle(report)));
  if (options.csv) write_csv(read_results(folder / "results.h5"), folder / "results.csv");
}

/// summary.json comes last: it tells how everything before it ended.
void write_summary(const RunOptions& options, const Report& report) {
  if (!options.output_dir.empty()) write_text(options.output_dir / "summary.json", to_json(report));
}

}  // namespace

Report execute(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_begin = cpu_seconds();
  const auto assembly = assemble(scenario, options.interrupt);
  const OutputFolder folder(options.output_dir);
  OutputFolder::clear(options.output_dir, scenario);

  Session session(scenario, *assembly, wanted_threads(scenario, options), hooks);
  const bool cut = assembly->laws->size() > 0;
  Recording recording(*assembly, options, scenario.simulate.end);
  if (session.local) recording.use_local(*session.local);
  TimeLoop loop(*assembly, *session.lanes, *session.scheme, session.loop, recording,
                session.local ? &*session.local : nullptr, options.interrupt);
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
  report.estimator = cut ? estimator_name(session.estimator) : "none";
  report.parts = static_cast<std::int64_t>(assembly->subsystems.size());
  report.bodies = static_cast<std::int64_t>(assembly->model.bodies.count);
  report.threads = session.pool.threads();
  report.version = std::string(version());
  report.output_dir = options.output_dir.string();
  report.choices = assembly->choices;
  describe_subsystems(*session.lanes, *assembly, report);
  describe_methods(scenario, report);
  recording.fill(report);
  if (session.local)
    report.local_error = Report::LocalError{session.local->position_nrmse(), session.local->velocity_nrmse()};
  report.cpu_s = cpu_seconds() - cpu_begin;
  report.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto fail = [&](const IoError& error) {
    if (report.status != "ok") return;  // the first reason counts
    report.status = "failed";
    report.outcome.reason = error.what();
    report.outcome.culprit = "output";
  };
  try {
    write_extras(scenario, options, recording, report);
  } catch (const IoError& error) {
    fail(error);
  }
  try {
    write_summary(options, report);
  } catch (const IoError& error) {
    fail(error);
  }
  return report;
}

}  // namespace cosimo
