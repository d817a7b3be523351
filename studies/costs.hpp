// What a controlled co-simulation costs, counted and measured, and how that is shown ([K] 5.4 and 5.8).
//
//   Trial trial = lab.run("exMD", model + controlled("exMD", 1e-4));
//   costs.push_back(cost_of(trial, "exMD", 1e-4));
//   finding.figures.push_back(over_tolerance(costs, "macro-steps", ..., steps));
//
// Counts do not depend on a clock, and decide wherever a document compares computation times.
#pragma once

#include <string>
#include <vector>

#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

/// What a run did.
struct Cost {
  std::string estimator;
  double rtol = 0;
  double parts = 1;
  double steps = 0, rejected = 0, iterations = 0;
  double micro = 0;                ///< micro steps of a subsystem, on average
  double evaluations = 0;          ///< of a subsystem, on average
  double balance = 1;              ///< counted work over parts times the critical path; 1: nobody waits
  double critical = 0;             ///< evaluations times bodies along the critical path, in all passes
  double error = gap;              ///< local (NRMSE of the coupling bodies) or global, both levels
  double solve_s = 0, idle_s = 0;  ///< (4.5), of a subsystem, on average
  double snapshot_s = 0, interface_s = 0;  ///< saving of solver memory; prediction, estimation, control
  double transport_s = 0, output_s = 0;
  double cpu_s = 0;

  double passes() const { return steps + rejected + iterations; }  ///< over all subsystems
  /// Evaluations of a subsystem in all passes: each does again what the kept one did.
  double work() const { return evaluations * passes() / steps; }
  double busy_s() const { return solve_s + idle_s; }
};

Cost cost_of(const Trial& trial, const std::string& estimator, double rtol);

/// Sections `couple`, `control` and `solve` of an estimator with the settings of 5.4 and 5.8: atol_u = 1e4
/// rtol, implicit runs with Jacobians by finite differences, IDA.
std::string controlled(const std::string& estimator, double rtol);

/// Those of one estimator, loose to tight.
std::vector<Cost> of_estimator(const std::vector<Cost>& costs, const std::string& estimator);
const Cost& cost_at(const std::vector<Cost>& costs, const std::string& estimator, double rtol);

using CostValue = double (*)(const Cost&);
/// One course per estimator over the tolerance.
Figure over_tolerance(const std::vector<Cost>& costs, std::string id, std::string title, std::string where,
                      std::string label, CostValue value);
Table cost_table(const std::vector<Cost>& costs, std::string id, std::string title);
/// The segments of Figure 5.64, in seconds.
Table segment_table(const std::vector<Cost>& costs, std::string id, std::string title);
/// "1e-02: 8400, 1e-04: 4100"
std::string told(const std::vector<Cost>& costs, CostValue value);

}  // namespace cosimo::studies
