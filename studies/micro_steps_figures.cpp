#include "studies/micro_steps_figures.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "studies/work.hpp"

namespace cosimo::studies {
namespace {

/// Rows of a window of `count` rows that begins at half the simulated time.
struct Window {
  std::size_t first = 0, last = 0;
};
Window window(const TimingHistory& timing, std::size_t count) {
  const std::size_t rows = timing.t.size();
  const std::size_t first = rows / 2;
  return {first, std::min(rows, first + count)};
}

Figure stops_figure(const MicroStepsTrials& trials) {
  Figure figure{
      .id = "stops",
      .title = fmt::format("Mean micro step within each macro step, subsystem 1 of 2, H = {:.0e} s",
                           trials.stop_H),
      .where = "Figure 4.4",
      .x = {"t in s"},
      .y = {"H / micro steps, in s"},
      .courses = {},
      .note = "Single micro steps are not recorded: what is shown is their mean in each macro step."};
  for (const StopTrial& stop : trials.stops) {
    const TimingHistory& timing = stop.timing;
    if (timing.micro_steps.empty()) continue;
    Course course{.name = stop.name, .style = Course::Style::steps};
    const Window rows = window(timing, 200);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const double steps =
          timing.micro_steps[row * timing.subsystems] / static_cast<double>(timing.count[row]);
      course.x.push_back(timing.t[row]);
      course.y.push_back(steps > 0 ? trials.stop_H / steps : gap);
    }
    figure.courses.push_back(std::move(course));
  }
  return figure;
}

Figure sweep_figure(const MicroStepsTrials& trials) {
  Figure figure{.id = "sweep",
                .title = "Micro steps of a subsystem over the macro step",
                .where = "Figure 4.6 left",
                .x = {"H in s", true},
                .y = {"micro steps", true}};
  Course by_explicit{.name = "explicit"}, by_implicit{.name = "implicit, last iteration"};
  for (const SweepTrial& point : trials.sweep) {
    by_explicit.x.push_back(point.H);
    by_explicit.y.push_back(point.explicit_steps);
    by_implicit.x.push_back(point.H);
    by_implicit.y.push_back(point.implicit_steps);
  }
  figure.courses = {std::move(by_explicit), std::move(by_implicit)};
  return figure;
}

Figure load_figure(const LoadTrial& load, bool contacts, char letter) {
  const TimingHistory& timing = load.timing;
  Figure figure{.id = fmt::format("{}-{}", contacts ? "heterogeneous" : "homogeneous", letter),
                .title = fmt::format("Micro steps of the subsystems in each macro step, H = {:.0e} s{}",
                                     load.H, contacts ? ", contacts in subsystems 4 and 8" : ""),
                .where = fmt::format("Figure {}{})", contacts ? "4.8" : "4.7", letter),
                .x = {"t in s"},
                .y = {"micro steps"}};
  if (timing.micro_steps.empty()) return figure;
  const Window rows = window(timing, 40);
  for (std::size_t s = 0; s < timing.subsystems; ++s) {
    Course course{.name = fmt::format("subsystem {}", s + 1), .style = Course::Style::steps};
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      course.x.push_back(timing.t[row]);
      course.y.push_back(timing.micro_steps[row * timing.subsystems + s] /
                         static_cast<double>(timing.count[row]));
    }
    figure.courses.push_back(std::move(course));
  }
  if (timing.count.front() > 1)
    figure.note = fmt::format("Mean of {} macro steps each.", timing.count.front());
  return figure;
}

Table shares_table(const MicroStepsTrials& trials) {
  Table table{
      .id = "time-shares",
      .title = "Parts of the computation time with a core per subsystem, seconds (Figures 4.9 and 4.10)",
      .columns = {"model", "H", "solver (4.5)", "idle (4.5)", "interface", "transport", "output",
                  "snapshots"},
      .rows = {},
      .note = "Solver and idle time from the measured times of all subsystems; the rest as measured here.",
      .timed = true};
  for (const auto* loads : {&trials.homogeneous, &trials.heterogeneous})
    for (const LoadTrial& load : *loads) {
      const SolverSeconds seconds = solver_seconds(load.report);
      const TimeShare& time = load.report.time;
      table.rows.push_back({std::string(loads == &trials.homogeneous ? "homogeneous" : "heterogeneous"),
                            load.H, seconds.solve, seconds.idle, time.interface, time.transport, time.output,
                            time.snapshot});
    }
  return table;
}

Table work_table(const MicroStepsTrials& trials) {
  Table table{.id = "work",
              .title = "Counted work of the models of Section 4.5",
              .columns = {"model", "H", "macro steps", "micro steps per macro step", "busiest / least busy",
                          "idle, % of the critical path"},
              .rows = {}};
  for (const auto* loads : {&trials.homogeneous, &trials.heterogeneous})
    for (const LoadTrial& load : *loads) {
      const auto [least, most] = std::minmax_element(
          load.report.subsystems.begin(), load.report.subsystems.end(),
          [](const SubsystemReport& a, const SubsystemReport& b) { return a.micro_steps < b.micro_steps; });
      table.rows.push_back({std::string(loads == &trials.homogeneous ? "homogeneous" : "heterogeneous"),
                            load.H, load.report.macro_steps, micro_steps_per_macro_step(load.report),
                            static_cast<double>(most->micro_steps) / static_cast<double>(least->micro_steps),
                            100 * idle_share(load.report)});
    }
  return table;
}

Table stops_table(const MicroStepsTrials& trials) {
  Table table{
      .id = "stop-policies",
      .title = fmt::format("Ways to meet the macro points: 30 masses, 2 subsystems, H = {:.0e} s, degree 2",
                           trials.stop_H),
      .columns = {"way", "micro steps", "rejected", "evaluations", "factorizations", "mean micro step",
                  "error"},
      .rows = {}};
  for (const StopTrial& stop : trials.stops) {
    std::int64_t rejected = 0, evaluations = 0, factorizations = 0;
    for (const SubsystemReport& s : stop.report.subsystems) {
      rejected += s.rejected_micro_steps;
      evaluations += s.evaluations;
      factorizations += s.factorizations;
    }
    table.rows.push_back({stop.name, stop.report.micro_steps_total, rejected, evaluations, factorizations,
                          mean_micro_step(stop.report), stop.error});
  }
  return table;
}

}  // namespace

std::vector<Figure> micro_steps_figures(const MicroStepsTrials& trials) {
  std::vector<Figure> figures{stops_figure(trials), sweep_figure(trials)};
  for (std::size_t i = 0; i < 3; ++i)
    figures.push_back(load_figure(trials.homogeneous[i], false, static_cast<char>('a' + i)));
  for (std::size_t i = 0; i < 3; ++i)
    figures.push_back(load_figure(trials.heterogeneous[i], true, static_cast<char>('a' + i)));
  return figures;
}

std::vector<Table> micro_steps_tables(const MicroStepsTrials& trials) {
  return {stops_table(trials), work_table(trials), shares_table(trials)};
}

}  // namespace cosimo::studies
