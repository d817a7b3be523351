#include "config/choices.hpp"

#include <gtest/gtest.h>

#include "core/choices_testing.hpp"

namespace cosimo::config {
namespace {

TEST(ConfigChoices, EveryValueHasAWordOfItsOwn) {
  expect_one_to_one(Record::coupling);  // a list of bodies has none
  expect_one_to_one(Sweep::gauss_seidel);
  expect_one_to_one(Update::none);
  expect_one_to_one(Displaced::heavier);
  expect_one_to_one(Predictor::accrel);
  expect_one_to_one(Course::whole);
  expect_one_to_one(Refresh::always);
  expect_one_to_one(Progress::off);
  expect_one_to_one(ModelKind::vehicle);
  expect_one_to_one(LoadKind::curve);
  expect_one_to_one(BodyKind::point);
  expect_one_to_one(JointKind::gear);
  expect_one_to_one(ElementKind::user);
  expect_one_to_one(Around::clockwise);
  expect_one_to_one(Measure::angle);
  expect_one_to_one(Damping::vector);
  expect_one_to_one(Formulation::minimal);
  expect_one_to_one(LinkJoint::spherical);
  expect_one_to_one(LinkBody::rod);
  expect_one_to_one(Coordinates::space);
}

}  // namespace
}  // namespace cosimo::config
