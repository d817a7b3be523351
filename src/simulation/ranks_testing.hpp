// Whole runs on several ranks that are threads of this process, with what they leave on disk.
//
//   const RanksRun one = on_ranks(text, 1), three = on_ranks(text, 3, {.threads = 2});
//   EXPECT_EQ(difference(one, three), "");
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "parallel/thread_exchange.hpp"
#include "simulation/execute.hpp"
#include "tests/support/same_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace cosimo::testing {

using test::TemporaryFolder;

struct RanksOptions {
  int threads = 1;
  int rollback_every = 0;
  Wiring wiring = {};
  bool crowd = false;  ///< TestHooks::crowd
  /// Changes the options of one rank before it starts.
  std::function<void(int rank, RunOptions&)> prepare = {};
};

struct RanksRun {
  std::vector<Report> reports;  ///< one per rank
  FileContents results;         ///< of results.h5
  const Report& report() const { return reports.front(); }
};

inline RanksRun on_ranks(const std::string& text, int ranks, const RanksOptions& options = {}) {
  const TemporaryFolder folder;
  const config::Scenario scenario = config::parse_scenario(text, "test.yaml");
  RanksRun run;
  run.reports.resize(static_cast<std::size_t>(ranks));
  run_ranks(ranks, [&](Exchange& exchange) {
    RunOptions own;
    own.output_dir = folder.path() / "out";
    own.threads = options.threads;
    if (options.prepare) options.prepare(exchange.rank(), own);
    run.reports[static_cast<std::size_t>(exchange.rank())] =
        execute(scenario, own,
                {.rollback_every = options.rollback_every,
                 .exchange = &exchange,
                 .wiring = options.wiring,
                 .crowd = options.crowd});
  });
  run.results = contents(folder.path() / "out" / "results.h5");
  return run;
}

/// Counts of a report that must not depend on ranks and threads.
inline std::string counts(const Report& r) {
  std::string text = fmt::format(
      "{} '{}' {} at {}: {} steps, {} rejected, {} iterations, {} failures, {} layers, {} {}\n", r.status,
      r.outcome.reason, r.outcome.culprit, r.outcome.time, r.macro_steps, r.rejected_steps,
      r.corrector_iterations, r.corrector_failures, r.layers, r.mean_H, r.speedup_bound);
  text += fmt::format("blame: {} {} {}\n", r.blame.name, r.blame.rejected_steps, r.blame.largest_error);
  for (const auto& [order, share] : r.order_share) text += fmt::format("order {}: {}\n", order, share);
  for (const std::string& choice : r.choices) text += choice + "\n";
  for (const std::string& advice : r.advice) text += advice + "\n";
  for (const SubsystemReport& s : r.subsystems)
    text += fmt::format(
        "{}: {} bodies, {} steps, {} rejected, {} evaluations, {} factorizations, {} switches, {} stiff\n",
        s.method, s.bodies, s.micro_steps, s.rejected_micro_steps, s.evaluations, s.factorizations,
        s.method_switches, s.stiff_steps);
  return text;
}

/// In words; empty: the runs are the same to the last bit.
inline std::string difference(const RanksRun& a, const RanksRun& b) {
  if (a.results.empty() || b.results.empty()) return "results.h5 cannot be read";
  const std::string results = difference(a.results, b.results);
  if (!results.empty()) return results;
  return counts(a.report()) == counts(b.report()) ? ""
                                                  : counts(a.report()) + "against\n" + counts(b.report());
}

}  // namespace cosimo::testing
