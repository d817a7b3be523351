#include "studies/contacts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace cosimo::studies {
namespace {

/// What belongs to a contact; they are 0.07 s apart.
constexpr double before = 5e-3, after = 1e-3;

ContactReaction reaction(const StepHistory& steps, std::size_t across) {
  const double contact = steps.t[across] + 0.5 * steps.H[across];
  ContactReaction result{.t = contact};
  double planned = 0, smallest = steps.H[across];
  for (std::size_t j = across; j-- > 0 && steps.t[j] > contact - before;) {
    if (!steps.accepted[j] && steps.t[j] + steps.H[j] > contact) result.in_step = true;
    if (steps.accepted[j]) planned = std::max(planned, steps.H[j]);
  }
  for (std::size_t j = across; j < steps.size() && steps.t[j] < contact + after; ++j)
    if (steps.accepted[j]) smallest = std::min(smallest, steps.H[j]);
  result.one_later = !result.in_step && across + 1 < steps.size() && !steps.accepted[across + 1];
  result.reduction = planned / smallest;
  return result;
}

struct Summary {
  std::size_t contacts = 0, in_step = 0, one_later = 0;
  double reduction = 1;  ///< median

  explicit Summary(const ControlledCourse& course) {
    std::vector<double> reductions;
    for (const ContactReaction& r : contact_reactions(course)) {
      ++contacts;
      in_step += r.in_step ? 1 : 0;
      one_later += r.one_later ? 1 : 0;
      reductions.push_back(r.reduction);
    }
    std::sort(reductions.begin(), reductions.end());
    if (!reductions.empty()) reduction = reductions[reductions.size() / 2];
  }
};

std::string listed(const std::array<Summary, 5>& all,
                   const std::function<std::string(const Summary&)>& tell) {
  std::string text;
  for (std::size_t e = 0; e < all.size(); ++e)
    text += fmt::format("{}{} {}", e ? ", " : "", estimator_names[e], tell(all[e]));
  return text;
}

}  // namespace

std::vector<ContactReaction> contact_reactions(const ControlledCourse& course) {
  std::vector<ContactReaction> result;
  std::size_t row = 0;  // of the macro points: where the step begins
  for (std::size_t i = 0; i < course.steps.size(); ++i) {
    if (!course.steps.accepted[i]) continue;
    // Mass 1 turns back at the wall, x = 0; its springs alone turn it back elsewhere.
    const double reach = std::fabs(course.v1[row]) * course.steps.H[i] + 1e-5;
    if (row >= 20 && course.v1[row] > 0 && course.v1[row + 1] < 0 && course.x1[row] > -reach)
      result.push_back(reaction(course.steps, i));
    ++row;
  }
  return result;
}

void judge_contacts(Finding& finding, const ModelRuns& m) {
  const std::array<Summary, 5> all{Summary(m.courses[exLE]), Summary(m.courses[exMD]),
                                   Summary(m.courses[exCV]), Summary(m.courses[imMD]),
                                   Summary(m.courses[imCV])};
  const auto every = [&](const std::function<bool(const Summary&)>& holds) {
    return std::all_of(all.begin(), all.end(), holds);
  };
  const auto reduction = [](const Summary& s) { return fmt::format("{:.2g} times", s.reduction); };
  finding.statements.push_back(
      judged("M3: the macro step is reduced when the contacts occur", "5.2, Figures 5.52 and 5.53",
             fmt::format("median of {} contacts: {}", all[exMD].contacts, listed(all, reduction)),
             every([](const Summary& s) { return s.contacts > 0 && s.reduction > 1.5; })));
  finding.statements.push_back(
      judged("M3: exCV and imCV reduce it very strongly, more than exLE, exMD and imMD",
             "5.2, Figures 5.52 and 5.53", listed(all, reduction),
             std::min(all[exCV].reduction, all[imCV].reduction) >
                 std::max({all[exLE].reduction, all[exMD].reduction, all[imMD].reduction})));
  finding.statements.push_back(judged(
      "Estimating the coupling variables makes a more sensitive controller, especially with the explicit "
      "scheme",
      "5.2, closing comment",
      fmt::format("reduction by exCV against exMD: {:.2g}, by imCV against imMD: {:.2g}",
                  all[exCV].reduction / all[exMD].reduction, all[imCV].reduction / all[imMD].reduction),
      all[exCV].reduction > all[exMD].reduction &&
          all[exCV].reduction / all[exMD].reduction > all[imCV].reduction / all[imMD].reduction));
  finding.statements.push_back(judged(
      "M3: explicit and implicit runs are stable and correct", "5.2, Figures 5.40 and 5.54",
      [&] {
        std::string text = "global errors on position level:";
        for (std::size_t e = 0; e < all.size(); ++e)
          text += fmt::format("{} {} {:.1e}", e ? "," : "", estimator_names[e], m.base(e).global_pos);
        return text;
      }(),
      [&] {
        for (std::size_t e = 0; e < all.size(); ++e)
          if (!(m.base(e).global_pos < 0.02)) return false;
        return true;
      }()));
  const auto counts = [](std::size_t count, const Summary& s) {
    return fmt::format("{} of {}", count, s.contacts);
  };
  finding.statements.push_back(
      judged("M3: exMD and exLE react about one macro step too late", "5.2, Figures 5.41 and 5.52",
             fmt::format("the step across the contact accepted, the next rejected: exLE {}, exMD {} contacts",
                         counts(all[exLE].one_later, all[exLE]), counts(all[exMD].one_later, all[exMD])),
             all[exLE].one_later == all[exLE].contacts && all[exMD].one_later == all[exMD].contacts));
  finding.statements.push_back(
      judged("M3: exCV, imCV and imMD notice a contact before the step is accepted", "5.2, text",
             fmt::format("a step across the contact rejected: exCV {}, imMD {}, imCV {} contacts",
                         counts(all[exCV].in_step, all[exCV]), counts(all[imMD].in_step, all[imMD]),
                         counts(all[imCV].in_step, all[imCV])),
             all[exCV].in_step == all[exCV].contacts && all[imMD].in_step == all[imMD].contacts &&
                 all[imCV].in_step == all[imCV].contacts));
}

}  // namespace cosimo::studies
