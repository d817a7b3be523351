#include "series/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "results/column_file.hpp"
#include "simulation/output_folder.hpp"

namespace cosimo::series {

namespace {

constexpr const char* table_name = "sweep.h5";

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

void add_number(std::string& out, double x) {
  if (!std::isnan(x)) fmt::format_to(std::back_inserter(out), "{}", x);
}

void add_cell(std::string& out, const SeriesColumn& column, std::size_t row) {
  out += ',';
  if (column.text.empty())
    add_number(out, column.number[row]);
  else
    out += quoted(column.text[row]);
}

std::string variants_csv(const SeriesData& data) {
  std::string out = "variant,state";
  for (const auto* columns : {&data.parameters, &data.measures})
    for (const SeriesColumn& column : *columns) out += "," + quoted(column.name);
  out += ",fault,message\n";
  for (std::size_t i = 0; i < data.variants; ++i) {
    fmt::format_to(std::back_inserter(out), "{},{}", i + 1, data.state[i]);
    for (const auto* columns : {&data.parameters, &data.measures})
      for (const SeriesColumn& column : *columns) add_cell(out, column, i);
    out += "," + data.fault[i] + "," + quoted(data.message[i]) + "\n";
  }
  return out;
}

std::string times_csv(const SeriesData& data) {
  std::string out = "variant,id,wall_s,cpu_s,memory_mb,threads,machine,cpu\n";
  for (std::size_t i = 0; i < data.variants; ++i) {
    fmt::format_to(std::back_inserter(out), "{},{}", i + 1, data.id[i]);
    for (const auto* column : {&data.wall_s, &data.cpu_s, &data.memory_mb, &data.threads}) {
      out += ',';
      add_number(out, (*column)[i]);
    }
    out += "," + quoted(data.machine[i]) + "," + quoted(data.cpu[i]) + "\n";
  }
  return out;
}

void add_columns(std::vector<FileColumn>& out, const std::string& group, const std::string& names,
                 const std::vector<SeriesColumn>& columns) {
  std::vector<std::string> all;
  for (const SeriesColumn& column : columns) {
    all.push_back(column.name);
    const std::string path = group + "/" + column_name(column.name);
    if (column.text.empty())
      out.push_back({path, column.number});
    else
      out.push_back({path, column.text});
  }
  out.push_back({names, std::move(all)});
}

void add_curves(std::vector<FileColumn>& out, const SeriesData& data) {
  std::vector<std::string> names;
  for (const SeriesCurve& curve : data.curves) {
    names.push_back(curve.name);
    std::vector<double> first{0}, t, value;
    for (std::size_t i = 0; i < data.variants; ++i) {
      t.insert(t.end(), curve.t[i].begin(), curve.t[i].end());
      value.insert(value.end(), curve.values[i].begin(), curve.values[i].end());
      first.push_back(static_cast<double>(value.size()));
    }
    const std::string path = "curves/" + column_name(curve.name);
    out.push_back({path + "/first", std::move(first)});
    out.push_back({path + "/t", std::move(t)});
    out.push_back({path + "/value", std::move(value)});
  }
  out.push_back({"curve_names", std::move(names)});
}

void add_remarks(std::vector<FileColumn>& out, const SeriesData& data) {
  std::vector<double> variant;
  std::vector<std::string> fault, message, log;
  for (std::size_t i = 0; i < data.variants; ++i) {
    if (data.message[i].empty() && data.fault[i].empty()) continue;
    variant.push_back(static_cast<double>(i + 1));
    fault.push_back(data.fault[i]);
    message.push_back(data.message[i]);
    log.push_back(data.log[i]);
  }
  out.push_back({"remarks/variant", std::move(variant)});
  out.push_back({"remarks/fault", std::move(fault)});
  out.push_back({"remarks/message", std::move(message)});
  out.push_back({"remarks/log", std::move(log)});
}

std::vector<SeriesColumn> read_columns(const ColumnFile& file, const std::string& group,
                                       const std::string& names, std::size_t rows) {
  std::vector<SeriesColumn> columns;
  for (const std::string& name : file.texts(names)) {
    const std::string path = group + "/" + column_name(name);
    SeriesColumn& column = columns.emplace_back(SeriesColumn{name, {}, {}});
    if (file.has_texts(path))
      column.text = file.texts(path);
    else
      column.number = file.numbers(path);
    column.text.resize(column.text.empty() ? 0 : rows);
    if (column.text.empty()) column.number.resize(rows, std::numeric_limits<double>::quiet_NaN());
  }
  return columns;
}

std::vector<SeriesCurve> read_curves(const ColumnFile& file, std::size_t rows) {
  std::vector<SeriesCurve> curves;
  for (const std::string& name : file.texts("curve_names")) {
    const std::string path = "curves/" + column_name(name);
    const std::vector<double> first = file.numbers(path + "/first"), t = file.numbers(path + "/t"),
                              value = file.numbers(path + "/value");
    SeriesCurve& curve = curves.emplace_back(SeriesCurve{name, {}, {}});
    curve.t.resize(rows);
    curve.values.resize(rows);
    for (std::size_t i = 0; i + 1 < first.size() && i < rows; ++i) {
      const auto begin = static_cast<std::ptrdiff_t>(first[i]),
                 end = static_cast<std::ptrdiff_t>(first[i + 1]);
      if (begin < 0 || end < begin || end > std::ssize(value) || end > std::ssize(t)) break;
      curve.t[i].assign(t.begin() + begin, t.begin() + end);
      curve.values[i].assign(value.begin() + begin, value.begin() + end);
    }
  }
  return curves;
}

}  // namespace

void write_table(const std::filesystem::path& folder, const SeriesData& data) {
  write_text(folder / "variants.csv", variants_csv(data));
  write_text(folder / "times.csv", times_csv(data));
  std::vector<FileColumn> columns;
  columns.push_back({"series", std::vector<std::string>{data.file, data.version}});
  columns.push_back({"id", data.id});
  columns.push_back({"state", data.state});
  columns.push_back({"results", data.results});
  add_columns(columns, "parameters", "parameter_names", data.parameters);
  add_columns(columns, "measures", "measure_names", data.measures);
  add_curves(columns, data);
  add_remarks(columns, data);
  columns.push_back({"times/wall_s", data.wall_s});
  columns.push_back({"times/cpu_s", data.cpu_s});
  columns.push_back({"times/memory_mb", data.memory_mb});
  columns.push_back({"times/threads", data.threads});
  columns.push_back({"times/machine", data.machine});
  columns.push_back({"times/cpu", data.cpu});
  write_column_file(folder / table_name, columns);
}

}  // namespace cosimo::series

