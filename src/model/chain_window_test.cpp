// Stretches of a chain against the whole.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/error.hpp"
#include "model/chain.hpp"
#include "model/chosen_bodies.hpp"
#include "model/equations.hpp"
#include "model/model_hash.hpp"
#include "model/testing.hpp"
#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

/// Every kind of description and of load somewhere.
ChainSpec varied(std::size_t n) {
  ChainSpec spec;
  spec.masses = n;
  spec.seed = 17;
  spec.mass = Uniform{1, 2};
  std::vector<double> list(n + 1);
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = 1.0 + static_cast<double>(i % 7);
  spec.c = list;
  spec.d = HalfSine{100, 9, 10};
  spec.C = std::vector<Block>{{static_cast<std::int64_t>(n / 3), 5.0},
                              {static_cast<std::int64_t>(n + 1 - n / 3), 1.0}};
  spec.D = 0.25;
  spec.x = Uniform{-1, 1};
  spec.v = Ramp{-2, 3};
  spec.ends = {End::free, End::fixed};
  const auto parts = static_cast<std::int64_t>(std::max<std::size_t>(1, n / 3));
  spec.loads = {
      {AllBodies{}, Sign::alternating, HarmonicSpec{.amplitude = Uniform{1, 2}, .omega = Ramp{1, 2}}},
      {FractionOfBodies{0.3}, Sign::random, HarmonicSpec{.amplitude = Uniform{1, 2}, .omega = 3.0}},
      {FractionOfBodies{0.6}, Sign::plus, ContactSpec{.A = Ramp{1, 2}, .B = HalfSine{1, 2, 5}}},
      {BesideCutsOf{parts}, Sign::alternating,
       ImpulseSpec{.amplitude = Uniform{1, 2}, .start = {0.2, 0.1}, .duration = 1e-3, .steepness = 1e-6}},
      {std::vector<std::int64_t>{static_cast<std::int64_t>(n), 1}, Sign::random,
       PowerSineSpec{.amplitude = std::vector<double>{7, 8}, .omega = Uniform{1, 2}, .exponent = 3}}};
  if (n == 1) spec.loads.pop_back();  // its two bodies would be one
  return spec;
}

/// Loads of the whole chain on bodies that `known` has.
template <class Load>
std::vector<Load> on_known(const std::vector<Load>& loads, const Model& known) {
  std::vector<Load> result;
  std::copy_if(loads.begin(), loads.end(), std::back_inserter(result),
               [&](const Load& load) { return known.knows(load.body); });
  return result;
}

bool same(const Harmonic& a, const Harmonic& b) {
  return a.body == b.body && a.amplitude == b.amplitude && a.omega == b.omega && a.phase == b.phase;
}
bool same(const Contact& a, const Contact& b) {
  return a.body == b.body && a.A == b.A && a.B == b.B;
}
bool same(const Impulse& a, const Impulse& b) {
  return a.body == b.body && a.amplitude == b.amplitude && a.start == b.start && a.duration == b.duration &&
         a.steepness == b.steepness;
}
bool same(const PowerSine& a, const PowerSine& b) {
  return a.body == b.body && a.amplitude == b.amplitude && a.omega == b.omega && a.phase == b.phase &&
         a.exponent == b.exponent;
}

