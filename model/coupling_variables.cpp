#include "model/coupling_variables.hpp"

namespace cosimo {

CouplingVariables::CouplingVariables(const Interface& interface) {
  for (std::size_t i = 0; i < interface.couplings.size(); ++i) {
    const Coupling& coupling = interface.couplings[i];
    const CouplingId id{i};
    Driving driving;
    const auto add_motion = [&](CutSide of) {
      variables_.push_back({id, Quantity::position, of});
      variables_.push_back({id, Quantity::velocity, of});
    };
    driving.from = variables_.size();
    if (coupling.from.drive == Drive::force)
      variables_.push_back({id, Quantity::force});
    else
      add_motion(CutSide::to);
    driving.to = variables_.size();
    if (coupling.to.drive == Drive::motion)
      add_motion(CutSide::from);
    else if (coupling.from.drive == Drive::motion)
      variables_.push_back({id, Quantity::force});
    else
      driving.to = driving.from;  // one force for both
    driving_.push_back(driving);
  }
}

}  // namespace cosimo
