#include "bench/timing.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

namespace cosimo::bench {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<double> interleaved(int rounds, const std::vector<std::function<double()>>& competitors) {
  std::vector<double> best(competitors.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < competitors.size(); ++i) best[i] = std::min(best[i], competitors[i]());
  return best;
}

double seconds(const std::function<void()>& work) {
  const double begin = now();
  work();
  return now() - begin;
}

}  // namespace cosimo::bench
