#include "model/spring_damper.hpp"

#include "model/power.hpp"

namespace cosimo {

namespace {

double term(double linear, double nonlinear, double exponent, double y) {
  return nonlinear == 0 ? y * linear : y * (linear + nonlinear * power_factor(y, exponent));
}

}  // namespace

double SpringLaw::force(double dx, double dv) const {
  return term(c, C, ex, dx) + term(d, D, ev, dv);
}

double SpringLaw::stiffness(double dx) const {
  return power_slope(c, C, ex, dx);
}

double SpringLaw::damping(double dv) const {
  return power_slope(d, D, ev, dv);
}

double SpringLaw::potential(double dx) const {
  const double nonlinear = C == 0 ? 0.0 : C / (ex + 1) * power_factor(dx, ex);
  return dx * dx * (0.5 * c + nonlinear);
}

}  // namespace cosimo
