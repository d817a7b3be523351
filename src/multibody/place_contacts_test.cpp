// Contacts from a scenario: what can never touch is refused where it is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "multibody/mechanism_translate.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

std::string refusal(const std::string& contact) {
  const std::string text =
      "cosimo: 1\nmodel:\n  bodies:\n"
      "    - {name: one, kind: rigid, shape: {sphere: 0.1}, mass: 1}\n"
      "    - {name: two, kind: rigid, shape: {sphere: 0.1}, mass: 1, position: [1, 0, 0]}\n"
      "  joints: [{name: ball, kind: spherical, from: one, to: two, at: [0.5, 0, 0]}]\n"
      "  ground: [{name: floor, shape: {plane: [0, 0, 1]}}]\n"
      "  contacts:\n    - {name: touch, stiffness: 1, " +
      contact + "}\nsimulate: {end: 1}\n";
  try {
    place_mechanism(config::parse_scenario(text, "model.yaml", {}));
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PlaceContacts, SomeOfThemCanTouch) {
  for (const char* nobody :
       {"among: one", "between: [two, two]", "among: [one, two]", "between: [one, two]"}) {
    EXPECT_THAT(refusal(nobody), HasSubstr("model.yaml:9")) << nobody;
    EXPECT_THAT(refusal(nobody), HasSubstr("no two of these can touch")) << nobody;
  }
  EXPECT_THAT(refusal("between: [ground, floor]"), HasSubstr("only the ground touches itself"));
  for (const char* some : {"among: [one, floor]", "between: [\"*\", ground]"})
    EXPECT_EQ(refusal(some), "accepted") << some;
}

}  // namespace
}  // namespace cosimo
