#include "run/execute.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>
#include <utility>

#include "core/archive.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "cosimo/cluster.hpp"
#include "record/csv.hpp"
#include "run/advice.hpp"
#include "run/assembly.hpp"
#include "run/checkpoints.hpp"
#include "run/coupling_advice.hpp"
#include "run/disk_space.hpp"
#include "run/motion_scale.hpp"
#include "run/output_folder.hpp"
#include "run/recording.hpp"
#include "run/resolve_coupling.hpp"
#include "run/session.hpp"
#include "run/start_state.hpp"
#include "run/time_loop.hpp"
#include "run/together.hpp"

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

int wanted_threads(const config::Scenario& scenario, const RunOptions& options, const Exchange& exchange) {
  if (options.threads > 0) return options.threads;
  if (scenario.run.threads) return static_cast<int>(*scenario.run.threads);
  // The cores this process may use. Ranks that were not bound to cores of their own share them.
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  const bool bound = cores < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, bound ? cores : cores / exchange.ranks_here());
}

void archive(Archive& a, SubsystemReport& s) {
  a(s.bodies, s.method, s.micro_steps, s.rejected_micro_steps, s.evaluations, s.factorizations,
    s.method_switches, s.stiff_steps, s.rank);
}

/// Those of all ranks, on rank 0. Collective.
std::vector<SubsystemReport> all_subsystems(const Assembly& a, std::vector<SubsystemReport> own) {
  Exchange& exchange = *a.exchange;
  if (exchange.single()) return own;
  Archive out;
  for (SubsystemReport& s : own) archive(out, s);
  if (!exchange.leads()) {
    exchange.send(0, out.take());
    return own;
  }
  std::vector<SubsystemReport> all(a.partition.parts.size());
  for (int rank = 0; rank < exchange.ranks(); ++rank) {
    const Bytes bytes = rank == 0 ? out.take() : exchange.receive(rank);
    Archive in(bytes);
    for (std::size_t part = 0; part < all.size(); ++part)
      if (a.placement.rank_of_part[part] == rank) archive(in, all[part]);
  }
  return all;
}

void describe_subsystems(const LaneSet& lanes, const Assembly& a, Report& report) {
  std::vector<SubsystemReport> own(lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const Integrator::Status status = lanes.lane(i).status();
    SubsystemReport& s = own[i];
    s.rank = a.exchange->rank();
    s.bodies = static_cast<std::int64_t>(a.subsystems[i]->bodies().size());
    s.method = std::string(status.method);
    s.micro_steps = status.counters.steps;
    s.rejected_micro_steps = status.counters.rejected;
    s.evaluations = status.counters.evaluations;
    s.factorizations = status.counters.factorizations;
    s.method_switches = status.switches;
    s.stiff_steps = status.stiff_steps;
  }
  report.subsystems = all_subsystems(a, std::move(own));
  for (const SubsystemReport& s : report.subsystems) {
    report.micro_steps_total += s.micro_steps;
    report.micro_steps_max = std::max(report.micro_steps_max, s.micro_steps);
  }
}

/// What `method: auto` used, in words.
void describe_methods(const config::Scenario& scenario, const Model& model, Report& report) {
  std::vector<bool> automatic(report.subsystems.size(), scenario.solve.method == Method::automatic);
  // Where `auto` did not cut, the parts that overrides name do not exist.
  for (const config::SolveOverride& o : scenario.solve_overrides)
    for (const std::int64_t part : o.parts)
      if (const auto i = static_cast<std::size_t>(part - 1); automatic.size() > 1 && i < automatic.size())
        automatic[i] = o.solve.method == Method::automatic;
  std::int64_t parts = 0, implicit = 0, switched = 0;
  for (std::size_t i = 0; i < automatic.size(); ++i) {
    if (!automatic[i]) continue;
    ++parts;
    implicit += report.subsystems[i].stiff_steps > 0 ? 1 : 0;
    switched += report.subsystems[i].method_switches;
  }
  if (parts == 0) return;
  report.choices.push_back(
      implicit == 0 ? "method: auto -> rk throughout"
                    : fmt::format("method: auto -> rk, and {} for some time in {} of {} ({})",
                                  model.mechanism || model.pendulum ? "radau" : "rosenbrock", implicit,
                                  counted(parts, "subsystem"), counted(switched, "switch")));
}

std::string title(const config::Scenario& s, const Report& r) {
  const std::string stem = std::filesystem::path(s.file).stem().string();
  return fmt::format("{}: {}{}", stem, counted(r.bodies, "body"),
                     r.parts > 1 ? " in " + counted(r.parts, "subsystem") : ", uncut");
}

