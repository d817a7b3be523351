#include "simulation/selection.hpp"

#include <gtest/gtest.h>

namespace cosimo {
namespace {

TEST(Selection, AllOrSome) {
  const Selection none, all(3), some(std::vector<std::size_t>{2, 5, 9});
  EXPECT_EQ(none.size(), 0u);
  EXPECT_FALSE(none.find(0));
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[2], 2u);
  EXPECT_EQ(all.find(2), 2u);
  EXPECT_FALSE(all.find(3));
  ASSERT_EQ(some.size(), 3u);
  EXPECT_EQ(some[1], 5u);
  EXPECT_EQ(some.find(9), 2u);
  for (const std::size_t absent : {0u, 3u, 6u, 10u}) EXPECT_FALSE(some.find(absent)) << absent;
}

TEST(Selection, AnEmptyListIsNotAll) {
  const Selection nothing{std::vector<std::size_t>{}};
  EXPECT_EQ(nothing.size(), 0u);
  EXPECT_FALSE(nothing.find(0));
}

}  // namespace
}  // namespace cosimo
