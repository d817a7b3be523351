#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/graphs.hpp"

namespace cosimo {

namespace {

/// Every body has one coordinate; elements and loads are rows of tables. The pendulum in minimal coordinates
/// has none of either: its links stay together.
class ScalarGraph final : public BodyGraph {
 public:
  ScalarGraph(const Model& model, std::vector<double> breakpoints)
      : BodyGraph(model.bodies.count, element_count(model)),
        model_(model),
        breakpoints_(std::move(breakpoints)) {
    if (!model.pendulum) return;
    for (std::size_t i = 0; i < model.bodies.count; ++i) links_.push_back(BodyId{i});
  }

  ElementEnds ends(ElementId element) const override { return ends_of(model_, element); }
  /// The links of a pendulum, from the ground on.
  std::vector<std::span<const BodyId>> joints() const override {
    std::vector<std::span<const BodyId>> joined;
    for (std::size_t i = 0; i < links_.size(); ++i)
      joined.push_back(std::span(links_).subspan(i > 0 ? i - 1 : 0, i > 0 ? 2 : 1));
    return joined;
  }
  double mass(BodyId body) const override { return model_.bodies.mass[body.index()]; }

  ElementMotion motion(ElementId element) const override {
    const auto [from, to] = ends(element);
    const LazyArray<double>&x = model_.bodies.x, &v = model_.bodies.v;
    return {at(x, to) - at(x, from), at(v, to) - at(v, from)};
  }
  double speed(BodyId body) const override {
    double greatest = std::fabs(at(model_.bodies.v, body));
    const auto oscillating = [&](const auto& loads) {
      for (const auto& load : on(loads, body))
        if (load.omega != 0)
          greatest = std::max(greatest, std::fabs(load.amplitude / (mass(body) * load.omega)));
    };
    oscillating(model_.loads.harmonic);
    oscillating(model_.loads.powersine);
    for (const Impulse& load : on(model_.loads.impulse, body))
      greatest = std::max(greatest, std::fabs(load.amplitude * load.duration / mass(body)));
    for (const CurveLoad& load : on(model_.loads.curve, body))
      greatest = std::max(greatest, std::fabs(load.amplitude) * load.curve->greatest_integral() / mass(body));
    return greatest;
  }
  ElementRates element_rates(ElementId element, const TypicalMotion& motion) const override {
    const auto [from, to] = ends(element);
    if (from == to) return {};
    const SpringLaw law = model_.elements.law(element);
    const double k = std::max(0.0, law.stiffness(motion.dx)), d = std::max(0.0, law.damping(motion.dv));
    const auto end = [&](BodyId body) {
      return body == ground ? EndRates{} : EndRates{k / mass(body), d / mass(body)};
    };
    return {end(from), end(to)};
  }

  Load load(BodyId body) const override {
    const auto acts = [&](const auto& loads) {
      return std::ranges::any_of(on(loads, body), [](const auto& each) { return each.amplitude != 0; });
    };
    const Loads& loads = model_.loads;
    if (std::ranges::any_of(on(loads.contact, body), [](const Contact& c) { return c.A != 0 && c.B != 0; }))
      return Load::contact;
    if (acts(loads.curve)) return Load::formula;
    if (acts(loads.impulse)) return Load::impulse;
    return acts(loads.harmonic) || acts(loads.powersine) ? Load::smooth : Load::none;
  }

  bool may_follow() const override { return true; }
  double next_breakpoint(double t) const override {
    const auto next = std::ranges::upper_bound(breakpoints_, t);
    return next == breakpoints_.end() ? std::numeric_limits<double>::infinity() : *next;
  }

 protected:
  std::span<const Range> known_bodies() const override {
    return model_.bodies.filled ? model_.bodies.filled->ranges() : BodyGraph::known_bodies();
  }
  std::span<const Range> known_elements() const override {
    return model_.elements.filled ? model_.elements.filled->ranges() : BodyGraph::known_elements();
  }
  bool acts(ElementId element) const override {
    const auto [from, to] = ends(element);
    return from != to && model_.elements.law(element).acts();
  }

  /// A contact A exp(B x) that stops a body of speed s reaches the stiffness m (s B)^2 / 2; if nothing moves,
  /// its stiffness at the start counts.
  double contact_rate(BodyId body, double speed) const override {
    double rate = 0;
    for (const Contact& contact : on(model_.loads.contact, body)) {
      if (contact.A == 0) continue;
      const double exponent = std::min(contact.B * model_.bodies.x[body.index()], 30.0);
      const double at_rest = std::sqrt(std::fabs(contact.A * contact.B) * std::exp(exponent) / mass(body));
      const double stopping = std::fabs(contact.B) * speed / std::sqrt(2.0);
      rate = std::max(rate, speed > 0 ? stopping : at_rest);
    }
    return rate;
  }

 private:
  static double at(const LazyArray<double>& state, BodyId body) {
    return body == ground || state.empty() ? 0.0 : state[body.index()];
  }

  const Model& model_;
  std::vector<double> breakpoints_;
  std::vector<BodyId> links_;  ///< of a pendulum
};

}  // namespace

std::unique_ptr<BodyGraph> make_scalar_graph(const Model& model, std::vector<double> breakpoints) {
  return std::make_unique<ScalarGraph>(model, std::move(breakpoints));
}

std::unique_ptr<BodyGraph> make_graph(const Model& model) {
  return model.mechanism ? make_mechanism_graph(model) : make_scalar_graph(model, breakpoints(model.loads));
}

}  // namespace cosimo
