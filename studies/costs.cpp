#include "studies/costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "studies/work.hpp"

namespace cosimo::studies {

std::string controlled(const std::string& estimator, double rtol) {
  return fmt::format(R"(couple: {{scheme: {}}}
control: {{estimator: {}, rtol: {:.17g}, atol_pos: {:.17g}, atol_vel: {:.17g}, atol_u: {:.17g}}}
solve: {{method: ida, rtol: 1.0e-6, atol_pos: 1.0e-9, atol_vel: 1.0e-6}}
)",
                     estimator.starts_with("im") ? "implicit, jacobian: fd" : "explicit", estimator, rtol,
                     1e-3 * rtol, rtol, 1e4 * rtol);
}

Cost cost_of(const Trial& trial, const std::string& estimator, double rtol) {
  const Report& report = trial.report();
  Cost cost{.estimator = estimator,
            .rtol = rtol,
            .parts = static_cast<double>(report.parts),
            .steps = static_cast<double>(report.macro_steps),
            .rejected = static_cast<double>(report.rejected_steps),
            .iterations = static_cast<double>(report.corrector_iterations),
            .snapshot_s = report.time.snapshot,
            .interface_s = report.time.interface,
            .transport_s = report.time.transport,
            .output_s = report.time.output,
            .cpu_s = report.cpu_s};
  cost.micro = static_cast<double>(report.micro_steps_total) / cost.parts;
  cost.balance = report.speedup_bound / cost.parts;
  for (const SubsystemReport& s : report.subsystems) {
    cost.evaluations += static_cast<double>(s.evaluations) / cost.parts;
    cost.solve_s += s.seconds / cost.parts;
    cost.idle_s += s.idle / cost.parts;
  }
  cost.critical = critical_work(report) * (cost.steps > 0 ? cost.passes() / cost.steps : 1);
  return cost;
}

std::vector<Cost> of_estimator(const std::vector<Cost>& costs, const std::string& estimator) {
  std::vector<Cost> result;
  std::copy_if(costs.begin(), costs.end(), std::back_inserter(result),
               [&](const Cost& c) { return c.estimator == estimator; });
  return result;
}

const Cost& cost_at(const std::vector<Cost>& costs, const std::string& estimator, double rtol) {
  const auto found = std::find_if(costs.begin(), costs.end(),
                                  [&](const Cost& c) { return c.estimator == estimator && c.rtol == rtol; });
  if (found == costs.end()) throw LabFailure(fmt::format("no run of {} with rtol {:g}", estimator, rtol));
  return *found;
}

Figure over_tolerance(const std::vector<Cost>& costs, std::string id, std::string title, std::string where,
                      std::string label, CostValue value) {
  Figure figure{.id = std::move(id),
                .title = std::move(title),
                .where = std::move(where),
                .x = {.label = "rtol", .log = true},
                .y = {.label = std::move(label), .log = true}};
  for (const Cost& cost : costs) {
    const auto same = [&](const Course& c) { return c.name == cost.estimator; };
    auto course = std::find_if(figure.courses.begin(), figure.courses.end(), same);
    if (course == figure.courses.end())
      course = figure.courses.insert(course, Course{.name = cost.estimator});
    course->x.push_back(cost.rtol);
    course->y.push_back(value(cost));
  }
  return figure;
}

Table cost_table(const std::vector<Cost>& costs, std::string id, std::string title) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .columns = {"estimator", "rtol", "macro steps", "rejected", "corrector iterations",
                          "micro steps per subsystem", "counted work", "balance", "error"},
              .rows = {},
              .note =
                  "Counted work: evaluations of a subsystem in all passes, predictor and correctors. "
                  "Balance: work over the number of parts times the critical path."};
  for (const Cost& c : costs)
    table.rows.push_back({c.estimator, c.rtol, static_cast<std::int64_t>(c.steps),
                          static_cast<std::int64_t>(c.rejected), static_cast<std::int64_t>(c.iterations),
                          c.micro, c.work(), c.balance, c.error});
  return table;
}

Table segment_table(const std::vector<Cost>& costs, std::string id, std::string title) {
  Table table{.id = std::move(id),
              .title = std::move(title),
              .columns = {"estimator", "rtol", "solver", "solver (idle)", "workspace", "interface",
                          "transport", "output", "CPU in all"},
              .rows = {},
              .note =
                  "Seconds. Solver and idle times (4.5) are those of a subsystem, on average; the others "
                  "those of the run.",
              .timed = true};
  for (const Cost& c : costs)
    table.rows.push_back({c.estimator, c.rtol, c.solve_s, c.idle_s, c.snapshot_s, c.interface_s,
                          c.transport_s, c.output_s, c.cpu_s});
  return table;
}

std::string told(const std::vector<Cost>& costs, CostValue value) {
  std::string text;
  for (const Cost& cost : costs)
    text += fmt::format("{}{:.0e}: {:.3g}", text.empty() ? "" : ", ", cost.rtol, value(cost));
  return text;
}

}  // namespace cosimo::studies
