#include "planning/plan_schemes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/traits.hpp"
#include "planning/plan_hardest.hpp"
#include "simulation/choose_scheme.hpp"
#include "simulation/resolve_coupling.hpp"

namespace cosimo {

namespace {

constexpr double hopeless_damping = 10, strong_damping = 1, some_damping = 0.3, little_damping = 0.05,
                 unequal_masses = 20;

/// Names of two of the ways to run a model.
constexpr const char* overlap_label = "overlap exOV";
constexpr const char* uncut_label = "uncut";

/// `decomposition:` of classic cuts: the file's, if it has one.
std::string classic_cuts(const config::Couple& couple) {
  Decomposition kind = couple.decomposition.value_or(Decomposition::force_force);
  if (kind == Decomposition::overlap) kind = Decomposition::force_force;
  if (kind == Decomposition::force_displacement)
    return fmt::format("{{kind: {}, displaced: {}}}", word_of(kind), word_of(couple.displaced));
  return std::string(word_of(kind));
}

class Chooser {
 public:
  Chooser(const Proposal& proposal, const std::string& own)
      : p_(proposal),
        s_(proposal.scenario),
        own_(own),
        hard_(hardest(*proposal.graph, proposal.partition.interface)) {}

  SchemeIdeas choose() {
    if (s_.control.step || !s_.couple.cuts.empty()) {
      leave_out("other schemes", s_.control.step
                                     ? "control.step is fixed, so nothing could be compared at equal error"
                                     : "couple.decomposition names single cuts");
      return std::move(ideas_);
    }
    overlap();
    explicit_schemes();
    implicit_schemes();
    semi_implicit();
    for (const char* name : {"waveform waCV", "explicit exCV, gauss-seidel"})
      leave_out(name, name[0] == 'w'
                          ? "as many passes as implicit, and slower to converge without a Jacobian: "
                            "for black boxes"
                          : "its stages wait for each other");
    return std::move(ideas_);
  }

 private:
  void leave_out(const std::string& name, std::string reason) {
    if (name != own_) ideas_.left_out.push_back({name, std::move(reason)});
  }
  void add(SchemeIdea idea) {
    if (idea.name != own_) ideas_.worth.push_back(std::move(idea));
  }

  void overlap() {
    if (own_ == overlap_label) return;
    if (s_.solve.method == Method::ida)
      return leave_out(overlap_label, "method ida keeps a past that overwritten copies do not fit");
    config::Scenario open = s_;
    open.couple.layers.reset();
    open.control.rtol.reset();
    const SchemeChoice choice = choose_scheme(open, *p_.model, *p_.graph, p_.partition);
    const std::string why = choice.reason.substr(choice.reason.find(": ", choice.reason.find("->")) + 2);
    if (choice.kind != SchemeChoice::Kind::overlap)
      return leave_out(overlap_label, why.substr(0, why.find("; write")));
    add({overlap_label, "{scheme: explicit, decomposition: overlap}", Estimator::exOV,
         config::default_rtol(true, s_.solve.rtol), why});
  }

  void explicit_schemes() {
    for (const Estimator estimator : {Estimator::exCV, Estimator::exMD}) {
      const std::string name = fmt::format("explicit {}", word_of(estimator));
      if (hard_.damping_at_cuts > hopeless_damping) {
        leave_out(name, fmt::format("damping ratio {:.2g} at a cut: macro steps would stay near m/d",
                                    hard_.damping_at_cuts));
        continue;
      }
      add({name, fmt::format("{{scheme: explicit, decomposition: {}}}", classic_cuts(s_.couple)), estimator,
           first_rtol(),
           estimator == Estimator::exCV ? "one pass per step" : "one pass per step, judged by the motion"});
    }
  }

  void implicit_schemes() {
    const bool damped = hard_.damping_at_cuts > little_damping, unequal = hard_.mass_ratio > unequal_masses;
    for (const Estimator estimator : {Estimator::imMD, Estimator::imCV}) {
      const std::string name = fmt::format("implicit {}, {}", word_of(estimator), jacobian());
      if (!damped && !unequal)
        leave_out(name, fmt::format("damping ratio {:.2g} and mass ratio {:.3g} at the cuts: further passes "
                                    "gain nothing",
                                    hard_.damping_at_cuts, hard_.mass_ratio));
      else if (estimator == Estimator::imCV && hard_.damping_at_cuts > strong_damping)
        leave_out(name, fmt::format("damping ratio {:.2g} at a cut: forces there say little about the motion",
                                    hard_.damping_at_cuts));
      else
        add({name,
             fmt::format("{{scheme: implicit, decomposition: {}, jacobian: {}}}", classic_cuts(s_.couple),
                         jacobian()),
             estimator, first_rtol(),
             damped ? fmt::format("damping ratio {:.2g} at a cut", hard_.damping_at_cuts)
                    : fmt::format("mass ratio {:.3g} at a cut", hard_.mass_ratio)});
    }
  }

