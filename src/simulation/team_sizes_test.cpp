#include "simulation/team_sizes.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace cosimo {
namespace {

using Sizes = std::vector<int>;

TEST(TeamSizes, FollowTheCost) {
  const std::vector<double> cost{1, 2, 5};
  const Sizes many(3, 100);
  EXPECT_EQ(team_sizes(cost, many, 8), Sizes({1, 2, 5}));
  EXPECT_EQ(team_sizes(cost, many, 16), Sizes({2, 4, 10}));
  EXPECT_EQ(team_sizes(cost, many, 4), Sizes({1, 1, 2}));
}

TEST(TeamSizes, AreOneWithoutThreadsToSpare) {
  const std::vector<double> cost{1, 1000};
  EXPECT_EQ(team_sizes(cost, Sizes(2, 100), 2), Sizes({1, 1}));
  EXPECT_EQ(team_sizes(cost, Sizes(2, 100), 1), Sizes({1, 1}));
  EXPECT_EQ(team_sizes({}, {}, 4), Sizes());
}

TEST(TeamSizes, GiveNobodyMoreThanItCanUse) {
  const std::vector<double> cost{1, 7, 0};
  EXPECT_EQ(team_sizes(cost, Sizes({3, 2, 1}), 16), Sizes({3, 2, 1}));
  EXPECT_EQ(team_sizes(std::vector<double>{0, 0}, Sizes({9, 9}), 4), Sizes({2, 2}));
}

/// Every part has one, all threads are given away, and no part is a whole thread short of its share unless
/// others hold what is their least.
TEST(TeamSizes, OfRandomParts) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(0.01, 1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t parts = 1 + random() % 9;
    const int threads = static_cast<int>(parts + random() % 40);
    std::vector<double> cost(parts);
    for (double& each : cost) each = uniform(random);
    const Sizes sizes = team_sizes(cost, Sizes(parts, 1000), threads);
    EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0), threads);
    const double total = std::accumulate(cost.begin(), cost.end(), 0.0);
    for (std::size_t i = 0; i < parts; ++i) {
      EXPECT_GE(sizes[i], 1);
      if (sizes[i] > 1) {
        EXPECT_LT(sizes[i] - cost[i] * threads / total, 1) << "nobody has a whole one too many";
      }
    }
  }
}

}  // namespace
}  // namespace cosimo
