// Looks along an attempted step for branches of the system's laws that the step passes in and out of: a
// contact that opens again before the step ends, the pulse of a formula. The stages may all lie outside, and
// the error estimate then knows nothing of it.
//
//   SwitchWatch watch(system, tolerances);
//   const double share = watch.longest(t, h, motion);   // < 1: try again with share * h
//
// motion(theta, q, v) gives the states within the step that the switches depend on, by the method's dense
// output. It is sampled as closely as the slopes of the switches ask for: a switch keeps its sign between two
// instants that are closer together than the sum of its distances from zero over its rate. Far from all
// switches that takes the two ends, and one place inside where laws do not tell their rates. The begin of a
// step is most often the end of the one before, where the switches are known: they are kept with the state
// that they belong to, bit by bit, and so it does not matter whether they are found there or evaluated.
//
// A stretch of the step on one branch is seen when it holds an end of the step, and not just at its edge: the
// switch is there not small against its largest value in the stretch. Otherwise the step is to end in its
// midst. Stretches no deeper than the absolute tolerances do not count, and so bodies at rest on a switch
// cost no steps. All follows from the states of the step alone.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "integrator/integrator.hpp"

namespace cosimo {

class SwitchWatch {
 public:
  using Path = std::function<void(double theta, double* q, double* v)>;

  SwitchWatch(const System& system, const Tolerances& tolerances);

  bool idle() const { return laws_.empty(); }
  std::span<const std::int32_t> dofs() const { return system_.switch_dofs(); }
  /// The share of the step that may be taken: 1, or at most 0.9.
  double longest(double t, double h, const Path& motion);
  /// The law that needs the turns of an angle which jumped by one in the step last looked at.
  std::optional<std::int32_t> lost_turn() const { return lost_turn_; }
  /// Of an advance(): the inputs may have changed.
  void begin();

 private:
  struct Sample {
    double theta = 0;
    std::size_t first = 0;  ///< of its entries in switch_
  };
  /// All switches at an end of a step.
  struct Known {
    std::vector<double> key;  ///< time, positions and velocities
    std::vector<Switch> switches;
  };
  void evaluate(double theta);
  std::size_t sample(double theta, double interval = 1);
  void start_over();
  bool look_briefly();
  void find_lost_turn();
  void find_noise();
  void refine(std::size_t left, std::size_t right, int depth);
  // Of the switches that are looked at, by their place among them:
  std::size_t end_of_law(std::size_t first) const;
  bool far(std::size_t j, double smallest) const;
  bool must_split(const Sample& a, const Sample& b, std::size_t first, std::size_t last) const;
  bool settled(std::size_t j, const Sample& a, const Sample& b, bool& crossed) const;
  int side(std::size_t j, const Sample& at) const;
  double unseen(std::size_t first, std::size_t last);
  double unseen_by(std::size_t j, std::size_t change) const;

  const System& system_;
  Tolerances tolerances_;
  std::span<const std::int32_t> laws_;
  std::vector<double> q_, v_, shifted_q_, shifted_v_;
  double t_ = 0, h_ = 0;
  std::optional<std::int32_t> lost_turn_;
  const Path* motion_ = nullptr;
  std::vector<Sample> samples_;
  std::vector<std::size_t> order_;             ///< of the samples in time
  std::vector<std::size_t> looked_at_, open_;  ///< switches, ascending
  std::vector<Switch> now_, beside_;           ///< all, at the place last looked at and beside it
  std::vector<Switch> switch_;                 ///< those looked at, at all samples, with their rates
  std::vector<double> noise_;
  std::array<Known, 2> known_;  ///< at the begin and the end of the step last looked at
  std::vector<double> key_;
  std::vector<int> sides_;
};

}  // namespace cosimo
