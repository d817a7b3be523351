#include "partition/surroundings.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/check.hpp"
#include "model/testing.hpp"
#include "partition/halo.hpp"
#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

void expect_as_whole(const Surroundings& whole, const Surroundings& window, const Model& model) {
  for (std::size_t i = 0; i < model.bodies.count; ++i) {
    const BodyId body(i);
    ASSERT_EQ(window.knows(body), model.knows(body));
    if (!model.knows(body)) {
      EXPECT_THROW(window.of(body), Bug);
      continue;
    }
    const auto a = window.of(body), b = whole.of(body);
    ASSERT_TRUE(std::equal(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const Incident& x, const Incident& y) { return x.element == y.element && x.other == y.other; }))
        << "body " << body.label();
  }
}

TEST(Surroundings, OfAWindowAreThoseOfTheWhole) {
  ChainSpec spec = samples::chain_spec(60);
  spec.ends = {End::free, End::fixed};
  std::vector<double> c(61, 1.0);
  c[17] = 0;  // acts on nothing when nothing else acts either
  spec.c = c;
  spec.d = spec.C = spec.D = 0.0;
  const ChainGenerator generator(spec);
  const Surroundings whole(generator.make());
  for (const Range window : {Range{0, 1}, Range{0, 60}, Range{10, 30}, Range{59, 60}, Range{5, 5}}) {
    const Model model = generator.make(window);
    expect_as_whole(whole, Surroundings(model), model);
  }
  Model model = generator.make({10, 20});
  Surroundings surroundings(model);
  for (const Range more : {Range{8, 22}, Range{40, 42}, Range{50, 60}, Range{22, 23}, Range{0, 60}}) {
    generator.extend(model, more);
    surroundings = Surroundings(model);
    expect_as_whole(whole, surroundings, model);
  }
}

TEST(Surroundings, HalosGrowInAWindowThatIsWideEnough) {
  const ChainGenerator generator(samples::chain_spec(1000));
  const Model whole_model = generator.make(), window_model = generator.make({380, 520});
  const Surroundings whole(whole_model), window(window_model);
  const auto owned = [](BodyId body) { return body.index() >= 400 && body.index() < 500; };
  const auto halo = [&](const Surroundings& surroundings, double radius) {
    const std::vector<HaloRoot> roots{{BodyId(400), BodyId(399), radius}, {BodyId(499), BodyId(500), radius}};
    return grow_halo(surroundings, owned, roots, [](BodyId) { return 1.0; });
  };
  const Halo a = halo(whole, 15), b = halo(window, 15);
  ASSERT_EQ(a.copies.size(), b.copies.size());
  for (std::size_t i = 0; i < a.copies.size(); ++i) EXPECT_EQ(a.copies[i].body, b.copies[i].body);
  ASSERT_EQ(a.edges.size(), b.edges.size());
  for (std::size_t i = 0; i < a.edges.size(); ++i) EXPECT_EQ(a.edges[i].beyond, b.edges[i].beyond);
  EXPECT_THROW(halo(window, 25), Bug) << "and tell when it is not";
}

TEST(Surroundings, TakeMemoryForTheWindowOnly) {
  const ChainGenerator generator(samples::chain_spec(50'000'000));
  const std::size_t before = resident_bytes();
  const Model model = generator.make({30'000'000, 30'010'000});
  const Surroundings surroundings(model);
  EXPECT_EQ(surroundings.of(BodyId(30'005'000)).size(), 2U);
  EXPECT_LT(resident_bytes(), before + (std::size_t{8} << 20));
}

}  // namespace
}  // namespace cosimo
