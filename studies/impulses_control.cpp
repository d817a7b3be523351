// [K] 5.8, the original cut: fixed and controlled macro steps, estimators, tolerances, degrees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "studies/impulses_trials.hpp"

namespace cosimo::studies {
namespace {

bool near(double a, double b, double factor) {
  return std::fabs(std::log(a / b)) < std::log(factor);
}

/// What the controlled runs left.
struct Controlled {
  double end = 0;
  std::vector<Cost> costs;
  std::map<std::pair<std::string, double>, double> degree;    ///< mean over the time
  std::map<std::pair<std::string, double>, double> degree_2;  ///< share of the time with degree 2
  double H(const std::string& estimator, double rtol) const {
    return end / cost_at(costs, estimator, rtol).steps;
  }
  double critical(const std::string& estimator, double rtol) const {
    return cost_at(costs, estimator, rtol).critical;
  }
};

Controlled run_all(const ImpulseBench& bench, const ImpulseExtent& extent, Finding& finding) {
  Controlled all{.end = bench.end(), .costs = {}, .degree = {}, .degree_2 = {}};
  Figure steps{.id = "macro-step",
               .title = "Macro step over time, rtol 1e-5",
               .where = "Figure 5.82",
               .x = {.label = "time in s"},
               .y = {.label = "macro step in s", .log = true}};
  Figure degrees{.id = "degree",
                 .title = "Degree of the approximation, imMD",
                 .where = "Figure 5.88",
                 .x = {.label = "time in s"},
                 .y = {.label = "degree"}};
  for (const std::string& estimator : extent.estimators)
    for (const double rtol : extent.tolerances) {
      const Trial trial = bench.trial(estimator, rtol);
      all.costs.push_back(bench.measured(trial, estimator, rtol));
      double mean = 0;
      for (const auto& [kappa, share] : trial.report().order_share) {
        mean += kappa * share;
        if (kappa == 2) all.degree_2[{estimator, rtol}] = share;
      }
      all.degree[{estimator, rtol}] = mean;
      if (rtol == 1e-5) steps.courses.push_back(step_course(trial, estimator, false));
      if (estimator == "imMD")
        degrees.courses.push_back(step_course(trial, fmt::format("rtol {:.0e}", rtol), true));
    }
  if (!steps.courses.empty()) finding.figures.push_back(std::move(steps));
  finding.figures.push_back(std::move(degrees));
  return all;
}

void judge_uncut(const Cost& uncut, double end, Finding& finding) {
  finding.statements.push_back(judged("Uncut: average solver step of 1.34e-6 s", "5.8, text",
                                      fmt::format("{:.3g} s over {:g} s", end / uncut.micro, end),
                                      near(end / uncut.micro, 1.34e-6, 3),
                                      "the first pulse takes a larger share of our shorter time"));
  finding.statements.push_back(judged("Uncut: error of 2.34e-3 with rtol 1e-6", "5.8, text",
                                      fmt::format("{:.2g}", uncut.error), near(uncut.error, 2.34e-3, 10),
                                      "the norm (5.2) adds up the variables of the coupling bodies, 396 of "
                                      "them in the published model, and errors "
                                      "gather over 1 s there"));
}

void judge_fixed(const ImpulseBench& brief, const Cost& uncut, const Controlled& all, Finding& finding) {
  const Cost ex = brief.fixed("explicit", 2.5e-8, 1), im = brief.fixed("implicit", 1e-7, 2);
  const std::string span = fmt::format(" in the first {:g} s", brief.end());
  finding.statements.push_back(judged("Fixed step, explicit with H = 2.5e-8 s and degree 1: error 7.94e-4",
                                      "5.8, text", fmt::format("{:.2g}", ex.error) + span, ex.error < 5e-3,
                                      "the run is less accurate"));
  finding.statements.push_back(judged("Fixed step, implicit with H = 1e-7 s and degree 2: error 1.07e-3",
                                      "5.8, text", fmt::format("{:.2g}", im.error) + span, im.error < 5e-3,
                                      "the run is less accurate"));
  const Cost whole = brief.uncut();
  const double parts = ex.parts, gain = whole.critical / std::min(ex.critical, im.critical);
  finding.statements.push_back(
      judged("A fixed macro step is inefficient: it gains 30 % on the uncut model, with 100 subsystems",
             "5.8, Figure 5.81",
             fmt::format("counted critical path with {:g} subsystems: speed-up {:.2f}", parts, gain),
             gain < 0.5 * parts));
  const double more = all.end / brief.end();
  const double ex_gain = ex.critical * more / all.critical("exMD", 1e-6),
               im_gain = im.critical * more / all.critical("imMD", 1e-4);
  finding.statements.push_back(
      judged("The controller gains more than 10 times over the fixed step for explicit (1014 to 1265 s "
             "against 18 900 s)",
             "5.8, Figure 5.81",
             fmt::format("exMD, rtol 1e-6: {:.1f} times less counted work on the critical path", ex_gain),
             ex_gain > 5,
             "in our shorter time the pulse, in which the controller also needs small steps, weighs more"));
  finding.statements.push_back(judged(
      "The controller gains 5 to 6 times over the fixed step for implicit (3356 to 4154 s against 20 000 s)",
      "5.8, Figure 5.81",
      fmt::format("imMD, rtol 1e-4: {:.1f} times less counted work on the critical path", im_gain),
      im_gain > 2.5,
      "with loose tolerances IDA restarts after larger jumps and takes more micro steps per macro step"));
  finding.statements.push_back(
      not_shown("Controlled co-simulation is 26.5 times faster than the uncut one", "5.8, conclusions",
                fmt::format("takes 100 large subsystems on 200 cores; counted critical paths of our {:g} "
                            "small ones: {:.2f} times (exMD, rtol 1e-6)",
                            parts, uncut.critical / all.critical("exMD", 1e-6))));
}

void judge_order(const ImpulseBench& bench, const Controlled& all, Finding& finding) {
  const Cost ex = bench.cost("exMD", 1e-6, {"control.order=4"}),
             im = bench.cost("imMD", 1e-4, {"control.order=5"});
  const Cost &exv = cost_at(all.costs, "exMD", 1e-6), &imv = cost_at(all.costs, "imMD", 1e-4);
  finding.statements.push_back(judged(
      "Order control does not reduce the computation time significantly", "5.8, conclusions",
      fmt::format(
          "counted critical path over that of the best fixed degree: exMD {:.2f} (degree 4), imMD {:.2f} "
          "(degree 5)",
          exv.critical / ex.critical, imv.critical / im.critical),
      near(exv.critical, ex.critical, 1.5) && near(imv.critical, im.critical, 1.5),
      "a fixed degree costs much more at the edges of the pulse"));
  finding.statements.push_back(
      judged("Order control allows a slightly larger average macro step", "5.8, conclusions",
             fmt::format("over that of the best fixed degree: exMD {:.2f}, imMD {:.2f}", ex.steps / exv.steps,
                         im.steps / imv.steps),
             ex.steps > 0.98 * exv.steps && im.steps > 0.98 * imv.steps));
}

/// All estimators together, and the explicit scheme against the implicit one.
void judge_schemes(const Controlled& all, Finding& finding) {
  auto& statements = finding.statements;
  std::string range;
  bool level = true;
  double failed = 0;
  for (const double rtol : {1e-4, 1e-6}) {
    double least = INFINITY, most = 0;
    for (const Cost& c : all.costs) {
      failed = std::max(failed, c.rejected / c.steps);
      if (c.rtol != rtol) continue;
      least = std::min(least, c.error);
      most = std::max(most, c.error);
    }
    range += fmt::format("{}rtol {:.0e}: {:.1e} to {:.1e}", range.empty() ? "" : "; ", rtol, least, most);
    level = level && most < 20 * least;
  }
  statements.push_back(judged("Global errors are on a comparable level for all estimators",
                              "5.8, Figures 5.84, 5.85", range, level,
                              "the estimators' absolute tolerances judge different quantities"));
  statements.push_back(judged("The number of failed macro steps is very low for all estimators",
                              "5.8, Figures 5.84, 5.85",
                              fmt::format("at most {:.2f} % of the steps", 100 * failed), failed < 0.05));
  const auto falling = of_estimator(all.costs, "exMD");
  statements.push_back(judged(
      "exMD: the computation time decreases with tighter tolerances, best at rtol 1e-6", "5.8, Figure 5.83",
      "counted critical path by rtol: " + told(falling, [](const Cost& c) { return c.critical; }),
      falling.back().critical < falling.front().critical,
      "the macro steps cut the micro steps more than smaller jumps lengthen them"));
  statements.push_back(judged(
      "The explicit approach is more efficient than the implicit one, especially for small tolerances", "5.8",
      fmt::format("imMD over exMD, counted critical path: {:.2f} at rtol 1e-4, {:.2f} at 1e-6",
                  all.critical("imMD", 1e-4) / all.critical("exMD", 1e-4),
                  all.critical("imMD", 1e-6) / all.critical("exMD", 1e-6)),
      all.critical("imMD", 1e-6) > all.critical("exMD", 1e-6),
      "counted without the perturbed runs, which the document found to be the slower ones"));
}

/// Estimators of one scheme against each other.
void judge_estimators(const Controlled& all, const ImpulseExtent& extent, Finding& finding) {
  auto& statements = finding.statements;
  if (extent.small) {
    statements.push_back(not_shown("exMD and exLE, and imMD and imCV, give almost the same results",
                                   "5.8, Figures 5.84, 5.85", "this scale runs exMD and imMD alone"));
    return;
  }
  const auto ratio = [&](const char* a, const char* b, double rtol, CostValue value) {
    return value(cost_at(all.costs, a, rtol)) / value(cost_at(all.costs, b, rtol));
  };
  const CostValue steps = [](const Cost&c) { return c.steps; }, error = [](const Cost&c) { return c.error; },
                  critical = [](const Cost&c) { return c.critical; };
  const std::string where = "5.8, Figures 5.84, 5.85";
  const double le_steps = ratio("exLE", "exMD", 1e-6, steps), le_error = ratio("exLE", "exMD", 1e-6, error);
  statements.push_back(judged(
      "exMD and exLE give almost identical results (errors 6.81e-5 and 7.49e-5, equal average step)", where,
      fmt::format("rtol 1e-6: exLE over exMD: macro steps {:.2f}, error {:.2f}", le_steps, le_error),
      near(le_steps, 1, 1.15) && near(le_error, 1, 2.5)));
  const double cv_steps = ratio("exCV", "exMD", 1e-6, steps), cv_error = ratio("exCV", "exMD", 1e-6, error);
  statements.push_back(judged(
      "exCV allows slightly larger steps than exMD (1.68e-6 s against 1.10e-6 s), with larger errors", where,
      fmt::format("rtol 1e-6: average step {:.2f} times, error {:.2f} times", 1 / cv_steps, cv_error),
      cv_steps < 1 && cv_error > 1, "the errors of both are near those of the subsystem solver"));
  const double im_error = ratio("imCV", "imMD", 1e-4, error), im_steps = ratio("imCV", "imMD", 1e-4, steps);
  statements.push_back(judged(
      "imMD and imCV give almost identical errors (9.00e-4 and 9.36e-4 at rtol 1e-4)", where,
      fmt::format("imCV over imMD: {:.2f} (imCV {:.1e})", im_error, cost_at(all.costs, "imCV", 1e-4).error),
      near(im_error, 1, 3), "imCV has about the published error, our imMD a smaller one; why is not known"));
  statements.push_back(judged(
      "imCV needs fewer macro steps than imMD (average step 5.08e-6 s against 3.03e-6 s at rtol 1e-4)", where,
      fmt::format("{:.2f} times as many; {:.2f} times with rtol 1e-3", im_steps,
                  ratio("imCV", "imMD", 1e-3, steps)),
      im_steps < 1, "it does with rtol 1e-3, not with tighter tolerances; why is not known"));
  const double spread = std::max({std::fabs(std::log(ratio("exLE", "exMD", 1e-6, critical))),
                                  std::fabs(std::log(ratio("exCV", "exMD", 1e-6, critical))),
                                  std::fabs(std::log(ratio("imCV", "imMD", 1e-4, critical)))});
  statements.push_back(judged(
      "The estimators of one scheme show a similar efficiency", "5.8, conclusions",
      fmt::format(
          "counted critical paths: exLE {:.2f}, exCV {:.2f} times exMD (1e-6); imCV {:.2f} times imMD (1e-4)",
          ratio("exLE", "exMD", 1e-6, critical), ratio("exCV", "exMD", 1e-6, critical),
          ratio("imCV", "imMD", 1e-4, critical)),
      spread < std::log(1.6)));
}

void judge_degrees(const Controlled& all, const ImpulseExtent& extent, const Trial& trial, Finding& finding) {
  const auto& d = all.degree;
  const double loose = extent.tolerances.front(), tight = extent.tolerances.back();
  bool rises = true;
  std::string ours;
  for (const std::string& e : extent.estimators) {
    rises = rises && d.at({e, tight}) > d.at({e, loose});
    ours +=
        fmt::format("{}{} {:.2f} to {:.2f}", ours.empty() ? "" : ", ", e, d.at({e, loose}), d.at({e, tight}));
  }
  finding.statements.push_back(
      judged("Higher degrees are used when rtol is decreased", "5.8, Figure 5.87",
             fmt::format("mean degree from rtol {:.0e} to {:.0e}: {}", loose, tight, ours), rises,
             "at the loosest tolerance most of the time has the highest degree already"));
  if (!extent.small) {
    const double ex = d.at({"exMD", 1e-3}) - d.at({"exCV", 1e-3}),
                 im = d.at({"imMD", 1e-3}) - d.at({"imCV", 1e-3});
    finding.statements.push_back(judged(
        "exCV and imCV use tendentially lower degrees than exMD and imMD, most clearly exCV",
        "5.8, Figure 5.87",
        fmt::format("mean degree at rtol 1e-3: exMD {:.2f}, exCV {:.2f}, imMD {:.2f}, imCV {:.2f}",
                    d.at({"exMD", 1e-3}), d.at({"exCV", 1e-3}), d.at({"imMD", 1e-3}), d.at({"imCV", 1e-3})),
        ex > 0 && im > 0, "exCV does, imCV does not; why is not known"));
    const auto found = all.degree_2.find({"exMD", 1e-3});
    const double share = found == all.degree_2.end() ? 0 : found->second;
    finding.statements.push_back(judged(
        "exMD, rtol 1e-3: degree 2 in 32 % of the time", "5.8, Figure 5.87",
        fmt::format("{:.0f} %", 100 * share), share > 0.16 && share < 0.64,
        "why is not known; we see a hundredth of the published time, in which the motion is still lively"));
  }
  const StepRange pulse = step_range(trial, 9.9e-5, 1.3e-4), quiet = step_range(trial, 1.3e-3, all.end);
  finding.statements.push_back(
      judged("imMD: degree 0 when the impulses are applied", "5.8, Figure 5.88",
             fmt::format("lowest degree around the beginning of the pulse, rtol 1e-4: {}", pulse.lowest),
             pulse.lowest == 0, "the order falls, but not to 0"));
  if (quiet.median == 0) {
    finding.statements.push_back(
        not_shown("imMD: degrees of at least 1 or 2 in the absence of external forces", "5.8, Figure 5.88",
                  "this scale ends within the pulse"));
    return;
  }
  finding.statements.push_back(
      judged("imMD: degrees of at least 1 or 2 in the absence of external forces", "5.8, Figure 5.88",
             fmt::format("lowest degree after the pulse, rtol 1e-4: {}", quiet.lowest), quiet.lowest >= 1));
  finding.statements.push_back(judged(
      "The controller shortens the macro step significantly when the impulses occur", "5.8, Figure 5.82",
      fmt::format("imMD, rtol 1e-4: {:.1e} s at the beginning of the pulse, median after it {:.1e} s",
                  pulse.shortest, quiet.median),
      pulse.shortest < 0.2 * quiet.median));
}

}  // namespace

void study_control(Lab& lab, const ImpulseExtent& extent, Finding& finding) {
  const ImpulseChain chain{.parts = extent.parts, .per_part = extent.per_part};
  const ImpulseBench bench(lab, chain, extent.end);
  const Cost uncut = bench.uncut();
  const Controlled all = run_all(bench, extent, finding);
  judge_uncut(uncut, extent.end, finding);
  judge_fixed(ImpulseBench(lab, chain, extent.brief), uncut, all, finding);
  if (!extent.small) judge_order(bench, all, finding);
  judge_schemes(all, finding);
  judge_estimators(all, extent, finding);
  judge_degrees(all, extent, bench.trial("imMD", 1e-4), finding);
  finding.figures.push_back(over_tolerance(all.costs, "critical-path", "Counted work on the critical path",
                                           "Figure 5.83", "evaluations times bodies",
                                           [](const Cost& c) { return c.critical; }));
  finding.figures.push_back(over_tolerance(all.costs, "global-error", "Global error of the coupling bodies",
                                           "Figures 5.84 and 5.85", "NRMSE",
                                           [](const Cost& c) { return c.error; }));
  finding.figures.push_back(over_tolerance(all.costs, "macro-steps", "Macro steps", "Figures 5.84 and 5.85",
                                           "macro steps", [](const Cost& c) { return c.steps; }));
  finding.tables.push_back(cost_table(all.costs, "controlled", "Controlled runs"));
  finding.tables.push_back(
      segment_table(all.costs, "controlled-time", "Controlled runs: where the time went"));
}

}  // namespace cosimo::studies
