#include "bench/traced_exchange.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "bench/timing.hpp"

namespace cosimo::bench {

Talk Call::talk() const {
  switch (verb) {
    case Verb::start:
    case Verb::finish:
      return Talk::neighbours;
    case Verb::gather_all:
      return Talk::gather;
    case Verb::swap:
      return Talk::swap;
    default:
      return Talk::reduction;
  }
}

std::vector<Calls> TracedExchange::steps(std::size_t count) const {
  const std::size_t ended = steps_.size() - 1, first = ended - std::min(count, ended);
  return {steps_.begin() + static_cast<std::ptrdiff_t>(first),
          steps_.begin() + static_cast<std::ptrdiff_t>(ended)};
}

Call& TracedExchange::note(Call::Verb verb) {
  Call& call = steps_.back().emplace_back();
  call.verb = verb;
  return call;
}

void TracedExchange::start(std::span<const Outgoing> out, std::span<const Incoming> in) {
  Call& call = note(Call::Verb::start);
  for (const Outgoing& o : out) call.out.push_back({o.to, o.numbers.size()});
  for (const Incoming& i : in) call.in.push_back({i.from, i.numbers.size()});
  exchange_.start(out, in);
}

void TracedExchange::finish() {
  note(Call::Verb::finish);
  exchange_.finish();
}

void TracedExchange::sum(std::span<std::int64_t> words) {
  note(Call::Verb::sum).numbers = words.size();
  exchange_.sum(words);
}

void TracedExchange::max(std::span<double> numbers) {
  note(Call::Verb::max).numbers = numbers.size();
  exchange_.max(numbers);
}

void TracedExchange::min(std::span<std::int64_t> words) {
  note(Call::Verb::min).numbers = words.size();
  exchange_.min(words);
}

void TracedExchange::gather_all(std::span<const double> mine, std::span<const int> counts,
                                std::span<double> all) {
  note(Call::Verb::gather_all).counts.assign(counts.begin(), counts.end());
  exchange_.gather_all(mine, counts, all);
}

std::vector<std::vector<std::int64_t>> TracedExchange::swap(
    std::span<const std::vector<std::int64_t>> lists) {
  Call& call = note(Call::Verb::swap);
  for (const auto& list : lists) call.lists.push_back(list.size());
  return exchange_.swap(lists);
}

Conversation::Conversation(Exchange& exchange, std::vector<Calls> steps)
    : exchange_(exchange), steps_(std::move(steps)) {
  const double share = 1 / static_cast<double>(std::max<std::size_t>(1, steps_.size()));
  for (const Calls& step : steps_)
    for (const Call& call : step) {
      const auto kind = static_cast<std::size_t>(call.talk());
      if (call.verb != Call::Verb::finish) calls_[kind] += share;
      std::size_t numbers = call.numbers;
      for (const Call::Peer& peer : call.out) numbers += peer.numbers;
      for (const int n : call.counts) numbers += static_cast<std::size_t>(n);
      for (const std::size_t n : call.lists) numbers += n;
      numbers_[kind] += share * static_cast<double>(numbers);
    }
}

void Conversation::say(const Call& call) {
  switch (call.verb) {
    case Call::Verb::start: {
      std::vector<Outgoing> out;
      std::vector<Incoming> in;
      out_.resize(std::max(out_.size(), out_used_ + call.out.size()));
      in_.resize(std::max(in_.size(), in_used_ + call.in.size()));
      for (const Call::Peer& peer : call.out) {
        auto& numbers = out_[out_used_++];
        numbers.resize(peer.numbers);
        out.push_back({peer.rank, numbers});
      }
      for (const Call::Peer& peer : call.in) {
        auto& numbers = in_[in_used_++];
        numbers.resize(peer.numbers);
        in.push_back({peer.rank, numbers});
      }
      return exchange_.start(out, in);
    }
    case Call::Verb::finish:
      out_used_ = in_used_ = 0;
      return exchange_.finish();
    case Call::Verb::sum:
    case Call::Verb::min:
      words_.assign(call.numbers, 0);
      return call.verb == Call::Verb::sum ? exchange_.sum(words_) : exchange_.min(words_);
    case Call::Verb::max:
      mine_.assign(call.numbers, 0);
      return exchange_.max(mine_);
    case Call::Verb::gather_all:
      mine_.resize(static_cast<std::size_t>(call.counts[static_cast<std::size_t>(exchange_.rank())]));
      all_.resize(static_cast<std::size_t>(std::accumulate(call.counts.begin(), call.counts.end(), 0)));
      return exchange_.gather_all(mine_, call.counts, all_);
    case Call::Verb::swap:
      lists_.resize(call.lists.size());
      for (std::size_t r = 0; r < lists_.size(); ++r) lists_[r].resize(call.lists[r]);
      exchange_.swap(lists_);
  }
}

PerTalk Conversation::repeat() {
  PerTalk seconds{};
  for (const Calls& step : steps_)
    for (const Call& call : step) {
      const double begin = now();
      say(call);
      seconds[static_cast<std::size_t>(call.talk())] += now() - begin;
    }
  for (double& s : seconds) s /= static_cast<double>(std::max<std::size_t>(1, steps_.size()));
  return seconds;
}

}  // namespace cosimo::bench
