#include "apps/report/series_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/report/page.hpp"
#include "apps/report/run_page_parts.hpp"
#include "apps/report/script_text.hpp"
#include "cosimo/cosimo.hpp"

namespace cosimo {

namespace {

using page::Json;

constexpr std::string_view states[] = {"waiting", "running", "done", "failed"};
constexpr std::size_t least_points = 24, most_points = 1500;  // of a curve

Json states_json(const std::vector<std::string>& state) {
  std::vector<std::int32_t> numbers;
  for (const std::string& word : state)
    numbers.push_back(static_cast<std::int32_t>(std::ranges::find(states, word) - std::begin(states)));
  return page::numbers(numbers);
}

Json columns_json(const std::vector<SeriesColumn>& columns) {
  Json list = Json::array();
  for (const SeriesColumn& column : columns) {
    const bool words = !column.text.empty();
    list.push_back({{"name", column.name},
                    {"number", words ? Json(nullptr) : page::numbers(column.number)},
                    {"text", words ? Json(column.text) : Json(nullptr)}});
  }
  return list;
}

Json failures_json(const SeriesData& data) {
  Json list = Json::array();
  for (std::size_t i = 0; i < data.variants; ++i)
    if (data.state[i] == "failed")
      list.push_back(
          {{"variant", i}, {"fault", data.fault[i]}, {"message", data.message[i]}, {"log", data.log[i]}});
  return list;
}

/// From the page to a kept run: its own page where it has one, else its folder.
std::string link_of(const std::filesystem::path& run, const std::filesystem::path& page) {
  std::error_code code;
  const std::filesystem::path target =
      std::filesystem::exists(run / "report.html", code) ? run / "report.html" : run / "";
  const std::filesystem::path from = std::filesystem::absolute(page, code).parent_path();
  return std::filesystem::absolute(target, code)
      .lexically_normal()
      .lexically_relative(from.lexically_normal())
      .generic_string();
}

Json remarks_json(const SeriesData& data) {
  Json list = Json::array();
  for (std::size_t i = 0; i < data.variants; ++i)
    if (data.state[i] != "failed" && !data.message[i].empty())
      list.push_back({{"variant", i}, {"message", data.message[i]}});
  return list;
}

Json runs_json(const SeriesPageOptions& options, const SeriesData& data) {
  Json list = Json::array();
  for (std::size_t i = 0; i < data.variants; ++i)
    if (!data.results[i].empty())
      list.push_back({{"variant", i}, {"page", link_of(options.folder / data.results[i], options.file)}});
  return list;
}

Json thinned(const std::vector<double>& t, const std::vector<double>& y, std::size_t points) {
  page::Thinner thinner(t.size(), points);
  for (std::size_t i = 0; i < t.size(); ++i) thinner.push(t[i], y[i]);
  return thinner.json();
}

/// All variants that have the curve, or as many as have room for enough points.
Json curve_json(const SeriesCurve& curve, std::size_t bytes, Json& notes) {
  std::vector<std::size_t> there;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < curve.values.size(); ++i)
    if (!curve.values[i].empty()) {
      there.push_back(i);
      longest = std::max(longest, curve.values[i].size());
    }
  const std::size_t wanted = std::min(longest, least_points);
  const std::size_t fitting = std::max<std::size_t>(1, bytes / page::series_bytes(wanted));
  if (there.size() > fitting) {
    notes.push_back(fmt::format("{} is drawn for {} of {} variants; sweep.h5 has all of them.", curve.name,
                                fitting, there.size()));
    std::vector<std::size_t> some;
    for (const std::size_t k : page::spread(there.size(), fitting)) some.push_back(there[k]);
    there = std::move(some);
  }
  const std::size_t room = there.empty() ? 0 : page::points_in(bytes / there.size());
  const std::size_t points = std::clamp(room, least_points, most_points);
  if (longest > points)
    notes.push_back(fmt::format("{} is drawn with up to {} of {} points; sweep.h5 has all of them.",
                                curve.name, points, longest));
  Json list = Json::array();
  for (const std::size_t i : there)
    list.push_back({{"variant", i},
                    {"series", thinned(curve.t[i], curve.values[i], std::min(points, curve.t[i].size()))}});
  return {{"name", curve.name}, {"curves", std::move(list)}};
}

}  // namespace

std::string series_page_json(const SeriesPageOptions& options, const SeriesData& data) {
  Json notes = Json::array(), curves = Json::array();
  for (const SeriesCurve& curve : data.curves)
    curves.push_back(curve_json(curve, options.curve_bytes / data.curves.size(), notes));
  const Json all = {
      {"kind", "series"},
      {"format", 1},
      {"version", data.version},
      {"name", std::filesystem::absolute(options.folder).lexically_normal().filename().string()},
      {"file", data.file},
      {"notes", std::move(notes)},
      {"variants", data.variants},
      {"state", states_json(data.state)},
      {"failures", failures_json(data)},
      {"remarks", remarks_json(data)},
      {"runs", runs_json(options, data)},
      {"parameters", columns_json(data.parameters)},
      {"measures", columns_json(data.measures)},
      {"wall", page::numbers(data.wall_s)},
      {"curves", std::move(curves)}};
  return page::dump(all);
}

void write_series_page(const SeriesPageOptions& options, const SeriesData& data) {
  const std::string json = series_page_json(options, data);
  write_page(options.file, page_html(json, "Series " + data.file));
}

}  // namespace cosimo
