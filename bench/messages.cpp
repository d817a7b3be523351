#include "bench/messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "bench/models.hpp"
#include "bench/timing.hpp"
#include "cosimo/cosimo.hpp"
#include "simulation/assembly.hpp"
#include "simulation/session.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo::bench {

namespace {

/// Macro steps that a run makes, until H and the layers are reviewed at long intervals only, and those of
/// them at the end that are said again: two such intervals.
constexpr std::size_t steps_made = 192, steps_said = 32;

constexpr std::size_t masses_per_part = 250;

/// Ends the run after so many macro steps.
class Marks final : public Observer {
 public:
  explicit Marks(TracedExchange& exchange) : exchange_(exchange) {}
  void output(double, std::span<const double>, std::span<const double>) override {}
  void step(const StepRow&, const Scheme& scheme, const AttemptCost&) override {
    layers_ = scheme.point().layers;
    if (++steps_ >= steps_made) enough_ = true;
  }
  void macro_point(double, double, int) override {}
  Wishes wishes()
      override {  // the first call in the loop: what the controller said before belongs to the last step
    exchange_.mark();
    return {};
  }
  const std::atomic<bool>& enough() const { return enough_; }
  int layers() const { return layers_; }

 private:
  TracedExchange& exchange_;
  std::size_t steps_ = 0;
  int layers_ = 0;
  std::atomic<bool> enough_ = false;
};

Spread spread_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return {samples.front(), samples[samples.size() / 2]};
}

std::vector<int> equal_shares(std::size_t parts, int ranks) {
  std::vector<int> rank(parts);
  for (std::size_t p = 0; p < parts; ++p)
    rank[p] = static_cast<int>(p * static_cast<std::size_t>(ranks) / parts);
  return rank;
}

}  // namespace

StepTalk overheard(Exchange& exchange, TalkScheme kind, std::size_t parts_per_rank) {
  const bool overlap = kind == TalkScheme::overlap;
  const std::size_t parts = parts_per_rank * static_cast<std::size_t>(exchange.ranks());
  const std::string text =
      table_5_9_yaml(masses_per_part * parts) +
      fmt::format("simulate: {{end: 1, output: 1, record: [1]}}\npartition: {{parts: {}}}\n", parts);
  const std::vector<std::string> settings{
      fmt::format("couple.decomposition={}", overlap ? "overlap" : "force-force"), "couple.scheme=explicit"};
  const Scenario scenario = Scenario::parse(text, "bench", settings);
  TracedExchange traced(exchange);
  Marks marks(traced);
  const auto assembly = assemble(scenario.data(), nullptr, &traced);
  Session session(scenario.data(), *assembly, 1);
  TimeLoop(*assembly, *session.lanes, *session.scheme, *session.control, session.loop, marks, nullptr,
           &marks.enough())
      .run();
  return {overlap ? "overlap" : "explicit",
          parts,
          marks.layers(),
          Conversation(exchange, traced.steps(steps_said)),
          {},
          {}};
}

Exercise pair_of_messages(Exchange& exchange, std::size_t numbers) {
  const int other = exchange.rank() ^ 1;
  const bool paired = other < exchange.ranks();
  return {32,
          [&exchange, other, paired, out = std::vector<double>(numbers),
           in = std::vector<double>(numbers)]() mutable {
            const Outgoing outgoing{other, out};
            const Incoming incoming{other, in};
            exchange.start({&outgoing, paired ? 1U : 0U}, {&incoming, paired ? 1U : 0U});
            exchange.finish();
          },
          {}};
}

Exercise reduction(Exchange& exchange, std::size_t words) {
  return {
      32, [&exchange, numbers = std::vector<std::int64_t>(words)]() mutable { exchange.sum(numbers); }, {}};
}

Exercise served_messages(Exchange& exchange) {
  const int rank = exchange.rank();
  const std::size_t served = rank < 2 ? served_in_turn / 2 : 0;
  return {4,
          [&exchange, rank, served, memory = std::vector<double>(served)]() mutable {
            std::vector<Outgoing> out;
            std::vector<Incoming> in;
            for (double& number : memory) {
              out.push_back({1 - rank, {&number, 1}});
              in.push_back({1 - rank, {&number, 1}});
            }
            for (const bool sending : {rank == 0, rank != 0}) {
              exchange.start(sending ? std::span<const Outgoing>(out) : std::span<const Outgoing>(),
                             sending ? std::span<const Incoming>() : std::span<const Incoming>(in));
              exchange.finish();
            }
          },
          {}};
}

Exercise gather_of_parts(Exchange& exchange, std::size_t parts, bool in_order) {
  Placement placement;
  placement.rank_of_part = equal_shares(parts, exchange.ranks());
  const auto seam = std::make_shared<const Seam>(exchange, Interface{}, placement);
  std::vector<double> own;
  for (std::size_t p = 0; p < parts; ++p)
    if (placement.rank_of_part[p] == exchange.rank())
      own.push_back(std::fmod(0.618 * static_cast<double>(p), 1.0));
  return {8,
          [seam, own, in_order, order = std::vector<std::size_t>(parts),
           number = std::vector<double>()]() mutable {
            seam->gather_parts(own, 1, number);
            if (!in_order) return;
            std::iota(order.begin(), order.end(), std::size_t{0});
            std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
              return number[a] != number[b] ? number[a] < number[b] : a < b;
            });
          },
          {}};
}

void in_turn(Exchange& exchange, std::span<StepTalk> talks, std::span<Exercise> exercises, double budget) {
  std::vector<std::vector<double>> steps(talks.size()), times(exercises.size());
  const double end = now() + budget;
  do {
    for (std::size_t i = 0; i < talks.size(); ++i) {
      any(exchange, false);  // all begin together
      const PerTalk by_kind = talks[i].conversation.repeat();
      const double all = std::accumulate(by_kind.begin(), by_kind.end(), 0.0);
      if (steps[i].empty() || all < *std::min_element(steps[i].begin(), steps[i].end()))
        talks[i].best = by_kind;
      steps[i].push_back(all);
    }
    for (std::size_t i = 0; i < exercises.size(); ++i) {
      any(exchange, false);
      const double taken = seconds([&] {
        for (int k = 0; k < exercises[i].batch; ++k) exercises[i].once();
      });
      times[i].push_back(taken / exercises[i].batch);
    }
  } while (!any(exchange, now() > end));
  for (std::size_t i = 0; i < talks.size(); ++i) talks[i].all = spread_of(std::move(steps[i]));
  for (std::size_t i = 0; i < exercises.size(); ++i) exercises[i].time = spread_of(std::move(times[i]));
}

}  // namespace cosimo::bench