template <class Load>
void expect_same(const std::vector<Load>& whole, const std::vector<Load>& window, const Model& model) {
  const std::vector<Load> wanted = on_known(whole, model);
  ASSERT_EQ(window.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_TRUE(same(window[i], wanted[i])) << i;
}

/// Whatever the window knows is as in the whole.
void expect_part_of(const Model& whole, const Model& window) {
  EXPECT_EQ(window.bodies.count, whole.bodies.count);
  EXPECT_EQ(window.elements.count(), whole.elements.count());
  EXPECT_EQ(window.elements.ex, whole.elements.ex);
  EXPECT_EQ(window.elements.ev, whole.elements.ev);
  for (std::size_t i = 0; i < whole.bodies.count; ++i) {
    if (!window.knows(BodyId(i))) continue;
    EXPECT_EQ(window.bodies.mass[i], whole.bodies.mass[i]);
    EXPECT_EQ(window.bodies.x[i], whole.bodies.x[i]);
    EXPECT_EQ(window.bodies.v[i], whole.bodies.v[i]);
    for (const std::size_t e : {i, i + 1}) {
      EXPECT_EQ(window.elements.from[e], whole.elements.from[e]);
      EXPECT_EQ(window.elements.to[e], whole.elements.to[e]);
      const SpringLaw a = window.elements.law(ElementId(e)), b = whole.elements.law(ElementId(e));
      EXPECT_EQ(std::vector({a.c, a.d, a.C, a.D}), std::vector({b.c, b.d, b.C, b.D}));
      EXPECT_TRUE(!window.elements.filled || window.elements.filled->contains(e));
    }
  }
  expect_same(whole.loads.harmonic, window.loads.harmonic, window);
  expect_same(whole.loads.contact, window.loads.contact, window);
  expect_same(whole.loads.impulse, window.loads.impulse, window);
  expect_same(whole.loads.powersine, window.loads.powersine, window);
}

TEST(ChainWindow, EveryStretchAgreesWithTheWhole) {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{14}}) {
    const ChainGenerator generator(varied(n));
    const Model whole = generator.make();
    EXPECT_FALSE(whole.bodies.filled.has_value());
    for (std::size_t first = 0; first <= n; ++first)
      for (std::size_t last = first; last <= n; ++last) {
        const Model window = generator.make({first, last});
        for (std::size_t i = 0; i < n; ++i)
          EXPECT_EQ(window.knows(BodyId(i)), i >= first && i < last) << n << first << last << i;
        expect_part_of(whole, window);
      }
  }
}

TEST(ChainWindow, GrowsInAnyOrder) {
  const ChainGenerator generator(varied(10007));
  const Model whole = generator.make();
  Model window = generator.make({4000, 5000});
  for (const Range more : {Range{3900, 5100}, Range{9000, 9010}, Range{0, 2}, Range{4500, 4600},
                           Range{5050, 9005}, Range{10006, 10007}}) {
    generator.extend(window, more);
    for (std::size_t i = more.first; i < more.last; ++i) ASSERT_TRUE(window.knows(BodyId(i)));
    expect_part_of(whole, window);
  }
  ASSERT_TRUE(window.bodies.filled.has_value());
  EXPECT_EQ(window.bodies.filled->ranges().size(), 3U);
  const std::vector<Range> scattered{{9500, 9502}, {9400, 9402}, {9401, 9410}, {4000, 4001}, {700, 701}};
  generator.extend(window, scattered);
  EXPECT_EQ(window.bodies.filled->ranges().size(), 6U);
  expect_part_of(whole, window);
  generator.extend(window, {0, 10007});
  EXPECT_FALSE(window.bodies.filled.has_value()) << "nothing is missing any more";
  EXPECT_EQ(hash(window), hash(whole));
  EXPECT_EQ(window.bodies.x, whole.bodies.x);
  EXPECT_EQ(window.elements.from, whole.elements.from);
}

TEST(ChainWindow, EquationsOfAPartAreThoseOfTheWhole) {
  const ChainGenerator generator(varied(300));
  const Model whole = generator.make(), window = generator.make({100, 160});
  Part part;
  for (std::size_t i = 100; i < 160; ++i) part.bodies.push_back(BodyId(i));
  for (std::size_t e = 101; e < 160; ++e) part.elements.push_back(ElementId(e));
  part.owned = {0, part.bodies.size()};
  const Equations a(whole, part), b(window, part);
  std::vector<double> at_whole(60), at_window(60);
  const auto evaluate = [](const Equations& e, std::vector<double>& out) {
    return e.acceleration(0.1, e.initial_position().data(), e.initial_velocity().data(), out.data(), {0, 60},
                          {});
  };
  ASSERT_TRUE(evaluate(a, at_whole) && evaluate(b, at_window));
  EXPECT_EQ(at_whole, at_window);
}

TEST(ChainWindow, TakesMemoryForTheWindowOnly) {
  ChainSpec spec = varied(3);  // lists would hold the whole
  spec.masses = 20'000'000;
  spec.c = Uniform{1, 2};
  spec.C = Ramp{1, 2};
  spec.loads.erase(spec.loads.begin() + 1, spec.loads.end());
  const std::size_t before = resident_bytes();
  const Model window = ChainGenerator(spec).make({7'000'000, 7'010'000});
  EXPECT_EQ(window.bodies.x.size(), spec.masses);
  // 9 arrays of 10^4 entries and the loads; the whole is 1.2 GB without loads.
  EXPECT_LT(resident_bytes(), before + (std::size_t{8} << 20));
}

