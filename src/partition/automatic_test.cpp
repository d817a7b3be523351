#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "partition/adjacency.hpp"
#include "partition/cut_cost.hpp"
#include "partition/plan.hpp"

namespace cosimo {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Le;

Partition automatic(const Model& model, std::int64_t parts) {
  return make_partition(model, {.parts = parts, .method = CutMethod::automatic});
}

std::set<std::int32_t> cut_labels(const Partition& partition) {
  std::set<std::int32_t> result;
  for (const Coupling& coupling : partition.interface.couplings) result.insert(coupling.element.label());
  return result;
}

/// Freedoms times the steps of the fastest: what the bodies cost as one part.
double cost_together(const CutCosts& costs, std::span<const BodyId> bodies) {
  double freedoms = 0, steps = 0;
  for (const BodyId body : bodies) {
    freedoms += costs.body[body.index()].freedoms;
    steps = std::max(steps, costs.body[body.index()].steps);
  }
  return freedoms * steps;
}

/// What the most expensive part costs, over the mean.
double imbalance(const Model& model, const Partition& partition) {
  const CutCosts costs = measure_cuts(*make_graph(model));
  double largest = 0, total = 0;
  for (const Part& part : partition.parts) {
    const double cost = cost_together(costs, part.bodies);
    largest = std::max(largest, cost);
    total += cost;
  }
  return largest * static_cast<double>(partition.parts.size()) / total;
}

std::size_t pieces(const Model& model, const Partition& partition) {
  std::vector<ElementId> cut;
  for (const Coupling& coupling : partition.interface.couplings) cut.push_back(coupling.element);
  return components(Adjacency(*make_graph(model), cut)).count;
}

/// The second model of 5.4 (Table 5.5), n_K = 290.
Model model_of_section_5_4(std::uint64_t seed = 1) {
  ChainSpec spec;
  spec.masses = 290;
  std::vector<Block> blocks;
  for (int i = 0; i < 11; ++i) blocks.push_back(i % 2 == 0 ? Block{40, 10.0} : Block{10, 0.1});
  spec.mass = blocks;
  spec.c = 1e7;
  spec.d = 1e3;
  spec.C = 1e14;
  spec.D = 1e4;
  spec.x = Uniform{-1e-4, 1e-4};
  spec.v = Uniform{-1e-2, 1e-2};
  spec.seed = seed;
  spec.loads.push_back(
      {FractionOfBodies{0.2}, Sign::random, PowerSineSpec{Uniform{1e5, 1e6}, Uniform{7.5e2, 1e3}, 0.0, 95}});
  return make_chain(spec);
}

/// The document's subsystems end at these bodies: there the masses jump.
bool is_mass_jump(const Model& model, ElementId e) {
  const auto [from, to] = ends_of(model, e);
  return model.bodies.mass[from.index()] != model.bodies.mass[to.index()];
}

TEST(Automatic, CutsTheModelOf54BetweenEqualHeavyMasses) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Model model = model_of_section_5_4(seed);
    const Partition partition = automatic(model, 11);
    ASSERT_EQ(partition.parts.size(), 11U);
    ASSERT_EQ(partition.interface.couplings.size(), 10U);
    for (const Coupling& coupling : partition.interface.couplings) {
      EXPECT_FALSE(is_mass_jump(model, coupling.element)) << coupling.element.label();
      EXPECT_EQ(model.bodies.mass[coupling.from.body.index()], 10.0) << coupling.element.label();
    }
    // Light masses are alone with a few heavy ones around them.
    for (const Part& part : partition.parts) {
      const auto light = std::count_if(part.bodies.begin(), part.bodies.end(),
                                       [&](BodyId b) { return model.bodies.mass[b.index()] < 1; });
      EXPECT_TRUE(light == 0 || light == 10) << light;
      if (light == 10) {
        EXPECT_LE(part.bodies.size(), 15U);
      }
    }
    EXPECT_LT(imbalance(model, partition), 1.4);
    EXPECT_EQ(pieces(model, partition), 11U);
  }
}

