// [K] A.1 to A.3: approximations of the interface Jacobian of implicit co-simulation.
#include "studies/interface_jacobian.hpp"

#include "studies/studies.hpp"

namespace cosimo::studies {
namespace {

Finding work(Lab& lab) {
  Finding finding;
  finding.settings.push_back(
      "fd: finite differences; sap: first term of the series; {series: 2}: two terms; sensitivity: "
      "derivative of the "
      "integrator's own steps, the default, for comparison. Macro steps count tried ones; iterations "
      "per step are those of all tries over accepted steps. Example 2 (asymmetric oscillator) is part of the "
      "study `asymmetry`.");
  study_linear_subsystem(finding);
  study_nonlinear_subsystem(finding);
  study_rod(lab, finding);
  study_loaded_chain(lab, finding);
  study_squeezed_chain(lab, finding);
  return finding;
}

}  // namespace

Study interface_jacobian() {
  return {
      .name = "interface-jacobian",
      .title = "Approximations of the interface Jacobian",
      .source = "[K] A.1 to A.3",
      .about =
          {"What the implicit scheme loses when its Jacobian is approximated by terms of a series instead of "
           "finite differences: a single mass, a steel rod, and chains with strong loads."},
      .seconds = 60,
      .work = work};
}

}  // namespace cosimo::studies
