#include "scheme/sequence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/check.hpp"
#include "core/random.hpp"
#include "partition/part.hpp"

namespace cosimo {
namespace {

std::vector<int> stages_of(const Partition& partition, std::span<const std::int32_t> order) {
  return gauss_seidel_stages(partition.interface, partition.parts.size(), order);
}

constexpr Drive force = Drive::force, motion = Drive::motion;

struct Cut {
  std::size_t from = 0, to = 0;
  Drive from_drive = force, to_drive = force;
};

Partition partition_of(std::size_t parts, const std::vector<Cut>& cuts) {
  Partition result;
  result.parts.resize(parts);
  for (std::size_t i = 0; i < cuts.size(); ++i)
    result.interface.couplings.push_back({ElementId{i},
                                          {PartId{cuts[i].from}, BodyId{cuts[i].from}, cuts[i].from_drive},
                                          {PartId{cuts[i].to}, BodyId{cuts[i].to}, cuts[i].to_drive}});
  return result;
}

Partition chain(std::size_t parts, Drive from = force, Drive to = force) {
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i + 1 < parts; ++i) cuts.push_back({i, i + 1, from, to});
  return partition_of(parts, cuts);
}

Partition ring(std::size_t parts) {
  Partition result = chain(parts);
  result.interface.couplings.push_back(
      {ElementId{parts}, {PartId{parts - 1}, BodyId{parts - 1}}, {PartId{std::size_t{0}}, BodyId{0}}});
  return result;
}

std::vector<int> automatic(const Partition& partition) {
  return stages_of(partition, {});
}

/// Neighbours never stand in the same stage, and every stage up to the last has parts.
void expect_valid(const Partition& partition, const std::vector<int>& stages) {
  ASSERT_EQ(stages.size(), partition.parts.size());
  for (const Coupling& coupling : partition.interface.couplings)
    EXPECT_NE(stages[coupling.from.part.index()], stages[coupling.to.part.index()]);
  const int last = *std::max_element(stages.begin(), stages.end());
  EXPECT_GE(*std::min_element(stages.begin(), stages.end()), 0);
  for (int stage = 0; stage <= last; ++stage)
    EXPECT_TRUE(std::count(stages.begin(), stages.end(), stage) > 0);
}

using Stages = std::vector<int>;

TEST(GaussSeidelStages, ChainNeedsTwo) {
  EXPECT_EQ(automatic(chain(6)), (Stages{0, 1, 0, 1, 0, 1}));
}

TEST(GaussSeidelStages, GivenOrderOneAfterTheOther) {
  const std::vector<std::int32_t> up{0, 1, 2, 3, 4}, down{4, 3, 2, 1, 0};
  EXPECT_EQ(stages_of(chain(5), up), (Stages{0, 1, 2, 3, 4}));
  EXPECT_EQ(stages_of(chain(5), down), (Stages{4, 3, 2, 1, 0}));
}

TEST(GaussSeidelStages, GivenOrderWithEverySecondPartFirst) {
  const std::vector<std::int32_t> order{0, 2, 4, 1, 3, 5};
  EXPECT_EQ(stages_of(chain(6), order), (Stages{0, 1, 0, 1, 0, 1}));
}

TEST(GaussSeidelStages, GivenOrderIsKeptAgainstTheDrives) {
  const std::vector<std::int32_t> order{1, 0};
  EXPECT_EQ(stages_of(chain(2, force, motion), order), (Stages{1, 0}));
}

TEST(GaussSeidelStages, StarWaitsForItsCentreOnly) {
  EXPECT_EQ(automatic(partition_of(5, {{0, 1}, {0, 2}, {3, 0}, {4, 0}})), (Stages{0, 1, 1, 1, 1}));
  EXPECT_EQ(automatic(partition_of(5, {{4, 0}, {4, 1}, {4, 2}, {4, 3}})), (Stages{0, 0, 0, 0, 1}));
}

TEST(GaussSeidelStages, Rings) {
  const Stages even = automatic(ring(6)), odd = automatic(ring(5));
  expect_valid(ring(6), even);
  expect_valid(ring(5), odd);
  EXPECT_EQ(*std::max_element(even.begin(), even.end()), 1);
  EXPECT_EQ(*std::max_element(odd.begin(), odd.end()), 2);
}

TEST(GaussSeidelStages, ChainWithShuffledNumbersNeedsTwo) {
  // Greedy colouring in the order of the numbers would need three.
  const Partition shuffled = partition_of(4, {{0, 2}, {2, 3}, {3, 1}});
  EXPECT_EQ(automatic(shuffled), (Stages{0, 1, 1, 0}));
}

TEST(GaussSeidelStages, ForceDrivenSideFirst) {
  EXPECT_EQ(automatic(chain(2, force, motion)), (Stages{0, 1}));
  EXPECT_EQ(automatic(chain(2, motion, force)), (Stages{1, 0}));
  EXPECT_EQ(automatic(chain(4, force, motion)), (Stages{0, 1, 2, 3}));
  EXPECT_EQ(automatic(chain(4, motion, force)), (Stages{3, 2, 1, 0}));
  // Alternating: every second part is driven by forces only, so that two stages are enough.
  EXPECT_EQ(
      automatic(partition_of(
          5, {{0, 1, motion, force}, {1, 2, force, motion}, {2, 3, motion, force}, {3, 4, force, motion}})),
      (Stages{1, 0, 1, 0, 1}));
}

TEST(GaussSeidelStages, OrientedCutsAmongOthers) {
  const Partition partition = partition_of(4, {{0, 1}, {1, 2, motion, force}, {2, 3}});
  EXPECT_EQ(automatic(partition), (Stages{0, 1, 0, 1}));
}

TEST(GaussSeidelStages, ACutThatClosesACircleOnlyKeepsItsPartsApart) {
  // 0 -> 1 -> 2 -> 0: the last cannot be.
  EXPECT_EQ(automatic(partition_of(3, {{0, 1, force, motion}, {1, 2, force, motion}, {2, 0, force, motion}})),
            (Stages{0, 1, 2}));
  // Two cuts between the same parts, each its own way: the first counts.
  EXPECT_EQ(automatic(partition_of(2, {{0, 1, motion, force}, {0, 1, force, motion}})), (Stages{1, 0}));
}

TEST(GaussSeidelStages, PartWithoutNeighboursIsInTheFirst) {
  const Partition partition = partition_of(4, {{1, 2}, {2, 3}});
  EXPECT_EQ(automatic(partition), (Stages{0, 0, 1, 0}));
  const std::vector<std::int32_t> order{1, 2, 3, 0};
  EXPECT_EQ(stages_of(partition, order), (Stages{0, 0, 1, 2}));
  EXPECT_EQ(automatic(partition_of(1, {})), (Stages{0}));
}

TEST(GaussSeidelStages, RandomGraphs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RandomStream random(seed, 1);
    std::uint64_t count = 0;
    const std::size_t parts = 12;
    const auto part = [&] { return static_cast<std::size_t>(random.uniform(count++, 0, 12)); };
    const auto drive = [&] { return random.uniform(count++) < 0.5 ? force : motion; };
    std::vector<Cut> cuts;
    while (cuts.size() < 25) {
      const Cut cut{part(), part(), drive(), drive()};
      if (cut.from != cut.to) cuts.push_back(cut);
    }
    const Partition partition = partition_of(parts, cuts);
    expect_valid(partition, automatic(partition));

    std::vector<std::int32_t> order(parts);
    std::iota(order.begin(), order.end(), 0);
    for (std::size_t i = parts - 1; i > 0; --i)
      std::swap(order[i],
                order[static_cast<std::size_t>(random.uniform(count++, 0, static_cast<double>(i)))]);
    const Stages stages = stages_of(partition, order);
    expect_valid(partition, stages);
    std::vector<std::size_t> place(parts);
    for (std::size_t i = 0; i < parts; ++i) place[static_cast<std::size_t>(order[i])] = i;
    for (const Cut& cut : cuts) EXPECT_EQ(stages[cut.from] < stages[cut.to], place[cut.from] < place[cut.to]);
  }
}

TEST(GaussSeidelStages, RefusesWhatIsNoOrder) {
  const std::vector<std::int32_t> twice{0, 0, 1}, short_one{0, 1}, unknown{0, 1, 3};
  EXPECT_THROW(stages_of(chain(3), twice), Bug);
  EXPECT_THROW(stages_of(chain(3), short_one), Bug);
  EXPECT_THROW(stages_of(chain(3), unknown), Bug);
}

}  // namespace
}  // namespace cosimo
