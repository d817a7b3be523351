#include "model/chain.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "model/testing.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

LoadSpec harmonic_on(BodyChoice bodies, Sign sign = Sign::plus, Sequence amplitude = 1.0) {
  return {std::move(bodies), sign, HarmonicSpec{.amplitude = std::move(amplitude), .omega = 2.0}};
}

std::vector<int> loaded(const Model& model) {
  std::vector<int> labels;
  for (const Harmonic& load : model.loads.harmonic) labels.push_back(load.body.label());
  return labels;
}

TEST(Chain, ElementJoinsItsBodyToTheOneBefore) {
  const Model model = make_chain({.masses = 3});
  EXPECT_THAT(model.elements.from, ElementsAre(ground, BodyId(0), BodyId(1), BodyId(2)));
  EXPECT_THAT(model.elements.to, ElementsAre(BodyId(0), BodyId(1), BodyId(2), ground));
}

TEST(Chain, FreeEndsKeepTheirPlaceAndActOnNothing) {
  ChainSpec spec = samples::chain_spec(3);
  spec.ends = {End::free, End::free};
  const Model model = make_chain(spec);
  ASSERT_EQ(model.elements.count(), 4U);
  EXPECT_THAT(model.elements.from, ElementsAre(ground, BodyId(0), BodyId(1), ground));
  EXPECT_THAT(model.elements.to, ElementsAre(ground, BodyId(1), BodyId(2), ground));
  EXPECT_TRUE(model.elements.c.uniform()) << "a free end must not turn one number into an array";
}

TEST(Chain, HalfSineStiffnessOfSection54) {
  ChainSpec spec{.masses = 1000, .c = HalfSine{2.0e11, 9.0, 10}, .ends = {End::fixed, End::free}};
  const Model model = make_chain(spec);
  for (int i = 1; i <= 1000; ++i) {
    const double printed = 2.0e11 * (1.0 + 9.0 * std::sin(0.3142 * ((i - 1) % 10)));
    const double exact = 2.0e11 * (1.0 + 9.0 * std::sin(std::numbers::pi / 10 * ((i - 1) % 10)));
    EXPECT_NEAR(model.elements.c[static_cast<std::size_t>(i - 1)], exact, 1e-14 * exact);
    EXPECT_NEAR(model.elements.c[static_cast<std::size_t>(i - 1)], printed, 1e-3 * printed);
  }
}

TEST(Chain, GradedMassesAndStartValues) {
  const Model model =
      make_chain({.masses = 3, .mass = Ramp{1, 3}, .x = std::vector<double>{7, 8, 9}, .v = 0.5});
  EXPECT_DOUBLE_EQ(model.bodies.mass[1], 2);
  EXPECT_THAT(model.bodies.x, ElementsAre(7, 8, 9));
  EXPECT_THAT(model.bodies.v, ElementsAre(0.5, 0.5, 0.5));
}

TEST(Chain, SameSeedSameModelOtherSeedOtherModel) {
  EXPECT_EQ(hash(samples::chain(100, 7)), hash(samples::chain(100, 7)));
  EXPECT_NE(hash(samples::chain(100, 7)), hash(samples::chain(100, 8)));
}

TEST(Chain, EveryUseHasItsOwnStream) {
  ChainSpec spec = samples::chain_spec(50);
  spec.x = Uniform{0, 1};
  spec.v = Uniform{0, 1};
  const Model plain = make_chain(spec);
  EXPECT_NE(plain.bodies.x, plain.bodies.v);
  spec.loads = {harmonic_on(FractionOfBodies{0.5}, Sign::random, Uniform{1, 2}),
                harmonic_on(FractionOfBodies{0.5}, Sign::random, Uniform{1, 2})};
  const Model loaded_model = make_chain(spec);
  EXPECT_EQ(loaded_model.bodies.x, plain.bodies.x) << "a load must not shift other random numbers";
  spec.loads.pop_back();
  const Model one = make_chain(spec);
  const Model two = loaded_model;
  for (const Harmonic& load : one.loads.harmonic)
    EXPECT_TRUE(std::any_of(two.loads.harmonic.begin(), two.loads.harmonic.end(), [&](const Harmonic& other) {
      return other.body == load.body && other.amplitude == load.amplitude;
    }));
}

TEST(ChainLoads, FractionPicksTheRoundedNumberOfDistinctBodies) {
  for (const double fraction : {0.0, 0.2, 0.347, 1.0}) {
    ChainSpec spec = samples::chain_spec(290);
    spec.loads = {harmonic_on(FractionOfBodies{fraction})};
    const std::vector<int> labels = loaded(make_chain(spec));
    EXPECT_EQ(labels.size(), static_cast<std::size_t>(std::lround(fraction * 290)));
    EXPECT_TRUE(std::is_sorted(labels.begin(), labels.end(), std::less_equal<>{}))
        << "ascending and distinct";
    EXPECT_EQ(labels, loaded(make_chain(spec)));
  }
}

