#include "integrator/constrained_system.hpp"

#include "core/check.hpp"

namespace cosimo {

const TangentPattern& ConstrainedSystem::pattern() const {
  COSIMO_CHECK(false, "a constrained system has no symmetric tangent");
}

void ConstrainedSystem::tangent(double, const double*, const double*, Tangent&) const {
  COSIMO_CHECK(false, "a constrained system has no symmetric tangent");
}

}  // namespace cosimo
