#include "excerpt.hpp"

#include <gmock/gmock.h>

namespace cosimo::cli {
namespace {

using testing::HasSubstr;

Fault at(int column, std::string value = "", std::string field = "") {
  return {
      .file = "a.yaml", .line = 4, .column = column, .field = std::move(field), .value = std::move(value)};
}

TEST(Excerpt, MarksTheValue) {
  EXPECT_EQ(excerpt(at(9, "-1"), "  mass: -1 # kg", {}), "    4 |   mass: -1 # kg\n      |         ^~\n");
}

TEST(Excerpt, MarksTheKey) {
  EXPECT_EQ(excerpt(at(3, "", "model.chain.mas"), "  mas: 1", {}), "    4 |   mas: 1\n      |   ^~~\n");
}

TEST(Excerpt, MarksAWordOfAnyOtherFault) {
  EXPECT_EQ(excerpt(at(2), "[abc, d]", {}), "    4 | [abc, d]\n      |  ^~~\n");
  EXPECT_EQ(excerpt(at(1), "]", {}), "    4 | ]\n      | ^\n");
}

TEST(Excerpt, WithoutAPlaceThereIsNoCaret) {
  EXPECT_EQ(excerpt(at(0), "mass: 1", {}), "    4 | mass: 1\n");
  EXPECT_EQ(excerpt(at(80), "mass: 1", {}), "    4 | mass: 1\n");
}

TEST(Excerpt, CountsCharacters) {
  EXPECT_EQ(excerpt(at(14, "x"), "ma\u00dfe \u00fcber: x", {}),
            "    4 | ma\u00dfe \u00fcber: x\n      |            ^\n");
}

TEST(Excerpt, PrintsNothingThatMovesTheCursor) {
  EXPECT_EQ(excerpt(at(2, "1"), "\t1\x1b[2J\x9b\xff", {}), "    4 |  1 [2J??\n      |  ^\n");
}

TEST(Excerpt, ShowsPartOfALongLine) {
  const std::string line = std::string(500, 'a') + " wrong " + std::string(500, 'b');
  for (const int column : {1, 30, 502, 700, 1000}) {
    const std::string text = excerpt(at(column, "wrong"), line, {.columns = 60});
    EXPECT_LE(text.find('\n'), 60u) << text;
    const std::size_t second = text.find('\n') + 1;
    const std::size_t caret = text.find('^') - second;
    EXPECT_EQ(text[caret], line[static_cast<std::size_t>(column) - 1]) << text;
    EXPECT_LE(text.size() - second, 61u) << text;
  }
  EXPECT_THAT(excerpt(at(502, "wrong"), line, {.columns = 60}), HasSubstr("aaa wrong bbb"));
}

TEST(Excerpt, NeedsAFile) {
  EXPECT_EQ(excerpt(Fault{.file = "no-such-file.yaml", .line = 1}, {}), "");
  EXPECT_EQ(excerpt(Fault{.file = "/dev/null", .line = 1}, {}), "");
  EXPECT_EQ(excerpt(Fault{.file = "", .line = 1}, {}), "");
}

}  // namespace
}  // namespace cosimo::cli
