#include "results/results_source.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "results/hdf5_strings.hpp"

namespace cosimo {

namespace {

constexpr std::size_t piece = std::size_t{1} << 17;  // elements, 1 MiB
const char* const anew = "start anew without --resume";

/// Whether a dataset of labels holds these, read piece by piece.
bool equal_labels(hid_t file, const std::string& path, std::span<const std::int64_t> labels) {
  const Column column(file, path, 1);
  if (column.rows() != labels.size()) return false;
  std::vector<std::int64_t> found;
  for (std::size_t first = 0; first < labels.size(); first += found.size()) {
    found.resize(std::min(piece, labels.size() - first));
    column.read<std::int64_t>({.first_row = first, .rows = found.size()}, found);
    if (!std::equal(found.begin(), found.end(), labels.begin() + static_cast<std::ptrdiff_t>(first)))
      return false;
  }
  return true;
}

bool equal_names(hid_t file, const std::string& path, const std::vector<std::string>& names) {
  return exists(file, path) ? read_strings(file, path) == names : names.empty();
}

bool equal_columns(hid_t file, const std::string& path, std::size_t columns) {
  return exists(file, path) ? Column(file, path, 2).columns() == columns : columns == 0;
}

/// What differs between the file and the layout, empty when nothing does.
std::string difference(hid_t file, const ResultsLayout& layout) {
  if (read_model_hash(file) != layout.model_hash) return "the model (model_hash)";
  const std::size_t columns = layout.bodies.size();
  if (!equal_labels(file, "bodies", layout.bodies) || !equal_columns(file, "position", columns) ||
      !equal_columns(file, "velocity", columns))
    return "the recorded bodies (/bodies)";
  if (!equal_names(file, "columns", layout.columns)) return "the names of the columns (/columns)";
  if (!equal_names(file, "body_names", layout.body_names)) return "the names of the bodies (/body_names)";
  const bool coupled = layout.couplings > 0;
  if (!equal_columns(file, "coupling/u", coupled ? layout.variables : 0) ||
      (coupled && !equal_labels(file, "cuts/element", layout.cut_elements)))
    return "the couplings (/coupling/u, /cuts/element)";
  const bool local = layout.local_bodies > 0;
  if (!equal_columns(file, "local/position", layout.local_bodies) ||
      !equal_columns(file, "local/velocity", layout.local_bodies) ||
      !equal_columns(file, "local/u", local ? layout.variables : 0))
    return "the local errors (/local)";
  std::vector<std::string> names;
  for (const TableLayout& table : layout.tables) names.push_back(table.name);
  if (!equal_names(file, "tables", names)) return "the tables (/tables)";
  for (const TableLayout& table : layout.tables)
    if (!equal_names(file, table.name + "/columns", table.columns) ||
        !equal_columns(file, table.name + "/value", table.columns.size()))
      return "the columns of the table /" + table.name;
  return "";
}

Handle open_to_resume(const std::filesystem::path& file) {
  try {
    return open_results(file);
  } catch (const Error& error) {  // the reader's remedies are not ours
    Fault fault = error.faults().front();
    fault.remedy = anew;
    throw Error(std::move(fault));
  }
}

/// "90 of 100 output rows, ..." for what is missing.
std::string shortage(const ResultsPosition& there, const ResultsPosition& needed) {
  std::string text;
  const auto name = [&](std::size_t found, std::size_t wanted, const char* rows) {
    if (found >= wanted) return;
    text +=
        (text.empty() ? "" : ", ") + std::to_string(found) + " of the " + std::to_string(wanted) + " " + rows;
  };
  name(there.outputs, needed.outputs, "output rows");
  name(there.steps, needed.steps, "steps");
  name(there.points, needed.points, "macro points");
  name(there.locals, needed.locals, "local errors");
  return text;
}

}  // namespace

ResultsSource::ResultsSource(std::filesystem::path file, const ResultsLayout& layout)
    : file_(std::move(file)),
      opened_(open_to_resume(file_)),
      last_time_(-std::numeric_limits<double>::infinity()) {
  const std::string differs = reading([&](hid_t opened) { return difference(opened, layout); });
  if (!differs.empty()) refuse(file_, "is of another run: " + differs + " differ from this one", anew);
  reading([&](hid_t opened) { count_rows(opened, layout); });
}

void ResultsSource::count_rows(hid_t file, const ResultsLayout& layout) {
  const auto common = [&](std::initializer_list<const char*> paths, int rank) {
    std::size_t rows = std::numeric_limits<std::size_t>::max();
    for (const char* path : paths) rows = std::min(rows, Column(file, path, rank).rows());
    return rows;
  };
  rows_.outputs = common({"time"}, 1);
  if (!layout.bodies.empty()) rows_.outputs = std::min(rows_.outputs, common({"position", "velocity"}, 2));
  if (rows_.outputs > 0)
    Column(file, "time", 1)
        .read<double>({.first_row = rows_.outputs - 1, .rows = 1}, std::span(&last_time_, 1));
  for (const TableLayout& table : layout.tables)
    if (!table.columns.empty())
      rows_.outputs = std::min(rows_.outputs, Column(file, table.name + "/value", 2).rows());
  rows_.steps = common({"steps/t", "steps/H", "steps/kappa", "steps/error", "steps/accepted",
                        "steps/iterations", "steps/layers"},
                       1);
  if (exists(file, "steps/cut")) rows_.steps = std::min(rows_.steps, common({"steps/cut"}, 1));
  if (layout.couplings > 0) rows_.points = common({"coupling/u"}, 2);
  if (layout.local_bodies == 0) return;
  rows_.locals = common({"local/position", "local/velocity"}, 2);
  if (layout.variables > 0) rows_.locals = std::min(rows_.locals, common({"local/u"}, 2));
}

bool ResultsSource::holds(const ResultsPosition& position) const {
  return shortage(rows_, position).empty();
}

std::filesystem::path resumed_name(const std::filesystem::path& file) {
  std::filesystem::path beside = file;
  return beside += ".resumed";
}

void remove_resumed(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::remove(resumed_name(file), ignored);
  std::filesystem::remove(CrashSafeFile::part_name(resumed_name(file)), ignored);
}

ResultsSource find_source(const std::filesystem::path& file, const ResultsLayout& layout,
                          const ResultsPosition& position) {
  std::error_code ignored;
  const std::filesystem::path beside = resumed_name(file);
  if (!std::filesystem::exists(file, ignored) && std::filesystem::exists(beside, ignored))
    return find_source(beside, layout, position);
  ResultsSource source(file, layout);
  if (source.holds(position)) return source;
  if (std::filesystem::exists(beside, ignored)) {
    try {
      ResultsSource other(beside, layout);
      if (other.holds(position)) return other;
    } catch (const Error&) {
      // The file of that name is what the message below is about.
    }
  }
  refuse(file, "holds only " + shortage(source.rows(), position) + " that the checkpoint needs", anew);
}

}  // namespace cosimo
