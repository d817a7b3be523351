#include "core/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace cosimo {
namespace {

TEST(Nearest, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("output", "output"), 0U);
  EXPECT_EQ(edit_distance("outptu", "output"), 1U);  // neighbours swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Nearest, FindsWhatWasMeant) {
  constexpr std::array<std::string_view, 4> names{"parts", "method", "cuts", "least-squares"};
  EXPECT_EQ(nearest("part", names), "parts");
  EXPECT_EQ(nearest("Method", names), "method");
  EXPECT_EQ(nearest("least_squares", names), "least-squares");
  EXPECT_EQ(nearest("threads", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), names), "");
}

TEST(Nearest, DoesNotTurnOneLetterIntoAnother) {
  constexpr std::array<std::string_view, 2> names{"c", "d"};
  EXPECT_EQ(nearest("k", names), "");
}

}  // namespace
}  // namespace cosimo
