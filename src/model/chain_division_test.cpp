#include "model/chain_division.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "core/check.hpp"
#include "core/error.hpp"
#include "model/graphs.hpp"
#include "model/testing.hpp"
#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

void expect_equal(const CutEnd& a, const CutEnd& b) {
  EXPECT_EQ(a.part, b.part);
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(a.drive, b.drive);
  EXPECT_EQ(a.coordinates, b.coordinates);
}

/// The division against that of the whole model, when every third part is wanted.
void expect_as_whole(const ChainSpec& spec, const PartitionRequest& request) {
  const Partition whole = make_partition(make_chain(spec), request);
  const ChainDivision division = divide_chain(spec, request);
  const auto wanted = [](std::size_t part) { return part % 3 == 1; };
  const Partition some = make_partition(division, wanted);
  ASSERT_EQ(division.parts(), whole.parts.size());
  ASSERT_EQ(some.parts.size(), whole.parts.size());
  for (std::size_t p = 0; p < whole.parts.size(); ++p) {
    const Part &a = some.parts[p], &b = whole.parts[p];
    EXPECT_EQ(division.bodies(p).size(), b.bodies.size());
    for (const BodyId body : b.bodies) EXPECT_EQ(division.part_of(body), PartId(p));
    EXPECT_EQ(a.bodies, wanted(p) ? b.bodies : std::vector<BodyId>{});
    EXPECT_EQ(a.elements, wanted(p) ? b.elements : std::vector<ElementId>{});
    EXPECT_EQ(a.owned.first, 0U);
    EXPECT_EQ(a.owned.last, b.bodies.size()) << "counted, wanted or not";
  }
  ASSERT_EQ(some.interface.couplings.size(), whole.interface.couplings.size());
  for (std::size_t c = 0; c < whole.interface.couplings.size(); ++c) {
    const Coupling &a = some.interface.couplings[c], &b = whole.interface.couplings[c];
    EXPECT_EQ(a.element, b.element);
    EXPECT_EQ(a.components, b.components);
    EXPECT_EQ(a.torques, b.torques);
    expect_equal(a.from, b.from);
    expect_equal(a.to, b.to);
  }
}

TEST(ChainDivision, EqualAndAutomaticNumbersOfParts) {
  for (const auto& ends : {std::array{End::fixed, End::fixed}, std::array{End::free, End::fixed},
                           std::array{End::fixed, End::free}, std::array{End::free, End::free}})
    for (const std::size_t n : {1U, 2U, 7U, 29U}) {
      ChainSpec spec = samples::chain_spec(n);
      spec.ends = ends;
      for (std::size_t parts = 0; parts <= n; ++parts)
        expect_as_whole(spec, {.parts = static_cast<std::int64_t>(parts)});
    }
  expect_as_whole(samples::chain_spec(4700), {.parts = 0});
}

TEST(ChainDivision, ManualCuts) {
  ChainSpec spec = samples::chain_spec(20);
  spec.ends = {End::free, End::free};
  expect_as_whole(spec, {.method = CutMethod::manual, .cuts = {11}});
  expect_as_whole(spec, {.parts = 4, .method = CutMethod::manual, .cuts = {20, 2, 7}});
}

TEST(ChainDivision, TellsWhatARankNeeds) {
  const ChainDivision division = divide_chain(samples::chain_spec(40), {.parts = 4});
  const auto pairs = [](const std::vector<Range>& ranges) {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    for (const Range range : ranges) result.emplace_back(range.first, range.last);
    return result;
  };
  const auto outer = [](std::size_t part) { return part == 0 || part == 3; };
  EXPECT_THAT(pairs(division.around_parts(outer, 2)), ElementsAre(Pair(0, 12), Pair(28, 40)));
  EXPECT_THAT(pairs(division.around_parts(outer, 10)), ElementsAre(Pair(0, 40)));
  EXPECT_THAT(pairs(division.around_cuts(0)), ElementsAre(Pair(9, 11), Pair(19, 21), Pair(29, 31)));
  EXPECT_THAT(pairs(division.around_cuts(100)), ElementsAre(Pair(0, 40)));
  EXPECT_TRUE(divide_chain(samples::chain_spec(40), {}).around_cuts(1).empty());
}

template <class F>
std::string message(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ChainDivision, RefusesInTheSameWords) {
  const ChainSpec spec = samples::chain_spec(20);
  const Model model = make_chain(spec);
  for (const PartitionRequest& request :
       {PartitionRequest{.parts = 21}, PartitionRequest{.parts = -1}, PartitionRequest{.cuts = {3, 4}},
        PartitionRequest{.fix = {ElementId(3)}}, PartitionRequest{.method = CutMethod::manual},
        PartitionRequest{.method = CutMethod::manual, .cuts = {0, 1, 5, 21, 22, 5, 22}},
        PartitionRequest{.parts = 3, .method = CutMethod::manual, .cuts = {5}}}) {
    const std::string wanted = message([&] { make_partition(model, request); });
    EXPECT_FALSE(wanted.empty());
    EXPECT_EQ(message([&] { divide_chain(spec, request); }), wanted);
  }
  EXPECT_THROW(divide_chain(spec, {.parts = 2, .method = CutMethod::metis}), Bug);
}

TEST(ChainDivision, TakesMemoryForWantedPartsOnly) {
  ChainSpec spec = samples::chain_spec(100'000'000);
  const std::size_t before = resident_bytes();
  const ChainDivision division = divide_chain(spec, {.parts = 1000});
  const Partition mine = make_partition(division, [](std::size_t part) { return part == 500; });
  EXPECT_EQ(mine.parts[500].bodies.front(), BodyId(50'000'000));
  EXPECT_EQ(mine.interface.couplings.size(), 999U);
  EXPECT_LT(resident_bytes(), before + (std::size_t{4} << 20));
}

}  // namespace
}  // namespace cosimo
