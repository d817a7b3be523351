// The first model of [K] 5.4: a linear chain, cut into 5 and into 100 parts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/tolerances_trials.hpp"

namespace cosimo::studies {
namespace {

constexpr double published_end = 1e-3;

struct Extent {
  double short_end = 3e-6, long_end = 2e-5;
  std::vector<std::string> estimators{"exLE", "exMD", "exCV", "imMD", "imCV"};
  std::vector<double> tolerances{1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
  bool small = false;

  explicit Extent(double scale) {
    short_end = std::clamp(short_end * scale, 2e-7, published_end);
    long_end = std::clamp(long_end * scale, 1e-6, published_end);
    if (scale >= 0.3) return;
    small = true;
    estimators = {"exMD", "imMD"};
    tolerances = {1e-2, 1e-4};
  }
};

/// Local errors are measured along: they change neither steps nor counts.
Cost one(Lab& lab, int parts, double end, const std::string& estimator, double rtol) {
  const Trial trial = lab.run(
      fmt::format("linear-{}-{}-{:.0e}", parts, estimator, rtol),
      linear_chain() +
          fmt::format("simulate: {{end: {:.17g}, record: coupling, local_error: true}}\npartition: {{parts: "
                      "{}}}\n",
                      end, parts) +
          controlled(estimator, rtol));
  Cost cost = cost_of(trial, estimator, rtol);
  // Per variable: the norm (5.2) grows with the number of coupling bodies.
  if (const auto& local = trial.report().local_error)
    cost.error = std::hypot(local->position, local->velocity) / std::sqrt(4.0 * (parts - 1));
  return cost;
}

std::vector<Cost> all(Lab& lab, const Extent& extent, int parts, double end) {
  std::vector<Cost> costs;
  for (const std::string& estimator : extent.estimators)
    for (const double rtol : extent.tolerances) costs.push_back(one(lab, parts, end, estimator, rtol));
  return costs;
}

/// Errors relative to the tolerance, geometric mean over the runs of some estimators.
double relative_error(const std::vector<Cost>& costs, std::initializer_list<const char*> estimators) {
  double sum = 0, count = 0;
  for (const char* estimator : estimators)
    for (const Cost& c : of_estimator(costs, estimator)) {
      sum += std::log(c.error / c.rtol);
      count += 1;
    }
  return std::exp(sum / count);
}

void judge_errors(const Extent& extent, const std::vector<Cost>& few, const std::vector<Cost>& many,
                  Finding& finding) {
  double least = INFINITY, most = 0, flattest = INFINITY, steepest = 0;
  for (const auto* costs : {&few, &many}) {
    for (const Cost& c : *costs) {
      least = std::min(least, c.error / c.rtol);
      most = std::max(most, c.error / c.rtol);
    }
    for (const std::string& estimator : extent.estimators) {
      std::vector<double> x, y;
      for (const Cost& c : of_estimator(*costs, estimator)) {
        x.push_back(c.rtol);
        y.push_back(c.error);
      }
      const double slope = observed_order(x, y);
      flattest = std::min(flattest, slope);
      steepest = std::max(steepest, slope);
    }
  }
  finding.statements.push_back(judged(
      "The errors match the defined tolerances quite well", "5.4, Figure 5.63",
      fmt::format(
          "local error over rtol between {:.2g} and {:.2g}, growing with rtol to the power {:.2f} to {:.2f}",
          least, most, flattest, steepest),
      flattest > 0.7 && steepest < 1.3 && most < 10, "the errors do not follow the tolerance"));
  if (extent.small) {
    finding.statements.push_back(
        not_shown("exCV and imCV give slightly smaller errors than exLE, exMD and imMD", "5.4, Figure 5.63",
                  "this scale runs exMD and imMD alone"));
  } else {
    const double cv = relative_error(few, {"exCV", "imCV"}) * relative_error(many, {"exCV", "imCV"});
    const double motion =
        relative_error(few, {"exLE", "exMD", "imMD"}) * relative_error(many, {"exLE", "exMD", "imMD"});
    finding.statements.push_back(judged(
        "exCV and imCV give slightly smaller errors than exLE, exMD and imMD", "5.4, Figure 5.63",
        fmt::format("{:.2f} times the errors of the others, geometric mean over tolerances and both cuts",
                    std::sqrt(cv / motion)),
        cv < motion, "what each estimator's absolute tolerance means differs with the model"));
  }
  const double five = relative_error(few, {"exMD", "imMD"}), hundred = relative_error(many, {"exMD", "imMD"});
  finding.statements.push_back(
      judged("Errors with 100 subsystems are slightly larger than with 5", "5.4, Figure 5.63",
             fmt::format("{:.2f} times, geometric mean over the tolerances", hundred / five),
             hundred > five && hundred < 3 * five));
}

void judge_many(const std::vector<Cost>& many, const Extent& extent, Finding& finding) {
  const double loose = extent.tolerances.front(), tight = extent.tolerances.back();
  bool grows = true;
  std::string steps;
  for (const std::string& estimator : extent.estimators) {
    const double ratio = cost_at(many, estimator, tight).steps / cost_at(many, estimator, loose).steps;
    grows = grows && ratio > 1;
    steps += fmt::format("{}{} {:.1f}", steps.empty() ? "" : ", ", estimator, ratio);
  }
  finding.statements.push_back(
      judged("100 subsystems: tighter tolerances need more macro steps", "5.4, Figures 5.64, 5.65",
             fmt::format("macro steps at rtol {:.0e} over those at {:.0e}: {}", tight, loose, steps), grows));
  const auto exMD = of_estimator(many, "exMD");
  finding.statements.push_back(
      judged("100 subsystems: more accurate results take more computation time, as with classical solvers",
             "5.4, Figures 5.64, 5.65",
             "work of a subsystem with exMD, by rtol: " + told(exMD, [](const Cost& c) { return c.work(); }),
             exMD.back().work() > exMD.front().work(),
             "published, the exchange of data decides, which grows with the macro steps; here the solver "
             "does, and its work falls as "
             "smaller jumps let IDA keep longer steps, as the document finds for 5 subsystems"));
  const Cost &ex = cost_at(many, "exMD", tight), &im = cost_at(many, "imMD", tight);
  finding.statements.push_back(
      timed(judged("100 subsystems: data exchange and the interface dominate, the solver is negligible",
                   "5.4, Figure 5.64",
                   fmt::format("exMD, rtol {:.0e}: solver of a subsystem {:.2g} s, interface {:.2g} s, "
                               "transport {:.2g} s of the run",
                               tight, ex.busy_s(), ex.interface_s, ex.transport_s),
                   ex.interface_s + ex.transport_s > 2 * ex.busy_s(),
                   "the published runs exchange messages between processes; our subsystems share memory on "
                   "few cores, and one macro "
                   "step of the interface costs less than one micro step of all subsystems")));
  finding.statements.push_back(judged(
      "100 subsystems: the number of failed steps is very small (0.1 % for exMD, 3 % for imMD at rtol 1e-6)",
      "5.4", fmt::format("{:.2f} % and {:.2f} %", 100 * ex.rejected / ex.steps, 100 * im.rejected / im.steps),
      ex.rejected < 0.05 * ex.steps && im.rejected < 0.05 * im.steps));
}

/// Counts per published millisecond, from two spans at its beginning.
void judge_counts(Lab& lab, const Extent& extent, const std::vector<Cost>& many, Finding& finding) {
  const std::string where = "5.4, first model, text";
  if (extent.small) {
    finding.statements.push_back(
        not_shown("100 subsystems, rtol 1e-6: imMD is about 5 times faster than exMD", where,
                  "this scale has no run with rtol 1e-6"));
    return;
  }
  const double end = std::max(extent.short_end, 0.5 * extent.long_end);
  const Cost ex = one(lab, 100, end, "exMD", 1e-6), im = one(lab, 100, end, "imMD", 1e-6);
  const Cost &ex_first = cost_at(many, "exMD", 1e-6), &im_first = cost_at(many, "imMD", 1e-6);
  const auto per_ms = [&](double count) { return count * published_end / end; };
  const auto first = [&](double count) { return count * published_end / extent.short_end; };
  const auto near = [](double a, double b) { return std::fabs(std::log(a / b)) < std::log(2); };
  const std::string span =
      fmt::format("projected to 1 ms from the first {:g} s and {:g} s: ", extent.short_end, end);
  finding.statements.push_back(
      judged("100 subsystems, rtol 1e-6: exMD takes about 2.5e5 macro steps", where,
             span + fmt::format("{:.2g}, {:.2g}", first(ex_first.steps), per_ms(ex.steps)),
             near(per_ms(ex.steps), 2.5e5)));
  finding.statements.push_back(judged(
      "100 subsystems, rtol 1e-6: imMD takes about 1.6e4 macro steps and 3.6e4 corrector iterations", where,
      span + fmt::format("{:.2g} and {:.2g}, {:.2g} and {:.2g}", first(im_first.steps),
                         first(im_first.iterations), per_ms(im.steps), per_ms(im.iterations)),
      near(per_ms(im.steps), 1.6e4) && near(per_ms(im.iterations), 3.6e4),
      "the rate falls as the motion of the released chain calms; we see the beginning alone"));
  finding.statements.push_back(
      judged("100 subsystems, rtol 1e-6: imMD is about 5 times faster, by the number of passes", where,
             fmt::format("passes (macro steps and iterations) of exMD over those of imMD: {:.2f} in the "
                         "first {:g} s, {:.2f} in {:g} s; macro "
                         "steps {:.1f} times fewer",
                         ex_first.passes() / im_first.passes(), extent.short_end, ex.passes() / im.passes(),
                         end, ex.steps / im.steps),
             ex.passes() > 2.5 * im.passes(),
             "of the right direction, but at the beginning of the run less than published"));
}

void judge_few(const std::vector<Cost>& few, const Extent& extent, Finding& finding) {
  const auto micro = [](const Cost& c) { return c.micro; };
  const std::vector<Cost> ex = of_estimator(few, "exMD"), im = of_estimator(few, "imMD");
  const auto fewest = [&](const std::vector<Cost>& costs) {
    return std::min_element(costs.begin(), costs.end(),
                            [](const Cost& a, const Cost& b) { return a.micro < b.micro; });
  };
  const auto best = fewest(ex), best_im = fewest(im);
  const double gain = ex.front().micro / best->micro, gain_im = im.front().micro / best_im->micro;
  finding.statements.push_back(judged(
      "5 subsystems, explicit: tighter tolerances lengthen the micro steps", "5.4, Figure 5.64",
      "micro steps of a subsystem with exMD, by rtol: " + told(ex, micro), gain > 1.5 && best != ex.begin()));
  const Cost& tightest = ex.back();
  finding.statements.push_back(judged(
      "5 subsystems, explicit: from rtol 1e-5 on the macro step restricts the micro step", "5.4, Figure 5.64",
      "micro steps per macro step with exMD, by rtol: " +
          told(ex, [](const Cost& c) { return c.micro / c.steps; }),
      !extent.small && tightest.micro > best->micro && tightest.micro / tightest.steps < 3,
      extent.small ? "this scale stops at rtol 1e-4" : "micro steps keep their own size"));
  finding.statements.push_back(judged(
      "5 subsystems, implicit: the effect on the micro steps is weaker than for explicit", "5.4, Figure 5.65",
      fmt::format("loosest over least micro steps: {:.2f} with imMD, {:.2f} with exMD", gain_im, gain),
      gain_im < gain));
  finding.statements.push_back(
      judged("5 subsystems, explicit: the computation time falls with tighter tolerances", "5.4, Figure 5.64",
             "work of a subsystem with exMD, by rtol: " + told(ex, [](const Cost& c) { return c.work(); }),
             ex.back().work() < ex.front().work()));
  finding.statements.push_back(judged(
      "5 subsystems, implicit: with very tight tolerances the computation time rises", "5.4, Figure 5.65",
      "work of a subsystem with imMD, by rtol: " + told(im, [](const Cost& c) { return c.work(); }),
      im.back().work() > 1.05 * std::min_element(im.begin(), im.end(), [](const Cost& a, const Cost& b) {
                                  return a.work() < b.work();
                                })->work()));
  double ex_work = 0, im_work = 0;
  for (const Cost& c : ex) ex_work += c.work();
  for (const Cost& c : im) im_work += c.work();
  finding.statements.push_back(judged(
      "The implicit methods are more efficient than the explicit ones on this model", "5.4",
      fmt::format("work with imMD over that with exMD, all tolerances together: {:.2f}", im_work / ex_work),
      im_work < ex_work));
  const Cost& c = ex.back();
  finding.statements.push_back(
      timed(judged("5 subsystems: data exchange and interface are negligible", "5.4, Figure 5.64",
                   fmt::format("exMD, rtol {:.0e}: solver {:.2g} s, interface {:.2g} s, transport {:.2g} s",
                               c.rtol, c.busy_s(), c.interface_s, c.transport_s),
                   c.interface_s + c.transport_s < 0.5 * c.busy_s())));
  finding.statements.push_back(timed(judged(
      "5 subsystems, rtol 1e-6: saving the solver's workspace takes almost as long as the solver",
      "5.4, Figure 5.64",
      fmt::format("exMD, rtol {:.0e}: workspace {:.2g} s, solver {:.2g} s", c.rtol, c.snapshot_s, c.busy_s()),
      c.snapshot_s > 0.5 * c.busy_s(),
      "our snapshot of IDA copies its live vectors alone and is kept in memory; exMD saves once per macro "
      "step")));
}

}  // namespace

void study_linear_chain(Lab& lab, Finding& finding) {
  const Extent extent(lab.scale());
  finding.settings.push_back(
      fmt::format("First model: Table 5.4 in full (1000 masses); of the published 1 ms the first {:g} s with "
                  "5 parts and {:g} s with 100 "
                  "(published size: scale 333). Local errors are those of the coupling bodies.",
                  extent.long_end, extent.short_end));
  const std::vector<Cost> few = all(lab, extent, 5, extent.long_end),
                          brief = all(lab, extent, 5, extent.short_end),
                          many = all(lab, extent, 100, extent.short_end);
  judge_errors(extent, brief, many, finding);
  judge_many(many, extent, finding);
  judge_counts(lab, extent, many, finding);
  judge_few(few, extent, finding);
  for (const auto& [costs, parts] : {std::pair{&brief, 5}, std::pair{&many, 100}})
    finding.figures.push_back(over_tolerance(
        *costs, fmt::format("local-error-{}", parts), fmt::format("Local error, {} subsystems", parts),
        "Figure 5.63", "NRMSE per variable of the coupling bodies", [](const Cost& c) { return c.error; }));
  for (const auto& [costs, parts] : {std::pair{&few, 5}, std::pair{&many, 100}}) {
    finding.figures.push_back(over_tolerance(
        *costs, fmt::format("macro-steps-{}", parts), fmt::format("Macro steps, {} subsystems", parts),
        "Figures 5.64 and 5.65, right", "macro steps", [](const Cost& c) { return c.steps; }));
    finding.figures.push_back(over_tolerance(*costs, fmt::format("micro-steps-{}", parts),
                                             fmt::format("Micro steps of a subsystem, {} subsystems", parts),
                                             "Figures 5.64 and 5.65, right", "micro steps",
                                             [](const Cost& c) { return c.micro; }));
    finding.tables.push_back(cost_table(*costs, fmt::format("linear-{}", parts),
                                        fmt::format("Linear chain, {} subsystems", parts)));
    finding.tables.push_back(segment_table(
        *costs, fmt::format("linear-{}-time", parts),
        fmt::format("Linear chain, {} subsystems: where the time went (Figures 5.64, 5.65)", parts)));
  }
}

}  // namespace cosimo::studies