std::string subtitle(const Report& r) {
  if (r.parts == 1) return fmt::format("{}, {:.3g} s", counted(r.micro_steps_total, "micro step"), r.wall_s);
  const bool overlap = choice_of<Decomposition>(r.decomposition) == Decomposition::overlap;
  return fmt::format("{}{}, {}: {} ({} rejected), {}{:.3g} s", r.scheme, overlap ? " with overlap" : "",
                     r.estimator, counted(r.macro_steps, "macro step"), r.rejected_steps,
                     overlap ? fmt::format("up to {}, ", counted(r.layers, "layer")) : "", r.wall_s);
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

void check_resume(const config::Scenario& scenario, const RunOptions& options) {
  if (scenario.simulate.local_error && options.resume)
    throw Error(Fault{.file = scenario.file,
                      .field = "simulate.local_error",
                      .value = "true",
                      .problem = "the local reference is not part of a checkpoint",
                      .remedy = "run without local errors, or without --resume"});
}

/// The files that the run may write.
Claim claim_of(const config::Scenario& scenario, const ResultsLayout& layout, const RunOptions& options) {
  Claim claim{.scenario = scenario.file,
              .effective = scenario.effective,
              .model_hash = layout.model_hash,
              .files = {"scenario.effective.yaml", "results.h5", "timing.h5", "summary.json", "overview.svg",
                        "report.html"},
              .replace = options.replace};
  if (options.trace) claim.files.emplace_back("trace.json");
  if (options.csv)
    for (const std::filesystem::path& file : csv_files(layout.tables, "results.csv"))
      claim.files.push_back(file.string());
  return claim;
}

/// What a run goes on from, as rank 0 has found it.
struct Origin {
  std::optional<CheckpointFile> file;       ///< on rank 0
  std::optional<ResultsPosition> position;  ///< on rank 0
  std::optional<double> time;               ///< on all ranks; empty: from the beginning
};

/// The newest checkpoint, or none; a run that begins anew removes what an earlier one left.
Origin find_origin(const config::Scenario& scenario, const RunOptions& options, Exchange& exchange) {
  Origin origin;
  double time = -1;
  together(exchange, [&] {
    if (!exchange.leads() || options.output_dir.empty()) return;
    if (!options.resume) return remove_checkpoints(options.output_dir);
    std::vector<std::string> complaints;
    origin.file = newest_checkpoint(options.output_dir, scenario_hash(scenario), complaints);
    if (!origin.file)
      complaints.push_back(fmt::format("there is no checkpoint in {}: the run starts from the beginning",
                                       options.output_dir.string()));
    for (const std::string& complaint : complaints)
      if (options.notice) options.notice(complaint);
    if (!origin.file) return;
    origin.position = results_position(*origin.file);
    time = origin.file->info().time;
  });
  exchange.max({&time, 1});
  if (time >= 0) origin.time = time;
  return origin;
}

/// The run itself; a failing disk becomes a failed result.
LoopResult march(const config::Scenario& scenario, const Assembly& assembly, Session& session,
                 Recording& recording, const RunOptions& options, const Origin& origin) {
  LoopResult result;
  try {
    TimeLoop loop(assembly, *session.lanes, *session.scheme, *session.control, session.loop, recording,
                  session.local ? &*session.local : nullptr, options.interrupt);
    Checkpoints checkpoints({assembly, *session.lanes, *session.scheme, *session.control, recording},
                            options.output_dir, scenario_hash(scenario));
    if (!options.output_dir.empty() && !session.local) loop.use_checkpoints(checkpoints);
    if (origin.time) checkpoints.read(origin.file ? &*origin.file : nullptr, loop);
    result = loop.run();
    recording.close(result.status == LoopResult::Status::ok);
    if (!recording.failure().empty()) throw IoError(recording.failure());
  } catch (const IoError& error) {
    result = {LoopResult::Status::failed, recording.reached(), error.what(), "output"};
  }
  return result;
}

Report tell(const config::Scenario& scenario, const Assembly& assembly, const Session& session,
            Recording& recording, const LoopResult& result) {
  const bool cut = assembly.cut();
  Report report;
  report.status = result.status == LoopResult::Status::ok       ? "ok"
                  : result.status == LoopResult::Status::failed ? "failed"
                                                                : "interrupted";
  report.outcome = {result.reason, result.time, result.culprit};
  report.t_end = scenario.simulate.end;
  report.scheme = cut ? word_of(assembly.plan.scheme) : "none";
  report.decomposition = decomposition_name(assembly.plan);
  report.details = assembly.plan.details;
  report.estimator = cut ? estimator_name(assembly.plan) : "none";
  report.parts = static_cast<std::int64_t>(assembly.partition.parts.size());
  report.bodies = static_cast<std::int64_t>(assembly.model.bodies.count);
  report.threads = session.pool.threads();
  report.version = std::string(version());
  report.choices = assembly.choices;
  report.assembly = named_shifts(assembly.shifts, assembly.model);
  describe_subsystems(*session.lanes, assembly, report);
  recording.collect(session.pool.threads());
  report.ranks = assembly.exchange->ranks();
  if (!assembly.exchange->leads()) return report;
  describe_methods(scenario, assembly.model, report);
  recording.fill(report);
  if (const std::string advice = overlap_advice(scenario, assembly, report.blame); !advice.empty())
    report.choices.push_back(advice);
  if (cut && !assembly.overlap)
    report.advice = coupling_advice(scenario, assembly, report, recording.cuts(), recording.grew());
  for (std::string& advice : hidden_motion(scenario, assembly)) report.advice.push_back(std::move(advice));
  report.tolerances = tolerances_now(scenario, assembly);
  if (session.local)
    report.local_error = Report::LocalError{session.local->position_nrmse(), session.local->velocity_nrmse()};
  return report;
}

/// Every rank knows how it ended: rank 0 may have found the disk full last.
void share_ending(Exchange& exchange, Report& report) {
  Archive out;
  out(report.status, report.outcome.reason, report.outcome.time, report.outcome.culprit, report.wall_s);
  Bytes bytes = out.take();
  exchange.broadcast(0, bytes);
  Archive in(bytes);
  in(report.status, report.outcome.reason, report.outcome.time, report.outcome.culprit, report.wall_s);
}

/// Calls `write`; a failure makes a good run a failed one, but does not replace an earlier reason.
template <class Write>
void attempt_output(Report& report, Write write) {
  const auto fail = [&](const std::exception& error) {
    if (report.status != "ok") return;
    report.status = "failed";
    report.outcome.reason = error.what();
    report.outcome.culprit = "output";
  };
  try {
    write();
  } catch (const IoError& error) {
    fail(error);
  } catch (const Error& error) {  // results that cannot be read back
    fail(error);
  }
}

}  // namespace

