#include "mechanics/mobility.hpp"

#include <vector>

#include "mechanics/dynamics.hpp"

namespace cosimo {

Mobility mobility(const Mechanism& mechanism, const double* q, const double* v) {
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) bodies.push_back(BodyId(i));
  const Dynamics dynamics(mechanism, bodies, {});
  const auto work = dynamics.make_workspace();
  return {dynamics.freedoms(), dynamics.constraints(), dynamics.dependent_rows(0, q, v, *work)};
}

}  // namespace cosimo
