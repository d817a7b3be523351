#include "results/column_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

namespace {

constexpr std::size_t most_columns = 64;

}  // namespace

ColumnMeasures::ColumnMeasures(const ResultsLayout& layout) {
  const auto add = [&](const std::string& name, const std::vector<std::string>& columns) {
    Set& set = sets_.emplace_back();
    set.name = name;
    if (columns.size() > most_columns) return;
    set.columns = columns;
    set.least.assign(columns.size(), std::numeric_limits<double>::infinity());
    set.greatest.assign(columns.size(), -std::numeric_limits<double>::infinity());
    set.squares.assign(columns.size(), 0);
  };
  add("position", layout.columns);
  add("velocity", layout.columns);
  for (const TableLayout& table : layout.tables) add(table.name, table.columns);
}

void ColumnMeasures::Set::add(std::span<const double> row) {
  if (columns.empty() || row.size() != columns.size()) return;
  ++rows;
  for (std::size_t i = 0; i < row.size(); ++i) {
    least[i] = std::min(least[i], row[i]);
    greatest[i] = std::max(greatest[i], row[i]);
    squares[i] += row[i] * row[i];
  }
}

std::vector<ColumnMeasure> ColumnMeasures::all() const {
  std::vector<ColumnMeasure> out;
  for (const Set& set : sets_)
    for (std::size_t i = 0; i < set.columns.size() && set.rows > 0; ++i)
      out.push_back(
          {set.name, set.columns[i], set.least[i], set.greatest[i], std::sqrt(set.squares[i] / set.rows)});
  return out;
}

}  // namespace cosimo
