#include "results/column_measures.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cosimo {
namespace {

TEST(ColumnMeasures, AreOfFewNamedColumns) {
  ResultsLayout layout;
  layout.bodies = {1, 1};
  layout.columns = {"a.x", "a.y"};
  layout.tables.push_back({"energy", {"total"}});
  layout.tables.push_back({"wide", std::vector<std::string>(1000, "c")});
  ColumnMeasures measures(layout);
  EXPECT_TRUE(measures.all().empty());
  for (const double x : {3.0, -4.0}) {
    measures.position(std::vector<double>{x, 1});
    measures.table(0, std::vector<double>{2 * x});
    measures.table(1, std::vector<double>(1000, x));
  }
  const std::vector<ColumnMeasure> all = measures.all();
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].set, "position");
  EXPECT_EQ(all[0].column, "a.x");
  EXPECT_EQ(all[0].least, -4);
  EXPECT_EQ(all[0].greatest, 3);
  EXPECT_EQ(all[0].rms, std::sqrt(12.5));
  EXPECT_EQ(all[1].rms, 1);
  EXPECT_EQ(all[2].set, "energy");
  EXPECT_EQ(all[2].greatest, 6);
}

}  // namespace
}  // namespace cosimo
