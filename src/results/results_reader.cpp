#include <algorithm>
#include <string>

#include "results/hdf5_column.hpp"
#include "results/hdf5_strings.hpp"
#include "results/recorder.hpp"
#include "results/results_format.hpp"
#include "results/results_open.hpp"
#include "results/results_steps.hpp"

namespace cosimo {

namespace {

void read_motion(hid_t file, Results& results) {
  results.bodies = Column(file, "bodies", 1).read<std::int64_t>();
  const Column time(file, "time", 1);
  std::size_t rows = time.extent().rows;
  if (!results.bodies.empty()) {
    const Column position(file, "position", 2), velocity(file, "velocity", 2);
    if (position.extent().columns != results.bodies.size() ||
        velocity.extent().columns != results.bodies.size())
      throw Hdf5Failure("/position, /velocity and /bodies do not match");
    rows = std::min({rows, position.extent().rows, velocity.extent().rows});
    results.position = position.read<double>(rows);
    results.velocity = velocity.read<double>(rows);
  }
  results.time = time.read<double>(rows);
}

void read_names(hid_t file, Results& results) {
  if (exists(file, "columns")) results.columns = read_strings(file, "columns");
  if (exists(file, "body_names")) results.body_names = read_strings(file, "body_names");
  if (!results.columns.empty() && results.columns.size() != results.bodies.size())
    throw Hdf5Failure("/columns and /bodies do not match");
  if (!results.body_names.empty() && results.body_names.size() != distinct(results.bodies))
    throw Hdf5Failure("/body_names and /bodies do not match");
}

void read_tables(hid_t file, Results& results) {
  if (!exists(file, "tables")) return;
  for (std::string& name : read_strings(file, "tables")) {
    ResultsTable table{.name = std::move(name)};
    if (exists(file, table.name + "/columns")) {
      table.columns = read_strings(file, table.name + "/columns");
      const Column value(file, table.name + "/value", 2);
      if (value.extent().columns != table.columns.size())
        throw Hdf5Failure("/" + table.name + "/value and its columns do not match");
      table.value = value.read<double>(std::min(value.extent().rows, results.time.size()));
    }
    results.tables.push_back(std::move(table));
  }
}

void read_couplings(hid_t file, Results& results) {
  if (!exists(file, "coupling/u")) return;
  const Column u(file, "coupling/u", 2);
  results.variables = u.extent().columns;
  results.u = u.read<double>();
  results.cut_elements = Column(file, "cuts/element", 1).read<std::int64_t>();
  results.couplings = results.cut_elements.size();
  results.cut_errors = Column(file, "cuts/error", 1).read<double>();
  results.cut_layers = Column(file, "cuts/layers", 1).read<std::int32_t>();  // of 16 bits in older files
  if (results.variables < results.couplings || results.cut_errors.size() != results.couplings ||
      results.cut_layers.size() != results.couplings)
    throw Hdf5Failure("/coupling/u and /cuts do not match");
}

void read_local(hid_t file, Results& results) {
  if (!exists(file, "local/position")) return;
  const Column position(file, "local/position", 2), velocity(file, "local/velocity", 2);
  std::size_t rows = std::min(position.extent().rows, velocity.extent().rows);
  results.local_bodies = position.extent().columns;
  if (exists(file, "local/u")) {
    const Column u(file, "local/u", 2);
    rows = std::min(rows, u.extent().rows);
    results.local_u = u.read<double>(rows);
  }
  results.local_position = position.read<double>(rows);
  results.local_velocity = velocity.read<double>(rows);
}

}  // namespace

const ResultsTable* Results::table(std::string_view name) const {
  const auto found =
      std::find_if(tables.begin(), tables.end(), [&](const ResultsTable& t) { return t.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

Results read_results(const std::filesystem::path& file) {
  const SilentErrors quiet;
  const Handle opened = open_results(file);
  Results results;
  try {
    results.model_hash = read_model_hash(opened);
    read_motion(opened, results);
    read_names(opened, results);
    read_tables(opened, results);
    results.steps = read_steps(opened);
    read_couplings(opened, results);
    read_local(opened, results);
  } catch (const Hdf5Failure& failure) {
    refuse_damaged(file, failure);
  }
  return results;
}

std::uint64_t recorded_model_hash(const std::filesystem::path& file) {
  const SilentErrors quiet;
  const Handle opened = open_results(file);
  try {
    return read_model_hash(opened);
  } catch (const Hdf5Failure& failure) {
    refuse_damaged(file, failure);
  }
}

}  // namespace cosimo
