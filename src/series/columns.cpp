#include "series/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "numerics/expression.hpp"
#include "results/recorder.hpp"
#include "simulation/rows.hpp"

namespace cosimo::series {

std::size_t MeasuredRows::column(std::size_t place) {
  const auto at = std::ranges::find(places_, place);
  if (at != places_.end()) return static_cast<std::size_t>(at - places_.begin());
  places_.push_back(place);
  return places_.size() - 1;
}

void MeasuredRows::begin(const std::vector<std::string>& names) {
  bound_.clear();
  places_.clear();
  columns_.clear();
  time_.clear();
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    try {
      bound_.push_back(measures_[i].on(names));
    } catch (const ExpressionError& error) {
      throw Error(Fault{.field = "sweep.measure." + labels_[i],
                        .value = measures_[i].text(),
                        .problem = error.what(),
                        .remedy = error.remedy});
    }
    std::vector<std::size_t>& own = columns_.emplace_back();
    for (const std::size_t place : bound_.back().columns()) own.push_back(column(place));
  }
  kept_.assign(places_.size(), {});
}

void MeasuredRows::row(double t, std::span<const double> values) {
  time_.push_back(t);
  for (std::size_t i = 0; i < places_.size(); ++i) kept_[i].push_back(values[places_[i]]);
}

void MeasuredRows::read(const std::filesystem::path& folder) {
  const Results results = read_results(folder / "results.h5");
  ResultsLayout layout;
  layout.bodies = results.bodies;
  layout.columns = results.columns;
  for (const ResultsTable& table : results.tables) layout.tables.push_back({table.name, table.columns});
  begin(row_names(layout));
  const std::size_t width = results.bodies.size();
  std::size_t rows = results.time.size();
  for (const ResultsTable& table : results.tables)
    if (!table.columns.empty()) rows = std::min(rows, table.rows());  // one without columns has no rows
  std::vector<double> all;
  for (std::size_t i = 0; i < rows; ++i) {
    all.clear();
    const auto add = [&](const std::vector<double>& values, std::size_t columns) {
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * columns);
      all.insert(all.end(), first, first + static_cast<std::ptrdiff_t>(columns));
    };
    add(results.position, width);
    add(results.velocity, width);
    for (const ResultsTable& table : results.tables) add(table.value, table.columns.size());
    row(results.time[i], all);
  }
}

Measured MeasuredRows::measured() const {
  Measured out;
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    std::vector<std::span<const double>> columns;
    for (const std::size_t place : columns_[i]) columns.emplace_back(kept_[place]);
    MeasureResult result = bound_[i].evaluate(time_, columns);
    const bool curve = measures_[i].gives_curve();
    if (!result.problem.empty()) {
      if (!out.remark.empty()) out.remark += "; ";
      out.remark += fmt::format("{}: {}", labels_[i], result.problem);
      result.number = std::numeric_limits<double>::quiet_NaN();
      result.t.clear();
      result.curve.clear();
    }
    out.lengths.push_back(curve ? static_cast<std::int64_t>(result.curve.size()) : -1);
    if (!curve) {
      out.numbers.push_back(result.number);
    } else {
      out.numbers.insert(out.numbers.end(), result.t.begin(), result.t.end());
      out.numbers.insert(out.numbers.end(), result.curve.begin(), result.curve.end());
    }
  }
  return out;
}

}  // namespace cosimo::series
