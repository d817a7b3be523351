#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <memory>
#include <string>

#include "cosimo/cosimo.h"
#include "cosimo/simulation.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using ::testing::HasSubstr;

constexpr const char* pendulum = R"(cosimo: 1
model:
  parameters: {reach: 0.5}
  gravity: [0, -9.81, 0]
  bodies: [{name: arm, kind: planar, mass: 1, inertia: 0.1, position: [reach, 0]}]
  joints: [{name: pin, kind: revolute, to: arm, at: [0, 0]}]
simulate: {end: 1, output: 0.1}
)";

constexpr const char* masses = R"(cosimo: 1
model:
  chain: {masses: 8, mass: 1, spring: {c: 100}, initial: {v: {uniform: [-1, 1]}}, seed: 5}
simulate: {end: 1, output: 0.1}
partition: {parts: 2}
)";

using Owned = std::unique_ptr<cosimo_simulation, decltype(&cosimo_free)>;
using State = std::unique_ptr<cosimo_state, decltype(&cosimo_state_free)>;

Owned make(const char* text) {
  std::array<char, 1024> why{};
  Owned made(cosimo_create_from_text(text, nullptr, 0, 1, why.data(), why.size()), cosimo_free);
  EXPECT_NE(made, nullptr) << why.data();
  return made;
}

double value(const Owned& simulation, const char* name) {
  size_t variable = 0;
  double found = 0;
  EXPECT_EQ(cosimo_find(simulation.get(), name, &variable), COSIMO_OK) << cosimo_message(simulation.get());
  EXPECT_EQ(cosimo_get(simulation.get(), &variable, 1, &found), COSIMO_OK);
  return found;
}

TEST(CInterface, GivesTheBitsOfTheSimulation) {
  const Owned mine = make(pendulum);
  cosimo::Simulation theirs(cosimo::Scenario::parse(pendulum));
  EXPECT_EQ(cosimo_time(mine.get()), 0);
  EXPECT_EQ(cosimo_end(mine.get()), 1);
  ASSERT_EQ(cosimo_advance(mine.get(), 0.35), COSIMO_OK);
  ASSERT_TRUE(theirs.advance(0.35).ok);
  EXPECT_EQ(cosimo_time(mine.get()), 0.35);
  ASSERT_EQ(cosimo_variable_count(mine.get()), theirs.variables().size());
  for (size_t i = 0; i < theirs.variables().size(); ++i) {
    const char* const name = cosimo_variable_name(mine.get(), i);
    EXPECT_EQ(name, theirs.variables()[i]);
    EXPECT_EQ(value(mine, name), theirs.values()[i]);
  }
  EXPECT_EQ(cosimo_variable_name(mine.get(), theirs.variables().size()), nullptr);
}

TEST(CInterface, SettingsChangeParameters) {
  const char* settings[] = {"model.parameters.reach=0.25", "simulate.end=2"};
  std::array<char, 1024> why{};
  const Owned made(cosimo_create_from_text(pendulum, settings, 2, 1, why.data(), why.size()), cosimo_free);
  ASSERT_NE(made, nullptr) << why.data();
  EXPECT_STREQ(why.data(), "");
  EXPECT_EQ(value(made, "arm.x"), 0.25);
  EXPECT_EQ(cosimo_end(made.get()), 2);
}

TEST(CInterface, ReadsFiles) {
  const cosimo::test::TemporaryFolder folder;
  const std::string file = (folder / "pendulum.yaml").string();
  std::ofstream(file) << pendulum;
  const Owned made(cosimo_create(file.c_str(), nullptr, 0, 0, nullptr, 0), cosimo_free);
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(value(made, "arm.x"), 0.5);
}

TEST(CInterface, GoesBackToTheBitAlsoFromBytes) {
  const Owned one = make(masses);
  ASSERT_EQ(cosimo_advance(one.get(), 0.3), COSIMO_OK);
  const State state(cosimo_save(one.get()), cosimo_state_free);
  ASSERT_NE(state, nullptr) << cosimo_message(one.get());
  ASSERT_EQ(cosimo_advance(one.get(), 1), COSIMO_OK);
  const double first = value(one, "3.x");

  ASSERT_EQ(cosimo_restore(one.get(), state.get()), COSIMO_OK);
  EXPECT_EQ(cosimo_time(one.get()), 0.3);
  ASSERT_EQ(cosimo_advance(one.get(), 1), COSIMO_OK);
  EXPECT_EQ(value(one, "3.x"), first);

  const Owned other = make(masses);
  const State copy(cosimo_state_of_bytes(cosimo_state_bytes(state.get()), cosimo_state_size(state.get())),
                   cosimo_state_free);
  ASSERT_EQ(cosimo_restore(other.get(), copy.get()), COSIMO_OK) << cosimo_message(other.get());
  ASSERT_EQ(cosimo_advance(other.get(), 1), COSIMO_OK);
  EXPECT_EQ(value(other, "3.x"), first);
}

