#include "coupling/force_laws.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace cosimo {

CutStates initial_states(const Model& model, const Interface& interface) {
  const CutLayout layout(interface);
  CutStates y(layout);
  for (std::size_t c = 0; c < layout.couplings(); ++c)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? interface.couplings[c].from : interface.couplings[c].to;
      const Range mine = layout.coordinates(c, side), his = model.coordinates(end.body);
      COSIMO_CHECK(mine.size() == his.size(), "a coupling of another model");
      std::copy_n(model.bodies.x.data() + his.first, his.size(), y.x(side).data() + mine.first);
      std::copy_n(model.bodies.v.data() + his.first, his.size(), y.v(side).data() + mine.first);
    }
  return y;
}

ForceLaws::ForceLaws(const Model& model, const Interface& interface) : layout_(interface) {
  for (const Coupling& coupling : interface.couplings) first_.push_back(first_.back() + coupling.components);
  if (model.mechanism) {
    add_mechanism(model, interface);
    return;
  }
  for (const Coupling& coupling : interface.couplings) {
    laws_.push_back(model.elements.law(coupling.element));
    inverse_mass_.push_back(1.0 / model.bodies.mass[coupling.from.body.index()] +
                            1.0 / model.bodies.mass[coupling.to.body.index()]);
  }
}

void ForceLaws::add_mechanism(const Model& model, const Interface& interface) {
  const CutStates y = initial_states(model, interface);
  for (std::size_t c = 0; c < interface.couplings.size(); ++c) {
    const CutEffort& law = efforts_.emplace_back(model, interface.couplings[c].element);
    COSIMO_CHECK(law.components() == interface.couplings[c].components, "components of a coupling");
    EffortSlopes from, to;
    law.slopes(0, body(y, c, CutSide::from), body(y, c, CutSide::to), from, to);
    for (const std::uint8_t k : law.active())
      steepest_.push_back({std::max(from.x.row(k).norm(), to.x.row(k).norm()),
                           std::max(from.v.row(k).norm(), to.v.row(k).norm())});
  }
}

void ForceLaws::evaluate(double t, const CutStates& y, std::span<double> u) const {
  for (std::size_t i = 0; i < laws_.size(); ++i)
    u[i] = laws_[i].force(y.to_x[i] - y.from_x[i], y.to_v[i] - y.from_v[i]);
  for (std::size_t i = 0; i < efforts_.size(); ++i)
    efforts_[i].evaluate(t, body(y, i, CutSide::from), body(y, i, CutSide::to), u.data() + first_[i]);
}

double ForceLaws::resolution(std::size_t coupling, std::size_t component, double dx, double dv) const {
  if (scalar()) return laws_[coupling].force(dx, dv);
  const Steepness& slope = steepest_[first_[coupling] + component];
  return slope.x * dx + slope.v * dv;
}

double ForceLaws::fastest_rate(double t, const CutStates& y) const {
  double rate = 0;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const double k = laws_[i].stiffness(y.to_x[i] - y.from_x[i]);
    const double d = laws_[i].damping(y.to_v[i] - y.from_v[i]);
    rate = std::max({rate, std::sqrt(std::max(0.0, k * inverse_mass_[i])), d * inverse_mass_[i]});
  }
  for (std::size_t i = 0; i < efforts_.size(); ++i)
    rate = std::max(rate, efforts_[i].fastest_rate(t, body(y, i, CutSide::from), body(y, i, CutSide::to)));
  return rate;
}

}  // namespace cosimo
