#include "simulation/gather.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <ostream>

#include "parallel/thread_exchange.hpp"

namespace cosimo {
namespace {

constexpr std::size_t wide = 131'072;  ///< rows from here on come in blocks

/// Which rank has which column.
struct Case {
  const char* name;
  int ranks;
  int (*rank_of)(std::size_t column, std::size_t columns, int ranks);
  bool side_by_side = true;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};

int blocks(std::size_t column, std::size_t columns, int ranks) {
  return static_cast<int>(column * static_cast<std::size_t>(ranks) / columns);
}
int backwards(std::size_t column, std::size_t columns, int ranks) {
  return ranks - 1 - blocks(column, columns, ranks);
}
int interlaced(std::size_t column, std::size_t, int ranks) {
  return static_cast<int>(column % static_cast<std::size_t>(ranks));
}
/// The first and the last rank have nothing.
int inner(std::size_t column, std::size_t columns, int ranks) {
  return 1 + blocks(column, columns, ranks - 2);
}
/// Rank 0 in the middle of rank 1.
int nested(std::size_t column, std::size_t columns, int) {
  return column > columns / 3 && column < columns / 2 ? 0 : 1;
}
/// One column, two columns, and the rest: blocks are told by their ends.
int tiny(std::size_t column, std::size_t, int) {
  return column == 0 ? 1 : column < 3 ? 2 : 0;
}
/// Two columns that do not stand side by side.
int apart(std::size_t column, std::size_t columns, int) {
  return column == 0 || column + 1 == columns ? 1 : 0;
}
int nobody_else(std::size_t, std::size_t, int ranks) {
  return ranks - 1;
}

const Case cases[] = {
    {"Alone", 1, blocks},
    {"TwoBlocks", 2, blocks},
    {"FiveBlocks", 5, blocks},
    {"Backwards", 3, backwards},
    {"Interlaced", 3, interlaced, false},
    {"IdleRanks", 4, inner},
    {"Nested", 2, nested, false},
    {"Tiny", 3, tiny},
    {"Apart", 2, apart, false},
    {"AllOnTheLast", 3, nobody_else},
};

class Gather : public ::testing::TestWithParam<Case> {
 protected:
  static std::vector<std::size_t> own(int rank, std::size_t columns) {
    std::vector<std::size_t> result;
    for (std::size_t c = 0; c < columns; ++c)
      if (GetParam().rank_of(c, columns, GetParam().ranks) == rank) result.push_back(c);
    return result;
  }
};

double number(std::size_t row, std::size_t column, std::size_t field) {
  return 4.0 * static_cast<double>(column) + static_cast<double>(field) + 0.125 * static_cast<double>(row);
}

std::vector<double> field_of(std::size_t row, std::span<const std::size_t> columns, std::size_t field) {
  std::vector<double> result;
  for (const std::size_t c : columns) result.push_back(number(row, c, field));
  return result;
}

/// Watches that rows come in order, each from the left, complete, with the right numbers.
class Reader {
 public:
  Reader(std::size_t first_row, std::size_t columns, std::size_t fields)
      : row_(first_row), columns_(columns), fields_(fields) {}

  void visit(std::size_t row, std::size_t first, std::span<const double> a, std::span<const double> b) {
    ASSERT_EQ(row, seen_);
    ASSERT_EQ(first, next_);
    ASSERT_EQ(b.size(), fields_ == 2 ? a.size() : 0);
    ++visits_;
    for (std::size_t k = 0; k < a.size(); ++k) {
      ASSERT_EQ(a[k], number(row_, first + k, 0));
      if (fields_ == 2) {
        ASSERT_EQ(b[k], number(row_, first + k, 1));
      }
    }
    next_ += a.size();
    if (next_ < columns_) return;
    next_ = 0;
    ++seen_;
    ++row_;
  }
  std::size_t rows() const { return seen_; }
  std::size_t visits() const { return visits_; }

