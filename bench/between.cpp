// What a run with overlaps on lattices does between the steps of its subsystems: fitting overlaps, coupling,
// estimating, control (the sections of core/section.hpp but `integrate` and `output`). Where a model has many
// cuts this is the part that does not become faster with the subsystems.
//
// Measured on two threads. What the second one works in a section can be shared, what the first one works
// longer is serial: so the share on 16 threads is projected.
// That holds on an idle machine only: where the second thread gets no core the first one does its work, which
// then counts as serial.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "bench/benchmarks.hpp"
#include "bench/scenarios.hpp"

namespace cosimo::bench {

namespace {

struct Lattice {
  std::string size;
  double end = 0;
};

std::string scenario(const Lattice& lattice, int parts) {
  return fmt::format(R"(cosimo: 1
model:
  lattice: {{size: [{}], mass: 0.01, spring: {{c: 1.0e4, d: 0.05, C: 1.0e3}}, seed: 3,
            initial: {{v: {{uniform: [-1, 1]}}}}}}
simulate: {{end: {}, output: {}, record: [1]}}
partition: {{parts: {}}}
couple: {{decomposition: overlap}}
solve: {{method: rk}}
)",
                     lattice.size, lattice.end, lattice.end, parts);
}

struct Between {
  double measured = 0, projected = 0;  ///< shares of the run
  double wall = 0;
};

Between between(const Report& report) {
  constexpr double many = 16;
  double steps = 0, outside = 0, projected = 0, elapsed = 0;
  for (const SectionReport& section : report.sections) {
    if (section.name == "output") continue;
    const double first = section.work.at(0), second = section.work.at(1);
    elapsed += first + section.waiting.at(0);
    if (section.name == "integrate") {
      steps = (first + second) / many;
      continue;
    }
    outside += first + section.waiting.at(0);
    projected += std::max(0.0, first - second) + 2 * std::min(first, second) / many;
  }
  return {outside / elapsed, projected / (projected + steps), elapsed};
}

}  // namespace

void between(const Options& options, Table& table) {
  std::vector<Lattice> lattices{{"100, 100", 0.2}, {"20, 20, 20", 0.1}};
  if (!options.quick) lattices.insert(lattices.end(), {{"300, 300", 0.1}, {"40, 40, 40", 0.05}});
  RunOptions run_options;
  run_options.threads = 2;
  for (const Lattice& lattice : lattices)
    for (const int parts : {4, 16}) {
      Between best{1, 1, 0};
      for (int round = 0; round < (options.quick ? 1 : 3); ++round) {
        const Between now = between(run(Scenario::parse(scenario(lattice, parts), "bench"), run_options));
        if (now.projected < best.projected) best = now;
      }
      table.add({"between",
                 fmt::format("lattice [{}] in {} parts, share between the steps: 2 threads, projected to 16",
                             lattice.size, parts),
                 "the whole run", best.wall, best.measured * best.wall, "s", best.projected, Goal::at_most,
                 0.1, fmt::format("{:.1f} % on 2 threads", 100 * best.measured)});
    }
}

}  // namespace cosimo::bench
