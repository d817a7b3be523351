// How long a macro step would take on ranks that are not at hand: a model of its parts, fed with what was
// measured.
//
// One subsystem per rank. A macro step (Section 4.4) takes
//
//   solve        what a subsystem of that size took in a recorded run, the mean of all
//   interface    what the rest took there, per subsystem
//   neighbours   every message to the two neighbours: latency, one more message, bytes over bandwidth
//   reductions   ceil(log2 ranks) times what one between two ranks takes
//   gathers      a number of every subsystem to every rank, along the tree of a reduction; and finding their
//                order
//   swaps        of lists, when overlaps are fitted anew: ranks - 1 messages from and to every rank
//
// and with a central coordinator (Section 4.1), in the place of the last four, two messages per subsystem,
// one after the other in the process that serves them; what it computes itself is not counted.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace cosimo::bench {

/// Of messages between processes, seconds.
struct MessageModel {
  double latency = 0;        ///< of a message between neighbours
  double served = 0;         ///< of one among many
  double per_number = 0;     ///< eight bytes more
  double reduction = 0;      ///< between two ranks
  double order_of_part = 0;  ///< per subsystem: finding the order of gathered numbers
  // A macro step of the overlap scheme, on average.
  double neighbour_calls = 0, neighbour_numbers = 0, reduction_calls = 0, gather_calls = 0,
         gathered_numbers = 0, swap_calls = 0;
};
/// From what `cosimo_bench_ranks messages` prints.
MessageModel message_model(const nlohmann::json& measured);

/// Of a recorded run: means over its macro steps.
struct RecordedRun {
  double masses_per_part = 0;
  double steps_per_time = 0;        ///< macro steps per simulated second, repeated ones included
  double solve = 0, interface = 0;  ///< seconds per macro step and subsystem
};

/// Seconds of one macro step.
struct StepTime {
  double solve = 0, interface = 0, talk = 0;
  double gathers = 0;  ///< of `talk`, swaps included
  double total() const { return solve + interface + talk; }
};
StepTime between_neighbours(const RecordedRun& run, const MessageModel& model, int ranks);
StepTime through_coordinator(const RecordedRun& run, const MessageModel& model, int ranks);

}  // namespace cosimo::bench
