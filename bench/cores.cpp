// Models that are left whole, on one thread and on all: what a step costs per mass, of networks per spring
// and stage, against a plain loop over the same topology with the same kernels by hand (graph_hwy, where
// bench/run finds it), and against our own one thread. Timed is the solver alone; competitors take turns, the
// best of several counts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "bench/benchmarks.hpp"
#include "bench/scenarios.hpp"
#include "bench/yardstick.hpp"

namespace cosimo::bench {

namespace {

struct Whole {
  std::string name, text;
  std::string yardstick;  ///< its arguments before the number of threads
  double against_yardstick = 0;
  std::string_view per = "step and mass";
  double of_them = 1;  ///< for each mass, in a step
};

std::vector<Whole> models(bool quick) {
  const auto lattice = [](int side, double end) {
    return fmt::format(R"(cosimo: 1
model:
  lattice:
    size: [{0}, {0}]
    mass: 0.01
    spring: {{c: 1.0e4, d: 0.05, C: 1.0e3}}  # cubic, as the yardstick's
    loads: [{{impulse: {{bodies: [{1}], amplitude: 50, start: 5.0e-3, duration: 1.0e-2, steepness: 1.0e-3}}}}]
simulate: {{end: {2}, output: {2}}}
solve: {{method: rk}}
partition: none
)",
                       side, side * side / 2, end);
  };
  const auto chain = [](int masses, double end) {
    return fmt::format(R"(cosimo: 1
model:
  chain:
    masses: {}
    mass: 5.0e-5
    spring: {{c: 2.5e6, d: 0.25, C: 1.0e10}}
    loads: [{{impulse: {{bodies: [450], amplitude: 1.5e4, start: 2.0e-4, duration: 1.0e-3, steepness: 1.0e-4}}}}]
simulate: {{end: {}, output: 1}}
solve: {{method: rk}}
partition: none
)",
                       masses, end);
  };
  const auto network = [](int masses, double end) {
    return fmt::format(R"(cosimo: 1
model:
  network:
    masses: {}
    neighbours: 6
    spring: {{c: 500, d: 0.5}}
    velocity: {{uniform: [-0.2, 0.2]}}
    fixed: 3
simulate: {{end: {}, output: 1}}
solve: {{method: rk}}
partition: none
)",
                       masses, end);
  };
  constexpr std::string_view spring = "spring and stage";
  constexpr double springs = 3 * 6;
  std::vector<Whole> all{{"lattice 300 x 300", lattice(300, quick ? 0.02 : 0.05), "lattice 300", 1.3}};
  if (!quick) all.push_back({"lattice 1000 x 1000", lattice(1000, 0.02), "lattice 1000", 1.3});
  all.push_back({"network of 6000", network(6000, quick ? 0.5 : 1), "space 6000", 1.3, spring, springs});
  if (!quick)
    all.push_back({"network of 100 000", network(100'000, 0.5), "space 100000", 1.3, spring, springs});
  all.push_back({"chain of 100 000", chain(100'000, quick ? 5e-4 : 2e-3), "", 0});
  return all;
}

double yardstick_ns(const Whole& model, int threads) {
  for (const char* width : {"width 8:", "width 4:"}) {
    const double ns =
        yardstick("COSIMO_GRAPH_YARDSTICK", fmt::format("{} {} 30 3", model.yardstick, threads), width);
    if (std::isfinite(ns)) return ns / model.of_them;
  }
  return NAN;
}

}  // namespace

void cores(const Options& options, Table& table) {
  const std::set<int> teams{1, 2, options.thread_count()};
  for (const Whole& model : models(options.quick)) {
    std::map<int, double> best;
    for (int round = 0; round < (options.quick ? 2 : 5); ++round)
      for (const int threads : teams) {
        RunOptions run_options;
        run_options.threads = threads;
        const Report report = run(Scenario::parse(model.text, "bench"), run_options);
        const SubsystemReport& part = report.subsystems.front();
        const double steps = static_cast<double>(part.micro_steps + part.rejected_micro_steps);
        const double ns =
            1e9 * report.time.solve / (steps * static_cast<double>(part.bodies) * model.of_them);
        const auto known = best.emplace(threads, ns).first;
        known->second = std::min(known->second, ns);
      }
    for (const auto& [threads, ns] : best) {
      const double other = model.yardstick.empty() ? NAN : yardstick_ns(model, threads);
      if (std::isfinite(other))
        table.add({"cores",
                   fmt::format("{}, {} threads, per {}", model.name, threads, model.per),
                   "graph_hwy",
                   other,
                   ns,
                   "ns",
                   ns / other,
                   Goal::at_most,
                   model.against_yardstick,
                   {}});
      if (threads > 1)
        table.add({"cores",
                   fmt::format("{}, {} threads", model.name, threads),
                   "one thread",
                   best.at(1),
                   ns,
                   "ns",
                   best.at(1) / ns,
                   Goal::none,
                   0,
                   {}});
    }
  }
}

}  // namespace cosimo::bench
