#include "simulation/team_sizes.hpp"

#include <cstddef>

#include "core/check.hpp"

namespace cosimo {

std::vector<int> team_sizes(std::span<const double> cost, std::span<const int> most, int threads) {
  COSIMO_CHECK(most.size() == cost.size(), "a cost and a limit for every part");
  std::vector<int> size(cost.size(), 1);
  double total = 0;
  for (const double each : cost) total += each;
  const auto claim = [&](std::size_t i) {
    return (total > 0 ? cost[i] * threads / total : 1.0) - static_cast<double>(size[i]);
  };
  // Who has the largest claim gets the next: whole shares first, then the remainders.
  for (int left = threads - static_cast<int>(cost.size()); left > 0; --left) {
    std::size_t next = cost.size();
    for (std::size_t i = 0; i < cost.size(); ++i)
      if (size[i] < most[i] && (next == cost.size() || claim(i) > claim(next))) next = i;
    if (next == cost.size()) break;
    ++size[next];
  }
  return size;
}

}  // namespace cosimo
