#include "studies/solver_runs.hpp"

#include <fmt/format.h>

namespace cosimo::studies {

SolverRun run_solver(Lab& lab, const std::string& name, const std::string& method, const std::string& text,
                     double tolerance, const Trial& reference) {
  const std::string solve = fmt::format("solve: {{method: {}, rtol: {}, atol_pos: {}, atol_vel: {}}}\n",
                                        method, tolerance, tolerance, tolerance);
  const Trial trial = lab.attempt_on(1, fmt::format("{}-{:.0e}", name, tolerance), text + solve);
  SolverRun run{.name = name, .tolerance = tolerance, .ok = trial.ok(), .report = trial.report()};
  run.error = run.ok ? Lab::error(trial, reference).position_rms : gap;
  return run;
}

Table solver_table(std::string id, std::string title, std::span<const SolverRun> runs) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .columns = {"method", "seconds", "speed-up", "steps", "evaluations", "factorizations", "error"},
              .rows = {},
              .note = "CPU seconds of the whole run on one thread; error: root mean square of the positions.",
              .timed = true};
  for (const SolverRun& run : runs) {
    if (!run.ok) continue;
    table.rows.push_back({run.name, run.seconds(), runs.front().seconds() / run.seconds(),
                          run.report.micro_steps_total, run.evaluations(), run.factorizations(), run.error});
  }
  return table;
}

Table published_table(std::string id, std::string title, std::vector<std::vector<Table::Cell>> rows) {
  return {.id = std::move(id),
          .title = std::move(title),
          .columns = {"method", "seconds", "speed-up"},
          .rows = std::move(rows)};
}

}  // namespace cosimo::studies
