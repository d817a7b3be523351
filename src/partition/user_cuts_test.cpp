#include "partition/user_cuts.hpp"
#include "mechanics/mechanism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "partition/explain.hpp"
#include "partition/testing.hpp"

namespace cosimo {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<ElementId> elements(std::initializer_list<int> labels) {
  std::vector<ElementId> result;
  for (const int label : labels) result.push_back(ElementId(label - 1));
  return result;
}

PartitionRequest automatic(std::int64_t parts) {
  return {.parts = parts, .method = CutMethod::automatic};
}

std::set<int> cuts(const Model& model, const PartitionRequest& request) {
  std::set<int> result;
  for (const Coupling& c : make_partition(model, request).interface.couplings)
    result.insert(c.element.label());
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

TEST(UserCuts, FixedOnesAreCutAndTheRestIsFound) {
  const Model model = samples::chain(100);
  for (const CutMethod method : {CutMethod::automatic, CutMethod::metis}) {
    PartitionRequest request{.parts = 4, .method = method};
    request.fix = elements({81, 11});
    const Partition partition = make_partition(model, request);
    EXPECT_EQ(partition.parts.size(), 4U);
    const auto found = cuts(model, request);
    EXPECT_EQ(found.size(), 3U);
    EXPECT_THAT(found, Contains(11));
    EXPECT_THAT(found, Contains(81));
    EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](int e) { return e > 35 && e < 57; }))
        << "the long piece in the middle is divided";
  }
  PartitionRequest open = automatic(0);
  open.fix = elements({11});
  EXPECT_THAT(cuts(model, open), ElementsAre(11));
}

TEST(UserCuts, ForbiddenOnesAreNotCut) {
  const Model model = samples::chain(100);
  const auto usual = cuts(model, automatic(2));
  ASSERT_EQ(usual.size(), 1U);
  PartitionRequest request = automatic(2);
  for (int e = *usual.begin() - 3; e <= *usual.begin() + 3; ++e) request.forbid.push_back(ElementId(e - 1));
  const auto other = cuts(model, request);
  ASSERT_EQ(other.size(), 1U);
  EXPECT_GT(std::abs(*other.begin() - *usual.begin()), 3);
  for (int e = 2; e <= 100; ++e) request.forbid.push_back(ElementId(e - 1));
  EXPECT_THAT(message(model, request), HasSubstr("only 1 groups"));
}

TEST(UserCuts, AddedOnesMakeMoreParts) {
  const Model model = samples::chain(100);
  const auto usual = cuts(model, automatic(2));
  PartitionRequest request = automatic(2);
  request.add = elements({5, 90});
  auto expected = usual;
  expected.insert({5, 90});
  EXPECT_EQ(cuts(model, request), expected);
  EXPECT_EQ(make_partition(model, request).parts.size(), 4U);
  request.add = {ElementId(*usual.begin() - 1)};
  EXPECT_EQ(cuts(model, request), usual) << "already cut";
}

TEST(UserCuts, RefusesWhatCannotBe) {
  const Model model = samples::chain(20);
  const auto with = [&](std::vector<ElementId> fix, std::vector<ElementId> forbid,
                        std::vector<ElementId> add) {
    PartitionRequest request = automatic(3);
    request.fix = std::move(fix), request.forbid = std::move(forbid), request.add = std::move(add);
    return message(model, request);
  };
  EXPECT_EQ(with(elements({5}), elements({6}), elements({7})), "");
  EXPECT_THAT(with(elements({1}), {}, {}), HasSubstr("partition.fix: element 1: the element does not join"));
  EXPECT_THAT(with({}, {}, elements({21})), HasSubstr("partition.add"));
  EXPECT_THAT(with(elements({30}), {}, {}), HasSubstr("no such element"));
  EXPECT_THAT(with(elements({5}), elements({5}), {}), HasSubstr("forbidden cuts hold body 4 and body 5"));
  EXPECT_THAT(with(elements({3, 5, 7}), {}, {}), HasSubstr("the fixed cuts alone make 4 parts"));
  const Model ring = samples::ring(10, 1);
  PartitionRequest one = automatic(2);
  one.fix = elements({3});
  EXPECT_THAT(message(ring, one), HasSubstr("stay connected by other elements"));
  one.fix = elements({3, 7});
  EXPECT_THAT(cuts(ring, one), ElementsAre(3, 7));
  PartitionRequest added = automatic(1);
  added.add = elements({3});
  EXPECT_THAT(message(ring, added), HasSubstr("partition.add: element 3"));
  PartitionRequest equal{.parts = 2};
  equal.fix = elements({3});
  EXPECT_THAT(message(model, equal), HasSubstr("method: auto"));
}

TEST(UserCuts, RefusesCutsInsideGroups) {
  samples::MechanismBuilder build;
  const BodyId a = build.body("crank", BodyKind::rigid, 1, {0, 0, 0});
  const BodyId b = build.body("rod", BodyKind::rigid, 1, {1, 0, 0});
  const BodyId c = build.body("cart", BodyKind::rigid, 1, {2, 0, 0});
  build.spring("stiffener", a, b, 1);
  build.spring("buffer", b, c, 1);
  build.join("pin", {a, b});
  const Model model = build.finish();
  PartitionRequest request = automatic(2);
  request.fix = elements({1});
  EXPECT_THAT(message(model, request), HasSubstr("stiffener: joints hold crank and rod together"));
  request.fix = elements({2});
  EXPECT_THAT(cuts(model, request), ElementsAre(2));
}

TEST(Explain, SaysWhatSpeaksForACut) {
  ChainSpec spec;
  spec.masses = 40;
  std::vector<double> c(41, 100.0);
  c[20] = 1.0;
  spec.c = c;
  spec.loads.push_back({std::vector<std::int64_t>{3}, Sign::plus, HarmonicSpec{1.0, 1.0, 0.0}});
  std::vector<double> mass(40, 1.0);
  for (std::size_t i = 30; i < 40; ++i) mass[i] = 50;
  spec.mass = mass;
  const Model model = make_chain(spec);
  const CutCosts costs = measure_cuts(*make_graph(model));
  const Partition partition = make_partition(model, {.method = CutMethod::manual, .cuts = {3, 6, 21, 31}});
  const Explanation why = explain(*make_graph(model), partition, costs, elements({6}));
  ASSERT_EQ(why.cuts.size(), 4U);
  EXPECT_EQ(why.cuts[0].reason,
            "as stiff as its neighbours; equal masses; a load on body 3 or a contact beside it");
  EXPECT_EQ(
      why.cuts[1].reason,
      "as the file says; as stiff as its neighbours; equal masses; no load on either body, the nearest 2 "
      "elements away");
  EXPECT_EQ(why.cuts[2].reason, "soft: 10x below its stiffest neighbour; equal masses; no load nearby");
  EXPECT_THAT(why.cuts[3].reason, HasSubstr("masses 1 : 50"));
  ASSERT_EQ(why.parts.size(), 5U);
  EXPECT_EQ(why.parts[0].bodies, 2U);
  EXPECT_EQ(why.parts[1].cuts, 2U);
  double share = 0;
  for (const PartFacts& part : why.parts) share += part.share;
  EXPECT_NEAR(share, 1, 1e-12);
  EXPECT_GE(why.largest_share, 1);
}

}  // namespace
}  // namespace cosimo
