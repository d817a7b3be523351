// `ground` and `contacts`: whom names mean, what they say, and what is wrong with them.
#include "config/contacts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/scenario.hpp"
#include "core/error.hpp"

namespace cosimo::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string model(const std::string& contacts, const std::string& ground = "") {
  return "cosimo: 1\nmodel:\n  parameters: {h: 0.5}\n  bodies:\n"
         "    - {name: ball1, kind: rigid, shape: {sphere: 1}, mass: 1}\n"
         "    - {name: block, kind: rigid, shape: {box: [1, 1, 1]}, mass: 1}\n"
         "    - {name: ball2, kind: rigid, shape: {sphere: 1}, mass: 1}\n"
         "    - {name: bare, kind: rigid, mass: 1, inertia: [1, 1, 1]}\n"
         "  ground:\n    - {name: floor, shape: {plane: [0, 0, 1]}}\n"
         "    - {name: step, shape: {box: [1, 2, h]}, position: [0, 0, h/2], orientation: {axis: [0, 0, 1], "
         "angle: 1}}\n" +
         ground + "  contacts:\n    - {name: c, " + contacts + "}\nsimulate: {end: 1, output: 0.1}\n";
}

Mechanism parse(const std::string& contacts) {
  return *parse_scenario(model(contacts), "s.yaml").mechanism;
}

Fault fault(const std::string& contacts, const std::string& ground = "") {
  try {
    static_cast<void>(parse_scenario(model(contacts, ground), "s.yaml"));
  } catch (const Error& error) {
    EXPECT_EQ(error.faults().size(), 1U) << error.what();
    return error.faults().at(0);
  }
  ADD_FAILURE() << "accepted: " << contacts;
  return {};
}

TEST(ContactNames, StarsStandForAnyText) {
  EXPECT_TRUE(matches("ball*", "ball"));
  EXPECT_TRUE(matches("ball*", "ball17.b"));
  EXPECT_TRUE(matches("*.b", "ball17.b"));
  EXPECT_TRUE(matches("b*1*b", "ball11.b"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_FALSE(matches("ball*", "a ball"));
  EXPECT_FALSE(matches("ball", "ball1"));
  EXPECT_FALSE(matches("*.b", "ball17.c"));
}

TEST(ContactNames, MeanBodiesAndShapesOfTheGround) {
  const Mechanism between =
      parse("between: [ball*, [block, ground]], stiffness: 10, damping: h, friction: 0.3");
  const Contact& first = between.contacts.at(0);
  EXPECT_THAT(first.sides[0], ElementsAre(0, 2));
  EXPECT_THAT(first.sides[1], ElementsAre(1, 4, 5));
  EXPECT_EQ(first.damping, 0.5);
  EXPECT_EQ(first.exponent, 1.5);
  EXPECT_FALSE(first.sticking);
  ASSERT_EQ(between.ground.size(), 2U);
  EXPECT_EQ(between.ground[0].shape, nullptr);
  EXPECT_EQ(between.ground[1].shape->edges[2], 0.5);
  EXPECT_EQ(between.ground[1].position[2], 0.25);
  EXPECT_NEAR(between.ground[1].orientation[3], std::sin(0.5), 1e-15);
  const Contact among =
      parse("among: ball*, stiffness: 10, friction: 1, sticking: {stiffness: 3}").contacts.at(0);
  EXPECT_THAT(among.sides[0], ElementsAre(0, 2));
  EXPECT_EQ(among.sides[0], among.sides[1]);
  EXPECT_EQ(among.sticking_stiffness, 3);
  EXPECT_FALSE(among.sticking_damping);
}

TEST(ContactNames, Faults) {
  const std::string rest = ", stiffness: 1";
  EXPECT_THAT(fault("among: bell*" + rest).problem, HasSubstr("there is no body"));
  EXPECT_THAT(fault("between: [ball1, flor]" + rest).remedy, HasSubstr("`floor`"));
  EXPECT_THAT(fault("among: b*" + rest).problem, HasSubstr("bare has no `shape`"));
  EXPECT_THAT(fault("stiffness: 1").problem, HasSubstr("does not say what touches"));
  EXPECT_THAT(fault("among: ball1, between: [ball1, ball2]" + rest).problem, HasSubstr("twice"));
  EXPECT_EQ(fault("among: ball*, stiffness: -1").field, "model.contacts.1.stiffness");
  EXPECT_EQ(fault("among: ball*, friction: -0.1" + rest).field, "model.contacts.1.friction");
  EXPECT_EQ(fault("among: ball*, exponent: 0.5" + rest).field, "model.contacts.1.exponent");
  EXPECT_THAT(fault("among: ball*, sticking: {stiffness: 1}" + rest).problem, HasSubstr("no friction"));
  EXPECT_THAT(fault("among: ball*" + rest, "    - {name: block, shape: {sphere: 1}}\n").problem,
              HasSubstr("has this name"));
  EXPECT_THAT(fault("among: ball*" + rest, "    - {name: p, shape: {plane: [0, 0, 0]}}\n").problem,
              HasSubstr("no direction"));
  EXPECT_EQ(fault("among: ball*" + rest, "    - {name: p, shape: {box: [1, 0, 1]}}\n").field,
            "model.ground.3.shape.box.2");
}

}  // namespace
}  // namespace cosimo::config