TEST(Automatic, AvoidsLoadedBodiesWhereItCan) {
  const Model model = model_of_section_5_4();
  const CutCosts costs = measure_cuts(*make_graph(model));
  // Between the mass jump and the improved cut of the document (one mass further) the cost falls, and what is
  // found costs no more than that cut.
  double first = 0, improved = 0, found = 0;
  for (std::size_t e = 1; e + 1 < costs.element.size(); ++e)
    if (is_mass_jump(model, ElementId(e))) {
      first += costs.element[e].cost;
      const bool light_follows = model.bodies.mass[e] < 1;
      improved += costs.element[light_follows ? e - 1 : e + 1].cost;
    }
  for (const Coupling& coupling : automatic(model, 11).interface.couplings)
    found += costs.element[coupling.element.index()].cost;
  EXPECT_LT(improved, first / 5);
  EXPECT_LE(found, improved);
}

/// The chain of 5.8 with contacts near both ends, in small.
Model chain_with_contacts(std::size_t masses) {
  ChainSpec spec = samples::chain_spec(masses);
  const auto n = static_cast<std::int64_t>(masses);
  spec.loads.push_back(
      {std::vector<std::int64_t>{3, 5, 7, n - 6, n - 4, n - 1}, Sign::plus, ContactSpec{-1e-2, 5e5}});
  return make_chain(spec);
}

void expect_small_stiff_ends(const Model& model, const Partition& partition, std::size_t parts) {
  ASSERT_EQ(partition.parts.size(), parts);
  EXPECT_EQ(partition.interface.couplings.size(), parts - 1);
  const std::size_t n = model.bodies.count;
  std::size_t ends = 0;
  for (const Part& part : partition.parts) {
    const bool stiff = std::any_of(part.bodies.begin(), part.bodies.end(),
                                   [&](BodyId b) { return b.index() < 8 || b.index() >= n - 8; });
    if (!stiff) continue;
    ++ends;
    EXPECT_GE(part.bodies.size(), 8U) << "a buffer around the contacts";
    EXPECT_LE(part.bodies.size(), 30U);
  }
  EXPECT_EQ(ends, 2U);
}

TEST(Automatic, FindsTheSmallStiffEndsOf58) {
  const Model model = chain_with_contacts(2050);
  expect_small_stiff_ends(model, automatic(model, 4), 4);
  expect_small_stiff_ends(model, automatic(model, 7), 7);
  expect_small_stiff_ends(model, automatic(model, 0), 4);
  const Model small = chain_with_contacts(300);
  expect_small_stiff_ends(small, automatic(small, 0), 3);
}

TEST(Automatic, KeepsCutsAwayFromImpulses) {
  ChainSpec spec = samples::chain_spec(1000);
  spec.loads.push_back({BesideCutsOf{10}, Sign::plus, ImpulseSpec{1.0, {1e-4}, 1e-5, 1e-6}});
  const Model model = make_chain(spec);
  const Partition partition = automatic(model, 10);
  ASSERT_EQ(partition.parts.size(), 10U);
  const CutCosts costs = measure_cuts(*make_graph(model));
  for (const Coupling& coupling : partition.interface.couplings)
    EXPECT_LT(costs.element[coupling.element.index()].exposure, 0.1) << coupling.element.label();
  EXPECT_LT(imbalance(model, partition), 1.15);
}

TEST(Automatic, PrefersSoftElements) {
  ChainSpec spec = samples::chain_spec(100);
  std::vector<double> c(101, 2.5e6);
  c[47] = 1e4;
  spec.c = c;
  spec.C = 0.0;
  spec.d = 0.0;
  spec.D = 0.0;
  EXPECT_THAT(cut_labels(automatic(make_chain(spec), 2)), ElementsAre(48));
}

class Shuffled : public ::testing::TestWithParam<int> {};

