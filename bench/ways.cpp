// Three ways to run a model on the cores of one machine: whole with a team, cut with overlap, cut in the
// classic way. Seconds of the time loop for five kinds of models, each with default settings but for the way.
// Competitors take turns, the best of several counts.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "bench/benchmarks.hpp"
#include "bench/models.hpp"
#include "bench/scenarios.hpp"
#include "cosimo/cosimo.hpp"

namespace cosimo::bench {

namespace {

struct Kind {
  std::string name, text;
  std::string cuts;  ///< --set value of the cut runs
};

struct Way {
  const char* name;
  std::vector<std::string> overrides;  ///< --set values; none: it is left whole
};

std::vector<Kind> kinds(bool quick) {
  const int side = quick ? 100 : 300, masses = quick ? 10'000 : 100'000, links = quick ? 100 : 400;
  const auto with_end = [](const std::string& model, double end) {
    return model + fmt::format("simulate: {{end: {}, output: {}}}\n", end, end / 10);
  };
  return {
      {fmt::format("lattice {0} x {0}, struck", side),
       with_end(fmt::format(R"(cosimo: 1
model:
  lattice:
    size: [{0}, {0}]
    mass: 0.01
    spring: {{c: 1.0e4, d: 0.05}}
    loads: [{{impulse: {{bodies: [{1}], amplitude: 50, start: 5.0e-3, duration: 1.0e-2, steepness: 1.0e-3}}}}]
)",
                            side, side * side / 2),
                0.1),
       "partition.parts=16"},
      {fmt::format("network of {} masses in space", quick ? 1000 : 6000),
       with_end(fmt::format(R"(cosimo: 1
model:
  network:
    masses: {}
    neighbours: 6
    mass: 1
    spring: {{c: 1.0e4, d: 1.0}}
    velocity: {{uniform: [-0.1, 0.1]}}
    fixed: 10
    seed: 3
)",
                            quick ? 1000 : 6000),
                0.5),
       "partition.parts=16"},
      {fmt::format("chain of {} masses", masses),
       with_end(table_5_9_yaml(static_cast<std::size_t>(masses)), quick ? 5e-4 : 2e-3), "partition.parts=48"},
      {fmt::format("{} rods with ball joints, every 25th compliant", links),
       with_end(fmt::format(R"(cosimo: 1
model:
  pendulum: {{links: {}, length: 0.2, mass: 0.3, body: rod, joint: spherical, dimensions: 3, angle: 0.8,
             damping: 1.0e-3, compliant: {{every: 25, stiffness: 1.0e5, damping: 50}}}}
)",
                            links),
                0.5),
       fmt::format("partition.parts={}", links / 25)},
      {"2050 masses, stiff contacts at the ends",
       with_end(R"(cosimo: 1
model:
  chain:
    masses: 2050
    mass: 5.0e-5
    spring: {c: 2.5e6, d: 0.25, C: 1.0e10, D: 5.0e-5}
    initial: {x: 0, v: {uniform: [-100, 100]}}
    seed: 58
    loads:
      - contact: {bodies: [3, 5, 7, 2044, 2046, 2049], A: -1.0e-2, B: 5.0e5}
      - harmonic: {bodies: [3, 5, 7, 2044, 2046, 2049], amplitude: 2.0e4, omega: 0, phase: 1.5707963267948966}
)",
                1e-3),
       "partition={method: manual, cuts: [26, 2026]}"}};
}

std::vector<Way> ways() {
  return {{"whole", {}},
          {"overlap", {"couple.scheme=explicit", "couple.decomposition=overlap"}},
          {"classic", {"couple.scheme=explicit", "control.estimator=exCV"}}};
}

struct Cell {
  double seconds = std::numeric_limits<double>::infinity();
  std::int64_t parts = 0;
  std::string failure;
};

double loop_seconds(const TimeShare& time) {
  return time.solve + time.idle + time.snapshot + time.interface + time.transport;
}

void run_once(const Kind& kind, const Way& way, int threads, Cell& cell) {
  try {
    RunOptions options;
    options.threads = threads;
    std::vector<std::string> overrides{way.overrides.empty() ? "partition=none" : kind.cuts};
    overrides.insert(overrides.end(), way.overrides.begin(), way.overrides.end());
    const Report report = run(Scenario::parse(kind.text, "bench", overrides), options);
    cell.parts = report.parts;
    if (report.status == "ok")
      cell.seconds = std::min(cell.seconds, loop_seconds(report.time));
    else
      cell.failure = report.outcome.reason;
  } catch (const std::exception& e) {
    cell.failure = e.what();
  }
}

}  // namespace

void ways(const Options& options, Table& table) {
  std::vector<int> teams;
  for (int n = 1; n < options.thread_count(); n *= 2) teams.push_back(n);
  teams.push_back(options.thread_count());
  const std::vector<Way> all = ways();
  for (const Kind& kind : kinds(options.quick)) {
    std::vector<std::vector<Cell>> cells(all.size(), std::vector<Cell>(teams.size()));
    for (int round = 0; round < (options.quick ? 1 : 3); ++round)
      for (std::size_t t = 0; t < teams.size(); ++t)
        for (std::size_t w = 0; w < all.size(); ++w)
          if (cells[w][t].failure.empty()) run_once(kind, all[w], teams[t], cells[w][t]);
    for (std::size_t w = 0; w < all.size(); ++w)
      for (std::size_t t = 0; t < teams.size(); ++t) {
        const Cell& cell = cells[w][t];
        if (!cell.failure.empty()) {
          if (t == 0) table.remark(fmt::format("{}, {}: {}", kind.name, all[w].name, cell.failure));
          continue;
        }
        table.add({"ways",
                   fmt::format("{}: {}, {} part{}, {} thread{}", kind.name, all[w].name, cell.parts,
                               cell.parts == 1 ? "" : "s", teams[t], teams[t] == 1 ? "" : "s"),
                   "whole, one thread",
                   cells[0][0].seconds,
                   cell.seconds,
                   "s",
                   cells[0][0].seconds / cell.seconds,
                   Goal::none,
                   0,
                   {}});
      }
  }
}

}  // namespace cosimo::bench
