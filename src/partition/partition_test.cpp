#include "partition/partition.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "model/equations.hpp"
#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "partition/adjacency.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int> labels(const std::vector<BodyId>& bodies) {
  std::vector<int> result;
  for (const BodyId body : bodies) result.push_back(body.label());
  return result;
}

std::string message(const Model& model, const PartitionRequest& request) {
  try {
    make_partition(model, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Every body in one part, every element in one part or at one coupling, ends where they belong.
void expect_complete(const Model& model, const Partition& partition) {
  std::vector<int> owner(model.bodies.count, -1);
  std::set<std::int32_t> elements;
  for (std::size_t p = 0; p < partition.parts.size(); ++p) {
    const Part& part = partition.parts[p];
    EXPECT_FALSE(part.bodies.empty());
    EXPECT_EQ(part.owned.size(), part.bodies.size());
    for (const BodyId body : part.bodies) {
      EXPECT_EQ(owner[body.index()], -1) << "body " << body.label() << " twice";
      owner[body.index()] = static_cast<int>(p);
    }
    for (const ElementId e : part.elements) EXPECT_TRUE(elements.insert(e.value).second);
    EXPECT_NO_THROW(Equations(model, part));
  }
  EXPECT_EQ(std::count(owner.begin(), owner.end(), -1), 0);
  EXPECT_TRUE(std::is_sorted(partition.interface.couplings.begin(), partition.interface.couplings.end(),
                             [](const Coupling& a, const Coupling& b) { return a.element < b.element; }));
  for (const Coupling& coupling : partition.interface.couplings) {
    EXPECT_TRUE(elements.insert(coupling.element.value).second);
    EXPECT_EQ(coupling.from.body, model.elements.from[coupling.element.index()]);
    EXPECT_EQ(coupling.to.body, model.elements.to[coupling.element.index()]);
    EXPECT_EQ(owner[coupling.from.body.index()], coupling.from.part.value);
    EXPECT_EQ(owner[coupling.to.body.index()], coupling.to.part.value);
    EXPECT_NE(coupling.from.part, coupling.to.part);
  }
  EXPECT_EQ(elements.size(), model.elements.count());
}

void expect_connected(const Model& model, const Partition& partition) {
  std::vector<ElementId> cut;
  for (const Coupling& coupling : partition.interface.couplings) cut.push_back(coupling.element);
  EXPECT_EQ(components(Adjacency(*make_graph(model), cut)).count, partition.parts.size());
}

TEST(Partition, UncutIsOnePart) {
  const Model model = samples::chain(5);
  const Partition partition = uncut(model);
  ASSERT_EQ(partition.parts.size(), 1U);
  EXPECT_THAT(labels(partition.parts[0].bodies), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_TRUE(partition.interface.couplings.empty());
  expect_complete(model, partition);
}

TEST(Partition, EqualDivision) {
  const Model model = samples::chain(10);
  const Partition partition = make_partition(model, {.parts = 4});
  ASSERT_EQ(partition.parts.size(), 4U);
  EXPECT_THAT(labels(partition.parts[0].bodies), ElementsAre(1, 2, 3));
  EXPECT_THAT(labels(partition.parts[1].bodies), ElementsAre(4, 5, 6));
  EXPECT_THAT(labels(partition.parts[2].bodies), ElementsAre(7, 8));
  EXPECT_THAT(labels(partition.parts[3].bodies), ElementsAre(9, 10));
  ASSERT_EQ(partition.interface.couplings.size(), 3U);
  EXPECT_EQ(partition.interface.couplings[0].element.label(), 4);
  EXPECT_EQ(partition.interface.couplings[2].element.label(), 9);
  expect_complete(model, partition);
}

TEST(Partition, EveryNumberOfParts) {
  const Model model = samples::chain(13);
  for (std::int64_t parts = 1; parts <= 13; ++parts)
    for (const CutMethod method : {CutMethod::equal, CutMethod::metis}) {
      const Partition partition = make_partition(model, {.parts = parts, .method = method});
      EXPECT_EQ(partition.parts.size(), static_cast<std::size_t>(parts));
      expect_complete(model, partition);
    }
}

TEST(Partition, EqualDivisionOfAShuffledChainCutsManyElements) {
  const Model model = samples::shuffled(samples::chain(60), 3);
  const Partition partition = make_partition(model, {.parts = 4});
  EXPECT_GT(partition.interface.couplings.size(), 3U);
  expect_complete(model, partition);
}

TEST(Partition, MetisGivesConnectedPartsOfAChain) {
  for (const Model& model : {samples::chain(1000), samples::shuffled(samples::chain(1000), 4)}) {
    const Partition partition = make_partition(model, {.parts = 8, .method = CutMethod::metis});
    expect_complete(model, partition);
    expect_connected(model, partition);
    EXPECT_EQ(partition.interface.couplings.size(), 7U);
    std::vector<BodyId> smallest;
    for (const Part& part : partition.parts) {
      EXPECT_NEAR(static_cast<double>(part.bodies.size()), 125, 10);
      EXPECT_EQ(Equations(model, part).reach(), 1U) << "connected pieces of a chain are paths";
      smallest.push_back(*std::min_element(part.bodies.begin(), part.bodies.end()));
    }
    EXPECT_TRUE(std::is_sorted(smallest.begin(), smallest.end()));
  }
}

TEST(Partition, MetisIsReproducible) {
  const Model model = samples::random_tree(500, 6);
  const PartitionRequest request{.parts = 7, .method = CutMethod::metis};
  const Partition first = make_partition(model, request);
  const Partition second = make_partition(model, request);
  expect_complete(model, first);
  for (std::size_t p = 0; p < 7; ++p) EXPECT_EQ(first.parts[p].bodies, second.parts[p].bodies);
}

TEST(Partition, MetisOfAModelInPieces) {
  samples::Builder builder(12, 1);
  for (std::size_t i = 0; i + 1 < 12; ++i)
    if (i != 5) builder.join(BodyId(i), BodyId(i + 1));
  const Model model = builder.finish();
  const Partition partition = make_partition(model, {.parts = 2, .method = CutMethod::metis});
  EXPECT_EQ(partition.parts.size(), 2U);
  expect_complete(model, partition);
}

TEST(Partition, ManualCuts) {
  const Model model = samples::chain(10);
  const Partition partition = make_partition(model, {.method = CutMethod::manual, .cuts = {8, 3}});
  ASSERT_EQ(partition.parts.size(), 3U);
  EXPECT_THAT(labels(partition.parts[0].bodies), ElementsAre(1, 2));
  EXPECT_THAT(labels(partition.parts[1].bodies), ElementsAre(3, 4, 5, 6, 7));
  EXPECT_THAT(labels(partition.parts[2].bodies), ElementsAre(8, 9, 10));
  expect_complete(model, partition);
}

TEST(Partition, ManualCutsOfATree) {
  const Model model = samples::random_tree(30, 2);  // its elements 2, 3, ... join bodies
  const Partition partition = make_partition(model, {.method = CutMethod::manual, .cuts = {5, 11, 20}});
  EXPECT_EQ(partition.parts.size(), 4U);
  EXPECT_EQ(partition.interface.couplings.size(), 3U);
  expect_complete(model, partition);
  expect_connected(model, partition);
}

TEST(Partition, ManualCutsOfARing) {
  const Model model = samples::ring(10, 1);
  EXPECT_THAT(message(model, {.method = CutMethod::manual, .cuts = {3}}), HasSubstr("stay connected"));
  const Partition partition = make_partition(model, {.method = CutMethod::manual, .cuts = {3, 7}});
  EXPECT_EQ(partition.parts.size(), 2U);
  EXPECT_EQ(partition.interface.couplings.size(), 2U);
  expect_complete(model, partition);
}

TEST(Partition, RefusesWhatDoesNotFit) {
  const Model model = samples::chain(10);
  EXPECT_THAT(message(model, {.parts = 11}), HasSubstr("partition.parts"));
  EXPECT_THAT(message(model, {.parts = 11}), HasSubstr("only 10 bodies"));
  EXPECT_THAT(message(model, {.parts = -1}), HasSubstr("partition.parts"));
  EXPECT_THAT(message(model, {.parts = 2, .cuts = {3}}), HasSubstr("partition.cuts"));
  const auto manual = [](std::vector<std::int64_t> cuts, std::int64_t parts = 1) {
    return PartitionRequest{.parts = parts, .method = CutMethod::manual, .cuts = std::move(cuts)};
  };
  EXPECT_THAT(message(model, manual({})), HasSubstr("at least one cut"));
  EXPECT_THAT(message(model, manual({0})), HasSubstr("numbered from 1 to 11"));
  EXPECT_THAT(message(model, manual({12})), HasSubstr("numbered from 1 to 11"));
  EXPECT_THAT(message(model, manual({1})), HasSubstr("does not join two bodies"));
  EXPECT_THAT(message(model, manual({11})), HasSubstr("does not join two bodies"));
  EXPECT_THAT(message(model, manual({4, 4})), HasSubstr("twice"));
  EXPECT_THAT(message(model, manual({4, 6}, 2)), HasSubstr("make 3 parts"));
  EXPECT_EQ(message(model, manual({4, 6}, 3)), "");
}

TEST(Partition, AutomaticParts) {
  const auto parts = [](std::size_t masses) { return automatic_parts(masses); };
  EXPECT_EQ(parts(1), 1);
  EXPECT_EQ(parts(1400), 1);
  EXPECT_EQ(parts(10'000), 10);
  EXPECT_EQ(parts(100'000), 100);
  EXPECT_EQ(parts(10'000'000), 1000);
  EXPECT_EQ(make_partition(samples::chain(2000), {.parts = 0}).parts.size(), 2U);
}

TEST(NaturalOrder, RestoresAShuffledChain) {
  const Model chain = samples::chain(200);
  const std::vector<std::int32_t> order = samples::random_order(200, 9);
  const Model model = samples::renumbered(chain, order);
  const std::vector<BodyId> path = uncut(model).parts[0].bodies;
  std::vector<BodyId> expected;
  for (const std::int32_t body : order) expected.push_back(BodyId(body));
  if (path.front() != expected.front()) std::reverse(expected.begin(), expected.end());
  EXPECT_EQ(path, expected);
  EXPECT_LT(path.front(), path.back()) << "the smaller end comes first";
  EXPECT_EQ(Equations(model, uncut(model).parts[0]).reach(), 1U);
}

/// How many elements join neighbours in the order.
std::size_t joined_neighbours(const Model& model, const std::vector<BodyId>& order) {
  std::vector<std::size_t> position(model.bodies.count);
  for (std::size_t i = 0; i < order.size(); ++i) position[order[i].index()] = i;
  std::size_t count = 0;
  for (std::size_t e = 0; e < model.elements.count(); ++e) {
    if (!joins_bodies(ends_of(model, ElementId(e)))) continue;
    const std::size_t a = position[model.elements.from[e].index()];
    const std::size_t b = position[model.elements.to[e].index()];
    count += a + 1 == b || b + 1 == a ? 1 : 0;
  }
  return count;
}

TEST(NaturalOrder, IsTheBestOneOnSmallTrees) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Model model = samples::random_tree(7, seed);
    std::vector<BodyId> order;
    for (std::size_t i = 0; i < 7; ++i) order.push_back(BodyId(i));
    const std::size_t found = joined_neighbours(model, uncut(model).parts[0].bodies);
    std::size_t best = 0;
    do best = std::max(best, joined_neighbours(model, order));
    while (std::next_permutation(order.begin(), order.end()));
    EXPECT_EQ(found, best) << "seed " << seed;
  }
}

TEST(NaturalOrder, OpensARing) {
  const Model model = samples::shuffled(samples::ring(20, 2), 5);
  EXPECT_EQ(joined_neighbours(model, uncut(model).parts[0].bodies), 19U);
}

}  // namespace
}  // namespace cosimo
