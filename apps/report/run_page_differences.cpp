// How far runs are from the first one, at the output times that both have: from all rows, and thinned only
// then, because the difference of two thinned courses would show their thinning.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "apps/report/run_page_parts.hpp"

namespace cosimo::page {

namespace {

constexpr std::size_t most_held = 20'000'000;  // numbers of the first run
constexpr std::size_t most_points = 1200;
constexpr std::size_t frame = 120;  // {"run": ..., "body": ..., "column": ...

/// Rows of two runs at the same time.
struct RowPair {
  std::size_t own = 0, reference = 0;
};

std::vector<RowPair> common_rows(std::span<const double> own, std::span<const double> reference) {
  const double span = reference.empty() ? 0 : std::fabs(reference.back() - reference.front());
  const double close = 1e-9 * (span / static_cast<double>(std::max<std::size_t>(1, reference.size())));
  std::vector<RowPair> pairs;
  for (std::size_t i = 0, k = 0; i < own.size() && k < reference.size();) {
    if (std::fabs(own[i] - reference[k]) <= close)
      pairs.push_back({i++, k++});
    else
      ++(own[i] < reference[k] ? i : k);
  }
  return pairs;
}

/// A coordinate that both runs have.
struct Same {
  std::int64_t body = 0;
  std::string coordinate;
  std::size_t own = 0, reference = 0;  ///< columns
};

std::vector<Same> same_columns(const ResultFolder& own, const ResultFolder& reference,
                               std::span<const std::int64_t> labels) {
  const BodyList list(own), other(reference);
  std::vector<Same> found;
  for (const std::int64_t label : labels) {
    const auto a = list.find(label), b = other.find(label);
    if (!a || !b) continue;
    const BodyList::Entry &mine = list.bodies[*a], &theirs = other.bodies[*b];
    for (std::size_t k = 0; k < std::min(mine.columns, theirs.columns); ++k) {
      const std::string& coordinate = own.columns()[mine.first + k].coordinate;
      if (reference.columns()[theirs.first + k].coordinate == coordinate)
        found.push_back({label, coordinate, mine.first + k, theirs.first + k});
    }
  }
  return found;
}

using Read = std::vector<double> (ResultFolder::*)(std::size_t, std::size_t, std::size_t, std::size_t) const;

/// Rows of the columns, one after the other.
template <class Visit>
void visit_columns(const ResultFolder& folder, Read read, std::span<const std::size_t> columns, Visit visit) {
  scan(
      folder.time().size(), folder.columns().size(), columns,
      [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t count) {
        return (folder.*read)(row, rows, column, count);
      },
      visit);
}

std::vector<Thinner> differences(const ResultFolder& own, const ResultFolder& reference, Read read,
                                 std::span<const RowPair> rows, std::span<const Same> columns,
                                 std::size_t points) {
  const std::size_t n = columns.size();
  std::vector<std::size_t> mine, theirs;
  for (const Same& same : columns) {
    mine.push_back(same.own);
    theirs.push_back(same.reference);
  }
  std::vector<double> held;
  held.reserve(rows.size() * n);
  std::size_t next = 0;
  visit_columns(reference, read, theirs, [&](std::size_t row, std::span<const double> values) {
    if (next == rows.size() || rows[next].reference != row) return;
    held.insert(held.end(), values.begin(), values.end());
    ++next;
  });
  std::vector<Thinner> thinned(n, Thinner(rows.size(), points));
  next = 0;
  visit_columns(own, read, mine, [&](std::size_t row, std::span<const double> values) {
    if (next == rows.size() || rows[next].own != row) return;
    for (std::size_t k = 0; k < n; ++k) thinned[k].push(own.time()[row], values[k] - held[next * n + k]);
    ++next;
  });
  return thinned;
}

}  // namespace

Json differences_json(const ResultFolder& own, const ResultFolder& reference, std::size_t run,
                      std::span<const std::int64_t> labels, std::size_t bytes) {
  Json result = Json::array();
  const std::vector<RowPair> rows = common_rows(own.time(), reference.time());
  std::vector<Same> columns = same_columns(own, reference, labels);
  if (rows.empty() || columns.empty()) return result;
  const std::size_t points = std::min(rows.size(), most_points);
  const std::size_t fitting = std::min(bytes / (frame + 2 * series_bytes(points)), most_held / rows.size());
  if (columns.size() > fitting) columns.resize(fitting);
  auto position = differences(own, reference, &ResultFolder::positions, rows, columns, points);
  auto velocity = differences(own, reference, &ResultFolder::velocities, rows, columns, points);
  for (std::size_t k = 0; k < columns.size(); ++k)
    result.push_back({{"run", run},
                      {"body", columns[k].body},
                      {"column", columns[k].coordinate},
                      {"position", position[k].json()},
                      {"velocity", velocity[k].json()}});
  return result;
}

}  // namespace cosimo::page
