#include "results/column_matrix.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cosimo {
namespace {

double number(std::size_t row, std::size_t column) {
  return 1000.0 * static_cast<double>(row) + static_cast<double>(column);
}

std::vector<double> row_of(std::size_t row, std::size_t columns) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < columns; ++i) numbers.push_back(number(row, i));
  return numbers;
}

void expect_rows(const ColumnMatrix& m, std::size_t rows) {
  ASSERT_EQ(m.rows(), rows);
  for (std::size_t i = 0; i < m.columns(); ++i) {
    const auto column = m.column(i);
    ASSERT_EQ(column.size(), rows);
    for (std::size_t row = 0; row < rows; ++row) ASSERT_EQ(column[row], number(row, i));
  }
}

TEST(ColumnMatrix, HoldsEveryRowInItsColumns) {
  for (const std::size_t rows : {0U, 1U, 31U, 32U, 33U, 64U, 65U, 500U}) {
    ColumnMatrix m(7);
    for (std::size_t row = 0; row < rows; ++row) m.append(row_of(row, 7));
    m.settle();
    expect_rows(m, rows);
    EXPECT_EQ(m.bytes(), rows * 7 * sizeof(double));
  }
}

TEST(ColumnMatrix, ExpectsRowsThatMayNotComeOrBeMore) {
  for (const std::size_t expected : {10U, 500U, 100'000U})
    for (const std::size_t rows : {3U, 500U, 700U}) {
      ColumnMatrix m(7, expected);
      for (std::size_t row = 0; row < rows; ++row) m.append(row_of(row, 7));
      m.settle();
      expect_rows(m, rows);
      EXPECT_EQ(m.bytes(), rows * 7 * sizeof(double));
    }
}

TEST(ColumnMatrix, WideRowsDoNotWaitForOthers) {
  constexpr std::size_t columns = 300'000;
  ColumnMatrix m(columns);
  for (std::size_t row = 0; row < 5; ++row) m.append(row_of(row, columns));
  m.settle();
  expect_rows(m, 5);
}

TEST(ColumnMatrix, GoesOnAfterSettling) {
  ColumnMatrix m(3);
  for (std::size_t row = 0; row < 200; ++row) {
    m.append(row_of(row, 3));
    if (row % 23 == 0) m.settle();
  }
  m.settle();
  expect_rows(m, 200);
}

TEST(ColumnMatrix, WithoutColumnsThereIsNothingToHold) {
  ColumnMatrix m;
  m.append({});
  m.settle();
  EXPECT_EQ(m.bytes(), 0U);
}

}  // namespace
}  // namespace cosimo
