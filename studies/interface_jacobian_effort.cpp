#include <algorithm>

#include "studies/interface_jacobian.hpp"

namespace cosimo::studies {

Effort effort_of(const Report& report) {
  return {.steps = static_cast<double>(report.macro_steps + report.rejected_steps),
          .accepted = static_cast<double>(report.macro_steps),
          .iterations = static_cast<double>(report.corrector_iterations),
          .failures = static_cast<double>(report.corrector_failures),
          .mean_H = report.mean_H,
          .cpu_s = report.cpu_s,
          .ended = report.status == "ok"};
}

const Effort& EffortSweep::at(const std::string& jacobian, std::size_t value) const {
  const auto found = std::find(jacobians.begin(), jacobians.end(), jacobian);
  return efforts.at(static_cast<std::size_t>(found - jacobians.begin())).at(value);
}

double EffortSweep::steps_ratio(std::size_t value) const {
  return efforts[1][value].steps / efforts[0][value].steps;
}

double EffortSweep::iterations_ratio(std::size_t value) const {
  return efforts[1][value].iterations / efforts[0][value].iterations;
}

double EffortSweep::largest_difference() const {
  double most = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    most = std::max({most, std::fabs(steps_ratio(i) - 1), std::fabs(iterations_ratio(i) - 1)});
  return most;
}

namespace {

Figure effort_figure(const EffortSweep& sweep, double (*of)(const Effort&), const char* label) {
  Figure figure;
  figure.x = {sweep.parameter, true};
  figure.y = {label, true};
  for (std::size_t j = 0; j < sweep.jacobians.size(); ++j) {
    Course course{.name = sweep.jacobians[j], .x = sweep.values};
    for (const Effort& effort : sweep.efforts[j]) course.y.push_back(effort.ended ? of(effort) : gap);
    figure.courses.push_back(std::move(course));
  }
  return figure;
}

Figure named(Figure figure, std::string id, std::string title, std::string where) {
  figure.id = std::move(id);
  figure.title = std::move(title);
  figure.where = std::move(where);
  return figure;
}

}  // namespace

Figure steps_figure(const EffortSweep& sweep, std::string id, std::string title, std::string where) {
  return named(effort_figure(
                   sweep, [](const Effort& e) { return e.steps; }, "macro steps"),
               std::move(id), std::move(title), std::move(where));
}

Figure iterations_figure(const EffortSweep& sweep, std::string id, std::string title, std::string where) {
  return named(
      effort_figure(
          sweep, [](const Effort& e) { return e.per_step(); }, "corrector iterations per macro step"),
      std::move(id), std::move(title), std::move(where));
}

Table effort_table(const EffortSweep& sweep, std::string id, std::string title) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .columns = {sweep.parameter, "Jacobian", "macro steps",
                          "corrector iterations per accepted step", "corrector failures", "mean H"}};
  for (std::size_t i = 0; i < sweep.values.size(); ++i)
    for (std::size_t j = 0; j < sweep.jacobians.size(); ++j) {
      const Effort& e = sweep.efforts[j][i];
      table.rows.push_back(
          {sweep.values[i], sweep.jacobians[j], e.steps, e.per_step(), e.failures, e.mean_H});
    }
  return table;
}

}  // namespace cosimo::studies
