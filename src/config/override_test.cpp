#include "config/override.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cosimo::config {
namespace {

using ::testing::HasSubstr;

std::string after(std::string_view text, const std::string& setting) {
  Faults faults("file");
  Node root = parse_yaml(text, 0, faults);
  apply_override(root, setting, faults);
  return to_text(root);
}

Fault refused(std::string_view text, const std::string& setting) {
  try {
    after(text, setting);
  } catch (const Error& error) {
    return error.faults().back();
  }
  return {};
}

TEST(Override, ReplacesAndAdds) {
  EXPECT_EQ(after("a: {b: 1}", "a.b=2"), "{a: {b: 2}}");
  EXPECT_EQ(after("a: {b: 1}", "a.c=[1, 2]"), "{a: {b: 1, c: [1, 2]}}");
  EXPECT_EQ(after("a: 1", "b.c.d=x"), "{a: 1, b: {c: {d: x}}}");
  EXPECT_EQ(after("a: none", "a.b=1"), "{a: {b: 1}}");
  EXPECT_EQ(after("a: 1", "a=x=y"), "{a: x=y}");
}

TEST(Override, NumbersEntriesFromOne) {
  EXPECT_EQ(after("a: [{b: 1}, {b: 2}]", "a.2.b=3"), "{a: [{b: 1}, {b: 3}]}");
  EXPECT_EQ(after("a: [1, 2]", "a.3=3"), "{a: [1, 2, 3]}");
  EXPECT_EQ(after("b: 1", "a.1.c=3"), "{b: 1, a: [{c: 3}]}");
  EXPECT_THAT(refused("a: [1, 2]", "a.0=3").remedy, HasSubstr("numbers 1 to 3"));
  EXPECT_THAT(refused("b: 1", "a.0.c=3").problem, HasSubstr("no entry"));
  EXPECT_THAT(refused("a: [1, 2]", "a.4=3").problem, HasSubstr("no entry"));
  EXPECT_THAT(refused("a: [1, 2]", "a.b=3").problem, HasSubstr("no entry"));
  EXPECT_THAT(refused("a: [1, 2]", "a.-1=3").problem, HasSubstr("no entry"));
}

TEST(Override, NullRemoves) {
  EXPECT_EQ(after("a: 1\nb: 2", "a=null"), "{b: 2}");
  EXPECT_EQ(after("a: [1, 2]", "a.1=null"), "{a: [2]}");
  EXPECT_EQ(after("a: 1", "b=null"), "{a: 1}");
}

TEST(Override, FaultsNameTheSetting) {
  for (const char* wrong : {"a", "=1", "a=", "a..b=1", ".a=1", "a=[1"}) {
    const Fault fault = refused("a: 1", wrong);
    EXPECT_EQ(fault.file, std::string("--set ") + wrong);
    EXPECT_FALSE(fault.remedy.empty()) << wrong;
  }
}

}  // namespace
}  // namespace cosimo::config
