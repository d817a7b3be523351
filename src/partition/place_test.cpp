#include "partition/place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace cosimo {
namespace {

Coupling between(std::size_t a, std::size_t b) {
  Coupling c;
  c.from.part = PartId{a};
  c.to.part = PartId{b};
  return c;
}

std::vector<Coupling> path(std::size_t parts) {
  std::vector<Coupling> couplings;
  for (std::size_t i = 1; i < parts; ++i) couplings.push_back(between(i - 1, i));
  return couplings;
}

std::vector<Coupling> grid(std::size_t side) {
  std::vector<Coupling> couplings;
  for (std::size_t y = 0; y < side; ++y)
    for (std::size_t x = 0; x < side; ++x) {
      if (x + 1 < side) couplings.push_back(between(y * side + x, y * side + x + 1));
      if (y + 1 < side) couplings.push_back(between(y * side + x, (y + 1) * side + x));
    }
  return couplings;
}

std::vector<double> loads(const std::vector<double>& cost, const std::vector<int>& rank, int ranks) {
  std::vector<double> load(static_cast<std::size_t>(ranks));
  for (std::size_t p = 0; p < cost.size(); ++p) load[static_cast<std::size_t>(rank[p])] += cost[p];
  return load;
}

TEST(PlaceParts, AChainIsDividedIntoRanges) {
  const std::vector<double> cost(10, 1.0);
  const auto rank = place_parts(cost, path(10), {}, 3);
  EXPECT_TRUE(std::is_sorted(rank.begin(), rank.end()));
  const auto load = loads(cost, rank, 3);
  EXPECT_EQ(*std::max_element(load.begin(), load.end()), 4);
}

TEST(PlaceParts, CostsCount) {
  const std::vector<double> cost{10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const auto rank = place_parts(cost, path(cost.size()), {}, 2);
  EXPECT_EQ(rank[0], 0);
  for (std::size_t p = 1; p < cost.size(); ++p) EXPECT_EQ(rank[p], 1) << p;
}

TEST(PlaceParts, AGridGetsBlocks) {
  const std::vector<double> cost(64, 1.0);
  const auto couplings = grid(8);
  const auto rank = place_parts(cost, couplings, {}, 4);
  int cuts = 0;
  for (const Coupling& c : couplings) cuts += rank[c.from.part.index()] != rank[c.to.part.index()] ? 1 : 0;
  EXPECT_LE(cuts, 20);  // four squares: 16; ranges: 24
  const auto load = loads(cost, rank, 4);
  EXPECT_LE(*std::max_element(load.begin(), load.end()), 18);
}

TEST(PlaceParts, WhatBelongsTogetherStays) {
  const std::vector<double> cost(6, 1.0);
  const std::vector<std::pair<std::size_t, std::size_t>> together{{2, 3}, {0, 5}};
  const auto rank = place_parts(cost, path(6), together, 3);
  EXPECT_EQ(rank[2], rank[3]);
  EXPECT_EQ(rank[0], rank[5]);
}

TEST(PlaceParts, MoreRanksThanPartsLeavesSomeIdle) {
  const auto rank = place_parts(std::vector<double>(2, 1.0), path(2), {}, 5);
  EXPECT_EQ(rank, (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace cosimo