TEST(ChainWindow, BreakpointsOfAllBodies) {
  ChainSpec spec = varied(50);
  spec.loads.push_back({std::vector<std::int64_t>{9}, Sign::plus,
                        ImpulseSpec{.amplitude = 1.0, .start = {0.3}, .duration = 0.1, .steepness = 1e-4}});
  spec.loads.push_back({FractionOfBodies{0}, Sign::plus,
                        ImpulseSpec{.amplitude = 1.0, .start = {9}, .duration = 0.1, .steepness = 1e-9}});
  EXPECT_EQ(ChainGenerator(spec).breakpoints(), breakpoints(make_chain(spec).loads));
  EXPECT_FALSE(ChainGenerator(spec).breakpoints().empty());
  EXPECT_TRUE(ChainGenerator(samples::chain_spec(5)).breakpoints().empty());
}

TEST(ChainWindow, RefusesABadMassWhereItIsFilled) {
  ChainSpec spec = samples::chain_spec(5);
  spec.mass = std::vector<double>{1, 1, -2, 1, 1};
  const ChainGenerator generator(spec);
  EXPECT_NO_THROW(generator.make({0, 2}));
  try {
    generator.make({2, 4});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("body 3"));
  }
  EXPECT_THROW(generator.make({0, 6}), Bug);
}

TEST(ChainWindow, HashOfSharesIsTheHashOfTheWhole) {
  for (const std::size_t n :
       {std::size_t{1}, hash_block - 1, hash_block, hash_block + 1, 3 * hash_block + 5}) {
    const ChainGenerator generator(varied(n));
    const std::uint64_t wanted = hash(generator.make());
    for (const std::size_t ranks : {1U, 2U, 3U, 7U}) {
      std::vector<std::uint64_t> blocks;
      for (std::size_t rank = 0; rank < ranks; ++rank) {
        const Range some{n / 4, n - n / 4};  // as if every rank had these
        const auto share = generator.hash_share(rank, ranks, generator.make(some));
        blocks.insert(blocks.end(), share.begin(), share.end());
      }
      EXPECT_EQ(generator.hash(blocks), wanted) << n << " bodies, " << ranks << " ranks";
    }
  }
}

TEST(ModelHash, EveryBlockCounts) {
  const Model model = make_chain(varied(2 * hash_block + 100));
  const auto hashes = block_hashes(model, {0, 3});
  for (const std::size_t body : {std::size_t{0}, hash_block - 1, hash_block, 2 * hash_block + 99}) {
    Model other = model;
    other.bodies.x[body] += 1;
    const auto changed = block_hashes(other, {0, 3});
    for (std::size_t b = 0; b < 3; ++b) EXPECT_EQ(changed[b] == hashes[b], b != body / hash_block);
    EXPECT_NE(hash(other), hash(model));
  }
  const Model window = ChainGenerator(varied(2 * hash_block + 100)).make({5, 2 * hash_block});
  EXPECT_EQ(block_hashes(window, {1, 2}).front(), hashes[1]);
  EXPECT_THROW(block_hashes(window, {0, 1}), Bug);
  EXPECT_EQ(combine_hashes(window, hashes), hash(model));
}

TEST(ChosenBodies, LotsAreTheSmallestNumbers) {
  for (const std::size_t n : {2U, 100U, 4096U, 9001U}) {
    const RandomStream random(5, n);
    std::vector<std::pair<double, std::size_t>> lots(n);
    for (std::size_t i = 0; i < n; ++i) lots[i] = {random.uniform(i), i};
    std::sort(lots.begin(), lots.end());
    for (const std::size_t chosen : {std::size_t{1}, n / 3 + 1, n - 1}) {
      const Lots drawn(random, n, chosen);
      std::size_t before = 0;
      std::vector<bool> wanted(n, false);
      for (std::size_t k = 0; k < chosen; ++k) wanted[lots[k].second] = true;
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(drawn.chosen(i), wanted[i]);
        ASSERT_TRUE(i % 97 != 0 || drawn.before(i) == before);
        before += wanted[i] ? 1 : 0;
      }
      EXPECT_EQ(drawn.before(n), chosen);
    }
  }
}

}  // namespace
}  // namespace cosimo
