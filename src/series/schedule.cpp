#include "series/schedule.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace cosimo::series {

namespace {

constexpr double shared_share = 0.85;    // p
constexpr double memory_in_use = 0.9;    // of what there is
constexpr std::size_t most_known = 512;  // points that are compared with
constexpr std::size_t neighbours = 4;

double relative_time(const Load& load, std::size_t workers, std::size_t threads) {
  const double rounds = std::ceil(static_cast<double>(load.variants) / static_cast<double>(workers));
  const double useful = static_cast<double>(std::min(threads, load.useful_threads));
  return rounds * (1 - shared_share + shared_share / useful);
}

}  // namespace

Strategy choose_strategy(const Load& load) {
  const std::size_t cores = std::max<std::size_t>(load.cores, 1);
  std::size_t most = std::min(cores, std::max<std::size_t>(load.variants, 1));
  if (load.variant_mb > 0 && load.memory_mb > 0) {
    const double fit = std::floor(memory_in_use * load.memory_mb / load.variant_mb);
    most = std::min(most, static_cast<std::size_t>(std::clamp(fit, 1.0, static_cast<double>(cores))));
  }
  Strategy best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t workers = most; workers >= 1; --workers) {
    const std::size_t threads = std::clamp<std::size_t>(cores / workers, 1, load.useful_threads);
    const double time = relative_time(load, workers, threads);
    if (time < least * (1 - 1e-9)) {
      least = time;
      best = {workers, threads};
    }
  }
  return best;
}

std::size_t threads_now(const Strategy& strategy, std::size_t cores, std::size_t waiting,
                        std::size_t busy_threads) {
  const std::size_t idle = cores > busy_threads ? cores - busy_threads : 0;
  return std::max(strategy.threads, idle / (waiting + 1));
}

void CostModel::learn(std::span<const double> point, double cost) {
  if (!(cost > 0)) return;
  ++seen_;
  const double value = std::log(cost);
  if (costs_.size() < most_known) {
    points_.insert(points_.end(), point.begin(), point.end());
    costs_.push_back(value);
    return;
  }
  // Later ones take the places of earlier ones in turn.
  const std::size_t place = seen_ % most_known;
  std::ranges::copy(point, points_.begin() + static_cast<std::ptrdiff_t>(place * dimensions_));
  costs_[place] = value;
}

double CostModel::expect(std::span<const double> point) const {
  if (costs_.empty()) return 0;
  struct Near {
    double distance = std::numeric_limits<double>::infinity(), cost = 0;
  };
  std::array<Near, neighbours> nearest{};
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    double distance = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) {
      const double gap = points_[i * dimensions_ + d] - point[d];
      distance += gap * gap;
    }
    if (distance >= nearest.back().distance) continue;
    nearest.back() = {distance, costs_[i]};
    std::ranges::sort(nearest, {}, &Near::distance);
  }
  double sum = 0, weights = 0;
  for (const Near& near : nearest) {
    if (!std::isfinite(near.distance)) continue;
    const double weight = 1 / (near.distance + 1e-6);
    sum += weight * near.cost;
    weights += weight;
  }
  return std::exp(sum / weights);
}

}  // namespace cosimo::series
