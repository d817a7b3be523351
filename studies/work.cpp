#include "studies/work.hpp"

#include <algorithm>

namespace cosimo::studies {
namespace {

double work_of(const SubsystemReport& s) {
  return static_cast<double>(s.evaluations) * static_cast<double>(s.bodies);
}

}  // namespace

double counted_work(const Report& report) {
  double sum = 0;
  for (const SubsystemReport& s : report.subsystems) sum += work_of(s);
  return sum;
}

double busiest_work(const Report& report) {
  double most = 0;
  for (const SubsystemReport& s : report.subsystems) most = std::max(most, work_of(s));
  return most;
}

double critical_work(const Report& report) {
  return std::max(counted_work(report) / report.speedup_bound, busiest_work(report));
}

double idle_share(const Report& report) {
  const double critical = critical_work(report);
  return critical > 0 ? 1 - busiest_work(report) / critical : 0;
}

double mean_micro_step(const Report& report) {
  const double steps = static_cast<double>(report.micro_steps_total) / static_cast<double>(report.parts);
  return steps > 0 ? report.t_end / steps : 0;
}

double micro_steps_per_macro_step(const Report& report) {
  const double macro_steps = static_cast<double>(report.macro_steps) * static_cast<double>(report.parts);
  return macro_steps > 0 ? static_cast<double>(report.micro_steps_total) / macro_steps : 0;
}

SolverSeconds solver_seconds(const Report& report) {
  SolverSeconds seconds;
  double critical = 0;
  for (const SubsystemReport& s : report.subsystems) {
    seconds.solve = std::max(seconds.solve, s.seconds);
    critical = std::max(critical, s.seconds + s.idle);
  }
  seconds.idle = critical - seconds.solve;
  return seconds;
}

}  // namespace cosimo::studies
