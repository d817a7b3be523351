#include <algorithm>

#include "apps/report/run_page_parts.hpp"

namespace cosimo::page {

namespace {

constexpr std::size_t block_numbers = std::size_t{1} << 20U;  // 8 MiB
// A piece of a row costs about as much as reading this many numbers in passing.
constexpr std::size_t worth_skipping = 400;

struct Run {
  std::size_t first, count;
};

std::vector<Run> runs_of(std::span<const std::size_t> wanted) {
  std::vector<Run> runs;
  for (const std::size_t column : wanted) {
    if (!runs.empty() && column - (runs.back().first + runs.back().count) < worth_skipping)
      runs.back().count = column - runs.back().first + 1;
    else
      runs.push_back({column, 1});
  }
  return runs;
}

}  // namespace

std::vector<std::size_t> spread(std::size_t total, std::size_t count) {
  count = std::min(total, count);
  std::vector<std::size_t> places(count);
  for (std::size_t i = 0; i < count; ++i) places[i] = count == 1 ? 0 : i * (total - 1) / (count - 1);
  return places;
}

void scan(std::size_t rows, std::size_t columns, std::span<const std::size_t> wanted, const ReadBlock& read,
          const VisitRow& visit) {
  if (wanted.empty() || columns == 0) return;
  const std::vector<Run> runs = runs_of(wanted);
  std::size_t width = 0;
  for (const Run& run : runs) width += run.count;
  const std::size_t block = std::clamp<std::size_t>(block_numbers / width, 1, 4096);
  std::vector<std::vector<double>> blocks(runs.size());
  std::vector<double> values(wanted.size());
  for (std::size_t row = 0; row < rows; row += block) {
    const std::size_t n = std::min(block, rows - row);
    for (std::size_t k = 0; k < runs.size(); ++k) blocks[k] = read(row, n, runs[k].first, runs[k].count);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t k = 0;
      for (std::size_t w = 0; w < wanted.size(); ++w) {
        while (wanted[w] >= runs[k].first + runs[k].count) ++k;
        values[w] = blocks[k][i * runs[k].count + wanted[w] - runs[k].first];
      }
      visit(row + i, values);
    }
  }
}

std::optional<std::size_t> BodyList::find(std::int64_t label) const {
  const auto found =
      std::lower_bound(bodies.begin(), bodies.end(), label,
                       [](const Entry& body, std::int64_t wanted) { return body.label < wanted; });
  if (found == bodies.end() || found->label != label) return {};
  return static_cast<std::size_t>(found - bodies.begin());
}

BodyList::BodyList(const ResultFolder& folder) {
  const std::vector<RecordedColumn>& columns = folder.columns();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (bodies.empty() || bodies.back().label != columns[i].body)
      bodies.push_back({columns[i].body, i, 1});
    else
      ++bodies.back().columns;
  }
  scalar = std::all_of(columns.begin(), columns.end(),
                       [](const RecordedColumn& column) { return column.coordinate == "x"; }) &&
           bodies.size() == columns.size();
}

}  // namespace cosimo::page
