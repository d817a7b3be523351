#include "config/yaml_tree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

Node parse(std::string_view text) {
  Faults faults("file");
  return parse_yaml(text, 0, faults);
}

Fault refused(std::string_view text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error.faults().back();
  }
  return {};
}

TEST(YamlTree, KnowsWhereEverythingStands) {
  const Node root = parse("a: 1\nb:\n  - x\n  - {c: \"5\"}\n");
  ASSERT_EQ(root.kind, Node::Kind::map);
  EXPECT_EQ(root.find("a")->text, "1");
  EXPECT_EQ(root.find("a")->position.column, 4);
  const Node& list = *root.find("b");
  ASSERT_EQ(list.items.size(), 2U);
  EXPECT_EQ(list.items[0].position.line, 3);
  const Node& quoted = *list.items[1].find("c");
  EXPECT_TRUE(quoted.quoted);
  EXPECT_EQ(quoted.position.line, 4);
  EXPECT_EQ(quoted.position.column, 9);
  EXPECT_EQ(root.find("nothing"), nullptr);
  EXPECT_EQ(to_text(root), "{a: 1, b: [x, {c: \"5\"}]}");
}

TEST(YamlTree, PutsGapsWhereTheirKeyStands) {
  const Node root = parse("a:\nb: 1\n");
  EXPECT_EQ(root.find("a")->kind, Node::Kind::null);
  EXPECT_EQ(root.find("a")->position.line, 1);
}

TEST(YamlTree, KeepsDuplicateKeys) {
  const Node root = parse("a: 1\na: 2\n");
  ASSERT_EQ(root.keys.size(), 2U);
  EXPECT_EQ(root.keys[1].position.line, 2);
}

TEST(YamlTree, ExpandsAliases) {
  const Node root = parse("a: &x [1, 2]\nb: *x\n");
  EXPECT_EQ(to_text(*root.find("b")), "[1, 2]");
}

TEST(YamlTree, AcceptsMarksAndLineEndsOfOtherSystems) {
  EXPECT_EQ(parse("\xEF\xBB\xBF"
                  "a: 1\n")
                .find("a")
                ->text,
            "1");
  EXPECT_EQ(parse("a: 1\r\nb: 2\r\n").find("a")->text, "1");
}

TEST(YamlTree, EmptyTextsAreNull) {
  EXPECT_EQ(parse("").kind, Node::Kind::null);
  EXPECT_EQ(parse("# words\n").kind, Node::Kind::null);
}

TEST(YamlTree, StopsHostileInput) {
  EXPECT_THAT(refused(std::string(100000, '[')).problem, HasSubstr("nested"));
  EXPECT_THAT(refused("a: &a [*a]").problem, HasSubstr("alias"));
  EXPECT_THAT(refused("? [1, 2]\n: 3").problem, HasSubstr("key"));
  EXPECT_THAT(refused(std::string("a: \0", 4)).problem, HasSubstr("not a text"));
  EXPECT_THAT(refused(std::string(max_file_size + 1, ' ')).problem, HasSubstr("MiB"));
  EXPECT_THAT(refused("a: 1\n---\nb: 2\n").problem, HasSubstr("second document"));
}

TEST(YamlTree, TruncatedTextNamesTheOpenBracket) {
  const Fault fault = refused("a: 1\nb: {c: [1, 2,\n 3, 4\n");
  EXPECT_EQ(fault.line, 2);
  EXPECT_EQ(fault.column, 8);
  EXPECT_THAT(fault.remedy, HasSubstr("truncated"));
}

}  // namespace
}  // namespace cosimo::config
