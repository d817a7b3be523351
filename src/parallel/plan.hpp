// Which thread is to run which tasks: a list per thread, longest task first, made from
// measured costs (longest processing time first: every task in turn goes to the thread with
// the least to do). A task stays with its thread, and so in its cache, until the costs have
// drifted so far that the lists no longer balance. Internal to parallel/.
//
//   Plan plan(tasks, threads);
//   loop:  run plan.list(k) on thread k from the back;  plan.learn(seconds)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cosimo {

class Plan {
 public:
  Plan() = default;
  Plan(std::size_t tasks, std::size_t threads);

  std::size_t tasks() const { return cost_.size(); }
  /// Tasks of one thread, the longest *last*: the number of tasks left is then also the place of the next.
  std::span<const std::uint32_t> list(std::size_t thread) const {
    return std::span(order_).subspan(first_[thread], first_[thread + 1] - first_[thread]);
  }
  /// All lists one after the other: the task at a place, and where the list of a thread begins.
  std::uint32_t task(std::size_t place) const { return order_[place]; }
  std::size_t first(std::size_t thread) const { return first_[thread]; }
  /// The measured time of every task in the last run. Looks at the balance now and then; never allocates.
  void learn(std::span<const double> seconds);
  /// Longest list over the best that could be hoped for, by the present costs: 1 is perfect.
  double imbalance() const;

 private:
  void distribute();

  std::vector<double> cost_;          ///< smoothed seconds per task
  std::vector<std::uint32_t> order_;  ///< all lists, one after the other
  std::vector<std::size_t> first_;    ///< where they begin, and the end
  std::vector<std::uint32_t> sorted_, owner_;
  std::vector<double> load_;
  double planned_imbalance_ = 1;
  std::uint64_t runs_ = 0;
};

}  // namespace cosimo
