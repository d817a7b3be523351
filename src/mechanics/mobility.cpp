#include "mechanics/mobility.hpp"

#include <algorithm>
#include <vector>

#include "mechanics/dynamics.hpp"

namespace cosimo {

Mobility mobility(const Mechanism& mechanism, const double* q) {
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) bodies.push_back(BodyId(i));
  const Dynamics dynamics(mechanism, bodies, {});
  const auto work = dynamics.make_workspace();
  std::vector<std::uint8_t> dependent(dynamics.constraints());
  dynamics.dependent_rows(0, q, *work, dependent);
  return {dynamics.freedoms(), dynamics.constraints(),
          static_cast<std::size_t>(std::count(dependent.begin(), dependent.end(), 1))};
}

}  // namespace cosimo
