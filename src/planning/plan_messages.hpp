// What ranks say to each other in a macro step, and how long that takes: O_mpi of [K] (4.1) for our schemes,
// which need no coordinator.
//
//   neighbours   messages to the two neighbours, one after the other:
//                calls (latency + numbers 8 / bandwidth)
//   reductions   ceil(log2 R) rounds each, a round costs 2.4 latencies
//   gathers      a number of every subsystem to every rank (overlap), or all coupling variables (schemes with
//                a Jacobian): rounds as above, and the numbers over the bandwidth
//   swaps        of lists when overlaps are fitted again: 2 (R - 1) messages in a row, a third of a latency
//                each
//
// How often: counted in runs on two ranks (docs/benchmarks-development.md, "What a macro step says"); a
// further pass of an iterating scheme is assumed to be one exchange and one reduction. The latency of a
// reduction's round against that of a message was also measured there.
//
//   MessageCosts costs = measure_messages(latency, bandwidth);
//   step_talk({...}, costs, ranks)      seconds of one macro step
#pragma once

#include <cstddef>
#include <optional>

#include "cosimo/plan.hpp"

namespace cosimo {

/// Of a network that nothing is known about: one of a cluster, not of an office.
inline constexpr double usual_latency = 3e-6, usual_bandwidth = 1e10;

/// Throws Error for numbers that cannot be. Measures two threads of this machine that write to each other in
/// turns; what a network is said to do is never better than that.
MessageCosts measure_messages(std::optional<double> latency, std::optional<double> bandwidth);

struct StepTalk {
  bool overlap = false;
  bool whole = false;  ///< every rank hears of all coupling variables (implicit, semi-implicit)
  double passes = 1;   ///< integrations of the macro step
  double subsystems = 1;
  double variables = 0;  ///< coupling variables of the whole model
  double numbers = 0;    ///< told to one neighbour in a pass
};

/// Seconds; none for one rank.
double step_talk(const StepTalk& talk, const MessageCosts& costs, std::size_t ranks);

}  // namespace cosimo
