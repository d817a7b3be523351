// Tyres in a scenario: what is read, and what is refused with its line and field.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string bodies = R"(cosimo: 1
model:
  bodies:
    - {name: wheel, kind: rigid, mass: 1, inertia: [1, 1, 1], position: [0, 0, 0.3], markers: {rim: [0, 0.1, 0]}}
    - {name: disc, kind: planar, mass: 1, inertia: 1}
    - {name: bead, kind: point, mass: 1}
)";

Mechanism read(const std::string& rest) {
  return *parse_scenario(bodies + rest + "simulate: {end: 1}\n", "model.yaml", {}).mechanism;
}

TEST(Tyres, AreReadWithTheirModelAndRoad) {
  const Mechanism model = read(R"(  elements:
    - {name: a, kind: tyre, body: wheel.rim, model: brush, radius: 0.3, stiffness: 2e5, damping: 5, friction: 0.9, tread: 5e6,
       patch: 0.06, load: 4e3, rolling_resistance: 0.01, grip: 0.5, slow: 2, relaxation: [0.3, 0.4], axis: [0, 1, 0.1],
       road: {height: 0.1, waves: [{amplitude: 0.01, wavelength: 3}]}}
    - {name: b, kind: tyre, body: disc, model: pacejka, file: parts/some.tir, mirrored: true, ground: hill, at: [0, 1]}
    - {name: c, kind: tyre, body: disc, model: brush, radius: 1, points: [[0, 0], [0.1, 5]], friction: 1, tread: 1, patch: 1, load: 1}
)");
  const Element& a = model.elements[0];
  EXPECT_EQ(a.to, 0);
  EXPECT_EQ(a.from, on_ground);
  EXPECT_THAT(*a.at_to, ElementsAre(0, 0.1, 0));
  EXPECT_EQ(a.road_height, 0.1);
  ASSERT_EQ(a.waves.size(), 1U);
  ASSERT_NE(a.tyre, nullptr);
  EXPECT_EQ(a.tyre->model, TyreModel::brush);
  EXPECT_EQ(a.tyre->radius, 0.3);
  EXPECT_EQ(a.tyre->stiffness, 2e5);
  EXPECT_EQ(a.tyre->damping, 5);
  EXPECT_EQ(a.tyre->friction, 0.9);
  EXPECT_EQ(a.tyre->tread, 5e6);
  EXPECT_EQ(a.tyre->patch, 0.06);
  EXPECT_EQ(a.tyre->load, 4000);
  EXPECT_EQ(a.tyre->rolling_resistance, 0.01);
  EXPECT_EQ(a.tyre->grip, 0.5);
  EXPECT_EQ(a.tyre->slow, 2);
  EXPECT_THAT(*a.tyre->relaxation, ElementsAre(0.3, 0.4));
  EXPECT_TRUE(a.tyre->axis_given);
  const Tyre& b = *model.elements[1].tyre;
  EXPECT_EQ(b.model, TyreModel::pacejka);
  EXPECT_EQ(b.file, (std::filesystem::absolute("parts") / "some.tir").string());
  EXPECT_EQ(b.ground, "hill");
  EXPECT_TRUE(b.mirrored);
  EXPECT_FALSE(b.axis_given);
  EXPECT_EQ(b.grip, 1);
  EXPECT_FALSE(b.slow.has_value());
  EXPECT_EQ(model.elements[2].tyre->points[1][1], 5);
}

struct Bad {
  const char* name;
  const char* text;
  const char* field;
  const char* says;
};

#define TYRE(keys) "  elements:\n    - {name: e, kind: tyre, " keys "}\n"
#define NUMBERS "radius: 1, stiffness: 1, friction: 1, tread: 1, patch: 1, load: 1"

const Bad all_bad[] = {
    {"WithoutModel", TYRE("body: wheel"), "model", "is missing"},
    {"OfNobody", TYRE("body: whel, model: brush, " NUMBERS), "body", "did you mean `wheel`"},
    {"OfAPoint", TYRE("body: bead, model: brush, " NUMBERS), "body", "does not roll"},
    {"OfTheGround", TYRE("body: ground, model: brush, " NUMBERS), "body", "does not touch itself"},
    {"UnknownModel", TYRE("body: wheel, model: brsh, " NUMBERS), "model", "did you mean `brush`"},
    {"WithoutFriction",
     TYRE("body: wheel, model: brush, radius: 1, stiffness: 1, tread: 1, patch: 1, load: 1"), "model",
     "needs `friction`"},
    {"StiffnessAndPoints", TYRE("body: wheel, model: brush, points: [[0, 0], [1, 1]], " NUMBERS), "stiffness",
     "keep one of them"},
    {"FallingPoints",
     TYRE("body: wheel, model: brush, radius: 1, points: [[0, 0], [1, 2], [2, 1]], friction: 1, tread: 1, "
          "patch: 1, load: 1"),
     "points.3", "does not rise"},
    {"PointsFromSomewhere",
     TYRE("body: wheel, model: brush, radius: 1, points: [[0, 1], [1, 2]], friction: 1, tread: 1, patch: 1, "
          "load: 1"),
     "points.1", "is not [0, 0]"},
    {"NegativeFriction",
     TYRE("body: wheel, model: brush, radius: 1, stiffness: 1, friction: -1, tread: 1, patch: 1, load: 1"),
     "friction", "> 0"},
    {"FileOfABrush", TYRE("body: wheel, model: brush, file: a.tir, " NUMBERS), "file",
     "belongs to `model: pacejka`"},
    {"WithoutFile", TYRE("body: wheel, model: pacejka"), "model", "add `file: name.tir`"},
    {"RadiusOfAFile", TYRE("body: wheel, model: pacejka, file: a.tir, radius: 1"), "radius",
     "the file says it"},
    {"MirroredBrush", TYRE("body: wheel, model: brush, mirrored: true, " NUMBERS), "mirrored", "both sides"},
    {"NoRelaxation", TYRE("body: wheel, model: brush, relaxation: [1, 0], " NUMBERS), "relaxation.2", "> 0"},
    {"RoadAndGround", TYRE("body: wheel, model: brush, ground: hill, road: {height: 1}, " NUMBERS), "ground",
     "keep one of them"},
    {"TiltedPlanarAxle", TYRE("body: disc, model: brush, axis: [0, 1, 1], " NUMBERS), "axis", "only about z"},
    {"WrongUnit", TYRE("body: wheel, model: brush, slow: 3 kg, " NUMBERS), "slow",
     "quantity of mass where speed"},
};

class BadTyres : public ::testing::TestWithParam<Bad> {};

TEST_P(BadTyres, IsRefusedWithItsLineAndField) {
  const Bad& bad = GetParam();
  try {
    read(bad.text);
    FAIL() << bad.text << "was accepted";
  } catch (const Error& error) {
    ASSERT_EQ(error.faults().size(), 1U) << error.what();
    EXPECT_EQ(error.faults()[0].line, 8) << error.what();
    EXPECT_EQ(error.faults()[0].field, std::string("model.elements.1.") + bad.field) << error.what();
    EXPECT_FALSE(error.faults()[0].remedy.empty()) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(bad.says));
  }
}

INSTANTIATE_TEST_SUITE_P(Texts, BadTyres, ::testing::ValuesIn(all_bad),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace cosimo::config
