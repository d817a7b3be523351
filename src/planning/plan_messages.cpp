#include "planning/plan_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "core/error.hpp"

namespace cosimo {

namespace {

// Calls of a macro step, see the head of the header.
constexpr double overlap_neighbours = 2.4, overlap_reductions = 3.5, overlap_gathers = 1.2,
                 overlap_swaps = 0.22, classic_reductions = 5;
constexpr double latencies_of_a_round = 2.4;
constexpr double served_per_latency = 3;  // messages in a row need not wait for each other
constexpr double bytes_of_a_number = 8;

double checked(const char* option, std::optional<double> given, double usual, const char* unit) {
  if (!given) return usual;
  if (std::isfinite(*given) && *given > 0) return *given;
  throw Error(Fault{.field = option,
                    .value = fmt::format("{}", *given),
                    .problem = "is not a positive number",
                    .remedy = fmt::format("give {}, such as {:g}", unit, usual)});
}

/// Two threads that copy a message into each other's memory by turns.
class PingPong {
 public:
  explicit PingPong(std::size_t bytes) : mine_(bytes), yours_(bytes) {}

  /// The best of some round trips, halved.
  double one_way(int trips) {
    double best = 1;
    turn_ = 0;
    std::thread other([&] {
      for (int i = 0; i < trips; ++i) {
        await(2 * i + 1);
        std::memcpy(mine_.data(), yours_.data(), mine_.size());
        turn_.store(2 * i + 2, std::memory_order_release);
      }
    });
    for (int i = 0; i < trips; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      std::memcpy(yours_.data(), mine_.data(), yours_.size());
      turn_.store(2 * i + 1, std::memory_order_release);
      await(2 * i + 2);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
      best = std::min(best, taken.count());
    }
    other.join();
    return 0.5 * best;
  }

 private:
  /// On a busy machine the other thread may not run: it is let in after a while.
  void await(int turn) {
    for (int i = 0; turn_.load(std::memory_order_acquire) < turn; ++i)
      if (i > 2000) std::this_thread::yield();
  }

  std::atomic<int> turn_{0};
  std::vector<char> mine_, yours_;
};

}  // namespace

MessageCosts measure_messages(std::optional<double> latency, std::optional<double> bandwidth) {
  MessageCosts costs;
  costs.latency = checked("--latency", latency, usual_latency, "seconds");
  costs.bandwidth = checked("--bandwidth", bandwidth, usual_bandwidth, "bytes per second");
  constexpr std::size_t large = 1U << 20U;
  costs.latency_here = PingPong(8).one_way(500);
  costs.bandwidth_here =
      static_cast<double>(large) / std::max(1e-9, PingPong(large).one_way(20) - costs.latency_here);
  costs.latency = std::max(costs.latency, costs.latency_here);
  costs.bandwidth = std::min(costs.bandwidth, costs.bandwidth_here);
  return costs;
}

double step_talk(const StepTalk& talk, const MessageCosts& costs, std::size_t ranks) {
  if (ranks < 2) return 0;
  const auto rounds = static_cast<double>(std::bit_width(ranks - 1));  // ceil(log2 ranks)
  const double round = latencies_of_a_round * costs.latency;
  const auto per = [&](double numbers) { return numbers * bytes_of_a_number / costs.bandwidth; };
  if (talk.overlap)
    return overlap_neighbours * (2 * costs.latency + 2 * per(talk.numbers)) +
           overlap_reductions * rounds * round + overlap_gathers * rounds * (round + per(talk.subsystems)) +
           overlap_swaps * 2 * static_cast<double>(ranks - 1) * costs.latency / served_per_latency;
  const double pass =
      talk.whole ? rounds * round + per(talk.variables) : 2 * costs.latency + 2 * per(talk.numbers);
  return talk.passes * pass + (classic_reductions + (talk.passes - 1)) * rounds * round;
}

}  // namespace cosimo
