#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/asymmetry_trials.hpp"

namespace cosimo::studies {
namespace {

using Value = double (*)(const AsymmetryOutcome&);

/// A quantity over the damping; the undamped point has no place on a logarithmic axis.
Course over_damping(const AsymmetryGrid& grid, const AsymmetricWay& way, double ratio, std::string name,
                    Value value) {
  Course course{.name = std::move(name)};
  for (const double damping : grid.dampings) {
    if (damping == 0) continue;
    const double y = value(grid.at(way, ratio, damping));
    course.x.push_back(damping);
    course.y.push_back(std::isfinite(y) ? y : gap);
  }
  return course;
}

Figure of_ways(const AsymmetryGrid& grid, double ratio) {
  Figure figure{.id = fmt::format("macro-steps-{:.0f}", ratio),
                .title = fmt::format("Macro steps per simulated second, mass ratio {:g}", ratio),
                .where = "Figure 5.69",
                .x = {.label = "coupling damping in Ns/m", .log = true},
                .y = {.label = "macro steps per second", .log = true}};
  for (const AsymmetricWay& way : grid.ways)
    figure.courses.push_back(
        over_damping(grid, way, ratio, way.name, [](const AsymmetryOutcome& o) { return o.per_second(); }));
  figure.note = fmt::format("Runs that do not end within {} macro steps: rate up to the time they reached.",
                            grid.limit);
  return figure;
}

Figure of_jacobians(const AsymmetryGrid& grid, std::string id, std::string title, std::string label,
                    Value value) {
  Figure figure{.id = std::move(id),
                .title = std::move(title),
                .where = "Figure A.24",
                .x = {.label = "coupling damping in Ns/m", .log = true},
                .y = {.label = std::move(label)}};
  for (const double ratio : grid.ratios)
    for (const AsymmetricWay* way : {&ways::imMD, &ways::sap, &ways::imMD_default})
      figure.courses.push_back(
          over_damping(grid, *way, ratio, fmt::format("{}, ratio {:g}", way->name, ratio), value));
  return figure;
}

Table numbers(const AsymmetryGrid& grid) {
  Table table{
      .id = "grid",
      .title = "Every combination",
      .columns = {"way", "mass ratio", "damping", "macro steps", "time reached", "steps per second",
                  "iterations per step", "corrector failures", "global error"},
      .note =
          "Global error: NRMSE (5.2) of all states against an uncut run with rtol 1e-10, where the run "
          "ended within the limit of macro steps."};
  for (const AsymmetricWay& way : grid.ways)
    for (const double ratio : grid.ratios)
      for (const double damping : grid.dampings) {
        const AsymmetryOutcome& o = grid.at(way, ratio, damping);
        table.rows.push_back({way.name, ratio, damping, static_cast<std::int64_t>(o.steps), o.reached,
                              o.per_second(), o.steps > 0 ? o.per_step() : gap,
                              static_cast<std::int64_t>(o.failures), o.error});
      }
  return table;
}

Table seconds(const AsymmetryGrid& grid) {
  Table table{.id = "cpu-seconds",
              .title = "CPU seconds per simulated second (Figure 5.69, left)",
              .columns = {"mass ratio", "damping"},
              .note = "Of runs that reached the limit of macro steps: projected.",
              .timed = true};
  for (const AsymmetricWay& way : grid.ways) table.columns.push_back(way.name);
  for (const double ratio : grid.ratios)
    for (const double damping : grid.dampings) {
      std::vector<Table::Cell> row{ratio, damping};
      for (const AsymmetricWay& way : grid.ways) {
        const AsymmetryOutcome& o = grid.at(way, ratio, damping);
        row.emplace_back(o.reached > 0 ? o.cpu_s / o.reached : gap);
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

}  // namespace

void show_grid(const AsymmetryGrid& grid, Finding& finding) {
  for (const double ratio : grid.ratios) finding.figures.push_back(of_ways(grid, ratio));
  Figure errors{.id = "global-errors",
                .title = "Global error of the runs that ended",
                .where = "Figures 5.70 and A.23",
                .x = {.label = "coupling damping in Ns/m", .log = true},
                .y = {.label = "NRMSE of all states", .log = true}};
  for (const double ratio : grid.ratios)
    for (const AsymmetricWay* way : {&ways::exMD, &ways::imMD, &ways::imMD_default})
      errors.courses.push_back(over_damping(grid, *way, ratio,
                                            fmt::format("{}, ratio {:g}", way->name, ratio),
                                            [](const AsymmetryOutcome& o) { return o.error; }));
  finding.figures.push_back(std::move(errors));
  finding.figures.push_back(of_jacobians(grid, "iterations", "Corrector iterations per macro step",
                                         "iterations per macro step",
                                         [](const AsymmetryOutcome& o) { return o.per_step(); }));
  finding.figures.push_back(of_jacobians(
      grid, "corrector-failures", "Corrector failures per thousand macro steps", "failures per 1000 steps",
      [](const AsymmetryOutcome& o) { return o.steps > 0 ? 1e3 * o.failures / o.steps : gap; }));
  finding.tables.push_back(numbers(grid));
  finding.tables.push_back(seconds(grid));
}

}  // namespace cosimo::studies
