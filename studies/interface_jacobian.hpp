// Parts of the study of interface Jacobians ([K] appendix A): each adds its statements, figures and tables.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "studies/lab.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

void study_linear_subsystem(Finding& finding);          ///< A.1
void study_nonlinear_subsystem(Finding& finding);       ///< A.2
void study_rod(Lab& lab, Finding& finding);             ///< A.3, example 1
void study_loaded_chain(Lab& lab, Finding& finding);    ///< A.3, example 3
void study_squeezed_chain(Lab& lab, Finding& finding);  ///< A.3, example 4

/// What a run needed. Counts, so that they are the same everywhere.
struct Effort {
  double steps = gap, accepted = gap;       ///< tried macro steps, and those kept
  double iterations = gap, failures = gap;  ///< of the corrector
  double mean_H = gap, cpu_s = gap;
  bool ended = false;
  double per_step() const { return iterations / accepted; }
};
Effort effort_of(const Report& report);

/// Efforts over a parameter, a course per Jacobian.
struct EffortSweep {
  std::string parameter;
  std::vector<double> values;
  std::vector<std::string> jacobians;        ///< as in the scenario
  std::vector<std::vector<Effort>> efforts;  ///< [jacobian][value]

  const Effort& at(const std::string& jacobian, std::size_t value) const;
  /// Of the second Jacobian over the first.
  double steps_ratio(std::size_t value) const;
  double iterations_ratio(std::size_t value) const;
  /// Largest of |ratio - 1| over all values, of steps and of iterations.
  double largest_difference() const;
};

Figure steps_figure(const EffortSweep& sweep, std::string id, std::string title, std::string where);
Figure iterations_figure(const EffortSweep& sweep, std::string id, std::string title, std::string where);
Table effort_table(const EffortSweep& sweep, std::string id, std::string title);

}  // namespace cosimo::studies
