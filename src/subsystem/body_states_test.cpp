#include "network/body_states.hpp"

#include <gtest/gtest.h>

#include "model/testing.hpp"
#include "tests/support/resident_memory.hpp"

namespace cosimo {
namespace {

TEST(BodyStates, BeginWithTheInitialStatesAndExchangeThem) {
  const Model model = samples::chain(5);
  BodyStates states(model.bodies.x, model.bodies.v);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(states.x()[i], model.bodies.x[i]);
    EXPECT_EQ(states.next_v()[i], model.bodies.v[i]);
  }
  states.next_x()[2] = 7;
  EXPECT_NE(states.x()[2], 7);
  states.accept();
  EXPECT_EQ(states.x()[2], 7);
}

TEST(BodyStates, OfAWindowTakeMemoryForTheWindow) {
  ChainSpec spec = samples::chain_spec(5'000'000);
  spec.x = spec.v = Uniform{-1, 1};
  const Model window = ChainGenerator(spec).make({3'000'000, 3'001'000});
  const std::size_t before = resident_bytes();
  const BodyStates states(window.bodies.x, window.bodies.v);
  EXPECT_EQ(states.x()[3'000'500], window.bodies.x[3'000'500]);
  EXPECT_LT(resident_bytes(), before + (std::size_t{16} << 20));  // of 160 MB
}

}  // namespace
}  // namespace cosimo
