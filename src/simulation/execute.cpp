#include "simulation/execute.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

#include "core/archive.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/flush_tiny.hpp"
#include "cosimo/cluster.hpp"
#include "model/traits.hpp"
#include "multibody/start_state.hpp"
#include "parallel/cores.hpp"
#include "results/csv.hpp"
#include "simulation/advice.hpp"
#include "simulation/assembly.hpp"
#include "simulation/checkpoints.hpp"
#include "simulation/coupling_advice.hpp"
#include "simulation/disk_space.hpp"
#include "simulation/motion_scale.hpp"
#include "simulation/output_folder.hpp"
#include "simulation/recording.hpp"
#include "simulation/resolve_coupling.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"
#include "simulation/together.hpp"

namespace cosimo {

namespace {

/// What summary.json names the units of, with their dimensions.
constexpr std::array<std::pair<const char*, const char*>, 11> unit_quantities{
    {{"length", "length"},
     {"mass", "mass"},
     {"time", "time"},
     {"angle", "angle"},
     {"force", "force"},
     {"velocity", "length/time"},
     {"acceleration", "length/time^2"},
     {"angular_velocity", "angle/time"},
     {"torque", "force length"},
     {"energy", "energy"},
     {"power", "power"}}};

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
  const int cores = available_cores();
  const bool bound = cores < static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::max(1, bound ? cores : cores / exchange.ranks_here());
}

void archive(Archive& a, SubsystemReport& s) {
  a(s.bodies, s.method, s.micro_steps, s.rejected_micro_steps, s.evaluations, s.factorizations,
    s.method_switches, s.stiff_steps, s.merson_steps, s.rank);
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
  std::vector<SubsystemReport> all(a.components());
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
    s.merson_steps = status.merson_steps;
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
  std::int64_t parts = 0, implicit = 0, merson = 0, merson_only = 0, changed = 0, switched = 0;
  for (std::size_t i = 0; i < automatic.size(); ++i) {
    const SubsystemReport& s = report.subsystems[i];
    if (!automatic[i] || s.evaluations == 0) continue;  // FMUs may have solvers of their own
    ++parts;
    implicit += s.stiff_steps > 0 ? 1 : 0;
    merson += s.merson_steps > 0 ? 1 : 0;
    merson_only += s.merson_steps > 0 && s.merson_steps == s.micro_steps ? 1 : 0;
    changed += s.stiff_steps + s.merson_steps > 0 ? 1 : 0;
    switched += s.method_switches;
  }
  if (parts == 0) return;
  const std::string_view stiff = word_of(traits_of(model).stiff_method()), swinging = word_of(Method::merson);
  const std::string others = merson == 0     ? std::string(stiff)
                             : implicit == 0 ? std::string(swinging)
                                             : fmt::format("{} or {}", swinging, stiff);
  const bool one = changed == 0 || merson_only == parts;
  report.choices.push_back(
      one ? fmt::format("method: auto -> {} throughout", changed == 0 ? word_of(Method::rk) : swinging)
          : fmt::format("method: auto -> rk, and {} for some time in {} of {} ({})", others, changed,
                        counted(parts, "subsystem"), counted(switched, "switch")));
}

std::string title(const config::Scenario& s, const Report& r) {
  const std::string stem = std::filesystem::path(s.file).stem().string();
  const std::string subsystems = counted(r.parts, "subsystem");
  if (r.bodies == 0) return fmt::format("{}: {}", stem, subsystems);
  return fmt::format("{}: {}{}", stem, counted(r.bodies, "body"),
                     r.parts > 1 ? " in " + subsystems : ", uncut");
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

Engine::Engine(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks,
               RowListener* listener)
    : scenario_(scenario),
      options_(options),
      hooks_(hooks),
      begin_(std::chrono::steady_clock::now()),
      cpu_begin_(cpu_seconds()),
      none_(alone()),
      exchange_(hooks.exchange != nullptr     ? *hooks.exchange
                : options_.cluster != nullptr ? options_.cluster->exchange()
                                              : *none_) {
  together(exchange_, [&] { check_resume(scenario_, options_); });
  assembly_ =
      together(exchange_, [&] { return assemble(scenario_, options_.interrupt, &exchange_, hooks_.wiring); });
  if (const std::string shifts = describe(assembly_->shifts, *assembly_->model);
      !shifts.empty() && options_.notice && exchange_.leads())
    options_.notice(shifts);
  recording_.emplace(*assembly_, options_, scenario_.simulate.end);
  if (listener != nullptr && exchange_.single()) recording_->tell(*listener);
  if (exchange_.leads()) written_ = options_.output_dir;
  together(exchange_, [&] {
    require_disk_space(scenario_, recording_->layout(), written_);
    folder_.emplace(written_);
    folder_->claim(claim_of(scenario_, recording_->layout(), options_));
  });

  const Origin origin = find_origin();
  const bool goes_on = origin.time.has_value();
  together(exchange_, [&] {
    if (!goes_on) folder_->clear(goes_on);
  });
  make_session();
  together(exchange_, [&] {
    recording_->open(origin.position);
    if (goes_on) folder_->clear(goes_on);
    if (!written_.empty()) write_text(written_ / "scenario.effective.yaml", scenario_.effective);
  });
  recording_->wish_checkpoints(scenario_.run.checkpoint);
  if (session_->local) recording_->use_local(*session_->local);
  if (options_.trace) recording_->trace(session_->lanes->phases());
  if (!goes_on) return;
  checkpoints_->read(origin.file ? &*origin.file : nullptr, *loop_);
  resumed_from_ = origin.time;
}

/// The newest checkpoint, or none; a run that begins anew removes what an earlier one left.
Engine::Origin Engine::find_origin() const {
  Origin origin;
  double time = -1;
  together(exchange_, [&] {
    if (!exchange_.leads() || options_.output_dir.empty()) return;
    if (!options_.resume) return remove_checkpoints(options_.output_dir);
    std::vector<std::string> complaints;
    origin.file = newest_checkpoint(options_.output_dir, run_hash(), complaints);
    if (!origin.file)
      complaints.push_back(fmt::format("there is no checkpoint in {}: the run starts from the beginning",
                                       options_.output_dir.string()));
    for (const std::string& complaint : complaints)
      if (options_.notice) options_.notice(complaint);
    if (!origin.file) return;
    origin.position = results_position(*origin.file);
    time = origin.file->info().time;
  });
  exchange_.max({&time, 1});
  if (time >= 0) origin.time = time;
  return origin;
}

/// Of what the run computes: without `partition:` that differs between one rank and several.
std::uint64_t Engine::run_hash() const {
  const config::Partition& given = scenario_.partition;
  const bool over_ranks = !given.given && !given.whole && !exchange_.single();
  return scenario_hash(scenario_) ^ (over_ranks ? 0x9e3779b97f4a7c15U : 0U);
}

/// Everything that moves, in its initial state.
void Engine::make_session() {
  checkpoints_.reset();
  loop_.reset();
  session_.reset();
  session_.emplace(scenario_, *assembly_, wanted_threads(scenario_, options_, exchange_), hooks_);
  session_->loop.open_end = options_.open_end;
  loop_.emplace(*assembly_, *session_->lanes, *session_->scheme, *session_->control, session_->loop,
                *recording_, session_->local ? &*session_->local : nullptr, options_.interrupt);
  recording_->use_sections(session_->lanes->sections());
  checkpoints_.emplace(
      Checkpoints::Run{*assembly_, *session_->lanes, *session_->scheme, *session_->control, *recording_},
      options_.output_dir, run_hash());
  if (!options_.output_dir.empty() && !session_->local && assembly_->archives())
    loop_->use_checkpoints(*checkpoints_);
}

/// A failing disk becomes a failed result.
const LoopResult& Engine::advance(double until) {
  try {
    result_ = loop_->advance(until);
  } catch (const IoError& error) {
    result_ = {LoopResult::Status::failed, recording_->reached(), error.what(), "output"};
    unwritable_ = true;
  }
  return result_;
}

void Engine::close_results() {
  if (unwritable_) return;
  try {
    const bool complete = result_.status == LoopResult::Status::ok && time() >= scenario_.simulate.end;
    if (!complete) loop_->final_output();
    recording_->close(complete);
    if (!recording_->failure().empty()) throw IoError(recording_->failure());
  } catch (const IoError& error) {
    result_ = {LoopResult::Status::failed, recording_->reached(), error.what(), "output"};
  }
}

void Engine::state(std::span<double> position, std::span<double> velocity) {
  const FlushTiny tiny;
  const Assembly& a = *assembly_;
  if (a.seam->any(!session_->lanes->rewind()))
    throw Error(Fault{.problem = "the state of the last macro point is lost", .remedy = "restore() one"});
  std::vector<double> q(a.own_columns.size()), v(q.size());
  loop_->state(q, v);
  const auto spread = [&](const std::vector<double>& own, std::span<double> out) {
    std::ranges::fill(out, -std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < own.size(); ++i) out[a.own_columns[i]] = own[i];
    exchange_.max(out);
  };
  spread(q, position);
  spread(v, velocity);
}

Bytes Engine::save() {
  if (!assembly_->archives())
    throw Error(Fault{.problem = "a subsystem cannot give its state (canSerializeFMUState)",
                      .remedy = "do without save()"});
  return checkpoints_->save(*loop_);
}

void Engine::set(std::size_t coordinate, bool rate, double value) {
  if (!loop_->set(coordinate, rate, value))
    throw Error(Fault{.problem = "the state of the last macro point is lost", .remedy = "restore() one"});
}

void Engine::set_input(std::size_t input, const Polynomial& course) {
  if (!loop_->set_input(input, course))
    throw Error(Fault{.problem = "the state of the last macro point is lost", .remedy = "restore() one"});
}

/// A state that does not fit changes nothing.
void Engine::restore(const Bytes& bytes) {
  together(exchange_, [&] {
    if (exchange_.leads()) checkpoints_->require(bytes);
  });
  make_session();
  checkpoints_->load(bytes, *loop_);
  result_ = {LoopResult::Status::ok, time(), "", ""};
}

Report Engine::tell() {
  const config::Scenario& scenario = scenario_;
  const Assembly& assembly = *assembly_;
  const Session& session = *session_;
  Recording& recording = *recording_;
  const LoopResult& result = result_;
  const bool cut = assembly.cut();
  Report report;
  report.status = result.status == LoopResult::Status::ok       ? "ok"
                  : result.status == LoopResult::Status::failed ? "failed"
                                                                : "interrupted";
  report.outcome = {result.reason, result.time, result.culprit};
  report.t_end = scenario.simulate.end;
  if (!scenario.units.empty())
    for (const auto& [quantity, dimension] : unit_quantities)
      report.units.emplace_back(quantity, scenario.units.of(dimension));
  report.scheme = cut ? word_of(assembly.plan.scheme) : "none";
  report.decomposition = decomposition_name(assembly.plan);
  report.details = assembly.plan.details;
  report.estimator = cut ? estimator_name(assembly.plan) : "none";
  report.parts = static_cast<std::int64_t>(assembly.components());
  report.bodies = static_cast<std::int64_t>(assembly.model->bodies.count);
  const int helpers = assembly.helpers();
  report.threads = session.pool.threads() + helpers;
  report.version = std::string(version());
  report.command = options_.command;
  report.started = fmt::format("{:%Y-%m-%d %H:%M} UTC", fmt::gmtime(started_));
  report.choices = assembly.choices;
  if (helpers > 0)
    report.choices.push_back(
        assembly.components() == 1
            ? fmt::format("the model is left whole: {} share every step", counted(helpers + 1, "thread"))
            : fmt::format("{} more than subsystems: they share the steps of the largest",
                          counted(helpers, "thread")));
  for (const NamedShift& shift : named_shifts(assembly.shifts, *assembly.model))
    report.assembly.push_back({shift.quantity, shift.body, shift.amount});
  describe_subsystems(*session.lanes, assembly, report);
  recording.collect(static_cast<int>(report.threads));
  report.ranks = assembly.exchange->ranks();
  if (!assembly.exchange->leads()) return report;
  describe_methods(scenario, *assembly.model, report);
  recording.fill(report);
  if (const std::string advice = overlap_advice(scenario, assembly, report.blame); !advice.empty())
    report.choices.push_back(advice);
  if (cut && !assembly.overlap && report.blame.element > 0)  // a signal has no other way to be cut
    report.advice = coupling_advice(scenario, assembly, report, recording.cuts(), recording.grew());
  for (std::string& advice : hidden_motion(scenario, assembly)) report.advice.push_back(std::move(advice));
  report.tolerances = tolerances_now(scenario, assembly);
  if (session.local)
    report.local_error = Report::LocalError{session.local->position_nrmse(), session.local->velocity_nrmse()};
  return report;
}

Report Engine::finish() {
  close_results();
  Report report = tell();
  report.output_dir = options_.output_dir.string();
  report.resumed_from = resumed_from_;
  report.resumable = result_.status == LoopResult::Status::interrupted && !written_.empty() &&
                     !session_->local && assembly_->archives();
  report.cpu_s = cpu_seconds() - cpu_begin_;
  report.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const std::vector<TraceBuffer> traces = recording_->collect_traces();
  if (exchange_.leads()) {
    if (!traces.empty() && !written_.empty())
      attempt_output(report, [&] { write_trace(written_ / "trace.json", traces); });
    attempt_output(report, [&] { write_extras(scenario_, options_, *recording_, report); });
    attempt_output(report, [&] { write_summary(options_, report); });
  }
  share_ending(exchange_, report);
  return report;
}

Report execute(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks,
               RowListener* listener) {
  Engine engine(scenario, options, hooks, listener);
  engine.advance(scenario.simulate.end);
  return engine.finish();
}

}  // namespace cosimo
