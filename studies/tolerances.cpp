// [K] 5.4: what the tolerance of the macro-step control costs, and how much a better cut saves.
#include "studies/small_scale.hpp"
#include "studies/studies.hpp"
#include "studies/tolerances_trials.hpp"

namespace cosimo::studies {
namespace {

Finding work(Lab& lab) {
  Finding finding;
  finding.settings.push_back(
      "Both models: rtol from 1e-2 to 1e-6, atol_pos = 1e-3 rtol, atol_vel = rtol, atol_u = 1e4 rtol; IDA "
      "with rtol 1e-6; "
      "implicit with finite differences.");
  finding.settings.push_back(
      "Work is counted (evaluations in all passes, micro steps, waiting by the critical path) wherever the "
      "document "
      "measures time; the "
      "segments of the time are in the tables.");
  study_linear_chain(lab, finding);
  study_alternating_chain(lab, finding);
  conclude(finding, lab.scale() < 0.3);
  return finding;
}

}  // namespace

Study tolerances() {
  return {.name = "tolerances",
          .title = "Error tolerances",
          .source = "[K] 5.4",
          .about = {"How tolerances of the macro step change errors, macro steps, micro steps and the time "
                    "of the parts of a "
                    "co-simulation, and what a cut one mass further saves.",
                    "The first model is a linear chain in 5 and in 100 parts. The second alternates heavy "
                    "and light blocks; its "
                    "cuts between a heavy and a light mass are compared with cuts between two heavy ones."},
          .seconds = 60,
          .work = work};
}

}  // namespace cosimo::studies
