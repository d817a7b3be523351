// What `cosimo plan` predicts against what then happens: wall time of whole runs on one and on all threads,
// and peak memory. The target is a ratio within 1.2 either way.
//
// Every example is planned once with pilot runs of a fraction of its length, and run to the end on 1 and on N
// threads, by turns; the best of several counts. Timed is the time loop alone, without files, as the plan
// expects it; on one thread by the clock of that thread. The proposal is run as the file couples it: the
// recommendation may be another scheme.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <exception>
#include <stdexcept>

#include "bench/benchmarks.hpp"
#include "bench/scenarios.hpp"
#include "bench/timing.hpp"
#include "cosimo/plan.hpp"
#include "planning/plan_predict.hpp"
#include "planning/plan_proposal.hpp"
#include "simulation/assembly.hpp"
#include "simulation/observer.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo::bench {

namespace {

constexpr double within = 1.2, memory_within = 1.3;

struct PlanCase {
  std::string name, file;
  std::vector<std::string> overrides;        ///< long enough to be timed
  std::vector<std::string> quick_overrides;  ///< in the place of the last of them
};

std::vector<PlanCase> cases() {
  return {{"overlap, waves", "waves", {"simulate.end=0.2"}, {"simulate.end=0.05"}},
          {"overlap, Table 5.9", "overlap", {"simulate.end=0.02"}, {"simulate.end=4e-3"}},
          {"explicit exCV, multirate", "multirate", {"simulate.end=4e-3"}, {"simulate.end=1e-3"}},
          {"explicit exMD, chain",
           "waves",
           {"couple.scheme=explicit", "control.estimator=exMD", "simulate.end=5e-3"},
           {"simulate.end=1e-3"}},
          {"implicit imCV, schemes", "schemes", {"simulate.end=1.0"}, {"simulate.end=0.3"}},
          {"uncut by auto, lattice", "lattice", {"simulate.end=1.0"}, {"simulate.end=0.2"}},
          {"mechanism, vehicle in 2 parts",
           "vehicle",
           {"partition.parts=2", "couple.scheme=explicit", "simulate.end=3"},
           {"simulate.end=0.5"}}};
}

class Silence final : public Observer {
 public:
  void output(double, std::span<const double>, std::span<const double>) override {}
  void step(const StepRow&, const Scheme&, const AttemptCost&) override {}
  void macro_point(double, double, int) override {}
};

/// Of the thread itself, where there is no other: what other work on the machine disturbs least.
double clock_of(int threads) {
  if (threads > 1) return now();
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Seconds of the time loop.
double run_whole(const config::Scenario& scenario, int threads) {
  const auto assembly = assemble(scenario);
  Session session(scenario, *assembly, threads);
  Silence silence;
  TimeLoop loop(*assembly, *session.lanes, *session.scheme, *session.control, session.loop, silence, nullptr,
                nullptr);
  const double begin = clock_of(threads);
  const LoopResult result = loop.run();
  const double taken = clock_of(threads) - begin;
  if (result.status != LoopResult::Status::ok) throw std::runtime_error("plan: " + result.reason);
  return taken;
}

void one_case(const PlanCase& c, const Options& options, Table& table) {
  std::vector<std::string> overrides = c.overrides;
  if (options.quick) overrides.back() = c.quick_overrides.front();
  const Scenario scenario = Scenario::load("examples/" + c.file + ".yaml", overrides);
  PlanOptions how;
  how.pilot_s = options.quick ? 0.2 : 0.6;
  how.total_s = 6 * how.pilot_s;  // the file's own scheme is what is checked
  const CutPlan planned = plan(scenario, how);
  const SchemeTrial& own = planned.schemes.front();
  if (!own.ok) throw std::runtime_error(fmt::format("plan, {}: {}", c.name, own.reason));

  const config::Scenario proposed = propose(scenario.data()).scenario;
  std::vector<int> threads{1};
  if (planned.machine_cores > 1) threads.push_back(static_cast<int>(planned.machine_cores));
  std::vector<std::function<double()>> competitors;
  for (const int n : threads) competitors.emplace_back([&proposed, n] { return run_whole(proposed, n); });
  const std::vector<double> measured = interleaved(options.quick ? 3 : 7, competitors);
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const Estimate& wall = prediction_on(own, threads[i]).wall_s;
    const double ratio = wall.value / measured[i];
    table.add({"plan",
               fmt::format("{}, {} thread{}: predicted / measured, either way", c.name, threads[i],
                           threads[i] == 1 ? "" : "s"),
               "the whole run", measured[i], wall.value, "s", std::max(ratio, 1 / ratio), Goal::at_most,
               within,
               fmt::format("{:+.0f} %, range {:.3g} to {:.3g} s {}; pilot saw {:.0f} %, {}",
                           100 * (ratio - 1), wall.low, wall.high,
                           measured[i] >= wall.low && measured[i] <= wall.high ? "holds it" : "misses it",
                           100 * planned.confidence.coverage, own.name)});
  }
}

/// In the child. Leaves at once: nothing of the parent's is destroyed twice.
[[noreturn]] void run_and_leave(const Scenario& scenario, const std::filesystem::path& folder) {
  int code = 1;
  try {
    RunOptions options;
    options.output_dir = folder;
    options.threads = 1;
    code = run(scenario, options).status == "ok" ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: plan: {}\n", error.what());
    std::fflush(stderr);
  }
  _exit(code);
}

/// Comes first: a forked process begins with what its parent holds.
void memory_of(std::size_t masses, Table& table) {
  const Scratch scratch;
  const std::vector<std::string> overrides{fmt::format("model.chain.masses={}", masses), "simulate.end=2e-4",
                                           fmt::format("partition.parts={}", masses / 1000)};
  const Scenario scenario = Scenario::load("examples/waves.yaml", overrides);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("plan: cannot start a process");
  if (child == 0) run_and_leave(scenario, scratch / "run");
  int status = 0;
  rusage usage{};
  if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error("plan: the run for memory did not finish");
  PlanOptions how;
  how.pilot_s = 0.5;
  how.total_s = 1;
  const CutPlan planned = plan(scenario, how);
  const double peak = static_cast<double>(usage.ru_maxrss) / 1024;  // counts KiB
  const double expected = planned.schemes.front().predictions.front().memory_mb;
  table.add({"plan", fmt::format("memory of {} masses: predicted / measured, either way", masses),
             "peak of a run", peak, expected, "MB", std::max(expected / peak, peak / expected), Goal::at_most,
             memory_within, fmt::format("{:+.0f} %", 100 * (expected / peak - 1))});
}

}  // namespace

void plan(const Options& options, Table& table) {
  for (const std::size_t masses : {2000UL, 100'000UL}) memory_of(masses, table);
  for (const PlanCase& c : cases()) one_case(c, options, table);
}

}  // namespace cosimo::bench
