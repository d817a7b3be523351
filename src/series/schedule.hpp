// What runs when, and on how many cores: pure functions of numbers. None of them changes a result; clocks may
// decide here.
//
// Three strategies (D. Pogorelov and others, Transport Problems 14(3), 2019, Section 4): one process with all
// threads, as many processes as cores with one thread each, several with several. For n variants of equal
// cost, w processes of s threads take about
//
//   ceil(n / w) (1 - p + p / min(s, u))
//
// of the time of one variant on one thread, where u is the number of threads that the model can use (counted,
// not measured) and p the share of its work that threads share. Processes share nothing, so they come first;
// threads take the cores that processes leave over, for want of variants or of memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cosimo::series {

struct Load {
  std::size_t variants = 1, cores = 1;
  std::size_t useful_threads = 1;  ///< u
  double memory_mb = 0;            ///< that there is
  double variant_mb = 0;           ///< that one process takes
};

struct Strategy {
  std::size_t workers = 1, threads = 1;
};

/// The fastest; of equal ones that with most processes.
Strategy choose_strategy(const Load& load);

/// Threads for a variant that begins when `waiting` others wait, without it, and others run with
/// `busy_threads` together: idle cores are given to the last ones.
std::size_t threads_now(const Strategy& strategy, std::size_t cores, std::size_t waiting,
                        std::size_t busy_threads);

/// Expects costs of points from those of others: the mean of the nearest known ones, weighed by distance, in
/// logarithms. Coordinates lie in [0, 1].
class CostModel {
 public:
  explicit CostModel(std::size_t dimensions) : dimensions_(dimensions) {}

  void learn(std::span<const double> point, double cost);
  std::size_t known() const { return costs_.size(); }
  /// Zero while nothing is known.
  double expect(std::span<const double> point) const;

 private:
  std::size_t dimensions_;
  std::vector<double> points_, costs_;  ///< costs: logarithms
  std::size_t seen_ = 0;
};

}  // namespace cosimo::series
