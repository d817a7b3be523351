#include "core/counted.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace cosimo {
namespace {

TEST(Counted, OneIsOne) {
  EXPECT_EQ(counted(1, "body"), "1 body");
  EXPECT_EQ(counted(std::size_t{2}, "body"), "2 bodies");
  EXPECT_EQ(counted(0, "rejected step"), "0 rejected steps");
  EXPECT_EQ(counted(3, "way"), "3 ways");
  EXPECT_EQ(counted(4, "mass"), "4 masses");
  EXPECT_EQ(counted(5, "branch"), "5 branches");
}

}  // namespace
}  // namespace cosimo
