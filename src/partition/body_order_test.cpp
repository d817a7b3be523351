#include "partition/body_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "partition/partition.hpp"

namespace cosimo {
namespace {

std::vector<BodyId> ascending(std::size_t count) {
  std::vector<BodyId> bodies;
  for (std::size_t i = 0; i < count; ++i) bodies.push_back(BodyId(i));
  return bodies;
}

std::vector<BodyId> ordered(const Model& model, bool renumber = true) {
  const auto bodies = make_graph(model);
  const Adjacency graph(*bodies);
  return BodyOrder(graph, renumber).order(ascending(model.bodies.count));
}

std::size_t farthest(const Model& model, const std::vector<BodyId>& order) {
  std::vector<std::size_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i].index()] = i;
  std::size_t most = 0;
  for (std::size_t e = 0; e < model.elements.count(); ++e) {
    const BodyId a = model.elements.from[e], b = model.elements.to[e];
    if (a == ground || b == ground) continue;
    const auto [low, high] = std::minmax(place[a.index()], place[b.index()]);
    most = std::max(most, high - low);
  }
  return most;
}

TEST(BodyOrder, ChainsAndLatticesStayAsTheyAre) {
  EXPECT_EQ(ordered(samples::chain(50)), ascending(50));
  EXPECT_EQ(ordered(samples::lattice({.columns = 30, .rows = 20})), ascending(600));
}

TEST(BodyOrder, AShuffledChainIsAChainAgain) {
  const Model chain = samples::shuffled(samples::chain(200), 3);
  EXPECT_EQ(farthest(chain, ordered(chain)), 1U);
}

TEST(BodyOrder, AShuffledLatticeGetsShortElements) {
  const Model plate = samples::shuffled(samples::lattice({.columns = 40, .rows = 30}), 5);
  const std::vector<BodyId> order = ordered(plate);
  std::vector<BodyId> sorted = order;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, ascending(1200));
  EXPECT_GT(farthest(plate, ascending(1200)), 1000U);
  EXPECT_LT(farthest(plate, order), 300U);  // 256 of them are sorted by the number of their elements
  EXPECT_EQ(order, ordered(plate));
}

TEST(BodyOrder, LooseBodiesAndSeveralComponentsAreAllThere) {
  samples::Builder builder(400, 9);
  for (std::size_t i = 0; i + 150 < 300; ++i) {
    builder.join(BodyId(i), BodyId((i * 37) % 150 + 150));
    builder.join(BodyId(i), BodyId((i * 91 + 5) % 150));
  }
  const Model model = builder.finish();
  std::vector<BodyId> order = ordered(model);
  std::ranges::sort(order);
  EXPECT_EQ(order, ascending(400));
}

}  // namespace
}  // namespace cosimo
