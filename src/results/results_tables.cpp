#include "results/results_tables.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "results/hdf5_strings.hpp"
#include "results/results_format.hpp"

namespace cosimo {

namespace {

template <class T>
T saturated(int value) {
  return static_cast<T>(std::clamp<int>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

}  // namespace

void ResultsTables::create(hid_t file, const ResultsLayout& layout) {
  time.emplace(file, "time", single_column);
  if (!layout.bodies.empty()) {
    position.emplace(file, "position", layout.bodies.size());
    velocity.emplace(file, "velocity", layout.bodies.size());
  }
  create_steps(file);
  if (layout.couplings > 0) {
    const Handle group = make_group(file, "coupling");
    u.emplace(group, "u", layout.variables);
    if (!layout.variable_cuts.empty()) make_array<std::int32_t>(group, "cut", layout.variable_cuts);
    make_strings(group, "name", layout.variable_names);
  }
  if (layout.local_bodies > 0) create_local(file, layout);
  create_named(file, layout);
}

void ResultsTables::create_steps(hid_t file) {
  const Handle group = make_group(file, "steps");
  t.emplace(group, "t", single_column);
  H.emplace(group, "H", single_column);
  kappa.emplace(group, "kappa", single_column);
  error.emplace(group, "error", single_column);
  accepted.emplace(group, "accepted", single_column);
  iterations.emplace(group, "iterations", single_column);
  layers.emplace(group, "layers", single_column);
  cut.emplace(group, "cut", single_column);
}

void ResultsTables::create_local(hid_t file, const ResultsLayout& layout) {
  const Handle group = make_group(file, "local");
  local_position.emplace(group, "position", layout.local_bodies);
  local_velocity.emplace(group, "velocity", layout.local_bodies);
  if (layout.variables > 0) local_u.emplace(group, "u", layout.variables);
}

void ResultsTables::create_named(hid_t file, const ResultsLayout& layout) {
  std::vector<std::string> names;
  named.resize(layout.tables.size());
  for (std::size_t i = 0; i < layout.tables.size(); ++i) {
    const TableLayout& table = layout.tables[i];
    names.push_back(table.name);
    const Handle group = make_groups(file, table.name);
    make_strings(group, "columns", table.columns);
    if (!table.columns.empty()) named[i].emplace(group, "value", table.columns.size());
  }
  make_strings(file, "tables", names);
}

void ResultsTables::append_motion(std::span<const double> more_position,
                                  std::span<const double> more_velocity) {
  while (!more_position.empty()) {
    const std::size_t n = std::min(more_position.size(), position->room());
    position->append(more_position.first(n));
    velocity->append(more_velocity.first(n));
    more_position = more_position.subspan(n);
    more_velocity = more_velocity.subspan(n);
  }
}

void ResultsTables::append_step(const StepRow& row) {
  t->append(row.t);
  H->append(row.H);
  kappa->append(saturated<std::int8_t>(row.kappa));
  error->append(row.error);
  accepted->append(static_cast<std::int8_t>(row.accepted ? 1 : 0));
  iterations->append(saturated<std::int16_t>(row.iterations));
  layers->append(saturated<std::int32_t>(row.layers));
  cut->append(row.worst);
}

void ResultsTables::write_buffered() {
  const auto write_all = [](auto&... table) { (..., (table ? table->write_buffered() : void())); };
  write_all(time, position, velocity, t, H, kappa, error, accepted, iterations, layers, cut, u,
            local_position, local_velocity, local_u);
  for (auto& table : named) write_all(table);
}

ResultsPosition ResultsTables::rows() const {
  return {.outputs = time->rows(),
          .steps = t->rows(),
          .points = u ? u->rows() : 0,
          .locals = local_position ? local_position->rows() : 0};
}

bool ResultsTables::named_complete() const {
  return std::all_of(named.begin(), named.end(),
                     [&](const auto& table) { return !table || table->rows() == time->rows(); });
}

bool ResultsTables::torn() const {
  return position && (position->torn() || velocity->torn());
}

}  // namespace cosimo
