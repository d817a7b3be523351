// [K] 5.8: impulses beside the cuts, a better cut, damped couplings, stiff contacts at the ends.
#include <fmt/format.h>

#include "studies/impulses_trials.hpp"
#include "studies/small_scale.hpp"
#include "studies/studies.hpp"

namespace cosimo::studies {
namespace {

Finding work(Lab& lab) {
  const ImpulseExtent extent(lab.scale());
  Finding finding;
  finding.settings = {
      "Table 5.9 in N, mm, s; pulses of 1e6 N, 1 ms long with edges of 1e-6 s, begin at 1e-4, 0.1, ... 0.9 "
      "s; IDA with rtol 1e-6; "
      "atol_pos = 1e-3 rtol, atol_vel = rtol, atol_u = 1e4 rtol; implicit with finite differences. "
      "References: uncut, rtol 1e-10.",
      fmt::format("{} parts of {} masses over {:g} s in place of 100 parts of 1000 masses over 1 s "
                  "(published size: scale 1e6); fixed steps and "
                  "the sweep of the damping over {:g} s; contacts with 5 parts, the largest of {} masses, "
                  "over {:g} s.",
                  extent.parts, extent.per_part, extent.end, extent.brief, 30 * extent.per_part,
                  0.5 * extent.end),
      "Computation times are compared by counted work: evaluations times bodies along the critical path, in "
      "all passes, as if every "
      "subsystem had a core of its own (as published).",
      "With contacts all bodies start at x = 0: A exp(B x) with B = 5e5 per mm has no finite value at the "
      "published random "
      "displacements of 0.01 mm."};
  study_control(lab, extent, finding);
  study_variants(lab, extent, finding);
  study_contacts(lab, extent, finding);
  conclude(finding, extent.small);
  return finding;
}

}  // namespace

Study impulses() {
  return {.name = "impulses",
          .title = "Additional forces at the coupling elements",
          .source = "[K] 5.8",
          .about = {"What macro-step and order control gain on a chain whose coupling bodies are hit by "
                    "impulses, and what better cuts, "
                    "stiffer dampers and stiff contacts change.",
                    "Fixed steps are compared with controlled ones, all estimators and tolerances with each "
                    "other. The same chain is then "
                    "cut half a part away from the impulses, given strong nonlinear dampers at the cuts, and "
                    "two small subsystems with "
                    "stiff contacts at its ends."},
          .seconds = 60,
          .work = work};
}

}  // namespace cosimo::studies
