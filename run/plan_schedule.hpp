// How long a macro step would take on p cores, from what its pieces cost on one.
//
// Subsystems are handed to the core that is free first, longest first (LPT; Graham, "Bounds on
// multiprocessing timing anomalies", 1969: at most 4/3 of the best schedule), as the pool does. In
// Gauss-Seidel sequences the stages follow one another. Work of lanes beside the actual ones comes in many
// pieces and fills gaps: it only makes a step longer when all cores are busy. What is done by one thread is
// added.
//
//   seconds = max( sum over stages of LPT(solve of the stage, p),  (sum of solve + beside) / p )
//             + serial + hand_over (p > 1)
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cosimo {

/// Number of cores that stands for as many as can be used.
inline constexpr std::size_t unlimited_cores = 0;

struct StepCost {
  std::span<const double> solve;  ///< per subsystem: the longest of its lanes, seconds
  double beside = 0;              ///< all other lanes
  double serial = 0;              ///< interface and snapshots
  double hand_over = 0;           ///< giving work to other threads
};

class StepSchedule {
 public:
  /// `stages`: of every subsystem, for Gauss-Seidel; empty: all advance at once.
  explicit StepSchedule(std::span<const int> stages = {}) : stages_(stages.begin(), stages.end()) {}

  double seconds(const StepCost& cost, std::size_t cores);

 private:
  double makespan(std::size_t cores);

  std::vector<int> stages_;
  std::vector<double> tasks_, busy_;
};

/// 1, 2, 4, ... up to the first that is at least `parts`; `machine` among them if it is not larger.
std::vector<std::size_t> core_counts(std::size_t parts, std::size_t machine);

}  // namespace cosimo
