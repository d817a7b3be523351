#include "planning/plan_schedule.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

namespace cosimo {

namespace {

constexpr std::size_t most_cores = 4096;

}  // namespace

/// Of `tasks_`, which it sorts.
double StepSchedule::makespan(std::size_t cores) {
  if (tasks_.empty()) return 0;
  if (cores == unlimited_cores || cores >= tasks_.size())
    return *std::max_element(tasks_.begin(), tasks_.end());
  if (cores == 1) return std::accumulate(tasks_.begin(), tasks_.end(), 0.0);
  std::sort(tasks_.begin(), tasks_.end(), std::greater<>());
  busy_.assign(cores, 0.0);  // a heap: the core that is free first on top
  for (const double task : tasks_) {
    std::pop_heap(busy_.begin(), busy_.end(), std::greater<>());
    busy_.back() += task;
    std::push_heap(busy_.begin(), busy_.end(), std::greater<>());
  }
  return *std::max_element(busy_.begin(), busy_.end());
}

double largest_share(std::size_t subsystems, std::size_t cores) {
  if (subsystems == 0) return 1;
  const std::size_t most = cores == unlimited_cores ? 1 : (subsystems + cores - 1) / cores;
  return static_cast<double>(most) / static_cast<double>(subsystems);
}

double StepSchedule::solve_seconds(const StepCost& cost, std::size_t cores) {
  double solve = 0;
  if (stages_.empty()) {
    tasks_.assign(cost.solve.begin(), cost.solve.end());
    solve = makespan(cores);
  } else {
    const int last = *std::max_element(stages_.begin(), stages_.end());
    for (int stage = 0; stage <= last; ++stage) {
      tasks_.clear();
      for (std::size_t i = 0; i < cost.solve.size(); ++i)
        if (stages_[i] == stage) tasks_.push_back(cost.solve[i]);
      solve += makespan(cores);
    }
  }
  if (cores != unlimited_cores) {
    const double work = std::accumulate(cost.solve.begin(), cost.solve.end(), 0.0) + cost.beside;
    solve = std::max(solve, work / static_cast<double>(cores));
  }
  return solve;
}

double StepSchedule::seconds(const StepCost& cost, std::size_t cores) {
  return solve_seconds(cost, cores) + cost.snapshot * largest_share(cost.solve.size(), cores) + cost.serial +
         (cores == 1 ? 0.0 : cost.hand_over);
}

std::vector<std::size_t> core_counts(std::size_t parts, std::size_t machine) {
  std::vector<std::size_t> counts;
  for (std::size_t cores = 1; cores <= most_cores; cores *= 2) {
    counts.push_back(cores);
    if (cores >= parts) break;
  }
  const auto place = std::lower_bound(counts.begin(), counts.end(), machine);
  if (machine > 0 && place != counts.end() && *place != machine) counts.insert(place, machine);
  return counts;
}

std::vector<std::size_t> predicted_counts(std::size_t machine) {
  std::vector<std::size_t> counts;
  for (std::size_t cores = 1; cores < most_predicted_cores; cores *= 2) counts.push_back(cores);
  counts.push_back(most_predicted_cores);
  const auto place = std::lower_bound(counts.begin(), counts.end(), machine);
  if (machine > 0 && place != counts.end() && *place != machine) counts.insert(place, machine);
  return counts;
}

}  // namespace cosimo
