#include <fmt/format.h>

#include <algorithm>

#include "apps/report/run_page_parts.hpp"

namespace cosimo::page {

namespace {

constexpr std::size_t most_subsystems = 96, float_bytes = 6, row_frame = 60;
constexpr std::size_t good_points = 1200, least_points = 300;
constexpr std::size_t column_frame = 60;

/// Rows added up to fewer, subsystems grouped: of a group the largest counts.
struct Bars {
  std::vector<double> t;
  std::vector<std::int64_t> count, slowest;
  std::vector<float> solve, micro;
};

std::vector<std::size_t> borders(std::size_t total, std::size_t groups) {
  std::vector<std::size_t> first(groups + 1);
  for (std::size_t g = 0; g <= groups; ++g) first[g] = g * total / groups;
  return first;
}

Bars make_bars(const TimingHistory& timing, std::span<const std::size_t> rows,
               std::span<const std::size_t> groups) {
  Bars bars;
  const std::size_t n = timing.subsystems;
  for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
    std::vector<double> solve(n), micro(n);
    std::int64_t count = 0;
    for (std::size_t row = rows[r]; row < rows[r + 1]; ++row) {
      count += timing.count[row];
      for (std::size_t s = 0; s < n; ++s) {
        solve[s] += timing.solve[row * n + s];
        if (!timing.micro_steps.empty()) micro[s] += timing.micro_steps[row * n + s];
      }
    }
    bars.t.push_back(timing.t[rows[r]]);
    bars.count.push_back(count);
    bars.slowest.push_back(std::max_element(solve.begin(), solve.end()) - solve.begin() + 1);
    const auto largest = [&](const std::vector<double>& values, std::size_t g) {
      return static_cast<float>(
          *std::max_element(values.begin() + static_cast<std::ptrdiff_t>(groups[g]),
                            values.begin() + static_cast<std::ptrdiff_t>(groups[g + 1])));
    };
    for (std::size_t g = 0; g + 1 < groups.size(); ++g) {
      bars.solve.push_back(largest(solve, g));
      if (!timing.micro_steps.empty()) bars.micro.push_back(largest(micro, g));
    }
  }
  return bars;
}

}  // namespace

Json timing_json(const ResultFolder& folder, std::size_t bytes) {
  const TimingHistory& timing = folder.timing();
  if (timing.t.empty() || timing.subsystems == 0) return nullptr;
  const std::size_t groups = std::min(timing.subsystems, most_subsystems);
  const std::size_t rows =
      std::clamp<std::size_t>(bytes / (2 * groups * float_bytes + row_frame), 1, timing.t.size());
  const auto first = borders(timing.subsystems, groups);
  const Bars bars = make_bars(timing, borders(timing.t.size(), rows), first);
  Json begin = Json::array(), end = Json::array();
  for (std::size_t g = 0; g < groups; ++g) {
    begin.push_back(first[g] + 1);
    end.push_back(first[g + 1]);
  }
  return {{"t", numbers(std::span<const double>(bars.t))},
          {"count", bars.count},
          {"first", begin},
          {"last", end},
          {"solve", numbers(std::span<const float>(bars.solve))},
          {"slowest", bars.slowest},
          {"micro", bars.micro.empty() ? Json(nullptr) : numbers(std::span<const float>(bars.micro))}};
}

Json tables_json(const ResultFolder& folder, std::size_t bytes, Remarks& remarks) {
  Json result = Json::array();
  const std::vector<RecordedTable>& tables = folder.tables();
  std::size_t total = 0;
  for (const RecordedTable& table : tables) total += table.columns.size();
  if (total == 0 || folder.time().empty()) return result;
  const std::size_t rows = folder.time().size();
  const std::size_t least = column_frame + series_bytes(std::min(rows, least_points));
  const std::size_t good = column_frame + series_bytes(std::min(rows, good_points));
  const std::size_t room = total * least <= bytes ? total : std::max<std::size_t>(1, bytes / good);
  const std::size_t each = bytes / std::min(room, total);
  const std::size_t most = std::max<std::size_t>(8, points_in(each > column_frame ? each - column_frame : 0));
  std::size_t shown = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const std::size_t columns = tables[i].columns.size(), here = std::min(columns, room - shown);
    const std::size_t length = folder.table_rows(i);
    if (here == 0 || length == 0) continue;
    std::vector<Thinner> courses(here, Thinner(length, most));
    const std::size_t block = std::clamp<std::size_t>((std::size_t{1} << 20U) / columns, 1, 4096);
    for (std::size_t row = 0; row < length; row += block) {
      const std::size_t n = std::min(block, length - row);
      const std::vector<double> values = folder.table(i, row, n);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t c = 0; c < here; ++c)
          courses[c].push(folder.time()[row + k], values[k * columns + c]);
    }
    Json list = Json::array();
    for (std::size_t c = 0; c < here; ++c)
      list.push_back({{"name", tables[i].columns[c]}, {"series", courses[c].json()}});
    result.push_back({{"name", tables[i].name}, {"columns", list}});
    shown += here;
  }
  if (shown < total && room < total)
    remarks.push_back(fmt::format(
        "{} of {} courses of energies, reactions and element forces are in the page; all are in results.h5.",
        shown, total));
  return result;
}

}  // namespace cosimo::page
