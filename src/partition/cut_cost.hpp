// What it costs to cut each element, and what each body costs to integrate: counted from the model alone,
// never timed.
//
// Cutting an element with stiffness k and damping d between bodies of masses m1, m2 leaves a coupling with
// the rate
//
//   r = sqrt(k (1/m1 + 1/m2)) + d (1/m1 + 1/m2),
//
// and the macro steps of an extrapolating scheme grow with it: soft and lightly damped elements are cheap
// (body_graph.hpp says what k/m and d/m are for elements in space). What the documents found makes a cut
// dearer or cheaper (004 5.4, 5.5, 5.8):
//
//   cost = r / r_typical * (1 + log10(mass ratio)) * (1 + 3 exposure) * sqrt(components)
//
//   r_typical    the median of all elements that can be cut
//   mass ratio   heavier over lighter of the masses that the element sees. Light beside heavy is bad: on the
//                model of 290 masses one mass further, between equals, gave 8.8 times fewer macro steps
//   exposure     1 on a body with a load of its own, 2 with a contact, halved with every element away from it
//                until it is gone after six; the larger one of the two bodies. Where all bodies are loaded
//                nothing is preferred by it
//   components   coupling forces of the cut (BodyGraph::components())
//
// limited to [0.001, 1000]; the largest for an element whose force may set in at any moment, whatever it does
// at the start. Elements to the ground and inside groups joined by constraints cannot be cut.
//
// A body's rate is a bound of the frequencies it takes part in (Gershgorin),
//
//   rate = max( sqrt(sum of f k/m), sum of f d/m / 3 ),    f = 2 between bodies, 1 to the ground,
//
// where a damped motion allows three times longer steps than an oscillation. A contact A exp(B x) that stops
// a body of speed s reaches the stiffness m (s B)^2 / 2, whatever A; s is the greatest initial speed or that
// which a load gives (amplitude / (m omega), amplitude * duration / m). If nothing moves, its stiffness at
// the start counts. The cost of a body is
//
//   freedoms * steps,     steps = (rate / bulk rate)^0.6, at least 1/2,
//
// with the median rate of all freedoms as the bulk's. The exponent is the document's: masses of 1/100, ten
// times the rate, took four times the micro steps (5.4), as accuracy, not stability, limits most steps. A
// part takes the steps of its fastest body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partition/body_graph.hpp"

namespace cosimo {

struct CutCost {
  bool possible = false;
  double rate = 0;        ///< r
  double relative = 0;    ///< r / r_typical
  double mass_ratio = 1;  ///< at least 1
  double exposure = 0;
  std::size_t components = 1;
  double cost = 0;
};

struct BodyCost {
  double freedoms = 1;
  double rate = 0;   ///< 1/time
  double steps = 1;  ///< relative to the bulk
  double exposure = 0;
};

struct CutCosts {
  std::vector<CutCost> element;
  std::vector<BodyCost> body;
  double typical_rate = 0;  ///< of couplings
  double bulk_rate = 0;     ///< of bodies
};

CutCosts measure_cuts(const BodyGraph& model);

/// The bodies alone, without their exposure, which takes longer to find.
struct BodyCosts {
  std::vector<BodyCost> body;
  double bulk_rate = 0;
};
BodyCosts measure_bodies(const BodyGraph& model);

}  // namespace cosimo
