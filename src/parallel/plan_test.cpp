#include "parallel/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cosimo {
namespace {

std::vector<std::uint32_t> all_tasks(const Plan& plan, std::size_t threads) {
  std::vector<std::uint32_t> tasks;
  for (std::size_t k = 0; k < threads; ++k)
    tasks.insert(tasks.end(), plan.list(k).begin(), plan.list(k).end());
  std::sort(tasks.begin(), tasks.end());
  return tasks;
}

void expect_complete(const Plan& plan, std::size_t threads) {
  const auto tasks = all_tasks(plan, threads);
  ASSERT_EQ(tasks.size(), plan.tasks());
  for (std::size_t i = 0; i < tasks.size(); ++i) ASSERT_EQ(tasks[i], i);
}

TEST(Plan, StartsWithEqualShares) {
  const Plan plan(10, 3);
  expect_complete(plan, 3);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(static_cast<double>(plan.list(k).size()), 10 / 3.0, 0.7);
  expect_complete(Plan(2, 5), 5);
  expect_complete(Plan(0, 2), 2);
}

TEST(Plan, BalancesMeasuredCosts) {
  Plan plan(7, 2);
  plan.learn(std::vector{1.0, 1.0, 1.0, 6.0, 1.0, 1.0, 1.0});
  expect_complete(plan, 2);
  EXPECT_DOUBLE_EQ(plan.imbalance(), 1.0);  // the long one alone, the six others together
  EXPECT_EQ(std::min(plan.list(0).size(), plan.list(1).size()), 1u);
}

TEST(Plan, LongestTaskIsClaimedFirst) {
  Plan plan(50, 4);
  std::vector<double> seconds(50);
  for (std::size_t i = 0; i < 50; ++i)
    seconds[i] = 1 + static_cast<double>((i * 37) % 50) * (i < 10 ? 10 : 1);
  plan.learn(seconds);
  expect_complete(plan, 4);
  EXPECT_LT(plan.imbalance(), 1.05);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_TRUE(std::is_sorted(plan.list(k).begin(), plan.list(k).end(),
                               [&](std::uint32_t a, std::uint32_t b) { return seconds[a] < seconds[b]; }));
}

TEST(Plan, StaysWhileCostsOnlyJitter) {
  Plan plan(20, 3);
  const auto lists = [&] {
    std::vector<std::uint32_t> tasks;
    for (std::size_t k = 0; k < 3; ++k) tasks.insert(tasks.end(), plan.list(k).begin(), plan.list(k).end());
    return tasks;
  };
  std::vector<double> seconds(20, 1e-5);
  for (int run = 0; run < 8; ++run) plan.learn(seconds);
  const auto settled = lists();
  for (int run = 0; run < 200; ++run) {
    for (std::size_t i = 0; i < 20; ++i)
      seconds[i] =
          1e-5 * (1 + 0.1 * static_cast<double>((i * 7 + static_cast<std::size_t>(run) * 13) % 11) / 11);
    plan.learn(seconds);
  }
  EXPECT_EQ(lists(), settled);
}

TEST(Plan, FollowsADrift) {
  Plan plan(40, 4);
  std::vector<double> seconds(40, 1.0);
  for (int run = 0; run < 32; ++run) plan.learn(seconds);
  for (std::size_t i = 0; i < 10; ++i) seconds[4 * i] = 10;  // one list of the equal plan
  for (int run = 0; run < 32; ++run) plan.learn(seconds);
  expect_complete(plan, 4);
  EXPECT_LT(plan.imbalance(), 1.1);
}

TEST(Plan, TasksWithoutCostAreNoTrouble) {
  Plan plan(9, 2);
  for (int run = 0; run < 40; ++run) plan.learn(std::vector<double>(9, 0.0));
  expect_complete(plan, 2);
  EXPECT_DOUBLE_EQ(plan.imbalance(), 1.0);
}

}  // namespace
}  // namespace cosimo
