#include "simulation/coupling_advice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/counted.hpp"
#include "model/traits.hpp"
#include "simulation/choose_scheme.hpp"
#include "simulation/cut_facts.hpp"

namespace cosimo {

namespace {

// Healthy runs reject up to 9 % of their steps (M3 with a cautious controller), need 1.0 to 1.6 corrector
// iterations and have next to no corrector failures.
constexpr double many_rejections = 0.15, some_rejections = 0.03, many_failures = 0.05, creeping = 2.5;
constexpr std::int64_t fewest = 20, long_run = 1000;
/// At the stability limit of a damped cut H d/m is 0.8 to 3, whatever the rest of the model, and the order
/// control has given up high degrees.
constexpr double at_limit = 0.3, near_limit = 0.1;
constexpr int high_order = 4;
constexpr double short_macro_step = 2;  ///< micro steps
/// Where driving the lighter side by displacement begins to pay: 5 times longer steps at D = 0.16.
constexpr double unequal = 20, some_damping = 0.1;
constexpr double usual_safety = 6;
constexpr std::int64_t usual_iterations = 10;
constexpr std::size_t most_listed = 16;

class Adviser {
 public:
  Adviser(const config::Scenario& scenario, const Assembly& a, const Report& report,
          std::span<const CutRecord> cuts, bool grew)
      : scenario_(scenario),
        grew_(grew),
        a_(a),
        report_(report),
        cuts_(cuts),
        kind_(a.plan.scheme),
        nearby_(*a.graph, a.partition),
        attempts_(
            static_cast<double>(std::max<std::int64_t>(1, report.macro_steps + report.rejected_steps))) {
    const auto& couplings = a.partition.interface.couplings;
    while (couplings[worst_].element.label() != report.blame.element) ++worst_;
    facts_ = facts(worst_);
  }

  std::vector<std::string> speak() {
    find_symptoms();
    if (!struggles()) return {};
    if (!judged() && (stopped_ || grows_))
      add("the motion grew without bound: write a control.step smaller than {:.3g}, or leave it out and let "
          "the "
          "error decide",
          *scenario_.control.step);
    advise_order();
    advise_cut();
    advise_scheme();
    advise_decomposition();
    advise_corrector();
    advise_overlap();
    if (remedies_.empty()) advise_the_rest();
    const bool plain_cut = facts_.mass_ratio < unequal && facts_.damping_ratio <= 1;
    if (!judged() && (stopped_ || grows_) && remedies_.size() == 1 && plain_cut) return std::move(remedies_);
    remedies_.insert(remedies_.begin(), diagnosis());
    return std::move(remedies_);
  }

 private:
  const Coupling& coupling(std::size_t i) const { return a_.partition.interface.couplings[i]; }
  bool newton() const { return a_.plan.newton(); }
  bool judged() const { return !scenario_.control.step; }
  bool low_order() const { return scenario_.control.order && *scenario_.control.order < 2; }
  /// An interface Jacobian that knows little of damping.
  bool crude() const {
    return a_.plan.jacobian.method == JacobianMethod::sap ||
           a_.plan.jacobian.method == JacobianMethod::series;
  }

  CutFacts facts(std::size_t i) const {
    // What a run saw that broke down with a fixed step is not the model's motion.
    if (!judged() && report_.status == "failed") return cut_facts(*a_.graph, coupling(i).element);
    const auto n = static_cast<double>(std::max<std::int64_t>(1, cuts_[i].points));
    return cut_facts(*a_.graph, coupling(i).element,
                     {std::sqrt(cuts_[i].dx2 / n), std::sqrt(cuts_[i].dv2 / n)});
  }

  /// Damping rate of the bodies that the element's force drives: what comes back through the cut. A side that
  /// is driven by motion keeps the element and damps itself.
  double loop_rate() const {
    const Coupling& c = coupling(worst_);
    double driven = 0, both = 0;
    for (const CutEnd& end : {c.from, c.to}) {
      const double inverse = 1 / a_.graph->mass(end.body);
      both += inverse;
      driven += end.drive == Drive::force ? inverse : 0;
    }
    return facts_.damping_rate * driven / both;
  }

