// One model on several ranks (Section 5.6, number of subsystems; Section 4.1, communication):
//
//   strong scaling    the chain of Table 5.9 with 10^5 masses in 100 overlapping subsystems, on the ranks and
//                     threads of this machine
//   messages          what a macro step says, by 2 to 64 subsystems per rank
//   projection        what 10, 100 and 1000 ranks would take for 10^5, 10^6 and 10^7 masses
//   (bench/projection.hpp),
//                     beside a central coordinator
//
// Ranks are processes of their own (bench/ranks.cpp). Timed is the time loop with all it records, from the
// moment all ranks stand ready until all is on disk: reading the scenario, building the model and starting
// processes are left out.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bench/benchmarks.hpp"
#include "bench/launch.hpp"
#include "bench/models.hpp"
#include "bench/projection.hpp"
#include "bench/scenarios.hpp"
#include "bench/timing.hpp"
#include "bench/traced_exchange.hpp"

namespace cosimo::bench {

namespace {

using Json = nlohmann::json;

constexpr double us = 1e6;  ///< microseconds per second

struct Grid {
  int ranks = 1, threads = 1;
};

std::string name(const Grid& grid) {
  return fmt::format("{} rank{} x {} thread{}", grid.ranks, grid.ranks == 1 ? "" : "s", grid.threads,
                     grid.threads == 1 ? "" : "s");
}

/// The chain with overlap, three bodies recorded, written to a file.
std::string scenario_file(const Scratch& scratch, std::size_t masses, std::size_t parts, double end) {
  const auto file = scratch / fmt::format("chain-{}-{}.yaml", masses, parts);
  std::ofstream(file)
      << table_5_9_yaml(masses)
      << fmt::format(
             "simulate: {{end: {}, output: {}, record: [1, {}, {}]}}\npartition: {{parts: {}}}\n"
             "couple: {{scheme: explicit, decomposition: overlap}}\n",
             end, end / 100, masses / 2, masses, parts);
  return file.string();
}

Json run_on(const Grid& grid, const std::string& file, const Scratch& scratch) {
  return on_ranks(grid.ranks,
                  fmt::format("run '{}' {} '{}'", file, grid.threads, (scratch / "run").string()));
}

std::string describe_run(const Grid& grid, const Json& run) {
  const auto part = [&](const char* key) { return run.at(key).get<double>(); };
  return fmt::format(
      "{}: {:.3f} s, {} macro steps ({} rejected), up to {} layers; slowest rank: solve {:.3f} idle {:.3f} "
      "interface {:.3f} transport {:.3f} output {:.3f}",
      name(grid), part("seconds"), run.at("macro_steps").get<int>(), run.at("rejected_steps").get<int>(),
      run.at("layers").get<int>(), part("solve"), part("idle"), part("interface"), part("transport"),
      part("output"));
}

/// Counts no waiting for others' work on the machine, but none for other ranks either.
double processor(const Json& run) {
  return run.at("processor").get<double>();
}

void strong_scaling(const Options& options, const Scratch& scratch, Table& table) {
  const std::size_t masses = options.quick ? 10'000 : 100'000, parts = options.quick ? 20 : 100;
  const std::string file = scenario_file(scratch, masses, parts, options.quick ? 2e-4 : 2e-3);
  const int cores = options.thread_count();
  std::vector<Grid> grids{{1, 1}, {2, 1}, {1, 2}};
  if (cores >= 4) grids.insert(grids.end(), {{cores, 1}, {1, cores}, {2, cores / 2}});
  std::vector<Json> best(grids.size());
  std::vector<std::function<double()>> competitors;
  for (std::size_t i = 0; i < grids.size(); ++i)
    competitors.emplace_back([&, i] {
      Json run = run_on(grids[i], file, scratch);
      const double taken = run.at("seconds").get<double>();
      if (best[i].is_null() || taken < best[i].at("seconds").get<double>()) best[i] = std::move(run);
      return taken;
    });
  const std::vector<double> taken = interleaved(options.quick ? 2 : 5, competitors);
  for (std::size_t i = 0; i < grids.size(); ++i) table.remark(describe_run(grids[i], best[i]));
  for (std::size_t i = 1; i < grids.size(); ++i) {
    const Grid& g = grids[i];
    const bool judged = g.ranks == 2 && g.threads == 1 && cores >= 2 && !options.quick;
    table.add({"distributed",
               fmt::format("{} masses, {} parts, overlap: efficiency of {}", masses, parts, name(g)),
               name(grids[0]), taken[0], taken[i], "s", taken[0] / (taken[i] * g.ranks * g.threads),
               judged ? Goal::at_least : Goal::none, 0.85,
               fmt::format("time loop only; by processor time of the busiest rank {:.2f}",
                           processor(best[0]) / (processor(best[i]) * g.ranks))});
  }
}

double value(const Json& step, const char* key, Talk kind) {
  return step.at(key).at(static_cast<std::size_t>(kind)).get<double>();
}

/// Best time of a step without what depends on the number of subsystems by design.
double without_gather(const Json& step) {
  const auto best = step.at("best").get<PerTalk>();
  return std::accumulate(best.begin(), best.end(), 0.0) - best[static_cast<std::size_t>(Talk::gather)];
}

void describe_step(const Json& step, Table& table) {
  std::string kinds;
  for (std::size_t k = 0; k < talk_names.size(); ++k) {
    const double calls = step.at("calls").at(k).get<double>();
    if (calls > 0)
      kinds += fmt::format("; {} {:.2f} calls {:.0f} numbers {:.2f} us", talk_names[k], calls,
                           step.at("numbers").at(k).get<double>(), us * step.at("best").at(k).get<double>());
  }
  table.remark(fmt::format(
      "{:<8} {:>2} per rank, {:>3} in all: macro step best {:.2f} us, median {:.2f} us{}",
      step.at("scheme").get<std::string>(), step.at("per_rank").get<int>(), step.at("parts").get<int>(),
      us * step.at("all").at("best").get<double>(), us * step.at("all").at("median").get<double>(), kinds));
}

/// One macro step of either scheme: the most subsystems per rank against the fewest.
void judge_steps(const Json& measured, const Options& options, Table& table) {
  for (const char* scheme : {"overlap", "explicit"}) {
    const Json *fewest = nullptr, *most = nullptr;
    for (const Json& step : measured.at("steps")) {
      if (step.at("scheme") != scheme) continue;
      if (!fewest) fewest = &step;
      most = &step;
    }
    const auto setting = [&](const Json& step) {
      return fmt::format("{} parts per rank", step.at("per_rank").get<int>());
    };
    const double before = without_gather(*fewest), after = without_gather(*most);
    table.add(
        {"distributed",
         fmt::format("messages of a macro step without gathers, {}, {}", scheme, setting(*most)),
         setting(*fewest), us * before, us * after, "us", after / before,
         options.quick ? Goal::none : Goal::at_most, 1.25,
         fmt::format("{:.2f} and {:.2f} messages to neighbours with {:.0f} and {:.0f} numbers, {:.2f} and "
                     "{:.2f} reductions",
                     value(*fewest, "calls", Talk::neighbours), value(*most, "calls", Talk::neighbours),
                     value(*fewest, "numbers", Talk::neighbours), value(*most, "numbers", Talk::neighbours),
                     value(*fewest, "calls", Talk::reduction), value(*most, "calls", Talk::reduction))});
  }
}

Json messages(const Options& options, Table& table) {
  const double budget = options.quick ? 1 : 20;  // seconds
  Json of_two;
  for (const int ranks : {2, 4}) {
    if (ranks > std::max(2, options.thread_count())) break;
    Json measured = on_ranks(ranks, fmt::format("messages {}", budget));
    table.remark(fmt::format("messages between {} ranks, per macro step:", ranks));
    for (const Json& step : measured.at("steps")) describe_step(step, table);
    for (const Json& entry : measured.at("parts"))
      table.remark(
          fmt::format("a number of each of {:>5} subsystems to every rank: best {:.2f} us, median {:.2f} "
                      "us; with their order {:.2f} us",
                      entry.at("parts").get<int>(), us * entry.at("gather").at("best").get<double>(),
                      us * entry.at("gather").at("median").get<double>(),
                      us * entry.at("order").at("best").get<double>()));
    if (of_two.is_null()) of_two = std::move(measured);
  }
  judge_steps(of_two, options, table);
  return of_two;
}

/// A run on one thread whose subsystems have that many masses; the faster of two.
RecordedRun record(std::size_t masses_per_part, const Options& options, const Scratch& scratch) {
  const std::size_t parts = std::clamp<std::size_t>(100'000 / masses_per_part, 4, 1000);
  const double end = options.quick ? 1e-4 : 1e-3;
  const std::string file = scenario_file(scratch, masses_per_part * parts, parts, end);
  Json best;
  for (int round = 0; round < 2; ++round) {
    Json run = run_on({1, 1}, file, scratch);
    if (best.is_null() || run.at("seconds") < best.at("seconds")) best = std::move(run);
  }
  const auto solve = best.at("subsystems").get<std::vector<double>>();
  const auto n = static_cast<double>(parts);
  const double steps = best.at("macro_steps").get<double>() + best.at("rejected_steps").get<double>();
  RecordedRun result;
  result.masses_per_part = static_cast<double>(masses_per_part);
  result.steps_per_time = steps / end;
  result.solve = std::accumulate(solve.begin(), solve.end(), 0.0) / (n * steps);
  result.interface = best.at("interface").get<double>() / (n * steps);
  return result;
}

/// Ten times as many masses cost ten times as much.
RecordedRun ten_times(RecordedRun run) {
  run.masses_per_part *= 10;
  run.solve *= 10;
  return run;
}

void add_projection(std::size_t masses, int ranks, const RecordedRun& run, const MessageModel& model,
                    Table& table) {
  // A network's messages take longer than those inside a machine.
  MessageModel slow = model;
  for (double* time : {&slow.latency, &slow.served, &slow.reduction}) *time *= 10;
  const auto whole = [&](const StepTime& step) { return run.steps_per_time * step.total(); };
  const StepTime plain = between_neighbours(run, model, ranks),
                 central = through_coordinator(run, model, ranks);
  table.add({"distributed",
             fmt::format("PROJECTED: {:.0e} masses on {} ranks, wall time of a simulated second",
                         static_cast<double>(masses), ranks),
             "central coordinator", whole(central), whole(plain), "s", whole(central) / whole(plain),
             Goal::none, 0,
             fmt::format("macro step: solve {:.1f} us, interface {:.1f}, messages {:.1f} (gathers {:.1f}), "
                         "coordinator's {:.1f}; "
                         "with ten times slower messages {:.3g}, coordinator {:.3g} s",
                         us * plain.solve, us * plain.interface, us * plain.talk, us * plain.gathers,
                         us * central.talk, whole(between_neighbours(run, slow, ranks)),
                         whole(through_coordinator(run, slow, ranks)))});
}

void project(const MessageModel& model, const Options& options, const Scratch& scratch, Table& table) {
  table.remark(
      fmt::format("PROJECTION, not measured: one subsystem per rank, all equally busy, on processors like "
                  "this one; message {:.2f} "
                  "us, one among many {:.2f} us, {:.2f} GB/s, reduction between two ranks {:.2f} us, all "
                  "between processes of this "
                  "machine",
                  us * model.latency, us * model.served, 8e-9 / model.per_number, us * model.reduction));
  std::map<std::size_t, RecordedRun> recorded;
  for (const std::size_t masses : {100UL, 1'000UL, 10'000UL, 100'000UL}) {
    if (options.quick && masses > 10'000) break;
    const RecordedRun& run = recorded[masses] = record(masses, options, scratch);
    table.remark(fmt::format(
        "recorded: {} masses per subsystem: solve {:.1f} us, interface {:.2f} us per macro step and "
        "subsystem, {:.0f} macro steps per simulated second",
        masses, us * run.solve, us * run.interface, run.steps_per_time));
  }
  for (std::size_t masses = recorded.rbegin()->first; masses < 1'000'000; masses *= 10)
    recorded[10 * masses] = ten_times(recorded[masses]);
  for (const std::size_t masses : {100'000UL, 1'000'000UL, 10'000'000UL})
    for (const int ranks : {10, 100, 1000}) {
      const RecordedRun& run = recorded.at(masses / static_cast<std::size_t>(ranks));
      add_projection(masses, ranks, run, model, table);
    }
}

}  // namespace

void distributed(const Options& options, Table& table) {
  const Scratch scratch;
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > 0.5)
    table.remark(fmt::format(
        "other work on this machine: load {:.1f}; times of ranks that wait for each other suffer", load));
  strong_scaling(options, scratch, table);
  project(message_model(messages(options, table)), options, scratch, table);
}

}  // namespace cosimo::bench