namespace cosimo {

SeriesData read_series(const std::filesystem::path& folder) {
  std::error_code code;
  const std::filesystem::path file =
      std::filesystem::is_directory(folder, code) ? folder / series::table_name : folder;
  if (!std::filesystem::is_regular_file(file, code))
    throw Error(Fault{.file = folder.string(),
                      .problem = "holds no series",
                      .remedy = "name the folder of a `cosimo sweep`"});
  const ColumnFile read(file);
  SeriesData data;
  const std::vector<std::string> names = read.texts("series");
  data.file = !names.empty() ? names[0] : "";
  data.version = names.size() > 1 ? names[1] : "";
  data.id = read.texts("id");
  data.state = read.texts("state");
  data.variants = data.id.size();
  const std::size_t n = data.variants;
  data.results = read.texts("results");
  for (auto* texts : {&data.fault, &data.message, &data.log, &data.results, &data.state}) texts->resize(n);
  data.parameters = series::read_columns(read, "parameters", "parameter_names", n);
  data.measures = series::read_columns(read, "measures", "measure_names", n);
  data.curves = series::read_curves(read, n);
  const std::vector<double> remarked = read.numbers("remarks/variant");
  const std::vector<std::string> fault = read.texts("remarks/fault"), message = read.texts("remarks/message"),
                                 log = read.texts("remarks/log");
  for (std::size_t k = 0; k < remarked.size() && k < message.size() && k < fault.size(); ++k) {
    const auto i = static_cast<std::size_t>(remarked[k]) - 1;
    if (i >= n) continue;
    data.fault[i] = fault[k];
    data.message[i] = message[k];
    if (k < log.size()) data.log[i] = log[k];
  }
  data.wall_s = read.numbers("times/wall_s");
  data.cpu_s = read.numbers("times/cpu_s");
  data.memory_mb = read.numbers("times/memory_mb");
  data.threads = read.numbers("times/threads");
  data.machine = read.texts("times/machine");
  data.cpu = read.texts("times/cpu");
  for (auto* numbers : {&data.wall_s, &data.cpu_s, &data.memory_mb, &data.threads})
    numbers->resize(n, std::numeric_limits<double>::quiet_NaN());
  for (auto* texts : {&data.machine, &data.cpu}) texts->resize(n);
  return data;
}

std::string to_text(const SeriesData& data) {
  std::size_t done = 0, failed = 0, running = 0;
  for (const std::string& state : data.state) {
    done += state == "done" ? 1 : 0;
    failed += state == "failed" ? 1 : 0;
    running += state == "running" ? 1 : 0;
  }
  std::string text =
      fmt::format("{}: {} variants: {} done, {} failed, {} running, {} left\n", data.file, data.variants,
                  done, failed, running, data.variants - done - failed - running);
  constexpr std::size_t enough = 10;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < data.variants; ++i) {
    if (data.state[i] != "failed") continue;
    if (++shown > enough) break;
    text += fmt::format("variant {} failed ({}): {}{}\n", i + 1, data.fault[i], data.message[i],
                        data.log[i].empty() ? "" : "; see " + data.log[i]);
  }
  if (shown > enough) text += fmt::format("... and {} more; variants.csv has all\n", failed - enough);
  return text;
}

}  // namespace cosimo
