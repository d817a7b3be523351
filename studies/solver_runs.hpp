// One model with several solvers, as in Tables 1 and 2 of [OM]: work, time and error of each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

struct SolverRun {
  std::string name;  ///< of the solver
  double tolerance = 0;
  bool ok = false;
  Report report;
  double error = 0;                                ///< root mean square of all positions against a tight run
  double seconds() const { return report.cpu_s; }  ///< of the whole run, on one thread
  std::int64_t evaluations() const { return report.subsystems.front().evaluations; }
  std::int64_t factorizations() const { return report.subsystems.front().factorizations; }
};

/// `text` has no `solve` section; all tolerances are the one given.
SolverRun run_solver(Lab& lab, const std::string& name, const std::string& method, const std::string& text,
                     double tolerance, const Trial& reference);

/// Rows: solver, time, its ratio to the first row's, steps, evaluations, factorizations, error.
Table solver_table(std::string id, std::string title, std::span<const SolverRun> runs);

/// Published rows of such a table.
Table published_table(std::string id, std::string title, std::vector<std::vector<Table::Cell>> rows);

}  // namespace cosimo::studies