TEST(ChainLoads, BesideTheCutsOfAnEqualDivision) {
  ChainSpec spec = samples::chain_spec(10);
  spec.loads = {harmonic_on(BesideCutsOf{4}, Sign::alternating)};  // 3 + 3 + 2 + 2
  const Model model = make_chain(spec);
  EXPECT_THAT(loaded(model), ElementsAre(3, 4, 6, 7, 8, 9));
  double sign = 1;  // (-1)^(i+1) of Section 5.8
  for (const Harmonic& load : model.loads.harmonic) {
    EXPECT_EQ(load.amplitude, sign);
    sign = -sign;
  }
  spec.loads = {harmonic_on(BesideCutsOf{10})};
  EXPECT_EQ(loaded(make_chain(spec)).size(), 10U) << "a part of one body stands beside two cuts, loaded once";
  spec.loads = {harmonic_on(BesideCutsOf{1})};
  EXPECT_TRUE(loaded(make_chain(spec)).empty());
}

TEST(ChainLoads, RandomSignsAreBalanced) {
  ChainSpec spec = samples::chain_spec(10000);
  spec.loads = {harmonic_on(AllBodies{}, Sign::random, Uniform{1e5, 1e6})};
  int positive = 0;
  for (const Harmonic& load : make_chain(spec).loads.harmonic) {
    EXPECT_GE(std::fabs(load.amplitude), 1e5);
    EXPECT_LE(std::fabs(load.amplitude), 1e6);
    positive += load.amplitude > 0 ? 1 : 0;
  }
  EXPECT_NEAR(positive, 5000, 250);
}

TEST(ChainLoads, ImpulsesRepeatAtEveryStart) {
  ChainSpec spec = samples::chain_spec(4);
  spec.loads = {{std::vector<std::int64_t>{4, 2}, Sign::alternating,
                 ImpulseSpec{.amplitude = 1e6, .start = {0.2, 0.1}, .duration = 1e-3, .steepness = 1e-6}}};
  const Model model = make_chain(spec);
  ASSERT_EQ(model.loads.impulse.size(), 4U);
  EXPECT_EQ(model.loads.impulse[0].body.label(), 2);
  EXPECT_EQ(model.loads.impulse[0].start, 0.1);
  EXPECT_EQ(model.loads.impulse[1].start, 0.2);
  EXPECT_EQ(model.loads.impulse[0].amplitude, 1e6);
  EXPECT_EQ(model.loads.impulse[2].amplitude, -1e6);
}

TEST(ChainLoads, AllKindsTakeTheirParameters) {
  ChainSpec spec = samples::chain_spec(2);
  spec.loads = {{std::vector<std::int64_t>{1}, Sign::plus, ContactSpec{.A = -1e-2, .B = 5e5}},
                {std::vector<std::int64_t>{2}, Sign::plus,
                 PowerSineSpec{.amplitude = 3.0, .omega = 4.0, .phase = 0.5, .exponent = 95}}};
  const Model model = make_chain(spec);
  EXPECT_EQ(model.loads.contact.at(0).A, -1e-2);
  EXPECT_EQ(model.loads.contact.at(0).B, 5e5);
  EXPECT_EQ(model.loads.powersine.at(0).body.label(), 2);
  EXPECT_EQ(model.loads.powersine.at(0).exponent, 95);
  EXPECT_EQ(model.loads.powersine.at(0).phase, 0.5);
}

std::string message(const ChainSpec& spec) {
  try {
    make_chain(spec);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Chain, RefusesWhatIsNoModel) {
  ChainSpec spec = samples::chain_spec(5);
  spec.mass = std::vector<double>{1, 1, -2, 1, 1};
  EXPECT_THAT(message(spec), HasSubstr("body 3"));
  spec = samples::chain_spec(0);
  EXPECT_THAT(message(spec), HasSubstr("model.chain.masses"));
  spec = samples::chain_spec(5);
  spec.ex = 0;
  EXPECT_THAT(message(spec), HasSubstr("model.chain.spring.ex"));
  spec = samples::chain_spec(5);
  for (const BodyChoice& bad :
       {BodyChoice{std::vector<std::int64_t>{6}}, BodyChoice{std::vector<std::int64_t>{0}},
        BodyChoice{std::vector<std::int64_t>{2, 2}}, BodyChoice{FractionOfBodies{1.5}},
        BodyChoice{BesideCutsOf{6}}}) {
    spec.loads = {harmonic_on(bad)};
    EXPECT_THAT(message(spec), HasSubstr("model.chain.loads.1.bodies"));
  }
  spec.loads = {harmonic_on(AllBodies{}, Sign::plus, std::vector<double>{1, 2})};
  EXPECT_THAT(message(spec), HasSubstr("model.chain.loads.1.amplitude"));
}

}  // namespace
}  // namespace cosimo