TEST_P(Shuffled, BodyNumbersDoNotMatter) {
  std::vector<Model> models{samples::chain(500),
                            samples::random_tree(400, 3),
                            model_of_section_5_4(),
                            chain_with_contacts(600),
                            samples::lattice({.columns = 20, .rows = 15}),
                            samples::lattice({.columns = 12, .rows = 12, .neighbours = 8})};
  for (const Model& model : models)
    for (const std::int64_t parts : {0, 2, 5, 11}) {
      const auto expected = cut_labels(automatic(model, parts));
      EXPECT_EQ(
          cut_labels(automatic(samples::shuffled(model, static_cast<std::uint64_t>(GetParam())), parts)),
          expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Shuffled, ::testing::Values(1, 2, 3));

TEST(Automatic, DividesALatticeEvenly) {
  const Model model = samples::lattice({.columns = 100, .rows = 100});
  const auto cuts = [&](std::int64_t parts) {
    const Partition partition = automatic(model, parts);
    EXPECT_EQ(partition.parts.size(), static_cast<std::size_t>(parts));
    EXPECT_EQ(pieces(model, partition), static_cast<std::size_t>(parts)) << "parts hang together";
    EXPECT_LT(imbalance(model, partition), 1.11) << parts;
    return partition.interface.couplings.size();
  };
  EXPECT_LE(cuts(2), 110U);
  EXPECT_LE(cuts(8), 450U);
  EXPECT_LE(cuts(32), 1150U);
}

TEST(Automatic, EveryNumberOfParts) {
  for (const Model& model : {samples::chain(13), samples::random_tree(17, 5)})
    for (std::size_t parts = 1; parts <= model.bodies.count; ++parts)
      EXPECT_EQ(automatic(model, static_cast<std::int64_t>(parts)).parts.size(), parts);
}

TEST(Automatic, NumberOfPartsFromTheModel) {
  EXPECT_EQ(automatic(samples::chain(100), 0).parts.size(), 1U);
  EXPECT_EQ(automatic(samples::chain(4000), 0).parts.size(), 4U);
  EXPECT_EQ(automatic(samples::lattice({.columns = 60, .rows = 50}), 0).parts.size(), 3U);
  // Two pieces of 300 bodies behind a coupling 50 times softer in rate.
  ChainSpec spec = samples::chain_spec(600);
  std::vector<double> c(601, 2.5e6);
  c[300] = 1e3;
  spec.c = c;
  spec.C = spec.d = spec.D = 0.0;
  EXPECT_THAT(cut_labels(automatic(make_chain(spec), 0)), ElementsAre(301));
}

TEST(Automatic, CostlyPiecesOfFewVerticesLeavePartsToTheOthers) {
  CutGraph graph;  // without edges
  graph.first.assign(6, 0);
  graph.freedoms = {100, 1, 1, 1, 1};
  graph.steps.assign(5, 1);
  for (std::size_t parts = 1; parts <= 5; ++parts) {
    const Plan plan = make_plan(graph, connected_pieces(graph), parts, false);
    EXPECT_EQ(plan.parts, parts);
    const std::set<std::int32_t> used(plan.part_of.begin(), plan.part_of.end());
    EXPECT_EQ(used.size(), parts);
  }
}

TEST(Automatic, AModelInPieces) {
  samples::Builder builder(40, 1);
  for (std::size_t i = 0; i + 1 < 40; ++i)
    if (i % 8 != 7) builder.join(BodyId(i), BodyId(i + 1));
  const Model model = builder.finish();
  EXPECT_EQ(automatic(model, 0).parts.size(), 1U);
  const Partition two = automatic(model, 2);
  EXPECT_EQ(two.parts.size(), 2U);
  EXPECT_TRUE(two.interface.couplings.empty());
  const Partition ten = automatic(model, 10);
  EXPECT_EQ(ten.parts.size(), 10U);
  EXPECT_EQ(ten.interface.couplings.size(), 5U);
}

}  // namespace
}  // namespace cosimo
