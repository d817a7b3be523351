// What ranks tell each other. Every rank runs the same program with the same decisions; it owns some
// subsystems and hears from the others through this interface only:
//
//   exchange.start(out, in);  ... work ...  exchange.finish();   messages between neighbours
//   exchange.sum(words);  exchange.max(numbers);                  over all ranks, equal to the bit everywhere
//   exchange.gather_all(mine, counts, all);                       everybody's numbers, in the order of ranks
//   exchange.send(0, bytes);  bytes = exchange.receive(1);        parcels of any size
//
// There is no rank that all data passes through. Calls are collective unless they name one other rank: every
// rank makes them in the same order. Only one thread of a rank may be inside a call at a time. A rank whose
// neighbour does not answer waits: it spins briefly, then yields, then sleeps in growing naps, so that more
// ranks than cores are no disaster.
//
// Implementations: alone() (one rank: nothing to say), MPI (parallel/mpi_exchange.hpp), threads of
// one process (parallel/thread_exchange.hpp, for tests).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cosimo {

struct Outgoing {
  int to = 0;
  std::span<const double> numbers;
};
struct Incoming {
  int from = 0;
  std::span<double> numbers;  ///< exactly as many as are sent
};

using Bytes = std::vector<std::byte>;

class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  bool single() const { return ranks() == 1; }
  bool leads() const { return rank() == 0; }  ///< the rank that speaks to the user and writes

  /// Messages to and from neighbours begin to travel. The memory must stay until finish(). Of two messages
  /// between the same ranks the first started arrives first.
  virtual void start(std::span<const Outgoing> out, std::span<const Incoming> in) = 0;
  /// All of them have arrived.
  virtual void finish() = 0;

  /// Over all ranks, in place.
  virtual void sum(std::span<std::int64_t> words) = 0;
  virtual void max(std::span<double> numbers) = 0;  ///< none may be NaN
  virtual void min(std::span<std::int64_t> words) = 0;
  /// `counts[r]` numbers of every rank r, one rank after the other.
  virtual void gather_all(std::span<const double> mine, std::span<const int> counts,
                          std::span<double> all) = 0;
  /// The bytes of rank `root`, on all ranks.
  virtual void broadcast(int root, Bytes& bytes) = 0;
  /// A list for every rank from every rank; entry r of the result comes from rank r.
  virtual std::vector<std::vector<std::int64_t>> swap(std::span<const std::vector<std::int64_t>> lists) = 0;

  /// A parcel to one rank; returns at once unless several are still under way there.
  virtual void send(int to, Bytes bytes) = 0;
  /// The next parcel from that rank.
  virtual Bytes receive(int from) = 0;

  /// Ends all ranks at once: for errors that the others cannot know of. Does not return where there are
  /// others.
  virtual void abort(int code) = 0;
  /// Where ranks run, for people: the name of this rank's host.
  virtual std::string host() const { return {}; }
  /// How many ranks share this machine.
  virtual int ranks_here() const { return ranks(); }

  /// Seconds this rank has spent in calls, most of them waiting.
  double seconds() const { return seconds_; }

 protected:
  double seconds_ = 0;
};

/// One rank, which has nobody to talk to.
std::unique_ptr<Exchange> alone();

/// True on all ranks when it is on any.
bool any(Exchange& exchange, bool here);

}  // namespace cosimo
