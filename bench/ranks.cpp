// What bench/distributed starts with mpirun. Rank 0 prints what was measured as one line of JSON.
//
//   cosimo_bench_ranks run FILE.yaml THREADS FOLDER     the time loop of a run, results into FOLDER
//   cosimo_bench_ranks messages SECONDS                    times of messages, measured for so long
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "bench/messages.hpp"
#include "bench/timing.hpp"
#include "cosimo/cluster.hpp"
#include "simulation/assembly.hpp"
#include "simulation/output_folder.hpp"
#include "simulation/recording.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"

namespace {

using namespace cosimo;
using namespace cosimo::bench;
using Json = nlohmann::ordered_json;

double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Json json(const Spread& spread) {
  return {{"best", spread.best}, {"median", spread.median}};
}

/// As execute() does it; timed is the loop with everything it records, from the moment all ranks stand ready
/// until all is on disk; `processor` is the time that the busiest rank did not sleep.
Json timed_run(Cluster& cluster, const std::string& file, int threads, const std::string& folder) {
  Exchange& exchange = cluster.exchange();
  const Scenario scenario = cluster.load(file);
  const auto assembly = assemble(scenario.data(), nullptr, &exchange);
  RunOptions options;
  if (cluster.leads()) options.output_dir = folder;
  const OutputFolder output(options.output_dir);
  Session session(scenario.data(), *assembly, threads);
  Recording recording(*assembly, options, scenario.data().simulate.end);
  recording.open();
  TimeLoop loop(*assembly, *session.lanes, *session.scheme, *session.control, session.loop, recording,
                nullptr, nullptr);
  any(exchange, false);
  const double begin = now(), processor_begin = processor_seconds();
  const LoopResult result = loop.run();
  recording.close();
  double processor = processor_seconds() - processor_begin;
  exchange.max({&processor, 1});
  const double elapsed = now() - begin;
  if (result.status != LoopResult::Status::ok) throw std::runtime_error(result.reason);

  recording.collect(session.pool.threads());
  if (!cluster.leads()) return {};
  Report report;
  report.subsystems.resize(assembly->partition.parts.size());
  recording.fill(report);
  std::vector<double> solve;
  for (const SubsystemReport& s : report.subsystems) solve.push_back(s.seconds);
  return {{"seconds", elapsed},
          {"processor", processor},
          {"macro_steps", report.macro_steps},
          {"rejected_steps", report.rejected_steps},
          {"layers", report.layers},
          {"overlap", assembly->overlap != nullptr},
          {"solve", report.time.solve},
          {"idle", report.time.idle},
          {"interface", report.time.interface},
          {"transport", report.time.transport},
          {"output", report.time.output},
          {"subsystems", solve}};
}

Json json(const StepTalk& talk, int ranks) {
  return {{"scheme", talk.scheme},
          {"per_rank", talk.parts / static_cast<std::size_t>(ranks)},
          {"parts", talk.parts},
          {"layers", talk.layers},
          {"calls", talk.conversation.calls()},
          {"numbers", talk.conversation.numbers()},
          {"all", json(talk.all)},
          {"best", talk.best}};
}

Json messages(Exchange& exchange, double budget) {
  std::vector<StepTalk> talks;
  for (const TalkScheme scheme : {TalkScheme::overlap, TalkScheme::explicit_scheme})
    for (std::size_t per_rank = 2; per_rank <= 64; per_rank *= 2)
      talks.push_back(overheard(exchange, scheme, per_rank));
  const std::vector<std::size_t> lengths{1, 64, 1024, 16384}, words{1, 64, 512},
      parts{4, 16, 64, 256, 1024, 4096, 16384};
  std::vector<Exercise> exercises{served_messages(exchange)};
  for (const std::size_t n : lengths) exercises.push_back(pair_of_messages(exchange, n));
  for (const std::size_t n : words) exercises.push_back(reduction(exchange, n));
  for (const std::size_t n : parts)
    for (const bool in_order : {false, true}) exercises.push_back(gather_of_parts(exchange, n, in_order));
  in_turn(exchange, talks, exercises, budget);

  auto exercise = exercises.cbegin();
  const Spread served{exercise->time.best / served_in_turn, exercise->time.median / served_in_turn};
  Json result = {{"ranks", exchange.ranks()}, {"served", json(served)}};
  for (const StepTalk& talk : talks) result["steps"].push_back(json(talk, exchange.ranks()));
  for (const std::size_t n : lengths)
    result["pairs"].push_back({{"numbers", n}, {"time", json((++exercise)->time)}});
  for (const std::size_t n : words)
    result["reductions"].push_back({{"numbers", n}, {"time", json((++exercise)->time)}});
  for (const std::size_t n : parts) {
    const Json gather = json((++exercise)->time), order = json((++exercise)->time);
    result["parts"].push_back({{"parts", n}, {"gather", gather}, {"order", order}});
  }
  return result;
}

Json measure(Cluster& cluster, const std::vector<std::string>& words) {
  if (words.size() == 4 && words[0] == "run")
    return timed_run(cluster, words[1], std::atoi(words[2].c_str()), words[3]);
  if (words.size() == 2 && words[0] == "messages" && cluster.ranks() > 1)
    return messages(cluster.exchange(), std::atof(words[1].c_str()));
  throw std::runtime_error("run FILE THREADS FOLDER, or on several ranks: messages SECONDS");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Cluster cluster = Cluster::join();
    try {
      const Json json = measure(cluster, {argv + 1, argv + argc});
      if (cluster.leads()) fmt::print("{}\n", json.dump());
      return 0;
    } catch (const std::exception& error) {
      fmt::print(stderr, "bench: {}\n", error.what());
      cluster.abort(1);
      return 1;
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 1;
  }
}
