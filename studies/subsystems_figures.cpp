#include <fmt/format.h>

#include "studies/subsystems_figures.hpp"
#include "studies/work.hpp"

namespace cosimo::studies {
namespace {

using Value = std::function<double(const SizedTrials&, const DividedTrial&)>;

Course over_parts(std::string name, const SizedTrials& trials, const Value& value) {
  Course course{.name = std::move(name)};
  for (const DividedTrial& divided : trials.divided) {
    course.x.push_back(static_cast<double>(divided.parts));
    course.y.push_back(value(trials, divided));
  }
  return course;
}

Figure uncut_figure(const SubsystemsTrials& trials, bool seconds) {
  Figure figure{.id = seconds ? "uncut-seconds" : "uncut-work",
                .title = seconds ? "Uncut simulation: time" : "Uncut simulation: counted work",
                .where = "Figure 5.73",
                .x = {"masses n_K", true},
                .y = {seconds ? "seconds" : "evaluations of a body's force", true}};
  for (const auto* models : {&trials.plain, &trials.contacts}) {
    Course course{.name = models->front().contacts ? "with contacts" : "without contacts"};
    for (const SizedTrials& sized : *models) {
      course.x.push_back(static_cast<double>(sized.masses));
      course.y.push_back(seconds ? solver_seconds(sized.uncut).solve : counted_work(sized.uncut));
    }
    figure.courses.push_back(std::move(course));
  }
  figure.timed = seconds;
  return figure;
}

void add_course_of_steps(const SubsystemsTrials& trials, std::vector<Figure>& figures) {
  const DividedTrial& divided = trials.plain.back().divided.front();
  const StepHistory& steps = divided.steps;
  const std::string what =
      fmt::format("exCV, {} masses in {} subsystems, no contacts", trials.plain.back().masses, divided.parts);
  Course size{.name = "H", .style = Course::Style::steps};
  Course degree{.name = "kappa", .style = Course::Style::steps};
  const std::size_t stride = steps.size() / 1500 + 1;
  for (std::size_t i = 0; i < steps.size(); i += stride) {
    size.x.push_back(steps.t[i]);
    size.y.push_back(steps.accepted[i] ? steps.H[i] : gap);
    degree.x.push_back(steps.t[i]);
    degree.y.push_back(steps.accepted[i] ? steps.kappa[i] : gap);
  }
  const std::string note = stride > 1 ? fmt::format("One macro step in {} is shown.", stride) : "";
  figures.push_back({.id = "macro-step",
                     .title = "Macro step: " + what,
                     .where = "Figure 5.74",
                     .x = {"t in s"},
                     .y = {"H in s"},
                     .courses = {std::move(size)},
                     .note = note});
  figures.push_back({.id = "degree",
                     .title = "Degree: " + what,
                     .where = "Figure 5.74",
                     .x = {"t in s"},
                     .y = {"kappa"},
                     .courses = {std::move(degree)},
                     .note = note});
}

Figure work_figure(const SizedTrials& sized) {
  const auto fraction = [](double work, const SizedTrials& s) { return work / counted_work(s.uncut); };
  Figure figure{.id = sized.contacts ? "work-contacts" : "work",
                .title = fmt::format("Counted work on the critical path, {} masses, {} contacts",
                                     sized.masses, sized.contacts ? "with" : "without"),
                .where = "Figure 5.75",
                .x = {"subsystems n_s", true},
                .y = {"share of the uncut work", true},
                .courses = {},
                .note = "Busiest subsystem: T_solv of (4.5). The rest of the critical path is T_idle."};
  figure.courses = {
      over_parts("exCV: critical path", sized,
                 [&](const auto& s, const auto& d) { return fraction(critical_work(d.controlled), s); }),
      over_parts("exCV: busiest subsystem", sized,
                 [&](const auto& s, const auto& d) { return fraction(busiest_work(d.controlled), s); }),
      over_parts("ex2H: critical path", sized,
                 [&](const auto& s, const auto& d) { return fraction(critical_work(d.fixed), s); }),
      over_parts("ex2H: busiest subsystem", sized,
                 [&](const auto& s, const auto& d) { return fraction(busiest_work(d.fixed), s); }),
      over_parts("estimate (4.2)", sized,
                 [](const auto&, const auto& d) { return 1 / static_cast<double>(d.parts); })};
  figure.courses.back().style = Course::Style::points;
  return figure;
}

Figure seconds_figure(const SizedTrials& sized) {
  Figure figure{.id = sized.contacts ? "seconds-contacts" : "seconds",
                .title = fmt::format("Where the time of exCV goes, {} masses, {} contacts", sized.masses,
                                     sized.contacts ? "with" : "without"),
                .where = "Figure 5.75",
                .x = {"subsystems n_s", true},
                .y = {"seconds", true},
                .courses = {},
                .note =
                    "Solver and idle: (4.5), with a core per subsystem, from the measured times of all "
                    "subsystems. The rest as measured on this machine.",
                .timed = true};
  figure.courses = {
      over_parts("solver", sized, [](auto&, auto& d) { return solver_seconds(d.controlled).solve; }),
      over_parts("idle", sized, [](auto&, auto& d) { return solver_seconds(d.controlled).idle; }),
      over_parts("interface", sized, [](auto&, auto& d) { return d.controlled.time.interface; }),
      over_parts("snapshots", sized, [](auto&, auto& d) { return d.controlled.time.snapshot; }),
      over_parts("transport", sized, [](auto&, auto& d) { return d.controlled.time.transport; }),
      over_parts("estimate (4.2)", sized, [](auto& s, auto& d) {
        return solver_seconds(s.uncut).solve / static_cast<double>(d.parts);
      })};
  for (Course& course : figure.courses)
    for (double& y : course.y)
      if (y <= 0) y = gap;
  figure.courses.back().style = Course::Style::points;
  return figure;
}

Figure gain_figure(const std::vector<SizedTrials>& models) {
  const bool contacts = models.front().contacts;
  Figure figure{.id = contacts ? "speed-up-contacts" : "speed-up",
                .title = fmt::format("Counted speed-up, {} contacts", contacts ? "with" : "without"),
                .where = "Figure 5.76",
                .x = {"subsystems n_s", true},
                .y = {"uncut work / critical path", true},
                .courses = {},
                .note = "Work of the solvers alone; interface and messages are not counted."};
  for (const SizedTrials& sized : models) {
    figure.courses.push_back(
        over_parts(fmt::format("exCV, {} masses", sized.masses), sized,
                   [](auto& s, auto& d) { return counted_work(s.uncut) / critical_work(d.controlled); }));
    figure.courses.push_back(
        over_parts(fmt::format("ex2H, {} masses", sized.masses), sized,
                   [](auto& s, auto& d) { return counted_work(s.uncut) / critical_work(d.fixed); }));
  }
  return figure;
}

std::vector<Table::Cell> row(const SizedTrials& sized, std::int64_t parts, const char* scheme,
                             const Report& report) {
  return {sized.masses,
          std::string(sized.contacts ? "yes" : "no"),
          parts,
          std::string(scheme),
          report.macro_steps,
          report.rejected_steps,
          report.mean_H,
          mean_micro_step(report),
          counted_work(report),
          100 * idle_share(report),
          counted_work(sized.uncut) / critical_work(report)};
}

}  // namespace

std::vector<Figure> subsystems_figures(const SubsystemsTrials& trials) {
  std::vector<Figure> figures{uncut_figure(trials, false), uncut_figure(trials, true)};
  add_course_of_steps(trials, figures);
  for (const auto* models : {&trials.plain, &trials.contacts}) {
    figures.push_back(work_figure(models->back()));
    figures.push_back(seconds_figure(models->back()));
    figures.push_back(gain_figure(*models));
  }
  return figures;
}

Table subsystems_table(const SubsystemsTrials& trials) {
  Table table{.id = "runs",
              .title = "All runs",
              .columns = {"masses", "contacts", "subsystems", "scheme", "macro steps", "rejected", "mean H",
                          "mean micro step", "work", "idle, %", "speed-up"},
              .rows = {},
              .note = "Counted, not timed. Idle: of the critical path."};
  for (const auto* models : {&trials.plain, &trials.contacts})
    for (const SizedTrials& sized : *models) {
      table.rows.push_back(row(sized, 1, "uncut", sized.uncut));
      for (const DividedTrial& divided : sized.divided) {
        table.rows.push_back(row(sized, divided.parts, "exCV", divided.controlled));
        table.rows.push_back(row(sized, divided.parts, "ex2H", divided.fixed));
      }
    }
  return table;
}

}  // namespace cosimo::studies
