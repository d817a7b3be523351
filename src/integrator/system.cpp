#include "integrator/system.hpp"

#include "core/check.hpp"

namespace cosimo {

bool System::evaluate(double t, const Whole& y, double* a, double*) const {
  COSIMO_CHECK(extent().z == 0, "a system with first-order states knows their rates");
  return acceleration(t, y.q, y.v, a, {0, size()});
}

void System::state_tangent(double, const Whole&, StateTangent&) const {
  COSIMO_CHECK(false, "a system with states or memory knows its derivatives");
}

}  // namespace cosimo
