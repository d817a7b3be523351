#include "multibody/scene.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "multibody/generate.hpp"

namespace cosimo {
namespace {

using nlohmann::json;

json scene_of(const std::string& model) {
  const Model made =
      generate_model(config::parse_scenario("{cosimo: 1, simulate: {end: 1}, model: " + model + "}", "t"));
  return json::parse(scene_json(*made.mechanism));
}

void expect_near(const json& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i].get<double>(), wanted[i], 1e-9) << found;
}

/// The box of the same mass and moments of inertia has the edges that the inertia was made of, and stands at
/// the centre of mass, seen from the reference point.
TEST(Scene, BoxHasTheInertiaOfTheBody) {
  const json scene =
      scene_of("{bodies: [{name: a, kind: rigid, mass: 12, inertia: [25, 17, 20], center: [0, 0, 0.5]}]}");
  const json& body = scene["bodies"][0];
  EXPECT_EQ(body["kind"], "box");
  EXPECT_EQ(body["from"], "inertia");
  expect_near(body["edges"], {std::sqrt(6), std::sqrt(14), std::sqrt(11)});
  expect_near(body["at"], {0, 0, 0.5});
  expect_near(body["turn"], {1, 0, 0, 0});
}

/// Products of inertia turn the box: with the edges 1, 2, 3 turned by 30 degrees about z.
TEST(Scene, BoxLiesAlongThePrincipalAxes) {
  const double i1 = 4 + 9, i2 = 1 + 9, c = std::sqrt(0.75), s = 0.5;  // times 12 / 12
  const json scene =
      scene_of("{bodies: [{name: a, kind: rigid, mass: 12, inertia: [" +
               std::to_string(c * c * i1 + s * s * i2) + "," + std::to_string(s * s * i1 + c * c * i2) +
               ", 5, " + std::to_string(c * s * (i1 - i2)) + ", 0, 0]}]}");
  std::vector<double> edges = scene["bodies"][0]["edges"];
  std::sort(edges.begin(), edges.end());
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(edges[k], static_cast<double>(k + 1), 1e-5);
  const double w = scene["bodies"][0]["turn"][0];
  EXPECT_LT(std::fabs(w), 1 - 1e-6) << "it is turned";
}

TEST(Scene, GivenShapesAreKept) {
  const json scene = scene_of(
      "{bodies: [{name: a, kind: rigid, density: 2, center: [1, 0, 0], shape: {cylinder: {radius: 0.5, "
      "length: 2, "
      "axis: [1, 0, 0]}}}, {name: b, kind: rigid, mass: 1, shape: {box: [1, 2, 3]}}, "
      "{name: c, kind: point, mass: 1}]}");
  const json& cylinder = scene["bodies"][0];
  EXPECT_EQ(cylinder["kind"], "cylinder");
  EXPECT_EQ(cylinder["from"], "shape");
  EXPECT_EQ(cylinder["radius"], 0.5);
  EXPECT_EQ(cylinder["length"], 2);
  expect_near(cylinder["at"], {1, 0, 0});
  EXPECT_EQ(scene["bodies"][1]["edges"], json({1, 2, 3}));
  EXPECT_EQ(scene["bodies"][2]["kind"], "point");
}

/// A bar of the plane lies along what is fixed to it.
TEST(Scene, BarOfThePlaneLiesBetweenItsJoints) {
  const json scene = scene_of(
      "{bodies: [{name: bar, kind: planar, mass: 3, inertia: 1, position: [0, 1]}], joints: [{name: pin, "
      "kind: "
      "revolute, from: ground, to: bar, at: [0, 2]}]}");
  const json& bar = scene["bodies"][0];
  expect_near(bar["edges"], {2, 0, 0});
  expect_near(bar["turn"], {std::sqrt(0.5), 0, 0, std::sqrt(0.5)});
  ASSERT_EQ(scene["joints"].size(), 1U);
  const json& pin = scene["joints"][0];
  EXPECT_EQ(pin["kind"], "revolute");
  EXPECT_EQ(pin["from"]["body"], 0);
  expect_near(pin["from"]["at"], {0, 2, 0});
  EXPECT_EQ(pin["to"]["body"], 1);
  expect_near(pin["to"]["at"], {0, 1, 0});
}

TEST(Scene, WhatRollsIsAWheelOrABall) {
  const auto rolling = [&](const std::string& inertia) {
    return scene_of("{bodies: [{name: w, kind: rigid, mass: 10, inertia: " + inertia +
                    ", position: [0, 0, 0.3]}], elements: [{name: t, kind: contact, body: w, radius: 0.3, "
                    "stiffness: 1.0e4, road: {waves: [{amplitude: 0.1, wavelength: 5}]}}]}");
  };
  const json wheel = rolling("[0.3, 0.6, 0.3]");
  EXPECT_EQ(wheel["bodies"][0]["kind"], "wheel");
  EXPECT_EQ(wheel["bodies"][0]["radius"], 0.3);
  const std::vector<double> q = wheel["bodies"][0]["turn"];
  // Its own z axis is the axle, y of the body.
  EXPECT_NEAR(std::fabs(2 * (q[2] * q[3] - q[0] * q[1])), 1, 1e-12);
  EXPECT_EQ(rolling("[0.4, 0.4, 0.4]")["bodies"][0]["kind"], "sphere");
  ASSERT_EQ(wheel["roads"].size(), 1U);
  expect_near(wheel["roads"][0]["waves"], {0.1, 5, 0});
  EXPECT_EQ(wheel["elements"][0]["road"], 0);
}

