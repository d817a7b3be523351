#include "parallel/plan.hpp"

#include <algorithm>
#include <numeric>

namespace cosimo {
namespace {

constexpr double smoothing = 0.25;        // weight of the newest measurement
constexpr double tolerated_drift = 1.1;   // against the balance the plan was made with
constexpr std::uint64_t look_every = 16;  // runs

/// Often while little is known, seldom later.
bool time_to_look(std::uint64_t run) {
  return run == 1 || run == 2 || run == 4 || run == 8 || run % look_every == 0;
}

}  // namespace

Plan::Plan(std::size_t tasks, std::size_t threads)
    : cost_(tasks, 1.0), order_(tasks), first_(threads + 1), sorted_(tasks), owner_(tasks), load_(threads) {
  distribute();  // all alike as long as nothing is measured
}

void Plan::learn(std::span<const double> seconds) {
  if (++runs_ == 1) {
    std::copy(seconds.begin(), seconds.end(), cost_.begin());
  } else {
    for (std::size_t i = 0; i < cost_.size(); ++i) cost_[i] += smoothing * (seconds[i] - cost_[i]);
  }
  if (time_to_look(runs_) && imbalance() > tolerated_drift * planned_imbalance_) distribute();
}

double Plan::imbalance() const {
  double longest_list = 0, total = 0, longest_task = 0;
  for (std::size_t k = 0; k < load_.size(); ++k) {
    double load = 0;
    for (const std::uint32_t i : list(k)) {
      load += cost_[i];
      longest_task = std::max(longest_task, cost_[i]);
    }
    longest_list = std::max(longest_list, load);
    total += load;
  }
  const double best = std::max(longest_task, total / static_cast<double>(load_.size()));
  return best > 0 ? longest_list / best : 1.0;
}

void Plan::distribute() {
  std::iota(sorted_.begin(), sorted_.end(), 0u);
  std::sort(sorted_.begin(), sorted_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return cost_[a] != cost_[b] ? cost_[a] > cost_[b] : a < b;
  });
  std::fill(load_.begin(), load_.end(), 0.0);
  std::fill(first_.begin(), first_.end(), std::size_t{0});
  for (const std::uint32_t i : sorted_) {
    const auto least = std::min_element(load_.begin(), load_.end());
    *least += cost_[i];
    owner_[i] = static_cast<std::uint32_t>(least - load_.begin());
    ++first_[owner_[i] + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  // Ascending within each list: walk from the shortest task, each list filled from its beginning.
  for (auto i = sorted_.rbegin(); i != sorted_.rend(); ++i) order_[first_[owner_[*i]]++] = *i;
  std::rotate(first_.begin(), first_.end() - 1, first_.end());  // every beginning became the next one's
  first_[0] = 0;
  planned_imbalance_ = imbalance();
}

}  // namespace cosimo