TEST(CInterface, SetsCoordinatesAndRates) {
  const Owned made = make(masses);
  std::array<size_t, 2> variables{};
  ASSERT_EQ(cosimo_find(made.get(), "2.x", &variables[0]), COSIMO_OK);
  ASSERT_EQ(cosimo_find(made.get(), "der(2.x)", &variables[1]), COSIMO_OK);
  const std::array<double, 2> wanted{0.25, -3};
  ASSERT_EQ(cosimo_set(made.get(), variables.data(), 2, wanted.data()), COSIMO_OK)
      << cosimo_message(made.get());
  EXPECT_EQ(value(made, "2.x"), 0.25);
  EXPECT_EQ(value(made, "der(2.x)"), -3);
}

TEST(CInterface, WrongScenariosAreNoSimulations) {
  std::array<char, 1024> why{};
  EXPECT_EQ(cosimo_create_from_text("cosimo: 1\nmodel: {chian: {}}\n", nullptr, 0, 1, why.data(), why.size()),
            nullptr);
  EXPECT_THAT(why.data(), HasSubstr("chian"));
  EXPECT_EQ(cosimo_create("no/such/file.yaml", nullptr, 0, 1, why.data(), why.size()), nullptr);
  EXPECT_THAT(why.data(), HasSubstr("no/such/file.yaml"));
  EXPECT_EQ(cosimo_create(nullptr, nullptr, 0, 1, why.data(), why.size()), nullptr);
  EXPECT_THAT(why.data(), HasSubstr("no scenario"));
  EXPECT_EQ(cosimo_create_from_text(pendulum, nullptr, 2, 1, why.data(), why.size()), nullptr);
  EXPECT_EQ(cosimo_create_from_text(pendulum, nullptr, 0, -1, why.data(), why.size()), nullptr);
  const char* wrong[] = {"modle.parameters.reach=2"};
  EXPECT_EQ(cosimo_create_from_text(pendulum, wrong, 1, 1, why.data(), why.size()), nullptr);
  EXPECT_THAT(why.data(), HasSubstr("modle"));
  std::array<char, 5> small{'x', 'x', 'x', 'x', 'x'};
  EXPECT_EQ(cosimo_create(nullptr, nullptr, 0, 1, small.data(), small.size()), nullptr);
  EXPECT_EQ(std::string(small.data()).size(), 4U);
}

TEST(CInterface, WrongCallsSayWhyAndChangeNothing) {
  const Owned made = make(pendulum);
  cosimo_simulation* const it = made.get();
  ASSERT_EQ(cosimo_advance(it, 0.5), COSIMO_OK);
  const double before = value(made, "arm.phi");
  EXPECT_EQ(cosimo_advance(it, 0.4), COSIMO_WRONG);
  EXPECT_THAT(cosimo_message(it), HasSubstr("behind"));
  EXPECT_EQ(cosimo_advance(it, 1.5), COSIMO_WRONG);
  EXPECT_EQ(cosimo_advance(it, std::numeric_limits<double>::quiet_NaN()), COSIMO_WRONG);
  size_t variable = 0;
  EXPECT_EQ(cosimo_find(it, "arm.phy", &variable), COSIMO_WRONG);
  EXPECT_THAT(cosimo_message(it), HasSubstr("arm.phi"));
  EXPECT_EQ(cosimo_find(it, nullptr, &variable), COSIMO_WRONG);
  variable = cosimo_variable_count(it);
  double there = 0;
  EXPECT_EQ(cosimo_get(it, &variable, 1, &there), COSIMO_WRONG);
  EXPECT_EQ(cosimo_set(it, &variable, 1, &there), COSIMO_WRONG);
  EXPECT_EQ(cosimo_restore(it, nullptr), COSIMO_WRONG);
  const std::string text = "this is no state";
  const State garbage(cosimo_state_of_bytes(text.data(), text.size()), cosimo_state_free);
  EXPECT_EQ(cosimo_restore(it, garbage.get()), COSIMO_WRONG) << cosimo_message(it);
  const Owned other = make(masses);
  const State foreign(cosimo_save(other.get()), cosimo_state_free);
  EXPECT_EQ(cosimo_restore(it, foreign.get()), COSIMO_WRONG);
  EXPECT_EQ(cosimo_time(it), 0.5);
  EXPECT_EQ(value(made, "arm.phi"), before);
  EXPECT_EQ(cosimo_advance(it, 1), COSIMO_OK);
}