Report execute(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks) {
  const auto begin = std::chrono::steady_clock::now();
  const double cpu_begin = cpu_seconds();
  const auto none = alone();
  Exchange& exchange = hooks.exchange != nullptr    ? *hooks.exchange
                       : options.cluster != nullptr ? options.cluster->exchange()
                                                    : *none;
  together(exchange, [&] { check_resume(scenario, options); });
  const auto assembly = together(exchange, [&] { return assemble(scenario, options.interrupt, &exchange); });
  if (const std::string shifts = describe(assembly->shifts, assembly->model);
      !shifts.empty() && options.notice && exchange.leads())
    options.notice(shifts);
  Recording recording(*assembly, options, scenario.simulate.end);
  // Rank 0 alone writes.
  const std::filesystem::path written = exchange.leads() ? options.output_dir : std::filesystem::path();
  std::optional<OutputFolder> folder;
  together(exchange, [&] {
    require_disk_space(scenario, recording.layout(), written);
    folder.emplace(written);
    folder->claim(claim_of(scenario, recording.layout(), options));
  });

  const Origin origin = find_origin(scenario, options, exchange);
  const bool goes_on = origin.time.has_value();
  together(exchange, [&] {
    if (!goes_on) folder->clear(goes_on);
  });
  Session session(scenario, *assembly, wanted_threads(scenario, options, exchange), hooks);
  together(exchange, [&] {
    recording.open(origin.position);
    if (goes_on) folder->clear(goes_on);
    if (!written.empty()) write_text(written / "scenario.effective.yaml", scenario.effective);
  });
  recording.wish_checkpoints(scenario.run.checkpoint);
  if (session.local) recording.use_local(*session.local);
  if (options.trace) recording.trace(session.lanes->phases());
  const LoopResult result = march(scenario, *assembly, session, recording, options, origin);

  Report report = tell(scenario, *assembly, session, recording, result);
  report.output_dir = options.output_dir.string();
  report.resumed_from = origin.time;
  report.resumable = result.status == LoopResult::Status::interrupted && !written.empty() && !session.local;
  report.cpu_s = cpu_seconds() - cpu_begin;
  report.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::vector<TraceBuffer> traces = recording.collect_traces();
  if (exchange.leads()) {
    if (!traces.empty() && !written.empty())
      attempt_output(report, [&] { write_trace(written / "trace.json", traces); });
    attempt_output(report, [&] { write_extras(scenario, options, recording, report); });
    attempt_output(report, [&] { write_summary(options, report); });
  }
  share_ending(exchange, report);
  return report;
}

}  // namespace cosimo
