#include "core/choices.hpp"

#include <gtest/gtest.h>

#include "core/choices_testing.hpp"
#include "core/settings.hpp"

namespace cosimo {
namespace {

TEST(Choices, WordsAndBack) {
  static_assert(word_of(SchemeKind::semi_implicit) == "semi-implicit");
  static_assert(choice_of<SchemeKind>("semi-implicit") == SchemeKind::semi_implicit);
  EXPECT_EQ(choice_of<SchemeKind>("semi_implicit"), std::nullopt);
  EXPECT_EQ(choice_of<SchemeKind>(""), std::nullopt);
  EXPECT_EQ(word_of(static_cast<SchemeKind>(99)), "");
}

TEST(Choices, EveryValueHasAWordOfItsOwn) {
  expect_one_to_one(Method::radau);
  expect_one_to_one(Linear::dense);
  expect_one_to_one(Stop::limit);
  expect_one_to_one(CutMethod::automatic);
  expect_one_to_one(End::free);
  expect_one_to_one(Sign::random);
  expect_one_to_one(SchemeKind::waveform);
  expect_one_to_one(Decomposition::displacement_displacement);
  expect_one_to_one(Estimator::exOV);
  expect_one_to_one(JacobianMethod::series);
  expect_one_to_one(OrderStrategy::conservative);
}

}  // namespace
}  // namespace cosimo