TEST(CInterface, NothingWhereSomethingIsNeededIsAWrongCall) {
  size_t variable = 0;
  double there = 0;
  EXPECT_EQ(cosimo_advance(nullptr, 1), COSIMO_WRONG);
  EXPECT_EQ(cosimo_find(nullptr, "x", &variable), COSIMO_WRONG);
  EXPECT_EQ(cosimo_get(nullptr, &variable, 1, &there), COSIMO_WRONG);
  EXPECT_EQ(cosimo_set(nullptr, &variable, 1, &there), COSIMO_WRONG);
  EXPECT_EQ(cosimo_set_course(nullptr, 0, &there, 1), COSIMO_WRONG);
  EXPECT_EQ(cosimo_restore(nullptr, nullptr), COSIMO_WRONG);
  EXPECT_EQ(cosimo_save(nullptr), nullptr);
  EXPECT_STREQ(cosimo_message(nullptr), "there is no simulation");
  EXPECT_TRUE(std::isnan(cosimo_time(nullptr)) && std::isnan(cosimo_end(nullptr)));
  EXPECT_EQ(cosimo_variable_count(nullptr), 0U);
  EXPECT_EQ(cosimo_variable_name(nullptr, 0), nullptr);
  EXPECT_EQ(cosimo_state_bytes(nullptr), nullptr);
  EXPECT_EQ(cosimo_state_size(nullptr), 0U);
  EXPECT_EQ(cosimo_state_of_bytes(nullptr, 8), nullptr);
  cosimo_free(nullptr);
  cosimo_state_free(nullptr);

  const Owned made = make(pendulum);
  EXPECT_EQ(cosimo_get(made.get(), nullptr, 1, &there), COSIMO_WRONG);
  EXPECT_EQ(cosimo_get(made.get(), &variable, 1, nullptr), COSIMO_WRONG);
  EXPECT_EQ(cosimo_set(made.get(), &variable, 1, nullptr), COSIMO_WRONG);
  EXPECT_EQ(cosimo_set_course(made.get(), 0, nullptr, 1), COSIMO_WRONG);
  EXPECT_THAT(cosimo_message(made.get()), HasSubstr("NULL"));
  EXPECT_EQ(cosimo_get(made.get(), nullptr, 0, nullptr), COSIMO_OK);

  std::array<char, 200> why{};
  const std::array<const char*, 2> settings{"solve.rtol=1e-7", nullptr};
  EXPECT_EQ(cosimo_create_from_text(pendulum, settings.data(), 2, 1, why.data(), why.size()), nullptr);
  EXPECT_THAT(why.data(), HasSubstr("NULL at place 1"));
}

TEST(CInterface, AFailedRunCanGoBack) {
  const Owned made = make(R"(cosimo: 1
model:
  chain: {masses: 2, mass: 1, spring: {c: -1.0e6, C: -1.0e9}, initial: {x: 0.1}}
simulate: {end: 10, output: 1}
)");
  const State start(cosimo_save(made.get()), cosimo_state_free);
  EXPECT_EQ(cosimo_advance(made.get(), 10), COSIMO_FAILED);
  EXPECT_STRNE(cosimo_message(made.get()), "");
  EXPECT_LT(cosimo_time(made.get()), 10);
  EXPECT_EQ(cosimo_advance(made.get(), 10), COSIMO_WRONG);
  EXPECT_EQ(cosimo_restore(made.get(), start.get()), COSIMO_OK) << cosimo_message(made.get());
  EXPECT_EQ(cosimo_time(made.get()), 0);
}

}  // namespace
