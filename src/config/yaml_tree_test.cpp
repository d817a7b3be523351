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

TEST(YamlTree, MergesSections) {
  const auto merged = [](std::string_view text) { return to_text(*parse(text).find("m")); };
  const std::string two = "a: &a {p: 1, q: 2}\nb: &b {q: 3, r: 4}\n";
  EXPECT_EQ(merged(two + "m: {<<: *a}"), "{p: 1, q: 2}");
  // The map itself wins, wherever it says so, and keeps the order in which values may build on others.
  EXPECT_EQ(merged(two + "m: {<<: *a, s: 5, p: 6}"), "{p: 6, q: 2, s: 5}");
  EXPECT_EQ(merged(two + "m: {q: 6, <<: *a, s: 5}"), "{q: 6, p: 1, s: 5}");
  // Of several the earlier wins.
  EXPECT_EQ(merged(two + "m: {<<: [*a, *b]}"), "{p: 1, q: 2, r: 4}");
  EXPECT_EQ(merged(two + "m: {<<: [*b, *a, {t: 7}], r: 0}"), "{q: 3, r: 0, p: 1, t: 7}");
  // What was merged is merged on, and replaced as a whole.
  EXPECT_EQ(merged("a: &a {p: {x: 1}, q: 2}\nb: &b {<<: *a, q: 3}\nm:\n  <<: *b\n  p: {y: 1}\n"),
            "{p: {y: 1}, q: 3}");
  EXPECT_EQ(merged("m: {<<: []}"), "{}");
  EXPECT_EQ(merged("m: {\"<<\": 1}"), "{<<: 1}");  // quoted, it is a word
}

TEST(YamlTree, MergedValuesStandWhereTheyAreWritten) {
  const Node root = parse("a: &a\n  p: 1\n  q: 2\nm:\n  <<: *a\n  q: 3\n  q: 4\n");
  const Node& m = *root.find("m");
  EXPECT_EQ(m.find("p")->position.line, 2);
  EXPECT_EQ(m.find("q")->position.line, 6);
  ASSERT_EQ(m.keys.size(), 3U);  // a key that stands twice is left for the check to see
  EXPECT_EQ(m.keys[2].position.line, 7);
}

TEST(YamlTree, RefusesWhatCannotBeMerged) {
  for (const char* wrong : {"a: &a 1\nm:\n  p: 0\n  <<: *a", "a: &a {p: 1}\nm:\n  p: 0\n  <<: [*a, 5]",
                            "a: &a [1]\nm:\n  p: 0\n  <<: [*a]", "a: 1\nm:\n  p: 0\n  <<:\n"}) {
    const Fault fault = refused(wrong);
    EXPECT_THAT(fault.problem, HasSubstr("not a section")) << wrong;
    EXPECT_EQ(fault.field, "<<");
    EXPECT_GT(fault.line, 0);
  }
  const Fault twice = refused("a: &a {p: 1}\nb: &b {q: 1}\nm:\n  <<: *a\n  <<: *b\n");
  EXPECT_EQ(twice.line, 5);
  EXPECT_THAT(twice.remedy, HasSubstr("[*name, *other]"));
  EXPECT_THAT(refused("m: &m {<<: *m}").problem, HasSubstr("alias"));
}

TEST(YamlTree, MergesCountAsAliases) {
  std::string bomb = "a0: &a0 {k0: 1, k1: [1, 1, 1, 1, 1, 1, 1, 1, 1]}\n";
  for (int i = 1; i < 30; ++i) {  // each holds the one before twice
    const std::string before = "*a" + std::to_string(i - 1), n = std::to_string(i);
    bomb += "a" + n + ": &a" + n + " {<<: " + before + ", l" + n + ": " + before + "}\n";
  }
  EXPECT_THAT(refused(bomb).problem, HasSubstr("aliases repeat more than"));
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
