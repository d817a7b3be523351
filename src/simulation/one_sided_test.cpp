#include "simulation/one_sided.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/graphs.hpp"
#include "multibody/window.hpp"
#include "parallel/thread_exchange.hpp"
#include "simulation/motion_of_ranks.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// At rest, cut in the middle: a contact A exp(B x) on the fifth body behind the cut, a harmonic load far
/// away. Springs alone make a rate of 20.
ChainSpec with_contact(double A, double B, double amplitude) {
  const auto on = [](std::int64_t label) { return std::vector<std::int64_t>{label}; };
  ChainSpec spec;
  spec.masses = 40;
  spec.c = 100.0;
  spec.loads = {{on(25), Sign::plus, ContactSpec{A, B}},
                {on(3), Sign::plus, HarmonicSpec{amplitude, 1.0, 0.0}}};
  return spec;
}

std::vector<Carrier> carriers(const ChainSpec& spec, double layers = 10) {
  const Model model = make_chain(spec);
  const auto graph = make_graph(model);
  return choose_carriers(*graph, make_partition(*graph, {.parts = 2}), layers, *alone()).carriers;
}

TEST(OneSided, ContactsAreAsFastAsWhatLoadsSetInMotion) {
  EXPECT_THAT(carriers(with_contact(1e-3, 1e3, 2)), ElementsAre(Carrier::to)) << "2000 / sqrt(2)";
  EXPECT_THAT(carriers(with_contact(1e-3, 1e3, 2), 3), IsEmpty()) << "out of reach";
  EXPECT_THAT(carriers(with_contact(1e-3, 10, 2)), IsEmpty()) << "slower than the springs";
}

TEST(OneSided, WhereNothingMovesContactsAreAsFastAsTheyAreStiff) {
  EXPECT_THAT(carriers(with_contact(1e3, 10, 0)), ElementsAre(Carrier::to));
  EXPECT_THAT(carriers(with_contact(1e-3, 10, 0)), IsEmpty());
}

TEST(MotionOfRanks, IsThatOfTheWholeToTheBit) {
  ChainSpec spec;
  spec.masses = 1000;
  spec.mass = Uniform{1, 2};
  spec.c = 3.0;
  spec.x = Uniform{-1e-3, 1e3};
  spec.v = Uniform{-1, 1};
  spec.seed = 5;
  spec.loads = {{std::vector<std::int64_t>{700}, Sign::plus, HarmonicSpec{30.0, 1.0, 0.0}}};
  const Model whole = make_chain(spec);
  const TypicalMotion expected = make_graph(whole)->motion();
  const std::vector<int> rank_of_part{0, 0, 0, 1, 1, 1, 1, 2, 2, 2};
  run_ranks(3, [&](Exchange& exchange) {
    ChainWindow window(ChainGenerator(spec), {.parts = 10});
    window.open(rank_of_part, exchange.rank(), 20);
    const TypicalMotion found = motion_of_ranks(window.graph(), window.partition(), exchange);
    EXPECT_EQ(found.dx, expected.dx);
    EXPECT_EQ(found.dv, expected.dv);
    EXPECT_EQ(found.speed, expected.speed);
  });
}

}  // namespace
}  // namespace cosimo