  void find_symptoms();
  bool struggles() const {
    return stopped_ || grows_ || rejects_ || fails_ || creeps_ || limited_ ||
           (short_ && (struck_ || equal_cut_));
  }
  std::string label(ElementId element) const { return a_.graph->label(element); }
  std::string diagnosis() const;
  void advise_order();
  void advise_cut();
  std::string without_newton_has_not() const;
  void advise_scheme();
  void advise_decomposition();
  void advise_corrector();
  void advise_overlap();
  void advise_the_rest();
  std::string cuts_with(std::size_t i, ElementId instead, bool all) const;
  template <class... T>
  void add(fmt::format_string<T...> text, T&&... values) {
    remedies_.push_back(fmt::format(text, std::forward<T>(values)...));
  }

  const config::Scenario& scenario_;
  bool grew_;  ///< coupling variables did, by orders of magnitude, over much of the run
  const Assembly& a_;
  const Report& report_;
  std::span<const CutRecord> cuts_;
  SchemeKind kind_;
  NearbyCuts nearby_;
  double attempts_;
  std::size_t worst_ = 0;
  CutFacts facts_;
  bool stopped_ = false, grows_ = false, rejects_ = false, fails_ = false, creeps_ = false, limited_ = false,
       short_ = false;
  bool struck_ = false;                 ///< a blow on a body of the cut had steps rejected
  std::optional<ElementId> equal_cut_;  ///< near, with more equal masses
  std::vector<std::string> remedies_;
};

void Adviser::find_symptoms() {
  const auto share = [&](std::int64_t count) { return static_cast<double>(count) / attempts_; };
  const bool enough = report_.rejected_steps >= fewest;
  // A failing disk or local reference is not the coupling's fault.
  const bool own_fault = report_.outcome.culprit != "output" &&
                         (!scenario_.simulate.local_error || !report_.outcome.culprit.empty() ||
                          report_.macro_steps >= scenario_.control.max_steps);
  stopped_ = report_.status == "failed" && own_fault;
  rejects_ = enough && share(report_.rejected_steps) > many_rejections;
  grows_ = grew_;
  fails_ = judged()
               ? report_.corrector_failures >= fewest && share(report_.corrector_failures) > many_failures
               : report_.corrector_failures > 0 && !scenario_.couple.corrector_rtol;
  creeps_ = newton() && crude() && judged() && !scenario_.couple.corrector_rtol &&
            report_.macro_steps >= fewest && share(report_.corrector_iterations) > creeping;
  double high_orders = 0;
  for (const auto& [kappa, time] : report_.order_share) high_orders += kappa >= high_order ? time : 0;
  limited_ = !newton() && (stopped_ || report_.macro_steps >= long_run) &&
             (scenario_.control.order || high_orders < 0.5) && facts_.damping_ratio > 1 &&
             report_.mean_H * loop_rate() > (stopped_ ? near_limit : at_limit);
  short_ = judged() && report_.macro_steps >= fewest &&
           static_cast<double>(report_.micro_steps_max) <=
               short_macro_step * static_cast<double>(report_.macro_steps);
  const Coupling& c = coupling(worst_);
  const bool blow = a_.graph->struck(c.from.body) || a_.graph->struck(c.to.body);
  struck_ = blow && enough && share(cuts_[worst_].rejected) > some_rejections &&
            nearby_.away_from_blows(c).has_value();
  equal_cut_ = nearby_.with_equal_masses(c);
}

std::string Adviser::diagnosis() const {
  std::string text = fmt::format("{} holds the run back: mass ratio {:.3g}, {}",
                                 a_.graph->cut_name(coupling(worst_).element), facts_.mass_ratio,
                                 std::isfinite(facts_.damping_ratio)
                                     ? fmt::format("damping ratio {:.3g}", facts_.damping_ratio)
                                     : std::string("a damper without a spring"));
  if (facts_.damping_rate > 0)
    text += fmt::format(" (rate d/m {:.3g}, mean H {:.2g} of its inverse)", facts_.damping_rate,
                        report_.mean_H * facts_.damping_rate);
  if (report_.rejected_steps > 0)
    text += fmt::format("; it caused {} of {}", cuts_[worst_].rejected,
                        counted(report_.rejected_steps, "rejected step"));
  if (cuts_[worst_].unconverged > 0)
    text += fmt::format("; the corrector failed there in {}", counted(cuts_[worst_].unconverged, "step"));
  return text;
}

/// The partition section with a cut replaced; with `all`, those others too that have a better place.
std::string Adviser::cuts_with(std::size_t i, ElementId instead, bool all) const {
  const auto& couplings = a_.partition.interface.couplings;
  if (couplings.size() > most_listed)
    return fmt::format("{} instead of {} in partition.cuts", label(instead), label(coupling(i).element));
  std::vector<ElementId> elements;
  for (std::size_t k = 0; k < couplings.size(); ++k) {
    ElementId element = k == i ? instead : couplings[k].element;
    if (all && k != i) element = nearby_.with_equal_masses(couplings[k]).value_or(element);
    elements.push_back(element);
  }
  std::sort(elements.begin(), elements.end());
  if (std::adjacent_find(elements.begin(), elements.end()) != elements.end() && all)
    return cuts_with(i, instead, false);
  std::vector<std::string> labels;
  labels.reserve(elements.size());
  for (const ElementId element : elements) labels.push_back(label(element));
  return fmt::format("partition: {{method: manual, cuts: [{}]}}", fmt::join(labels, ", "));
}

/// A degree this low is a choice of the file, and needs short steps whatever the cut is.
void Adviser::advise_order() {
  if (low_order() && judged() && (stopped_ || limited_))
    add("polynomials of degree {} need short macro steps: leave control.order out, which lets the error "
        "choose it",
        *scenario_.control.order);
}

void Adviser::advise_cut() {
  if (equal_cut_) {
    const CutFacts better = cut_facts(*a_.graph, *equal_cut_);
    add("cut element {} instead of {}, between bodies {} and {} with mass ratio {:.3g}: {}",
        label(*equal_cut_), label(coupling(worst_).element), better.bodies[0], better.bodies[1],
        better.mass_ratio, cuts_with(worst_, *equal_cut_, true));
  }
  if (!struck_) return;
  const ElementId away = *nearby_.away_from_blows(coupling(worst_));
  add("a contact or an impulse acts on a body beside the cut; cut element {} instead of {}: {}", label(away),
      label(coupling(worst_).element), cuts_with(worst_, away, false));
}

/// Settings that schemes with a Jacobian refuse, as an end of a sentence.
std::string Adviser::without_newton_has_not() const {
  std::vector<std::string_view> keys;
  if (scenario_.couple.relaxation > 0) keys.emplace_back("couple.relaxation");
  if (scenario_.couple.predictor != config::Predictor::extrapolation) keys.emplace_back("couple.predictor");
  if (scenario_.couple.sequence == config::Sweep::gauss_seidel) keys.emplace_back("couple.sequence");
  return keys.empty() ? "" : fmt::format("; leave {} out", fmt::join(keys, " and "));
}

void Adviser::advise_scheme() {
  if (limited_ || (!newton() && fails_ && facts_.damping_ratio > 1))
    add("damping this strong limits the macro step of every scheme without a Jacobian; write couple: "
        "{{scheme: "
        "implicit}} with control: {{estimator: imMD}}, or couple: {{scheme: semi-implicit}} with control: "
        "{{estimator: imCV}}{}",
        without_newton_has_not());
  else if (kind_ == SchemeKind::waveform && fails_)
    add("the waveform iteration does not converge; write couple: {{scheme: implicit}} with control: "
        "{{estimator: imMD}}{}",
        without_newton_has_not());
  if (kind_ == SchemeKind::semi_implicit && (stopped_ || fails_) && !low_order() && !crude())
    add("one correction is not enough; write couple: {{scheme: implicit}}");
}

void Adviser::advise_decomposition() {
  const auto pays = [&](std::size_t i) {
    const CutFacts f = facts(i);
    const Coupling& c = coupling(i);
    return f.mass_ratio >= unequal && f.damping_ratio >= some_damping && c.from.drive == Drive::force &&
           c.to.drive == Drive::force;
  };
  if (!(stopped_ || limited_ || fails_) || !pays(worst_)) return;
  std::vector<std::string> entries;
  for (std::size_t i = 0; i < cuts_.size(); ++i)
    if (pays(i))
      entries.push_back(fmt::format("{{cut: {}, kind: force-displacement, displaced: lighter}}",
                                    label(coupling(i).element)));
  const bool all = entries.size() == cuts_.size() || entries.size() > most_listed;
  add("drive the lighter side by the motion of the heavier one, on which its damping hardly acts: couple: "
      "{{decomposition: {}}}",
      all ? "{kind: force-displacement, displaced: lighter}" : fmt::format("[{}]", fmt::join(entries, ", ")));
}

void Adviser::advise_corrector() {
  if (!newton() || !(creeps_ || fails_ || (stopped_ && crude()))) return;
  if (crude())
    add("{} knows little more than the masses beside the cut: write couple: {{jacobian: {}",
        word_of(a_.plan.jacobian.method), traits_of(*a_.model).derivatives ? "sensitivity} (or fd)" : "fd}");
  else if (!judged())
    add("the corrector did not converge in {}: write a control.step smaller than {:.3g}",
        counted(report_.corrector_failures, "step"), *scenario_.control.step);
  else if (scenario_.couple.max_iterations < usual_iterations)
    add("the corrector needs more room: write couple: {{max_iterations: {}}}", usual_iterations);
}

/// What `scheme: auto` would do with the same cuts.
void Adviser::advise_overlap() {
  config::Scenario automatic = scenario_;
  automatic.couple.layers.reset();
  automatic.control.rtol.reset();
  const auto multistep = [](const config::Solve& s) { return s.method == Method::ida; };
  if (multistep(scenario_.solve) ||
      std::any_of(scenario_.solve_overrides.begin(), scenario_.solve_overrides.end(),
                  [&](const config::SolveOverride& o) { return multistep(o.solve); }))
    return;
  const SchemeChoice choice = choose_scheme(automatic, *a_.model, *a_.graph, a_.partition);
  if (choice.kind != SchemeChoice::Kind::overlap) return;
  add("subsystems may overlap here (about {}): leave the sections couple and control out, which "
      "means "
      "couple: {{scheme: auto}}",
      counted(std::llround(std::ceil(expected_layers(automatic, *a_.model, *a_.graph, a_.partition))),
              "layer"));
}

/// Nothing about the cut explains it.
void Adviser::advise_the_rest() {
  if (rejects_ && scenario_.control.safety < usual_safety)
    add("the controller aims too high: write control: {{safety: {:g}}}", usual_safety);
  else if (judged() && facts_.damping_ratio < some_damping && facts_.frequency * report_.mean_H > 0.05)
    add("the macro step follows the undamped oscillation of this element, {:.0f} steps per period of {:.3g}, "
        "and no scheme takes much longer ones: write partition: none, a larger control.rtol, or cut "
        "elsewhere",
        6.283 / (facts_.frequency * report_.mean_H), 6.283 / facts_.frequency);
}

}  // namespace

std::vector<std::string> coupling_advice(const config::Scenario& scenario, const Assembly& assembly,
                                         const Report& report, std::span<const CutRecord> cuts, bool grew) {
  if (cuts.empty() || assembly.overlap || report.macro_steps + report.rejected_steps == 0) return {};
  return Adviser(scenario, assembly, report, cuts, grew).speak();
}

}  // namespace cosimo
