// Times of messages between the ranks that mpirun started (bench/distributed). Every function is collective;
// times are those of this rank, in seconds.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "bench/traced_exchange.hpp"

namespace cosimo::bench {

/// Over many repetitions. On a busy machine the best tells more.
struct Spread {
  double best = 0, median = 0;
};

/// All that a macro step of a scheme says, on average over some steps.
struct StepTalk {
  std::string scheme;
  std::size_t parts = 0;
  int layers = 0;  ///< of copies, with overlap
  Conversation conversation;
  Spread all;      ///< of the whole step
  PerTalk best{};  ///< by kind, in the best repetition
};
enum class TalkScheme { overlap, explicit_scheme };
/// From a run of the chain of Table 5.9 with so many subsystems per rank, when it has found its steps. No
/// times yet.
StepTalk overheard(Exchange& exchange, TalkScheme scheme, std::size_t parts_per_rank);

/// Something that ranks do together, so many times in one repetition.
struct Exercise {
  int batch = 1;
  std::function<void()> once;
  Spread time;  ///< of one
};
/// Two ranks send each other so many numbers at once. An odd last rank looks on.
Exercise pair_of_messages(Exchange& exchange, std::size_t numbers);
/// A sum over all ranks.
Exercise reduction(Exchange& exchange, std::size_t words);
/// Messages of one number, 16 from rank 0 to rank 1 and then as many back: what one keeps a process busy that
/// serves many, where the next need not wait for the one before.
Exercise served_messages(Exchange& exchange);
constexpr int served_in_turn = 32;
/// A number of every part to every rank; and the parts in the order of these numbers, as the overlap scheme
/// finds common micro steps.
Exercise gather_of_parts(Exchange& exchange, std::size_t parts, bool in_order);

/// The times of all, which take turns, for about `budget` seconds.
void in_turn(Exchange& exchange, std::span<StepTalk> talks, std::span<Exercise> exercises, double budget);

}  // namespace cosimo::bench
