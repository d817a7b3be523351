#include "studies/orders.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cosimo::studies {
namespace {

std::string sections(const ConvergenceChain& chain, const std::string& simulate, const SweepSettings& s,
                     double H) {
  return fmt::format(
      "{}{}simulate: {{end: {:.17g}, {}}}\ncontrol: {{step: {:.17g}, order: {}}}\ncouple: {{{}}}\nsolve: "
      "{{{}}}\n",
      chain.text(), chain.partition(), chain.end(), simulate, H, s.kappa, s.couple, s.solve);
}

Trial exact(Lab& lab, const ConvergenceChain& chain) {
  return lab.run(chain.linear ? "reference-linear" : "reference-nonlinear",
                 fmt::format("{}simulate: {{end: {:.17g}, output: {}}}\nsolve: {{method: rk, rtol: 1.0e-13, "
                             "atol_pos: 1.0e-16, atol_vel: 1.0e-13}}\n",
                             chain.text(), chain.end(), ConvergenceBench::output_step));
}

}  // namespace

double Sweep::order(const std::vector<double>& errors) const {
  const std::size_t n = std::min(fitted, H.size());
  return observed_order(std::span(H).last(n), std::span(errors).last(n));
}

ConvergenceBench::ConvergenceBench(Lab& lab, ConvergenceChain chain)
    : lab_(&lab), chain_(chain), reference_(exact(lab, chain)) {}

Sweep ConvergenceBench::sweep(const SweepSettings& settings) const {
  Sweep result;
  result.name = settings.name;
  result.kappa = settings.kappa;
  for (const int divisor : settings.divisors) {
    const double H = output_step / divisor;
    const Trial trial = lab_->attempt(
        fmt::format("{}-k{}-{}", settings.name, settings.kappa, divisor),
        sections(chain_, fmt::format("output: {}, record: coupling, local_error: true", output_step),
                 settings, H));
    const auto local = trial.report().local_error.value_or(Report::LocalError{gap, gap});
    const double global = trial.ok() ? Lab::error(trial, reference_).both : gap;
    // A run that is off by its own motion tells nothing about orders.
    const bool usable = trial.ok() && std::isfinite(global) && global < 1;
    result.H.push_back(H);
    result.local_pos.push_back(usable ? local.position : gap);
    result.local_vel.push_back(usable ? local.velocity : gap);
    result.global.push_back(usable ? global : gap);
  }
  return result;
}

StabilityLimit51 stability_limit(Lab& lab, const std::string& couple, int kappa,
                                 std::span<const double> ladder) {
  constexpr double bounded = 10;
  const ConvergenceChain chain;
  StabilityLimit51 limit;
  for (const double H : ladder) {
    const Trial trial = lab.attempt(fmt::format("stability-k{}-H{:g}", kappa, H),
                                    sections(chain, "output: 1.0e-3",
                                             {.name = "",
                                              .couple = couple,
                                              .kappa = kappa,
                                              .divisors = {},
                                              .solve = "method: rk, rtol: 1.0e-8"},
                                             H));
    bool stable = trial.ok();
    if (stable) {
      const ResultFolder& results = trial.results();
      for (const double x : results.positions(0, results.time().size(), 0, results.columns().size()))
        stable = stable && std::fabs(x) < bounded;
    }
    if (stable) {
      limit.stable = H;
      return limit;
    }
    limit.unstable = H;
  }
  return limit;
}

std::string order_list(std::span<const Sweep> sweeps, std::vector<double> Sweep::*errors) {
  std::string text;
  for (const Sweep& s : sweeps) text += fmt::format("{}{:.2f}", text.empty() ? "" : ", ", s.order(s.*errors));
  return text;
}

bool orders_agree(std::span<const Sweep> sweeps, std::vector<double> Sweep::*errors, int more) {
  return std::all_of(sweeps.begin(), sweeps.end(), [&](const Sweep& s) {
    return std::fabs(s.order(s.*errors) - (s.kappa + more)) <= 0.25;
  });
}

namespace {

/// A line of that slope through the error at the smallest step, a little below it.
Course slope(const Course& course, int order) {
  Course line{.name = fmt::format("slope {}", order), .x = {course.x.front(), course.x.back()}};
  for (const double H : line.x)
    line.y.push_back(0.7 * course.y.front() * std::pow(H / course.x.front(), order));
  return line;
}

}  // namespace

Figure error_figure(std::string id, std::string title, std::string where, std::span<const Sweep> sweeps,
                    std::vector<double> Sweep::*errors, int more) {
  Figure figure{.id = std::move(id),
                .title = std::move(title),
                .where = std::move(where),
                .x = {.label = "macro step H in s", .log = true},
                .y = {.label = "NRMSE (5.2) of the coupling bodies", .log = true},
                .note = "Steps that are missing on the right were not stable."};
  std::vector<Course> slopes;
  for (const Sweep& s : sweeps) {
    Course course{.name = fmt::format("{}, kappa {}", s.name, s.kappa)};
    for (std::size_t i = s.H.size(); i-- > 0;) {
      if (std::isnan((s.*errors)[i])) continue;
      course.x.push_back(s.H[i]);
      course.y.push_back((s.*errors)[i]);
    }
    if (course.x.empty()) continue;
    Course line = slope(course, s.kappa + more);
    if (slopes.empty() || slopes.back().name != line.name) slopes.push_back(std::move(line));
    figure.courses.push_back(std::move(course));
  }
  std::move(slopes.begin(), slopes.end(), std::back_inserter(figure.courses));
  return figure;
}

Table order_table(std::string id, std::string title, std::span<const Sweep> sweeps) {
  Table table{
      .id = std::move(id),
      .title = std::move(title),
      .columns = {"setting", "kappa", "H fitted from", "to", "local position", "local velocity", "global"},
      .note = "Least-squares slopes of log error over log H over the smallest steps."};
  for (const Sweep& s : sweeps)
    table.rows.push_back({s.name, std::int64_t{s.kappa}, s.H[s.H.size() - std::min(s.fitted, s.H.size())],
                          s.H.back(), s.order(s.local_pos), s.order(s.local_vel), s.order(s.global)});
  return table;
}

}  // namespace cosimo::studies
