#include "series/points_file.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "config/source_file.hpp"
#include "core/counted.hpp"

namespace cosimo::series {

namespace {

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == text.npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

/// Fields of a line; false: a quotation mark is not closed.
bool split(std::string_view line, std::vector<std::string>& fields) {
  std::string field;
  bool quoted = false, was_quoted = false;
  const auto end = [&] { fields.push_back(was_quoted ? std::exchange(field, {}) : trimmed(field)); };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      field += line[++i];
    } else if (c == '"' && (quoted || trimmed(field).empty())) {
      if (!quoted) field.clear();
      quoted = !quoted;
      was_quoted = true;
    } else if (c == ',' && !quoted) {
      end();
      field.clear();
      was_quoted = false;
    } else if (quoted || !was_quoted) {
      field += c;
    }
  }
  end();
  return !quoted;
}

}  // namespace

PointsFile read_points(const std::filesystem::path& file, config::Faults& faults) {
  const int source = faults.add_source(file.string());
  const std::string text = config::read_source(file, source, faults);
  PointsFile points;
  const auto complain = [&](int line, std::string value, std::string problem, std::string remedy) {
    faults.add({source, line, 0}, "sweep.points", value, {std::move(problem), std::move(remedy)});
  };
  int number = 0;
  constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8, which spreadsheets write
  for (std::size_t begin = text.starts_with(mark) ? mark.size() : 0; begin < text.size() && !faults.full();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = trimmed(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> fields;
    if (!split(line, fields))
      complain(number, line, "a quotation mark is not closed", "close it on the same line");
    if (points.keys.empty()) {
      points.keys = std::move(fields);
      continue;
    }
    if (fields.size() != points.keys.size()) {
      complain(number, line,
               fmt::format("has {}, the first line has {}", counted(fields.size(), "value"),
                           counted(points.keys.size(), "key")),
               "give every key one value");
      continue;
    }
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (fields[i].empty())
        complain(number, line, fmt::format("{} has no value", points.keys[i]),
                 "write one between the commas");
    points.rows.push_back(std::move(fields));
  }
  if (points.rows.empty() && faults.empty())
    complain(0, "", "has no points", "write keys in the first line, and a line of values for every variant");
  return points;
}

}  // namespace cosimo::series
