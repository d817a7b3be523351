// [K] 5.8, Figure 5.92: stiff contacts in small subsystems at both ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "studies/impulses_trials.hpp"

namespace cosimo::studies {
namespace {

/// A model with and without contacts.
struct Pair {
  Cost without, with;
  double critical() const { return with.critical / without.critical; }
};

/// What the contacts did to all of them.
struct Effect {
  Pair uncut;
  double dearest = 0, more_steps = 0,
         inner = 0;                 ///< critical path, macro steps, micro steps of the inner parts
  std::string steps{};              ///< in words
  std::array<double, 2> speedup{};  ///< of exMD, without and with
};

double micro_steps_of_inner_parts(const Trial& trial) {
  const auto& subsystems = trial.report().subsystems;
  double sum = 0;
  for (std::size_t i = 1; i + 1 < subsystems.size(); ++i)
    sum += static_cast<double>(subsystems[i].micro_steps);
  return sum;
}

void judge(const Effect& e, const ImpulseChain& chain, Finding& finding) {
  const std::string where = "5.8, Figure 5.92";
  finding.statements.push_back(
      judged("Contacts: the computation time of the uncut model increases significantly", where,
             fmt::format("{:.1f} times the counted work", e.uncut.critical()), e.uncut.critical() > 3));
  finding.statements.push_back(
      judged("Contacts: the time of the co-simulations does not change significantly", where,
             fmt::format("at most {:.2f} times the counted critical path", e.dearest), e.dearest < 1.5,
             "the small parts with contacts are what the others wait for at this size"));
  finding.statements.push_back(judged(
      "Contacts: the solver steps of the other subsystems are not influenced significantly", "5.8",
      fmt::format("at most {:.2f} times their micro steps", e.inner), e.inner < 1.2,
      "more macro steps cut their micro steps; uncut, all bodies take the small steps of the contacts"));
  finding.statements.push_back(
      judged("Contacts: macro steps and global error increase slightly", where,
             "macro steps and error, with over without: " + e.steps, e.more_steps < 1.5,
             "the macro steps increase more than slightly; why has not been examined"));
  finding.statements.push_back(judged(
      "Contacts: the speed-up of exMD rises from about 26 to 400, by the parallel parts and by the multirate "
      "effect",
      where,
      fmt::format(
          "counted speed-up {:.1f} without and {:.1f} with contacts ({} parts, the largest with {} masses)",
          e.speedup[0], e.speedup[1], 5, chain.per_part),
      e.speedup[1] > 5 * e.speedup[0],
      "contacts close more often as the run goes on: the uncut work grew 1.9 times in 0.3 ms, 2.2 times in "
      "1.5 ms, "
      "5.1 times in 5 ms; and 5 parts are not 103"));
}

}  // namespace

void study_contacts(Lab& lab, const ImpulseExtent& extent, Finding& finding) {
  // Few large parts: the small ones must not be what all wait for.
  ImpulseChain chain{.parts = 2, .per_part = 30 * extent.per_part, .repartitioned = true, .extended = true};
  if (extent.small) chain.per_part = 6 * extent.per_part;
  const double end = extent.small ? extent.brief : 0.5 * extent.end;
  const ImpulseBench plain(lab, chain, end);
  chain.contacts = true;
  const ImpulseBench stiff(lab, chain, end);
  Effect effect{.uncut = {plain.uncut(), stiff.uncut()}};
  const Pair& uncut = effect.uncut;
  Table table{
      .id = "contacts",
      .title = fmt::format("Without and with contacts, {} masses, {:g} s, rtol 1e-5", chain.masses(), end),
      .columns = {"way", "contacts", "macro steps", "micro steps per subsystem", "critical path", "error",
                  "speed-up"},
      .rows = {},
      .note = "Figure 5.92. Speed-up: counted work uncut over the critical path."};
  const auto row = [&](const Cost& c, bool contacts, double speedup) {
    table.rows.push_back({c.estimator, std::string(contacts ? "with" : "without"),
                          static_cast<std::int64_t>(c.steps), c.micro, c.critical, c.error, speedup});
  };
  row(uncut.without, false, 1);
  row(uncut.with, true, 1);
  for (const std::string estimator : {"exMD", "exCV", "imMD"}) {
    if (extent.small && estimator != "exMD") continue;
    const Trial before = plain.trial(estimator, 1e-5), after = stiff.trial(estimator, 1e-5);
    const Pair pair{plain.measured(before, estimator, 1e-5), stiff.measured(after, estimator, 1e-5)};
    row(pair.without, false, uncut.without.critical / pair.without.critical);
    row(pair.with, true, uncut.with.critical / pair.with.critical);
    effect.dearest = std::max(effect.dearest, pair.critical());
    effect.more_steps = std::max(effect.more_steps, pair.with.steps / pair.without.steps);
    effect.inner =
        std::max(effect.inner, micro_steps_of_inner_parts(after) / micro_steps_of_inner_parts(before));
    effect.steps += fmt::format("{}{} {:.2f} and {:.2f}", effect.steps.empty() ? "" : ", ", estimator,
                                pair.with.steps / pair.without.steps, pair.with.error / pair.without.error);
    if (estimator == "exMD")
      effect.speedup = {uncut.without.critical / pair.without.critical,
                        uncut.with.critical / pair.with.critical};
  }
  finding.tables.push_back(std::move(table));
  judge(effect, chain, finding);
}

}  // namespace cosimo::studies
