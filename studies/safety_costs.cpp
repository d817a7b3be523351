// [K] 5.3, Figure 5.61: the safety factor and the cost of a run.
#include <fmt/format.h>

#include <algorithm>

#include "studies/safety_trials.hpp"

namespace cosimo::studies {
namespace {

std::string saved(const SafetySeries& s, double safety) {
  return fmt::format("{:.0f} %", 100 * (1 - s.at(safety).work / s.at(1).work));
}

void judge(Finding& finding, const SafetySeries& ex, const SafetySeries& im) {
  const char* figure = "5.3, Figure 5.61";
  const double ratio = im.at(6).work / ex.at(6).work;
  finding.statements.push_back(judged(
      "imMD takes about twice as long as exMD", figure,
      fmt::format("{:.2f} times as many micro steps in sequence at safety factor 6, with {:.2f} corrector "
                  "iterations per attempted step",
                  ratio, im.at(6).iterations),
      ratio > 1.5 && ratio < 2.5,
      "counted so, a corrector with about one iteration per step does not outweigh the fewer macro steps of "
      "imMD; "
      "the source does not tell its iterations, nor what its finite differences for the Jacobian cost, which "
      "is "
      "nothing here"));
  const auto saves = [](const SafetySeries& s) {
    const double share = 1 - std::min(s.at(4).work, s.at(6).work) / s.at(1).work;
    return share > 0.2 && share < 0.4;
  };
  finding.statements.push_back(judged(
      "Safety factors of 4 to 6 instead of 1 save about 30 % of the computation time, with both schemes",
      figure,
      fmt::format("micro steps in sequence saved at 4 and 6: exMD {} and {}, imMD {} and {}", saved(ex, 4),
                  saved(ex, 6), saved(im, 4), saved(im, 6)),
      saves(ex) && saves(im),
      "asked for is 20 % to 40 % at the better of 4 and 6, with both; counted are micro steps of the slowest "
      "subsystem, repetitions included, and table large-runs has measured times"));
  const auto spread = [](const SafetySeries& s) {
    Range range;
    for (const double safety : {3.0, 4.0, 6.0, 8.0}) range.add(s.at(safety).work);
    return range.most / range.least;
  };
  finding.statements.push_back(
      judged("Between 3 and 8 the safety factor hardly matters for the computation time", figure,
             fmt::format("micro steps in sequence vary {:.2f} times (exMD), {:.2f} times "
                         "(imMD)",
                         spread(ex), spread(im)),
             spread(ex) < 1.25 && spread(im) < 1.25));
  const auto later = [](const SafetySeries& s) { return s.at(12).work / s.at(6).work; };
  finding.statements.push_back(judged(
      "A still larger safety factor has a negative effect on the implicit approach", figure,
      fmt::format("12 against 6: {:.2f} times the micro steps in sequence (exMD {:.2f})", later(im),
                  later(ex)),
      later(im) > 1.03,
      "micro steps do not grow, because shorter macro steps need fewer each; what a macro step costs beside "
      "them is not counted"));
  const auto excess = [](const SafetySeries& s) {
    Range all, advised;
    for (const SafetyRun& r : s.runs) {
      all.add(r.work);
      if (r.safety >= 3 && r.safety <= 6) advised.add(r.work);
    }
    return advised.most / all.least;
  };
  finding.statements.push_back(judged(
      "Safety factors from 3 to 6 are in general an adequate choice", "5.3, closing text",
      fmt::format("at most {:.2f} (exMD) and {:.2f} (imMD) times the fewest micro steps in sequence of any "
                  "safety factor",
                  excess(ex), excess(im)),
      excess(ex) < 1.25 && excess(im) < 1.25, "more than a quarter above the fewest"));
}

void show_costs(Finding& finding, const std::vector<SafetySeries>& large) {
  finding.figures.push_back(
      over_safety({.id = "work",
                   .title = "Micro steps in sequence, 100 subsystems",
                   .where = "Figure 5.61",
                   .x = {},
                   .y = {.label = "micro steps of the slowest subsystem", .log = false}},
                  large, [](const SafetyRun& r) { return r.work; }));
  Figure time = over_safety({.id = "cpu-time",
                             .title = "Computation time, 100 subsystems",
                             .where = "Figure 5.61",
                             .x = {},
                             .y = {.label = "CPU time in s", .log = false}},
                            large, [](const SafetyRun& r) { return r.cpu_s; });
  time.timed = true;
  time.note =
      "exMD computes the comparative solution on the same cores; in the source it has cores of its own.";
  finding.figures.push_back(std::move(time));
  Table table{.id = "large-runs",
              .title = "The model with 100 subsystems, rtol 1e-4",
              .columns = {"estimator", "safety", "accepted", "failed", "micro steps in sequence", "CPU s"},
              .timed = true};
  for (const SafetySeries& s : large)
    for (const SafetyRun& r : s.runs)
      table.rows.push_back({s.estimator, r.safety, r.accepted, r.failed, r.work, r.cpu_s});
  finding.tables.push_back(std::move(table));
}

}  // namespace

void judge_safety_costs(Finding& finding, const SafetySeries& ex, const SafetySeries& im) {
  judge(finding, ex, im);
  show_costs(finding, {ex, im});
}

}  // namespace cosimo::studies
