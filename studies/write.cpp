#include "studies/write.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/report/page.hpp"
#include "core/error.hpp"
#include "cosimo/cosimo.hpp"

namespace cosimo::studies {
namespace {

using nlohmann::json;

const char* word(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees:
      return "agrees";
    case Verdict::differs:
      return "differs";
    default:
      return "not shown";
  }
}

const char* word(Course::Style style) {
  switch (style) {
    case Course::Style::points:
      return "points";
    case Course::Style::steps:
      return "steps";
    default:
      return "line";
  }
}

json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json described(const Axis& axis) {
  return {{"label", axis.label}, {"log", axis.log}};
}

json described(const Statement& s) {
  return {{"published", s.published},   {"where", s.where},   {"ours", s.ours},
          {"verdict", word(s.verdict)}, {"reason", s.reason}, {"timed", s.timed}};
}

json described(const Course& course) {
  json x = json::array(), y = json::array();
  for (const double value : course.x) x.push_back(number(value));
  for (const double value : course.y) y.push_back(number(value));
  return {{"name", course.name}, {"style", word(course.style)}, {"x", std::move(x)}, {"y", std::move(y)}};
}

json described(const Figure& f) {
  json series = json::array();
  for (const Course& course : f.courses) series.push_back(described(course));
  return {{"id", f.id},       {"title", f.title},    {"where", f.where},    {"note", f.note},
          {"timed", f.timed}, {"x", described(f.x)}, {"y", described(f.y)}, {"series", std::move(series)}};
}

json described(const Table::Cell& cell) {
  if (const double* value = std::get_if<double>(&cell)) return number(*value);
  if (const std::int64_t* value = std::get_if<std::int64_t>(&cell)) return *value;
  return std::get<std::string>(cell);
}

json described(const Table& t) {
  json rows = json::array();
  for (const auto& row : t.rows) {
    json cells = json::array();
    for (const Table::Cell& cell : row) cells.push_back(described(cell));
    rows.push_back(std::move(cells));
  }
  return {{"id", t.id},       {"title", t.title},     {"note", t.note},
          {"timed", t.timed}, {"columns", t.columns}, {"rows", std::move(rows)}};
}

template <class Item>
json list(const std::vector<Item>& items) {
  json result = json::array();
  for (const Item& item : items) result.push_back(described(item));
  return result;
}

json described(const Conclusion& c) {
  return {{"kind", "study"},
          {"format", 1},
          {"version", std::string(version())},
          {"name", c.study->name},
          {"title", c.study->title},
          {"source", c.study->source},
          {"about", c.study->about},
          {"settings", c.finding.settings},
          {"scale", c.scale},
          {"seed", c.seed},
          {"failed", c.failed},
          {"statements", list(c.finding.statements)},
          {"figures", list(c.finding.figures)},
          {"tables", list(c.finding.tables)}};
}

void write_file(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw IoError(file.string() + ": cannot be written (is the disk full?)");
}

std::string csv(const Figure& figure) {
  std::string text = "series,x,y\n";
  for (const Course& course : figure.courses)
    for (std::size_t i = 0; i < course.x.size(); ++i)
      text += fmt::format("\"{}\",{:.17g},{:.17g}\n", course.name, course.x[i], course.y[i]);
  return text;
}

std::string csv_text(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + "\"";
}

std::string csv(const Table& table) {
  std::string text;
  for (std::size_t i = 0; i < table.columns.size(); ++i) text += (i ? "," : "") + csv_text(table.columns[i]);
  text += "\n";
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i) text += ",";
      if (const double* value = std::get_if<double>(&row[i]))
        text += fmt::format("{:.17g}", *value);
      else if (const std::int64_t* count = std::get_if<std::int64_t>(&row[i]))
        text += fmt::format("{}", *count);
      else
        text += csv_text(std::get<std::string>(row[i]));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

void write_study(const Conclusion& conclusion, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder / "data");
  const Finding& finding = conclusion.finding;
  for (const Figure& figure : finding.figures)
    write_file(folder / "data" / (figure.id + ".csv"), csv(figure));
  for (const Table& table : finding.tables) write_file(folder / "data" / (table.id + ".csv"), csv(table));
  const json all = described(conclusion);
  write_file(folder / "study.json", all.dump(1) + "\n");
  write_file(folder / "report.html", page_html(all.dump(), conclusion.study->title));
}

void write_overview(std::span<const Conclusion> conclusions, const std::filesystem::path& folder) {
  json studies = json::array();
  for (const Conclusion& c : conclusions)
    studies.push_back({{"name", c.study->name},
                       {"title", c.study->title},
                       {"page", c.study->name + "/report.html"},
                       {"statements", list(c.finding.statements)},
                       {"failed", c.failed}});
  const json all = {{"kind", "studies"},
                    {"format", 1},
                    {"version", std::string(version())},
                    {"scale", conclusions.empty() ? 1.0 : conclusions.front().scale},
                    {"studies", std::move(studies)}};
  write_file(folder / "studies.json", all.dump(1) + "\n");
  write_file(folder / "index.html", page_html(all.dump(), "Studies"));
}

std::string verdicts_json(std::span<const Conclusion> conclusions, const std::filesystem::path& folder) {
  json studies = json::array();
  bool failed = false;
  for (const Conclusion& c : conclusions) {
    failed = failed || !c.failed.empty();
    studies.push_back({{"name", c.study->name},
                       {"wall_s", c.wall_s},
                       {"statements", list(c.finding.statements)},
                       {"failed", c.failed}});
  }
  const json all = {{"status", failed ? "failed" : "ok"},
                    {"folder", folder.string()},
                    {"scale", conclusions.empty() ? 1.0 : conclusions.front().scale},
                    {"seed", conclusions.empty() ? 1 : conclusions.front().seed},
                    {"studies", std::move(studies)}};
  return all.dump(2);
}

std::string study_list_json(double scale) {
  json studies = json::array();
  for (const Study& study : all_studies())
    studies.push_back({{"name", study.name},
                       {"title", study.title},
                       {"source", study.source},
                       {"about", study.about},
                       {"seconds", expected_seconds(study, scale)}});
  return studies.dump(2);
}

}  // namespace cosimo::studies
