// [K] 5.6: how many subsystems pay. One statement of the section per function below.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "studies/lab.hpp"
#include "studies/studies.hpp"
#include "studies/subsystems_figures.hpp"
#include "studies/work.hpp"

namespace cosimo::studies {
namespace {

using Statements = std::vector<Statement>;

constexpr const char* jumps =
    "the coupling forces jump at every macro point by about the tolerance, and IDA follows the jumps with "
    "small "
    "steps; where they are smaller (tighter tolerance, or H = 1e-6 with degree 2) it does not. The forces of "
    "Table 5.7, which decide how large the jumps are beside rtol_IDA, are lost";

/// What holds once the motion has settled cannot be judged on a run that ends before.
Statement settled(const SubsystemsTrials& trials, Statement statement) {
  if (trials.plan.settles()) return statement;
  return not_shown(std::move(statement.published), std::move(statement.where),
                   "this scale ends before the start from rest has died away (here " + statement.ours + ")");
}

struct Range {
  double least = 0, most = 0;
  double spread() const { return most / least; }
};

template <class Item, class Value>
Range range(const std::vector<Item>& items, Value value) {
  Range result{value(items.front()), value(items.front())};
  for (const Item& item : items)
    result = {std::min(result.least, value(item)), std::max(result.most, value(item))};
  return result;
}

double mean_degree(const Report& report) {
  double mean = 0;
  for (const auto& [kappa, share] : report.order_share) mean += kappa * share;
  return mean;
}

double evaluations_per_step(const Report& report) {
  double evaluations = 0;
  for (const SubsystemReport& s : report.subsystems) evaluations += static_cast<double>(s.evaluations);
  return evaluations / static_cast<double>(report.micro_steps_total);
}

double uncut_order(const std::vector<SizedTrials>& models) {
  std::vector<double> n, work;
  for (const SizedTrials& sized : models) {
    n.push_back(static_cast<double>(sized.masses));
    work.push_back(counted_work(sized.uncut));
  }
  return observed_order(n, work);
}

void judge_uncut(const SubsystemsTrials& trials, Statements& out) {
  const double plain = uncut_order(trials.plain), contacts = uncut_order(trials.contacts);
  out.push_back(
      judged("Without contacts the cost of the uncut simulation grows about linearly with the masses (P = 1)",
             "5.6, Figure 5.73", fmt::format("P = {:.2f} (counted work)", plain), std::abs(plain - 1) < 0.15,
             "the number of solver steps also depends on the size of the model"));
  const auto steps =
      range(trials.contacts, [](const SizedTrials& s) { return double(s.uncut.micro_steps_total); });
  constexpr const char* published =
      "With contacts the order rises to P = 1.3, because more contacts cause more solver steps";
  if (0.003 * static_cast<double>(trials.plan.sizes.back()) < 10)
    out.push_back(not_shown(published, "5.6, Figure 5.73", "the models of this scale have hardly a contact"));
  else
    out.push_back(judged(
        published, "5.6, Figure 5.73",
        fmt::format("P = {:.2f}; solver steps grow from {:.0f} to {:.0f}", contacts, steps.least, steps.most),
        contacts > plain + 0.05 && std::abs(contacts - 1.3) < 0.25,
        "the order depends on how often the contacts close, which follows from forces and "
        "contact stiffness that had to be chosen"));
}

void judge_steps(const SubsystemsTrials& trials, Statements& out) {
  const SizedTrials& sized = trials.plain.back();
  const DividedTrial& coarse = sized.divided.front();
  const double h = coarse.late_micro_step_controlled, H = coarse.controlled.mean_H;
  out.push_back(settled(
      trials, judged("Without contacts, mean micro step and mean macro step of exCV are of similar size "
                     "(1.61e-6 s and 2.14e-6 s)",
                     "5.6",
                     fmt::format("{:.2e} s and {:.2e} s; with rtol = 1e-6 {:.2e} s and {:.2e} s", h, H,
                                 mean_micro_step(trials.tight), trials.tight.mean_H),
                     H / h < 2, jumps)));
  out.push_back(judged("The mean macro step of exCV is 2.14e-6 s", "5.6, Figure 5.74",
                       fmt::format("{:.2e} s ({} masses, {} subsystems)", H, sized.masses, coarse.parts),
                       H > 1.4e-6 && H < 3.2e-6, "forces had to be chosen"));
  std::vector<double> sizes;
  for (std::size_t i = 0; i < coarse.steps.size(); ++i)
    if (coarse.steps.accepted[i] && coarse.steps.t[i] > 0.1 * trials.plan.end)
      sizes.push_back(coarse.steps.H[i]);
  std::sort(sizes.begin(), sizes.end());
  const double low = sizes[sizes.size() / 20], high = sizes[sizes.size() - 1 - sizes.size() / 20];
  out.push_back(
      judged("Only minor fluctuations of the macro step are observed", "5.6, Figure 5.74",
             fmt::format("after the start nine of ten steps lie between {:.2e} and {:.2e} s", low, high),
             high / low < 3, "the range is wider than a factor of 3"));
  out.push_back(settled(
      trials,
      judged("With H = 1e-6 s the micro step is 1.00e-6 s: the solver makes one step in (almost) each "
             "macro step",
             "5.6",
             fmt::format("{:.2e} s in the second half of the run, {:.2e} s on the whole",
                         coarse.late_micro_step_fixed, mean_micro_step(coarse.fixed)),
             coarse.late_micro_step_fixed > 0.9e-6, jumps)));
  out.push_back(
      judged("With contacts the mean micro step is smaller", "5.6",
             fmt::format("uncut {:.2e} s instead of {:.2e} s, exCV {:.2e} s instead of {:.2e} s",
                         mean_micro_step(trials.contacts.back().uncut), mean_micro_step(sized.uncut),
                         mean_micro_step(trials.contacts.back().divided.front().controlled),
                         mean_micro_step(coarse.controlled)),
             mean_micro_step(trials.contacts.back().uncut) < mean_micro_step(sized.uncut) &&
                 mean_micro_step(trials.contacts.back().divided.front().controlled) <
                     mean_micro_step(coarse.controlled),
             "too few contacts close at this scale"));
}

void judge_influence(const SubsystemsTrials& trials, Statements& out) {
  const auto H = [](const DividedTrial& d) { return d.controlled.mean_H; };
  const auto kappa = [](const DividedTrial& d) { return mean_degree(d.controlled); };
  const auto& divided = trials.plain.back().divided;
  out.push_back(
      judged("Macro step and degree are only slightly affected by the number of subsystems", "5.6",
             fmt::format("{} to {} subsystems: mean H {:.2e} to {:.2e} s, mean degree {:.2f} to {:.2f}",
                         divided.front().parts, divided.back().parts, range(divided, H).least,
                         range(divided, H).most, range(divided, kappa).least, range(divided, kappa).most),
             range(divided, H).spread() < 1.5, "the largest of more couplings decides every step"));
  const auto coarse_H = [](const SizedTrials& s) { return s.divided.front().controlled.mean_H; };
  const auto coarse_kappa = [](const SizedTrials& s) { return mean_degree(s.divided.front().controlled); };
  const Range sizes = range(trials.plain, coarse_H), degrees = range(trials.plain, coarse_kappa);
  out.push_back(judged("... by the size of the model", "5.6",
                       fmt::format("{} to {} masses: mean H {:.2e} to {:.2e} s, mean degree {:.2f} to {:.2f}",
                                   trials.plan.sizes.front(), trials.plan.sizes.back(), sizes.least,
                                   sizes.most, degrees.least, degrees.most),
                       sizes.spread() < 1.5, "small models move less: waves run through them"));
  const double with = coarse_H(trials.contacts.back()), without = coarse_H(trials.plain.back());
  out.push_back(judged("... by contacts within the subsystems", "5.6",
                       fmt::format("mean H {:.2e} s with, {:.2e} s without contacts", with, without),
                       with / without > 1 / 1.5 && with / without < 1.5,
                       "our contacts are stiff enough to send steep waves through the cuts"));
}

void judge_estimate(const SubsystemsTrials& trials, Statements& out) {
  const SizedTrials& sized = trials.plain.back();
  const auto ratio = [&](const Report& report, const DividedTrial& d) {
    return busiest_work(report) * static_cast<double>(d.parts) / counted_work(sized.uncut);
  };
  const Range fixed = range(sized.divided, [&](const DividedTrial& d) { return ratio(d.fixed, d); });
  const Range controlled =
      range(sized.divided, [&](const DividedTrial& d) { return ratio(d.controlled, d); });
  const DividedTrial& fine = sized.finest();
  constexpr const char* published = "T_monolith / n_s (4.2) estimates the time of the solvers very well";
  out.push_back(settled(
      trials,
      judged(published, "5.6, Figure 5.75, dotted lines",
             fmt::format("H = 1e-6 s: the busiest subsystem needs {:.2f} to {:.2f} times the estimate",
                         fixed.least, fixed.most),
             fixed.most < 1.5,
             fmt::format(
                 "limited by H and woken by the jumps of the coupling forces at the macro points, a "
                 "subsystem takes "
                 "{:.2f} times the steps of the uncut run, with {:.2f} evaluations each instead of {:.2f}",
                 mean_micro_step(sized.uncut) / mean_micro_step(fine.fixed), evaluations_per_step(fine.fixed),
                 evaluations_per_step(sized.uncut)))));
  out.push_back(settled(
      trials,
      judged(published, "5.6, Figure 5.75, solid lines",
             fmt::format("exCV: {:.2f} to {:.2f} times the estimate; with rtol = 1e-6 {:.2f} times",
                         controlled.least, controlled.most, ratio(trials.tight, sized.divided.front())),
             controlled.most < 1.5, jumps)));
}

void judge_schemes(const SubsystemsTrials& trials, Statements& out) {
  const SizedTrials& plain = trials.plain.back();
  const DividedTrial& coarse = plain.divided.front();
  out.push_back(settled(
      trials, judged("exCV has a larger mean macro step than H = 1e-6 s, therefore larger micro steps and "
                     "slightly less solver time",
                     "5.6",
                     fmt::format("{:.2f} of the solver work of H = 1e-6 s, {:.2f} of its macro steps",
                                 busiest_work(coarse.controlled) / busiest_work(coarse.fixed),
                                 static_cast<double>(coarse.controlled.macro_steps) /
                                     static_cast<double>(coarse.fixed.macro_steps)),
                     busiest_work(coarse.controlled) < busiest_work(coarse.fixed), jumps)));
  out.push_back(judged(
      "exCV exchanges data less often: fewer macro steps", "5.6",
      fmt::format("{} instead of {}", coarse.controlled.macro_steps, coarse.fixed.macro_steps),
      coarse.controlled.macro_steps < coarse.fixed.macro_steps, "the tolerance asks for smaller steps"));
  out.push_back(judged("The fixed step repeats no macro step and copies no solver workspace", "5.6",
                       fmt::format("{} repetitions; {:.2g} s in snapshots", coarse.fixed.rejected_steps,
                                   coarse.fixed.time.snapshot),
                       coarse.fixed.rejected_steps == 0 && coarse.fixed.time.snapshot == 0,
                       "something was copied"));
  const DividedTrial& fine = plain.finest();
  out.push_back(settled(
      trials,
      judged("One solver step per macro step makes the idle time of the fixed step smaller (no contacts)",
             "5.6, Figure 5.75 left",
             fmt::format("{} subsystems: {:.0f} % of the critical path are idle, with exCV {:.0f} %",
                         fine.parts, 100 * idle_share(fine.fixed), 100 * idle_share(fine.controlled)),
             idle_share(fine.fixed) < idle_share(fine.controlled), jumps)));
  const DividedTrial& hard = trials.contacts.back().finest();
  std::string shares;
  for (const DividedTrial& d : trials.contacts.back().divided)
    shares += fmt::format("{}{} subsystems {:.0f} %", shares.empty() ? "" : ", ", d.parts,
                          100 * idle_share(d.controlled));
  out.push_back(
      settled(trials, judged("With contacts the idle time dominates", "5.6, Figure 5.75 right",
                             "share of the critical path, exCV: " + shares, idle_share(hard.controlled) > 0.5,
                             "the share grows with the number of subsystems, of which the published "
                             "runs have up to 1007")));
  out.push_back(
      settled(trials, judged("With contacts exCV is slightly better than the fixed step", "5.6",
                             fmt::format("{:.2f} of the critical path of H = 1e-6 s",
                                         critical_work(hard.controlled) / critical_work(hard.fixed)),
                             critical_work(hard.controlled) < critical_work(hard.fixed), jumps)));
}

void judge_gain(const SubsystemsTrials& trials, Statements& out) {
  double best = 0;
  bool parallel_only = true;
  std::int64_t best_parts = 1;
  for (const auto* models : {&trials.plain, &trials.contacts})
    for (const SizedTrials& sized : *models)
      for (const DividedTrial& d : sized.divided) {
        const double gain =
            counted_work(sized.uncut) / std::min(critical_work(d.controlled), critical_work(d.fixed));
        parallel_only = parallel_only && gain < 1.05 * static_cast<double>(d.parts);
        if (gain > best) best = gain, best_parts = d.parts;
      }
  const std::string ours =
      fmt::format("largest counted speed-up {:.1f} with {} subsystems", best, best_parts);
  out.push_back(
      judged("There is no multirate effect: the speed-up is that of the parallel work alone, at most n_s",
             "5.6", ours, parallel_only, "a subsystem without contacts takes larger steps than the whole"));
  constexpr const char* published =
      "The highest speed-up is 793, for 1e7 masses with contacts in 1007 subsystems";
  if (trials.plan.sizes.back() < 10'000'000)
    out.push_back(not_shown(published, "5.6, Figure 5.76",
                            fmt::format("largest model here: {} masses, {}; the published size is scale 1000",
                                        trials.plan.sizes.back(), ours)));
  else
    out.push_back(judged(published, "5.6, Figure 5.76", ours, best > 600, "counted work, without messages"));
}

void judge_overhead(const SubsystemsTrials& trials, Statements& out) {
  const SizedTrials& sized = trials.plain.back();
  const auto overhead = [](const Report& r) { return r.time.interface; };
  const Report &few = sized.divided.front().fixed, &many = sized.finest().fixed;
  out.push_back(timed(judged(
      "More subsystems: less solver time, more overhead of interface and messages; the best number is a "
      "trade-off",
      "5.6, Figure 5.75",
      fmt::format("{} -> {} subsystems, H = 1e-6 s: solver {:.2g} -> {:.2g} s, interface {:.2g} -> "
                  "{:.2g} s",
                  few.parts, many.parts, solver_seconds(few).solve, solver_seconds(many).solve, overhead(few),
                  overhead(many)),
      solver_seconds(many).solve < solver_seconds(few).solve && overhead(many) > overhead(few),
      "times on few threads, disturbed by other work on the machine")));
}

Finding work(Lab& lab) {
  const SubsystemsTrials trials = run_subsystems(lab);
  Finding finding;
  finding.settings = {
      fmt::format(
          "Masses {}, {} and {} (published: 1e5, 1e6, 1e7, here at scale 1000), simulated for {:.2g} s (the "
          "published time is not stated).",
          trials.plan.sizes[0], trials.plan.sizes[1], trials.plan.sizes[2], trials.plan.end),
      "The values of Table 5.7 are lost. Masses, springs and dampers are those of Table 5.9, whose uncut "
      "runs have "
      "the same mean solver step. From rest, a harmonic force on every mass: amplitude random up to 1e3 N, "
      "random "
      "sign, frequency random from 1e3 to 3e3 per second, chosen so that the uncut solver takes steps of "
      "about "
      "1.34e-6 s once the start has died away.",
      "Contacts on 0.3 % of the masses, A = -1e-2 N; B = 2.5e3 per mm instead of 25 per mm (2.5e4 per m), "
      "with "
      "which they hardly act in this model.",
      "IDA with KLU, rtol 1e-6; explicit scheme, exCV with rtol 1e-4 and atol_u 1 N, or H = 1e-6 s and "
      "degree 2.",
      "Verdicts rest on counted work (evaluations of a body's force): with a core per subsystem a run takes "
      "as "
      "long as its critical path.",
      "The forces were found by trying some 26 pairs of amplitude and frequency, with the step sizes of the "
      "coupled runs in view: that these come near the published ones is weak evidence. The contacts' B is "
      "one of three values tried."};
  judge_uncut(trials, finding.statements);
  judge_steps(trials, finding.statements);
  judge_influence(trials, finding.statements);
  judge_estimate(trials, finding.statements);
  judge_schemes(trials, finding.statements);
  judge_gain(trials, finding.statements);
  judge_overhead(trials, finding.statements);
  finding.figures = subsystems_figures(trials);
  finding.tables.push_back(subsystems_table(trials));
  return finding;
}

}  // namespace

Study subsystems() {
  return {.name = "subsystems",
          .title = "Number of subsystems",
          .source = "[K] 5.6",
          .about =
              {"How cost, idle time and speed-up follow the number of subsystems, for three sizes of a chain "
               "with and without contacts."},
          .seconds = 60,
          .work = work};
}

}  // namespace cosimo::studies