TEST(Scene, ATyreIsAWheelOnItsRoadOrOnAPlaneOfTheGround) {
  const auto on = [&](const std::string& keys) {
    return scene_of(
        "{ground: [{name: hill, shape: {plane: [0, 0.1, 1]}}], bodies: [{name: w, kind: rigid, mass: 10, "
        "inertia: "
        "[0.3, 0.6, 0.3], position: [0, 0, 0.3]}], elements: [{name: t, kind: tyre, body: w, model: brush, "
        "radius: 0.3, "
        "stiffness: 1e5, friction: 1, tread: 1e6, patch: 0.05, load: 1e3" +
        keys + "}]}");
  };
  const json flat = on(""), hill = on(", ground: hill");
  EXPECT_EQ(flat["bodies"][0]["kind"], "wheel");
  EXPECT_EQ(flat["elements"][0]["road"], 0);
  EXPECT_EQ(hill["bodies"][0]["kind"], "wheel");
  EXPECT_EQ(hill["elements"][0]["radius"], 0.3);
  EXPECT_FALSE(hill["elements"][0].contains("road")) << "the plane is drawn anyway";
  EXPECT_TRUE(hill["roads"].empty());
}

TEST(Scene, RopesAreLinesAndTheirPulleysWheels) {
  const json scene = scene_of(
      "{bodies: [{name: w, kind: planar, mass: 1, inertia: 1}, {name: p, kind: point, dimensions: 2, mass: "
      "1, "
      "position: [0.2, -1]}], ropes: [{name: r, stiffness: 1.0, path: [{at: [-0.2, -1]}, {body: w, radius: "
      "0.2, "
      "around: clockwise}, {body: p}]}]}");
  EXPECT_EQ(scene["bodies"][0]["kind"], "wheel");
  EXPECT_EQ(scene["bodies"][0]["radius"], 0.2);
  ASSERT_EQ(scene["elements"].size(), 2U);
  EXPECT_EQ(scene["elements"][0]["kind"], "rope");
  EXPECT_EQ(scene["elements"][0]["from"]["body"], 0);
  expect_near(scene["elements"][0]["from"]["at"], {-0.2, -1, 0});
  EXPECT_EQ(scene["elements"][1]["to"]["body"], 2);
}

TEST(Scene, GroundHasPlanesAndShapesInSpace) {
  const config::Scenario scenario = config::parse_scenario(
      "{cosimo: 1, simulate: {end: 1}, model: {bodies: [{name: a, kind: rigid, mass: 1, shape: {sphere: "
      "1}}], "
      "ground: [{name: slope, shape: {plane: [3, 0, 4]}, position: [0, 0, -1]}, {name: step, shape: {box: "
      "[1, "
      "2, 3]}, position: [4, 5, 6], orientation: {axis: [0, 0, 1], angle: 1}}, {name: roll, shape: "
      "{cylinder: "
      "{radius: 0.5, length: 2, axis: [1, 0, 0]}}, orientation: {axis: [0, 0, 1], angle: " +
          std::to_string(std::acos(0.0)) + "}}]}}",
      "t");
  const auto z_of = [](const json& turn) {
    const std::vector<double> q = turn;
    return json({2 * (q[1] * q[3] + q[0] * q[2]), 2 * (q[2] * q[3] - q[0] * q[1]),
                 1 - 2 * (q[1] * q[1] + q[2] * q[2])});
  };
  const std::string bodies = scene_json(*generate_model(scenario).mechanism);
  const json scene = json::parse(joined_scenes(bodies, ground_scene_json(scenario)));
  EXPECT_EQ(scene["bodies"], json::parse(bodies)["bodies"]);
  ASSERT_EQ(scene["ground"].size(), 3U);
  const json &slope = scene["ground"][0], &step = scene["ground"][1], &roll = scene["ground"][2];
  EXPECT_EQ(slope["name"], "slope");
  EXPECT_EQ(slope["kind"], "plane");
  expect_near(slope["at"], {0, 0, -1});
  expect_near(z_of(slope["turn"]), {0.6, 0, 0.8});
  EXPECT_EQ(step["kind"], "box");
  EXPECT_EQ(step["edges"], json({1, 2, 3}));
  expect_near(step["at"], {4, 5, 6});
  expect_near(step["turn"], {std::cos(0.5), 0, 0, std::sin(0.5)});
  EXPECT_EQ(roll["radius"], 0.5);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(z_of(roll["turn"])[k].get<double>(), k == 1 ? 1 : 0, 1e-5);
}

TEST(Scene, WithoutGroundIsThatOfTheBodies) {
  EXPECT_EQ(ground_scene_json(config::Scenario{}), "");
  EXPECT_EQ(joined_scenes("{\"format\":1}", ""), "{\"format\":1}");
  EXPECT_EQ(joined_scenes("", "{\"ground\":[]}"), "") << "more than a picture shows";
}

TEST(Scene, IsTheSameForEveryDrawingOfTheModel) {
  const std::string vehicle = "{vehicle: {speed: 10}}";
  EXPECT_EQ(scene_of(vehicle), scene_of(vehicle));
  EXPECT_EQ(scene_of(vehicle)["bodies"].size(), scene_of(vehicle)["elements"].size() / 2 + 1);
}

}  // namespace
}  // namespace cosimo
