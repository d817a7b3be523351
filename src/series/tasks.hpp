// What is to be computed: one task per identity, however many variants share it, and which one comes next.
// The costliest first, as far as finished ones tell, so that the end is not a wait for one long run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "series/plan.hpp"
#include "series/schedule.hpp"

namespace cosimo::series {

enum class State : std::uint8_t { waiting, running, done, failed };

struct Task {
  std::uint64_t identity = 0;
  std::size_t variant = 0;  ///< the first that has it
  State state = State::waiting;
  int crashes = 0;            ///< workers that it ended
  int kills = 0;              ///< workers that somebody else ended while they ran it
  bool measure_only = false;  ///< its results are there; what is measured of them is new
  double expected_s = 0;      ///< 0: nobody knows
};

class Tasks {
 public:
  /// `known` says what the folder knows of a task: waiting, done or failed.
  Tasks(const Plan& plan, std::span<const std::uint64_t> identities,
        const std::function<State(Task&)>& known);

  std::size_t size() const { return tasks_.size(); }
  const Task& operator[](std::size_t task) const { return tasks_[task]; }
  Task& operator[](std::size_t task) { return tasks_[task]; }
  std::size_t task_of(std::size_t variant) const { return task_of_[variant]; }

  std::size_t waiting() const { return queue_.size(); }
  std::size_t count(State state) const { return counts_[static_cast<std::size_t>(state)]; }
  /// The next one, which runs from now on.
  std::size_t take();
  /// It has to be run again, by somebody else.
  void put_back(std::size_t task);
  /// It has ended; what it cost, where that says something about others.
  void end(std::size_t task, State state, double cost_s = 0);

  /// Seconds that all that waits will take, one after the other; below zero: nobody knows.
  double waiting_s() const;
  /// Of a task, in seconds; 0: nobody knows.
  double expected_s(std::size_t task) const { return tasks_[task].expected_s; }

 private:
  void move(std::size_t task, State state);
  std::vector<double> point(std::size_t task) const;
  void sort();

  const Plan& plan_;
  std::vector<Task> tasks_;
  std::vector<std::uint32_t> task_of_;
  std::vector<std::uint32_t> queue_;  ///< the last is the next
  std::size_t counts_[4] = {};
  std::vector<std::vector<double>> places_;  ///< per axis and value: from 0 to 1
  CostModel model_;
  std::size_t sort_at_ = 4;  ///< known costs at which the order is looked at again
};

}  // namespace cosimo::series
