#include "network/coupling_variables.hpp"

namespace cosimo {

CouplingVariables::CouplingVariables(const Interface& interface) : layout_(interface) {
  for (std::size_t i = 0; i < interface.couplings.size(); ++i) {
    const Coupling& coupling = interface.couplings[i];
    const CouplingId id{i};
    Driving driving;
    driving.from = driving.to = variables_.size();
    if (coupling.is_signal()) {
      variables_.push_back({id,
                            !coupling.from.motion ? Quantity::signal
                            : coupling.rate       ? Quantity::velocity
                                                  : Quantity::position,
                            CutSide::from, 0});
      driving.to_count = 1;
      driving_.push_back(driving);
      continue;
    }
    if (coupling.from.drive == Drive::force)
      add_force(id, coupling);
    else
      add_motion(id, CutSide::to, coupling.to.coordinates);
    driving.from_count = variables_.size() - driving.from;
    driving.to = variables_.size();
    if (coupling.to.drive == Drive::motion)
      add_motion(id, CutSide::from, coupling.from.coordinates);
    else if (coupling.from.drive == Drive::motion)
      add_force(id, coupling);
    else
      driving.to = driving.from;  // one force for both
    driving.to_count = variables_.size() - driving.to;
    driving_.push_back(driving);
  }
}

void CouplingVariables::add_force(CouplingId id, const Coupling& coupling) {
  for (std::size_t k = 0; k < coupling.components; ++k)
    variables_.push_back({id, k + coupling.torques < coupling.components ? Quantity::force : Quantity::torque,
                          CutSide::from, k});
}

void CouplingVariables::add_motion(CouplingId id, CutSide of, std::size_t coordinates) {
  for (const Quantity quantity : {Quantity::position, Quantity::velocity})
    for (std::size_t k = 0; k < coordinates; ++k) variables_.push_back({id, quantity, of, k});
}

}  // namespace cosimo
