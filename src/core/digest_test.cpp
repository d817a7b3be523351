#include "core/digest.hpp"

#include <gtest/gtest.h>

namespace cosimo {
namespace {

// Published values of FNV-1a.
TEST(Digest, IsThePublishedFunction) {
  EXPECT_EQ(digest(""), 0xcbf29ce484222325ULL);
  EXPECT_EQ(digest("a"), 0xaf63dc4c8601ec8cULL);
  EXPECT_EQ(digest("foobar"), 0x85944171f73967e8ULL);
}

TEST(Digest, PiecesGiveTheSameAsTheWhole) {
  Digest pieces;
  pieces.add("foo");
  pieces.add("");
  pieces.add("bar");
  EXPECT_EQ(pieces.value(), digest("foobar"));
}

}  // namespace
}  // namespace cosimo
