#include "multibody/window.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <utility>

namespace cosimo {
namespace {

ChainSpec some_chain(std::size_t masses) {
  ChainSpec spec;
  spec.masses = masses;
  spec.mass = Uniform{1, 2};
  spec.c = Uniform{3, 4};
  spec.v = Uniform{-1, 1};
  spec.seed = 5;
  return spec;
}

TEST(ChainWindow, HoldsItsPartsTheirSurroundingsAndAllCuts) {
  ChainWindow window(ChainGenerator(some_chain(1000)), {.parts = 10});
  const std::vector<int> rank_of_part{0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
  window.open(rank_of_part, 0, 20);
  const Model& model = window.model();
  for (const auto& [body, known] : {std::pair{0, true},
                                    {319, true},
                                    {320, false},
                                    {393, true},
                                    {350, false},
                                    {900, true},
                                    {950, false},
                                    {999, false}})
    EXPECT_EQ(model.knows(BodyId(static_cast<std::size_t>(body))), known) << body;
  const Partition partition = window.partition();
  EXPECT_EQ(partition.parts[2].bodies.size(), 100u);
  EXPECT_TRUE(partition.parts[3].bodies.empty());
  EXPECT_EQ(partition.parts[3].owned.size(), 100u);

  window.number({0, 1, 2, 13, 14, 15, 16, 17, 18, 19});
  const std::span<const std::int32_t> number = window.number_of_body();
  EXPECT_EQ(number[319], 13);
  EXPECT_EQ(number[339], 0) << "not filled yet";

  window.reach(10);
  EXPECT_FALSE(model.knows(BodyId(std::size_t{320})));
  window.reach(40);
  EXPECT_TRUE(model.knows(BodyId(std::size_t{339})));
  EXPECT_FALSE(model.knows(BodyId(std::size_t{340})));
  EXPECT_TRUE(window.graph().knows(BodyId(std::size_t{339})));
  EXPECT_EQ(number[339], 13);
  EXPECT_EQ(number[299], 2);
  EXPECT_EQ(number[300], 13);
  EXPECT_EQ(number[899], 18);
  EXPECT_EQ(number[900], 19);

  const Model whole = make_chain(some_chain(1000));
  EXPECT_EQ(model.bodies.mass[339], whole.bodies.mass[339]);
  EXPECT_EQ(model.bodies.v[900], whole.bodies.v[900]);
}

TEST(ChainWindow, OfOneRankIsTheWholeChain) {
  ChainWindow window(ChainGenerator(some_chain(100)), {.parts = 4});
  window.open(std::vector<int>(4, 0), 0, 1);
  const Model& model = window.model();
  EXPECT_FALSE(model.bodies.filled);
  const auto exchange = alone();
  EXPECT_EQ(window.hash(*exchange), hash(make_chain(some_chain(100))));
  const double* const before = model.bodies.v.data();
  window.unite();
  window.open(std::vector<int>(1, 0), 0, 1);
  EXPECT_EQ(model.bodies.v.data(), before) << "made anew";
  EXPECT_EQ(window.partition().parts.at(0).bodies.size(), 100u);
}

}  // namespace
}  // namespace cosimo
