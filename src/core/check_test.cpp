#include "core/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cosimo {
namespace {

std::string message_of(bool condition) {
  try {
    COSIMO_CHECK(condition, "advancing part 3");
  } catch (const Bug& bug) {
    return bug.what();
  }
  return "";
}

TEST(Check, IsSilentWhenTheConditionHolds) {
  EXPECT_EQ(message_of(true), "");
}

TEST(Check, NamesPlaceConditionAndContext) {
  EXPECT_THAT(
      message_of(false),
      testing::MatchesRegex("core/check_test\\.cpp:[0-9]+: condition does not hold: advancing part 3"));
}

TEST(Check, CopesWithAnyPath) {
  const auto fail = [](const char* file) -> std::string {
    try {
      fail_check("x > 0", file, 7, "");
    } catch (const Bug& bug) {
      return bug.what();
    }
  };
  EXPECT_EQ(fail("a.cpp"), "a.cpp:7: x > 0 does not hold");
  EXPECT_EQ(fail("/a.cpp"), "/a.cpp:7: x > 0 does not hold");
  EXPECT_EQ(fail("core/a.cpp"), "core/a.cpp:7: x > 0 does not hold");
  EXPECT_EQ(fail("/deep/down/core/a.cpp"), "core/a.cpp:7: x > 0 does not hold");
}

TEST(Check, DoesNotBuildTheContextInVain) {
  int built = 0;
  const auto context = [&built] {
    ++built;
    return std::string("costly");
  };
  COSIMO_CHECK(1 + 1 == 2, context());
  EXPECT_EQ(built, 0);
}

}  // namespace
}  // namespace cosimo
