#include "series/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace cosimo::series {
namespace {

TEST(Strategy, TinyModelsGetAProcessPerCore) {
  const Strategy s = choose_strategy({.variants = 1000, .cores = 16, .useful_threads = 1});
  EXPECT_EQ(s.workers, 16U);
  EXPECT_EQ(s.threads, 1U);
}

TEST(Strategy, ManyVariantsOfLargeModelsStillGetAProcessPerCore) {
  const Strategy s = choose_strategy(
      {.variants = 1000, .cores = 16, .useful_threads = 64, .memory_mb = 64000, .variant_mb = 100});
  EXPECT_EQ(s.workers, 16U);
}

TEST(Strategy, WhereMemoryEndsThreadsTakeTheCores) {
  const Strategy half = choose_strategy(
      {.variants = 100, .cores = 16, .useful_threads = 64, .memory_mb = 1000, .variant_mb = 500});
  EXPECT_EQ(half.workers, 1U);  // two would leave nothing to others
  EXPECT_EQ(half.threads, 16U);
  const Strategy some = choose_strategy(
      {.variants = 100, .cores = 16, .useful_threads = 64, .memory_mb = 1000, .variant_mb = 200});
  EXPECT_EQ(some.workers, 4U);
  EXPECT_EQ(some.threads, 4U);
  const Strategy none =
      choose_strategy({.variants = 100, .cores = 4, .useful_threads = 1, .memory_mb = 10, .variant_mb = 200});
  EXPECT_EQ(none.workers, 1U) << "one is always tried";
}

TEST(Strategy, FewVariantsShareTheCores) {
  const Strategy s = choose_strategy({.variants = 2, .cores = 16, .useful_threads = 64});
  EXPECT_EQ(s.workers, 2U);
  EXPECT_EQ(s.threads, 8U);
}

TEST(Threads, IdleCoresGoToTheLastVariants) {
  const Strategy s{.workers = 8, .threads = 1};
  EXPECT_EQ(threads_now(s, 8, 20, 7), 1U);
  EXPECT_EQ(threads_now(s, 8, 1, 2), 3U);
  EXPECT_EQ(threads_now(s, 8, 0, 4), 4U);
  EXPECT_EQ(threads_now(s, 8, 0, 0), 8U);
  EXPECT_EQ(threads_now(s, 2, 0, 4), 1U) << "more busy than there are";
}

TEST(CostModel, FindsTheCostliestOfAGridFromAFewPoints) {
  CostModel model(2);
  const auto cost = [](double x, double y) { return std::exp(2 * x + y); };
  for (const double x : {0.0, 0.5, 1.0})
    for (const double y : {0.0, 1.0}) model.learn(std::vector{x, y}, cost(x, y));
  EXPECT_DOUBLE_EQ(CostModel(1).expect(std::vector{0.0}), 0);
  EXPECT_NEAR(model.expect(std::vector{0.5, 1.0}), cost(0.5, 1), 0.01);
  EXPECT_GT(model.expect(std::vector{0.9, 0.9}), 2 * model.expect(std::vector{0.1, 0.1}));
}

TEST(CostModel, LearnsOnWithoutEnd) {
  CostModel model(1);
  for (int i = 0; i < 5000; ++i) model.learn(std::vector{i % 100 / 100.0}, 1 + i % 100);
  EXPECT_NEAR(model.expect(std::vector{0.5}), 51, 1);
  EXPECT_LE(model.known(), 512U);
}

}  // namespace
}  // namespace cosimo::series
