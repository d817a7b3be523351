#include "core/error.hpp"

#include <gtest/gtest.h>

namespace cosimo {
namespace {

TEST(Fault, SaysEverythingItKnows) {
  const Fault fault{
      "chain.yaml", 4, 9, "model.chain.mass", "-1", "must be positive", "write a number above 0"};
  EXPECT_EQ(to_string(fault),
            "chain.yaml:4:9: model.chain.mass: -1: must be positive (write a number above 0)");
}

TEST(Fault, LeavesOutWhatIsEmpty) {
  EXPECT_EQ(to_string(Fault{}), "");
  EXPECT_EQ(to_string(Fault{.file = "a.yaml", .problem = "no such file"}), "a.yaml: no such file");
  EXPECT_EQ(to_string(Fault{.file = "a.yaml", .line = 3, .problem = "tab"}), "a.yaml:3: tab");
  EXPECT_EQ(to_string(Fault{.file = "a.yaml", .column = 3, .problem = "tab"}), "a.yaml: tab");
  EXPECT_EQ(to_string(Fault{.line = 3, .column = 7, .problem = "tab"}), "3:7: tab");
  EXPECT_EQ(to_string(Fault{.field = "run.threads", .remedy = "at least 1"}), "run.threads (at least 1)");
  EXPECT_EQ(to_string(Fault{.remedy = "start again"}), "(start again)");
}

TEST(Error, ListsAllFaultsOnePerLine) {
  const Error error({Fault{.field = "a", .problem = "missing"}, Fault{.field = "b", .problem = "unknown"}});
  EXPECT_STREQ(error.what(), "a: missing\nb: unknown");
  ASSERT_EQ(error.faults().size(), 2u);
  EXPECT_EQ(error.faults()[1].field, "b");
}

TEST(Error, TakesASingleFault) {
  const Error error(Fault{.field = "a", .problem = "missing"});
  EXPECT_STREQ(error.what(), "a: missing");
  EXPECT_EQ(error.faults().size(), 1u);
}

}  // namespace
}  // namespace cosimo
