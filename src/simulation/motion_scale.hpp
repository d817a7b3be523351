// How large the motion of a run is: what absolute tolerances follow that the user leaves to `auto`
// (numerics/tolerances.hpp, docs/decisions/0016-motion-scale.md).
//
// At the start it is what surely happens within the fastest time that the model knows, tau: velocities v and
// |a| tau, displacements |v| tau and |a| tau^2, with the accelerations a of the initial state under the loads
// of the start and of sampled later instants. A spring that is stretched by x gives x, a load F on it F / c,
// and where a body is does not matter. From then on it is the largest that any accepted macro point has
// shown.
//
//   MotionScale scale = initial_scale(assembly, end);          // collective
//   scale.seen.raise_to(largest_of_all(*exchange, lanes.motion()));   // after every accepted step
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cosimo/report.hpp"
#include "numerics/tolerances.hpp"
#include "simulation/assembly.hpp"

namespace cosimo {

/// Of the initial state. Throws Error, naming the body, where it is beyond what can be computed. Collective.
/// An interrupt leaves it unfinished.
MotionScale initial_scale(const Assembly& assembly, double end, const std::atomic<bool>* interrupt);

/// The same on every rank. Collective.
MotionSizes largest_of_all(Exchange& exchange, const MotionSizes& here);

/// Tells of tolerances which the user gave and the whole motion lies below, in one line each.
std::vector<std::string> hidden_motion(const config::Scenario& scenario, const Assembly& assembly);

/// The tolerances in use now, and the motion that they follow.
Report::Tolerances tolerances_now(const config::Scenario& scenario, const Assembly& assembly);

}  // namespace cosimo