  void semi_implicit() {
    const std::string name = fmt::format("semi-implicit imMD, {}", jacobian());
    if (hard_.damping_at_cuts <= some_damping)
      return leave_out(name, fmt::format("damping ratio {:.2g} at the cuts: a second pass gains nothing",
                                         hard_.damping_at_cuts));
    add({name,
         fmt::format("{{scheme: semi-implicit, decomposition: {}, jacobian: {}}}", classic_cuts(s_.couple),
                     jacobian()),
         Estimator::imMD, first_rtol(), fmt::format("damping ratio {:.2g} at a cut", hard_.damping_at_cuts)});
  }

  std::string_view jacobian() const {
    if (hard_.damping <= strong_damping) return word_of(JacobianMethod::sap);
    return word_of(traits_of(*p_.model).derivatives ? JacobianMethod::sensitivity : JacobianMethod::fd);
  }
  double first_rtol() const {
    const double usual = config::default_rtol(false, s_.solve.rtol);
    return own_.starts_with("overlap") || own_ == uncut_label ? usual : s_.control.rtol.value_or(usual);
  }

  const Proposal& p_;
  const config::Scenario& s_;
  const std::string& own_;
  Hardest hard_;
  SchemeIdeas ideas_;
};

/// Settings of the controller that the file has changed.
std::string kept_control(const config::Control& c, double factor, bool classic) {
  const config::Control usual;
  std::string text;
  const auto number = [&](const char* key, const std::optional<double>& value, double scale) {
    if (value) text += fmt::format(", {}: {}", key, yaml_number(scale * *value));
  };
  number("atol_pos", c.atol_pos, factor);
  number("atol_vel", c.atol_vel, factor);
  number("atol_u", c.atol_u, factor);
  number("first_step", c.first_step, 1);
  number("min_step", c.min_step, 1);
  number("max_step", c.max_step, 1);
  if (c.safety != usual.safety) number("safety", c.safety, 1);
  if (c.r_min != usual.r_min) number("r_min", c.r_min, 1);
  if (c.r_max != usual.r_max) number("r_max", c.r_max, 1);
  if (!c.dead_zone) text += ", dead_zone: false";
  if (c.max_steps != usual.max_steps) text += fmt::format(", max_steps: {}", c.max_steps);
  if (classic && c.order) text += fmt::format(", order: {}", *c.order);
  if (classic && !c.order && (c.order_max != usual.order_max || c.strategy != usual.strategy))
    text += fmt::format(", order: {{max: {}, strategy: {}}}", c.order_max, word_of(c.strategy));
  return text;
}

}  // namespace

SchemeIdeas scheme_ideas(const Proposal& proposal, const std::string& own) {
  return Chooser(proposal, own).choose();
}

std::string scheme_label(const CouplingPlan& plan) {
  if (!plan.cut()) return uncut_label;
  if (plan.overlap) return plan.step ? "overlap, fixed step" : overlap_label;
  std::string label = fmt::format("{}{}{}", word_of(plan.scheme),
                                  plan.estimator == Estimator::none ? ", " : " ", estimator_name(plan));
  if (plan.newton()) label += fmt::format(", {}", word_of(plan.jacobian.method));
  if (!plan.stages.empty()) label += fmt::format(", {}", word_of(config::Sweep::gauss_seidel));
  return label;
}

std::vector<std::string> settings_for(const SchemeIdea& idea, const config::Scenario& scenario, double rtol) {
  const double factor = scenario.control.rtol ? rtol / *scenario.control.rtol : 1;
  return {"couple=" + idea.couple,
          fmt::format("control={{estimator: {}, rtol: {}{}}}", word_of(idea.estimator), yaml_number(rtol),
                      kept_control(scenario.control, factor, idea.estimator != Estimator::exOV))};
}

std::string yaml_number(double value) {
  std::string text = fmt::format("{}", value);
  // YAML wants a point before an exponent.
  if (const auto exponent = text.find('e'); exponent != text.npos && text.find('.') == text.npos)
    text.insert(exponent, ".0");
  return text;
}

}  // namespace cosimo
