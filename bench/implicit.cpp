// Implicit steps of mechanisms on one thread and on several: milliseconds of radau per attempt at a step,
// everything included. A lattice of 40 x 40 rigid bodies with bushings has large fronts, chains of rods have
// leaves in vector lanes. Each against KLU on one thread, as all linear systems were solved once, and against
// our own one thread; steps are the same for any team, to the bit. Competitors take turns, the best counts.
#include <fmt/format.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/mechanisms.hpp"
#include "bench/team_run.hpp"
#include "bench/timing.hpp"

namespace cosimo::bench {

namespace {

struct Case {
  std::string name;
  PlacedMechanism made;
  double begin, end;      ///< of what is timed; before it patterns are analysed
  double on_two_threads;  ///< times faster than on one
};

void measure(const Case& one, const Options& options, Table& table) {
  std::vector<std::unique_ptr<TeamRun>> runs;
  const TeamRun::Span span{one.begin, one.end};
  runs.push_back(std::make_unique<TeamRun>(one.made, Method::radau, span, 1, Linear::klu));
  for (const int threads : std::set<int>{1, 2, options.thread_count()})
    runs.push_back(std::make_unique<TeamRun>(one.made, Method::radau, span, threads));
  std::vector<std::function<double()>> competitors;
  for (const auto& run : runs) competitors.emplace_back([&run] { return (*run)(); });
  const std::vector<double> best = interleaved(options.quick ? 2 : 8, competitors);
  const auto add = [&](std::size_t k, std::size_t reference, const char* name, double target) {
    table.add({.benchmark = "implicit",
               .work = fmt::format("a step of radau, {}, {} thread{}", one.name, runs[k]->threads(),
                                   runs[k]->threads() == 1 ? "" : "s"),
               .reference = name,
               .reference_value = 1e3 * best[reference],
               .our_value = 1e3 * best[k],
               .unit = "ms",
               .ratio = best[reference] / best[k],
               .goal = target > 0 ? Goal::at_least : Goal::none,
               .target = target,
               .note = {}});
  };
  for (std::size_t k = 1; k < runs.size(); ++k) {
    add(k, 0, "KLU, one thread", 0);
    if (k > 1) add(k, 1, "one thread", runs[k]->threads() == 2 ? one.on_two_threads : 0);
  }
}

}  // namespace

void implicit(const Options& options, Table& table) {
  const std::size_t side = options.quick ? 20 : 40;
  std::vector<Case> cases;
  cases.push_back(
      {fmt::format("lattice of {0} x {0} rigid bodies", side), lattice_of(side), 2e-5, 0.01, 1.7});
  cases.push_back({"chain of 200 rods", chain_of(200), 2e-4, 0.1, 0});
  cases.push_back({"chain of 2000 rods", chain_of(2000), 2e-4, 0.05, 0});
  for (const Case& one : cases) measure(one, options, table);
}

}  // namespace cosimo::bench
