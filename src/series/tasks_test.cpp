#include "series/tasks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

namespace cosimo::series {
namespace {

/// One key with the values 1 ... n.
Plan line(std::size_t n) {
  Plan plan;
  plan.count = n;
  plan.axes.push_back({"k", "k", 1, {}});
  for (std::size_t i = 0; i < n; ++i) {
    plan.axes[0].values.push_back(std::to_string(i + 1));
    plan.choice.push_back(static_cast<std::uint32_t>(i));
  }
  return plan;
}

std::vector<std::uint64_t> numbers(std::size_t n) {
  std::vector<std::uint64_t> all(n);
  std::iota(all.begin(), all.end(), std::uint64_t{100});
  return all;
}

State all_wait(Task&) {
  return State::waiting;
}

TEST(Tasks, EachIsTakenOnceAndTheFirstOnesAreSpread) {
  const Plan plan = line(100);
  Tasks tasks(plan, numbers(100), all_wait);
  std::set<std::size_t> taken;
  std::vector<double> early;
  while (tasks.waiting() > 0) {
    const std::size_t task = tasks.take();
    EXPECT_TRUE(taken.insert(task).second);
    if (early.size() < 8) early.push_back(static_cast<double>(task));
  }
  EXPECT_EQ(taken.size(), 100U);
  EXPECT_LT(*std::ranges::min_element(early), 25);
  EXPECT_GT(*std::ranges::max_element(early), 75);
}

TEST(Tasks, TheCostliestComeFirstOnceSomeAreKnown) {
  const Plan plan = line(64);
  Tasks tasks(plan, numbers(64), all_wait);
  const auto cost = [](std::size_t task) { return 0.1 + 0.01 * static_cast<double>(task); };
  for (int i = 0; i < 16; ++i) {
    const std::size_t task = tasks.take();
    tasks.end(task, State::done, cost(task));
  }
  std::vector<double> order;
  while (tasks.waiting() > 0) {
    const std::size_t task = tasks.take();
    order.push_back(static_cast<double>(task));
  }
  // Not sorted to the last, which only costs themselves could tell; but the first third is the dearer one.
  const auto third = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 3);
  const double first =
      std::accumulate(order.begin(), third, 0.0) / static_cast<double>(third - order.begin());
  const double last = std::accumulate(order.end() - (third - order.begin()), order.end(), 0.0) /
                      static_cast<double>(third - order.begin());
  EXPECT_GT(first, last + 25);
}

TEST(Tasks, VariantsOfOneIdentityAreOneTask) {
  const Plan plan = line(4);
  Tasks tasks(plan, std::vector<std::uint64_t>{7, 8, 7, 7}, all_wait);
  EXPECT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks.task_of(0), tasks.task_of(3));
  EXPECT_NE(tasks.task_of(0), tasks.task_of(1));
}

TEST(Tasks, WhatIsKnownIsNotRunAgainAndWhatIsPutBackIs) {
  const Plan plan = line(3);
  Tasks tasks(plan, numbers(3),
              [](Task& task) { return task.identity == 101 ? State::done : State::waiting; });
  EXPECT_EQ(tasks.waiting(), 2U);
  EXPECT_EQ(tasks.count(State::done), 1U);
  const std::size_t task = tasks.take();
  EXPECT_EQ(tasks.count(State::running), 1U);
  tasks.put_back(task);
  EXPECT_EQ(tasks.waiting(), 2U);
  EXPECT_EQ(tasks.take(), task);
}

}  // namespace
}  // namespace cosimo::series