 private:
  std::size_t row_, columns_, fields_;
  std::size_t seen_ = 0, next_ = 0, visits_ = 0;
};

/// Two batches of rows through one gather; returns the visits of the second one on rank 0.
std::size_t pass(Exchange& exchange, RowGather& gather, const std::vector<std::size_t>& own,
                 std::size_t columns, std::size_t fields) {
  std::size_t visits = 0, row = 0;
  for (const std::size_t rows : {std::size_t{3}, std::size_t{2}}) {
    Reader reader(row, columns, fields);
    for (std::size_t i = 0; i < rows; ++i, ++row) {
      if (fields == 2)
        gather.push(field_of(row, own, 0), field_of(row, own, 1));
      else
        gather.push(field_of(row, own, 0));
    }
    EXPECT_EQ(gather.rows(), rows);
    gather.drain([&](std::size_t r, std::size_t first, std::span<const double> a, std::span<const double> b) {
      EXPECT_TRUE(exchange.leads());
      reader.visit(r, first, a, b);
    });
    EXPECT_EQ(reader.rows(), exchange.leads() ? rows : 0);
    EXPECT_EQ(gather.rows(), 0u);
    visits = reader.visits();
  }
  return visits;
}

TEST_P(Gather, RowsComeWholeAndInOrder) {
  for (const std::size_t fields : {std::size_t{1}, std::size_t{2}})
    run_ranks(GetParam().ranks, [&](Exchange& exchange) {
      const auto mine = own(exchange.rank(), 37);
      RowGather gather(exchange, mine, 37, fields);
      EXPECT_EQ(pass(exchange, gather, mine, 37, fields), exchange.leads() ? 2 : 0);
    });
}

TEST_P(Gather, WideRowsComeInTheBlocksOfTheirRanks) {
  const std::size_t columns = wide + 11;
  std::size_t busy = 0;
  for (int rank = 0; rank < GetParam().ranks; ++rank) busy += own(rank, columns).empty() ? 0 : 1;
  run_ranks(GetParam().ranks, [&](Exchange& exchange) {
    const auto mine = own(exchange.rank(), columns);
    RowGather gather(exchange, mine, columns, 2);
    const std::size_t visits = pass(exchange, gather, mine, columns, 2);
    EXPECT_EQ(visits, !exchange.leads() ? 0 : GetParam().side_by_side ? 2 * busy : 2);
  });
}

TEST_P(Gather, WideRowsStayWholeWhereBlocksAreNotWanted) {
  run_ranks(GetParam().ranks, [&](Exchange& exchange) {
    const auto mine = own(exchange.rank(), wide);
    RowGather gather(exchange, mine, wide, 2, false);
    EXPECT_EQ(pass(exchange, gather, mine, wide, 2), exchange.leads() ? 2 : 0);
  });
}

TEST_P(Gather, AllRanksAgreeWhenItIsTimeToSend) {
  for (const std::size_t columns : {std::size_t{10}, std::size_t{5000}, wide})
    run_ranks(GetParam().ranks, [&](Exchange& exchange) {
      const auto mine = own(exchange.rank(), columns);
      const std::vector<double> q(mine.size()), v(mine.size());
      RowGather gather(exchange, mine, columns, 2);
      EXPECT_FALSE(gather.full());
      std::size_t rows = 0;
      while (!gather.full()) {
        gather.push(q, v);
        ++rows;
      }
      std::vector<double> of_all(static_cast<std::size_t>(exchange.ranks()));
      const auto here = static_cast<double>(rows);
      exchange.gather_all({&here, 1}, std::vector<int>(of_all.size(), 1), of_all);
      EXPECT_EQ(of_all, std::vector<double>(of_all.size(), here));
      EXPECT_LE(rows * columns, std::max(columns, std::size_t{1} << 18U)) << "little is held back";
      gather.drain([](std::size_t, std::size_t, std::span<const double>, std::span<const double>) {});
      EXPECT_FALSE(gather.full());
    });
}

TEST_P(Gather, NothingIsSaidWithoutRows) {
  run_ranks(GetParam().ranks, [&](Exchange& exchange) {
    RowGather gather(exchange, own(exchange.rank(), 37), 37, 2);
    gather.drain([](std::size_t, std::size_t, std::span<const double>, std::span<const double>) { FAIL(); });
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, Gather, ::testing::ValuesIn(cases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace cosimo
