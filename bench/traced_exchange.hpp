// What ranks tell each other in the macro steps of a real run, noted call by call, and said again without the
// run: the same messages between the same ranks, of the same lengths and in the same order, with nothing in
// between.
//
//   TracedExchange traced(exchange);     takes the place of the exchange in the run
//   traced.mark();                       after every macro step
//   Conversation talk(exchange, traced.steps(32));     the last 32 of them
//   talk.repeat();                       collective; seconds by kind of call
//
// Parcels (results on their way to rank 0) belong to no macro step and are not noted.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "parallel/exchange.hpp"

namespace cosimo::bench {

/// Kinds of calls that cost differently.
enum class Talk { neighbours, reduction, gather, swap };
constexpr std::array<const char*, 4> talk_names{"neighbours", "reductions", "gathers", "swaps"};
using PerTalk = std::array<double, talk_names.size()>;

struct Call {
  enum class Verb { start, finish, sum, max, min, gather_all, swap } verb = Verb::start;
  struct Peer {
    int rank = 0;
    std::size_t numbers = 0;
  };
  std::vector<Peer> out, in;       ///< start
  std::size_t numbers = 0;         ///< reductions
  std::vector<int> counts;         ///< gather_all: per rank
  std::vector<std::size_t> lists;  ///< swap: length of that for every rank

  Talk talk() const;
};
using Calls = std::vector<Call>;  ///< of one macro step

class TracedExchange final : public Exchange {
 public:
  explicit TracedExchange(Exchange& exchange) : exchange_(exchange), steps_(1) {}

  /// A macro step ends here.
  void mark() { steps_.emplace_back(); }
  /// The last so many that have ended.
  std::vector<Calls> steps(std::size_t count) const;

  int rank() const override { return exchange_.rank(); }
  int ranks() const override { return exchange_.ranks(); }
  void start(std::span<const Outgoing> out, std::span<const Incoming> in) override;
  void finish() override;
  void sum(std::span<std::int64_t> words) override;
  void max(std::span<double> numbers) override;
  void min(std::span<std::int64_t> words) override;
  void gather_all(std::span<const double> mine, std::span<const int> counts, std::span<double> all) override;
  void broadcast(int root, Bytes& bytes) override { exchange_.broadcast(root, bytes); }
  std::vector<std::vector<std::int64_t>> swap(std::span<const std::vector<std::int64_t>> lists) override;
  void send(int to, Bytes bytes) override { exchange_.send(to, std::move(bytes)); }
  Bytes receive(int from) override { return exchange_.receive(from); }
  void abort(int code) override { exchange_.abort(code); }
  std::string host() const override { return exchange_.host(); }
  int ranks_here() const override { return exchange_.ranks_here(); }

 private:
  Call& note(Call::Verb verb);

  Exchange& exchange_;
  std::vector<Calls> steps_;
};

/// Macro steps to be said again. All numbers are per macro step, as this rank sees them.
class Conversation {
 public:
  Conversation(Exchange& exchange, std::vector<Calls> steps);

  const PerTalk& calls() const { return calls_; }
  /// Numbers of eight bytes that this rank sends; of a gather: that it receives.
  const PerTalk& numbers() const { return numbers_; }
  /// Says everything once: seconds by kind. Collective.
  PerTalk repeat();

 private:
  void say(const Call& call);

  Exchange& exchange_;
  std::vector<Calls> steps_;
  PerTalk calls_{}, numbers_{};
  std::vector<std::vector<double>> out_, in_;  ///< messages
  std::size_t out_used_ = 0, in_used_ = 0;     ///< of them those under way
  std::vector<double> mine_, all_;
  std::vector<std::int64_t> words_;
  std::vector<std::vector<std::int64_t>> lists_;
};

}  // namespace cosimo::bench
