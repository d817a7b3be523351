#include "subsystem/multibody.hpp"

#include "mechanics/mechanism.hpp"
#include "native/lane.hpp"

namespace cosimo {

MultibodySubsystem::MultibodySubsystem(const Model& model, const Part& part, PartId id,
                                       const Interface& interface, const IntegratorOptions& options)
    : bodies_(part.bodies),
      places_(places_of(model, bodies_)),
      remembered_(remembered_places(model, part.elements, part.bodies)),
      angles_(angles_of(model, bodies_)),
      equations_(make_part_equations(model, part, options.interrupt)),
      cut_ports_(ports_of(model, interface, id, bodies_)),
      ports_(plain_ports(cut_ports_)),
      inputs_(inputs_of(cut_ports_, CouplingVariables(interface))),
      options_(options) {}

std::unique_ptr<Lane> MultibodySubsystem::make_lane() const {
  return make_lane(0.0, equations_->initial_position(), equations_->initial_velocity());
}

std::unique_ptr<Lane> MultibodySubsystem::make_lane(double t, std::span<const double> q,
                                                    std::span<const double> v,
                                                    std::span<const double> memory) const {
  std::vector<double> own;
  for (std::size_t k = 0; k < remembered_.size() && !memory.empty(); ++k)
    own.push_back(memory[remembered_[k]]);
  return make_native_lane(equations_->make_system(cut_ports_), options_, {t, q, v, own});
}

}  // namespace cosimo
