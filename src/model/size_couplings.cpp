#include "model/size_couplings.hpp"

namespace cosimo {

void size_couplings(const Model& model, Interface& interface) {
  for (Coupling& coupling : interface.couplings) {
    if (coupling.is_signal()) continue;
    coupling.from.coordinates = model.coordinates(coupling.from.body).size();
    coupling.to.coordinates = model.coordinates(coupling.to.body).size();
    const EffortMask active = coupling_components(model, coupling.element);
    coupling.components = active.count();
    coupling.torques = (active >> 3).count();
  }
}

}  // namespace cosimo
