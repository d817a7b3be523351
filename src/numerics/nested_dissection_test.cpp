#include "numerics/nested_dissection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace cosimo {
namespace {

NeighbourLists graph_of(std::size_t n, const std::vector<std::pair<std::size_t, std::size_t>>& edges) {
  NeighbourLists out(n);
  for (const auto& [a, b] : edges) {
    out[a].push_back(static_cast<std::uint32_t>(b));
    out[b].push_back(static_cast<std::uint32_t>(a));
  }
  for (auto& list : out) std::sort(list.begin(), list.end());
  return out;
}

NeighbourLists plate(std::size_t width) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < width; ++j) {
      if (j + 1 < width) edges.emplace_back(i * width + j, i * width + j + 1);
      if (i + 1 < width) edges.emplace_back(i * width + j, (i + 1) * width + j);
    }
  return graph_of(width * width, edges);
}

NeighbourLists path(std::size_t n, bool ring, std::uint64_t seed = 0) {
  std::vector<std::size_t> label(n);
  for (std::size_t i = 0; i < n; ++i) label[i] = i;
  std::mt19937_64 rng(seed);
  for (std::size_t i = n - 1; seed != 0 && i > 0; --i) std::swap(label[i], label[rng() % (i + 1)]);
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t i = 1; i < n; ++i) edges.emplace_back(label[i - 1], label[i]);
  if (ring) edges.emplace_back(label[n - 1], label[0]);
  return graph_of(n, edges);
}

/// Every vertex is in one place, and no two leaves are neighbours.
void expect_divided(const NeighbourLists& graph, const Dissection& found) {
  struct Place {
    int level = -1;
    std::size_t domain = 0;
    bool operator==(const Place&) const = default;
  };
  std::vector<Place> place(graph.size());
  const auto put = [&](const std::vector<std::uint32_t>& list, Place where) {
    for (const std::uint32_t v : list) {
      EXPECT_EQ(place[v].level, -1);
      place[v] = where;
    }
  };
  for (std::size_t k = 0; k < found.leaves.size(); ++k) put(found.leaves[k], {0, k});
  for (std::size_t k = 0; k < found.between.size(); ++k) put(found.between[k], {1, k});
  put(found.top, {2, 0});
  for (std::size_t v = 0; v < graph.size(); ++v) {
    EXPECT_NE(place[v].level, -1) << v;
    for (const std::uint32_t next : graph[v])
      EXPECT_TRUE(place[v].level != 0 || place[next].level != 0 || place[v] == place[next])
          << v << " " << next;
  }
}

TEST(NestedDissection, PathsAndRingsAreCutIntoEqualStretches) {
  for (const std::size_t n : {65U, 200U, 333U, 2000U, 10'000U}) {
    for (const bool ring : {false, true}) {
      for (const std::uint64_t seed : {0U, 3U}) {
        const NeighbourLists graph = path(n, ring, seed);
        const Dissection found = dissect(graph);
        expect_divided(graph, found);
        EXPECT_EQ(found.leaves.size() % 8, 0U);
        for (std::size_t k = 0; k < found.leaves.size(); ++k) {
          EXPECT_EQ(found.leaves[k].size(), found.leaves[k / 8 * 8].size());
          EXPECT_LE(found.leaves.front().size(), found.leaves[k].size() + 1);
        }
        const std::size_t stretches = found.leaves.size() > 8 ? 8 : 0;
        ASSERT_GE(found.between.size(), stretches);
        for (std::size_t k = 0; k < found.between.size(); ++k)
          EXPECT_EQ(found.between[k].size(), k < stretches ? found.leaves.size() / 8 - 1 : 1);
        EXPECT_LE(found.top.size(), 6U);
      }
    }
  }
}

/// As many as sixteen threads can share, where that is worth it.
TEST(NestedDissection, LongPathsHaveLeavesForManyThreads) {
  const auto groups = [](std::size_t n) { return dissect(path(n, false)).leaves.size() / 8; };
  EXPECT_EQ(groups(200), 1U);
  EXPECT_EQ(groups(500), 4U);
  EXPECT_EQ(groups(1000), 8U);
  EXPECT_EQ(groups(2000), 16U);
  EXPECT_EQ(groups(6000), 32U);
  EXPECT_EQ(groups(100'000), 128U);
}

TEST(NestedDissection, SmallPiecesStayWhole) {
  const Dissection none = dissect({});
  EXPECT_TRUE(none.leaves.empty() && none.top.empty());
  EXPECT_EQ(dissect(plate(8)).leaves.size(), 1U);
  EXPECT_TRUE(dissect(plate(8)).top.empty());
  const Dissection loose = dissect(graph_of(5, {{0, 3}, {1, 2}}));
  EXPECT_EQ(loose.leaves.size(), 3U);
}

TEST(NestedDissection, PlatesHaveSmallSeparators) {
  const NeighbourLists graph = plate(40);
  const Dissection found = dissect(graph);
  expect_divided(graph, found);
  for (const auto& leaf : found.leaves) EXPECT_LE(leaf.size(), 2 * leaf_size);
  EXPECT_GE(found.leaves.size(), 20U);
  EXPECT_LT(found.top.size(), 500U);
  const Dissection again = dissect(graph);
  EXPECT_EQ(again.top, found.top);
  EXPECT_EQ(again.leaves, found.leaves);
}

TEST(NestedDissection, AStarIsCutAtItsCentre) {
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t k = 1; k <= 200; ++k) edges.emplace_back(0, k);
  const NeighbourLists graph = graph_of(201, edges);
  const Dissection found = dissect(graph);
  expect_divided(graph, found);
  EXPECT_EQ(found.top, std::vector<std::uint32_t>{0});
  EXPECT_EQ(found.leaves.size(), 200U);
}

}  // namespace
}  // namespace cosimo
