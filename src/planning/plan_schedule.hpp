// How long a macro step would take on p cores, from what its pieces cost on one ([K] Section 4, (4.1),
// (4.3)).
//
// Subsystems are handed to the core that is free first, longest first (LPT; Graham, "Bounds on
// multiprocessing timing anomalies", 1969: at most 4/3 of the best schedule), as the pool does. In
// Gauss-Seidel sequences the stages follow one another. Work of lanes beside the actual ones comes in many
// pieces and fills gaps: it only makes a step longer when all cores are busy. Snapshots are shared by the
// cores as subsystems are. What is done by one thread is added. n: subsystems.
//
//   solve    = max( sum over stages of LPT(solve of the stage, p),  (sum of solve + beside) / p )
//   seconds  = solve + snapshot ceil(n/p)/n + serial + hand_over (p > 1)
//
// Ranks (planning/plan_messages.hpp) share the interface as well, where each knows only its own couplings.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cosimo {

/// Number of cores that stands for as many as can be used.
inline constexpr std::size_t unlimited_cores = 0;

/// Largest number of cores that predictions are made for.
inline constexpr std::size_t most_predicted_cores = 1000;

struct StepCost {
  std::span<const double> solve;  ///< per subsystem: the longest of its lanes, seconds
  double beside = 0;              ///< all other lanes
  double serial = 0;              ///< interface
  double hand_over = 0;           ///< giving work to other threads
  double snapshot = 0;
};

/// Of one core among p that share n subsystems, at least 1/n: ceil(n/p)/n.
double largest_share(std::size_t subsystems, std::size_t cores);

class StepSchedule {
 public:
  /// `stages`: of every subsystem, for Gauss-Seidel; empty: all advance at once.
  explicit StepSchedule(std::span<const int> stages = {}) : stages_(stages.begin(), stages.end()) {}

  double seconds(const StepCost& cost, std::size_t cores);
  /// Its first line: integration alone, on the slowest core.
  double solve_seconds(const StepCost& cost, std::size_t cores);

 private:
  double makespan(std::size_t cores);

  std::vector<int> stages_;
  std::vector<double> tasks_, busy_;
};

/// 1, 2, 4, ... up to the first that is at least `parts`; `machine` among them if it is not larger.
std::vector<std::size_t> core_counts(std::size_t parts, std::size_t machine);

/// 1, 2, 4, ..., 512, 1000, and `machine`.
std::vector<std::size_t> predicted_counts(std::size_t machine);

}  // namespace cosimo
