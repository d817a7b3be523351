// Mechanisms: groups joined by constraints stay whole, couplings know their components.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "mechanics/elements.hpp"
#include "mechanics/mechanism.hpp"
#include "model/graphs.hpp"
#include "partition/cut_graph.hpp"
#include "partition/halo.hpp"
#include "partition/testing.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string message(const Model& model, const PartitionRequest& request) {
  try {
    make_partition(model, request);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_groups_whole(const Model& model, const Partition& partition) {
  const std::vector<std::int32_t> group = make_graph(model)->groups();
  std::vector<std::int32_t> part_of_group(group.size(), -1);
  std::size_t bodies = 0, elements = partition.interface.couplings.size();
  for (std::size_t p = 0; p < partition.parts.size(); ++p) {
    EXPECT_FALSE(partition.parts[p].bodies.empty());
    for (const BodyId body : partition.parts[p].bodies) {
      ++bodies;
      std::int32_t& part = part_of_group[static_cast<std::size_t>(group[body.index()])];
      EXPECT_TRUE(part == -1 || part == static_cast<std::int32_t>(p)) << "body " << body.label();
      part = static_cast<std::int32_t>(p);
    }
    elements += partition.parts[p].elements.size();
  }
  EXPECT_EQ(bodies, model.bodies.count);
  EXPECT_EQ(elements, element_count(model));
}

TEST(Groups, AreNeverParted) {
  const Model model = samples::train(12);
  for (const CutMethod method : {CutMethod::equal, CutMethod::metis, CutMethod::automatic})
    for (std::int64_t parts = 1; parts <= 12; ++parts) {
      const Partition partition = make_partition(model, {.parts = parts, .method = method});
      EXPECT_EQ(partition.parts.size(), static_cast<std::size_t>(parts));
      EXPECT_EQ(partition.interface.couplings.size(), static_cast<std::size_t>(parts - 1));
      expect_groups_whole(model, partition);
    }
  EXPECT_THAT(message(model, {.parts = 13}), HasSubstr("only 12 groups"));
}

TEST(Groups, OfDifferentSizesAreSharedByBodies) {
  samples::MechanismBuilder build;
  std::vector<BodyId> all;
  for (int i = 0; i < 12; ++i)
    all.push_back(build.body("b" + std::to_string(i), BodyKind::point2, 1, {1.0 * i, 0, 0}));
  for (std::size_t i = 0; i + 1 < 12; ++i) build.spring("s" + std::to_string(i), all[i], all[i + 1], 1);
  build.join("long", {all[0], all[1], all[2], all[3]});
  build.join("far", {all[4], all[11]});
  const Model model = build.finish();
  const Partition partition = make_partition(model, {.parts = 3});
  expect_groups_whole(model, partition);
  EXPECT_EQ(partition.parts[0].bodies.size(), 4U);
  EXPECT_EQ(partition.parts[1].bodies.size(), 4U);
  EXPECT_EQ(partition.parts[2].bodies.size(), 4U);
}

TEST(Groups, CouplingsKnowComponentsAndCoordinates) {
  samples::MechanismBuilder build;
  const BodyId a = build.body("a", BodyKind::planar, 1, {0, 0, 0});
  const BodyId b = build.body("b", BodyKind::point2, 1, {1, 0, 0});
  build.spring("s", a, b, 1);
  const Partition partition = make_partition(build.finish(), {.parts = 2});
  ASSERT_EQ(partition.interface.couplings.size(), 1U);
  const Coupling& coupling = partition.interface.couplings[0];
  EXPECT_EQ(coupling.components, 2U);
  EXPECT_EQ(coupling.from.coordinates, 3U);
  EXPECT_EQ(coupling.to.coordinates, 2U);
}

TEST(Groups, ManualCutsSpareThem) {
  const Model model = samples::train(4);
  const Partition partition = make_partition(model, {.method = CutMethod::manual, .cuts = {3}});
  EXPECT_EQ(partition.parts.size(), 2U);
  expect_groups_whole(model, partition);
  samples::MechanismBuilder build;
  const BodyId a = build.body("crank", BodyKind::rigid, 1, {0, 0, 0});
  const BodyId b = build.body("rod", BodyKind::rigid, 1, {1, 0, 0});
  build.spring("s", a, b, 1);
  build.join("pin", {a, b});
  EXPECT_THAT(message(build.finish(), {.method = CutMethod::manual, .cuts = {1}}),
              HasSubstr("joints hold crank and rod"));
}

TEST(Groups, ElementsWithMemoryHoldTheirBodiesTogether) {
  samples::MechanismBuilder build;
  std::vector<BodyId> all;
  for (int i = 0; i < 6; ++i)
    all.push_back(build.body("b" + std::to_string(i), BodyKind::rigid, 1, {1.0 * i, 0, 0}));
  for (std::size_t i = 0; i + 1 < 6; ++i)
    build.spring("s" + std::to_string(i), all[i], all[i + 1], i == 2 ? 1 : 1e4);
  const auto marker = [&](std::size_t i) { return Marker{.body = all[i]}; };
  build.add(make_friction("rubbing", marker(2), marker(3), {Along::displacement, 10, 0, 1, 1, 0}));
  const Model model = build.finish();
  // The soft spring would be the cheapest cut, were it not for the friction beside it.
  const Partition partition = make_partition(model, {.parts = 2, .method = CutMethod::automatic});
  for (const Coupling& c : partition.interface.couplings) EXPECT_NE(c.element.label(), 3);
  EXPECT_THAT(message(model, {.method = CutMethod::manual, .cuts = {6}}),
              HasSubstr("rubbing: the element has a memory, which only one subsystem can keep"));
  EXPECT_THAT(message(model, {.method = CutMethod::manual, .cuts = {3}}),
              HasSubstr("joints or elements with memory hold b2 and b3 together"));
}

TEST(Groups, AutomaticCutsTheSoftCoupling) {
  samples::MechanismBuilder build;
  std::vector<BodyId> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(build.body("b" + std::to_string(i), BodyKind::rigid, 1, {1.0 * i, 0, 0}));
  for (std::size_t i = 0; i + 1 < 20; ++i)
    build.spring("s" + std::to_string(i), all[i], all[i + 1], i == 9 ? 1 : 1e4);
  const Partition partition = make_partition(build.finish(), {.parts = 2, .method = CutMethod::automatic});
  ASSERT_EQ(partition.interface.couplings.size(), 1U);
  EXPECT_EQ(partition.interface.couplings[0].element.label(), 10);
}

TEST(Groups, ComeAlongWholeInAnOverlap) {
  const Model model = samples::train(6);
  const Partition partition = make_partition(model, {.parts = 2});
  const auto graph = make_graph(model);
  const auto& owned = partition.parts[0].bodies;
  const auto owns = [&](BodyId body) { return std::find(owned.begin(), owned.end(), body) != owned.end(); };
  const Coupling& cut = partition.interface.couplings[0];
  for (const int layers : {1, 2, 3}) {
    const std::vector<HaloRoot> roots{{cut.from.body, cut.to.body, static_cast<double>(layers)}};
    const Halo halo = grow_halo(*graph, owns, roots, [](BodyId) { return 1.0; });
    EXPECT_EQ(halo.copies.size(), static_cast<std::size_t>(3 * layers));
    EXPECT_EQ(halo.sides[0].layers, layers);
    EXPECT_EQ(halo.edges.size(), layers < 3 ? 1U : 0U);
    const OverlappingPart part = carry(*graph, partition.parts[0], halo);
    EXPECT_EQ(part.part.bodies.size(), owned.size() + halo.copies.size());
  }
}

TEST(CutGraph, ForbiddenCutsJoinGroups) {
  const Model model = samples::train(4);
  EXPECT_THAT(groups_of(*make_graph(model), {}), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3));
  const std::vector<ElementId> whole{ElementId(std::size_t{2})};
  EXPECT_THAT(groups_of(*make_graph(model), whole), ElementsAre(0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2));
}

}  // namespace
}  // namespace cosimo
