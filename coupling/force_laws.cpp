#include "coupling/force_laws.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

ForceLaws::ForceLaws(const Model& model, const Interface& interface) {
  for (const Coupling& coupling : interface.couplings) {
    laws_.push_back(model.elements.law(coupling.element));
    inverse_mass_.push_back(1.0 / model.bodies.mass[coupling.from.body.index()] +
                            1.0 / model.bodies.mass[coupling.to.body.index()]);
  }
}

void ForceLaws::evaluate(const CutStates& y, std::span<double> u) const {
  for (std::size_t i = 0; i < laws_.size(); ++i)
    u[i] = laws_[i].force(y.to_x[i] - y.from_x[i], y.to_v[i] - y.from_v[i]);
}

void ForceLaws::forces_at(double dx, double dv, std::span<double> u) const {
  for (std::size_t i = 0; i < laws_.size(); ++i) u[i] = laws_[i].force(dx, dv);
}

double ForceLaws::fastest_rate(const CutStates& y) const {
  double rate = 0;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    const double k = laws_[i].stiffness(y.to_x[i] - y.from_x[i]);
    const double d = laws_[i].damping(y.to_v[i] - y.from_v[i]);
    rate = std::max({rate, std::sqrt(std::max(0.0, k * inverse_mass_[i])), d * inverse_mass_[i]});
  }
  return rate;
}

}  // namespace cosimo
