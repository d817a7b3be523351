#include "results/column_units.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "results/hdf5_strings.hpp"
#include "results/hdf5_table.hpp"

namespace cosimo {

namespace {

std::string_view last_part(std::string_view column) {
  return column.substr(column.rfind('.') + 1);
}

void write_text(hid_t object, const char* name, const std::string& text) {
  const Handle type(checked(H5Tcopy(H5T_C_S1), name), H5Tclose);
  checked(H5Tset_size(type, std::max<std::size_t>(1, text.size())), name);
  checked(H5Tset_cset(type, H5T_CSET_UTF8), name);
  const Handle space(checked(H5Screate(H5S_SCALAR), name), H5Sclose);
  const Handle attribute(checked(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT), name),
                         H5Aclose);
  checked(H5Awrite(attribute, type, text.c_str()), name);
}

/// On a dataset that is there.
void attach(hid_t file, const std::string& dataset, const std::string& unit) {
  if (unit.empty() || H5Lexists(file, dataset.c_str(), H5P_DEFAULT) <= 0) return;
  const Handle object(checked(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), dataset.c_str()), H5Dclose);
  write_text(object, "units", unit);
}

/// One name per column, and the common one on the dataset.
void name_columns(hid_t file, hid_t units, const std::string& dataset, const std::string& name,
                  std::span<const std::string> all) {
  if (all.empty()) return;
  make_strings(units, name.c_str(), all);
  if (std::ranges::all_of(all, [&](const std::string& one) { return one == all[0]; }))
    attach(file, dataset, all[0]);
}

}  // namespace

std::string_view dimension_of_coordinate(std::string_view column) {
  const std::string_view name = last_part(column);
  if (name.empty() || name == "x" || name == "y" || name == "z") return "length";
  return name == "phi" || name == "angle" ? "angle" : std::string_view();
}

std::string_view dimension_of_column(std::string_view table, std::string_view column) {
  if (table == "energy") return "energy";
  if (table == "angular_velocity") return "angle/time";
  const std::string_view name = last_part(column);
  if (table == "tyres") {
    if (name == "alpha" || name == "gamma") return "angle";
    return name.starts_with('F') ? "force" : name.starts_with('M') ? "force length" : std::string_view();
  }
  if (table != "reactions" && table != "elements") return {};
  if (name.starts_with('F')) return "force";
  return name.starts_with('T') ? "force length" : std::string_view();
}

void write_units(hid_t file, const ResultsLayout& layout) {
  const UnitNames& names = layout.units;
  if (names.empty()) return;
  const Handle group = make_group(file, "units");
  for (const auto& [quantity, unit] : {std::pair{"length", names.length},
                                       {"mass", names.mass},
                                       {"time", names.time},
                                       {"angle", names.angle},
                                       {"force", names.force}})
    write_text(group, quantity, unit);
  attach(file, "time", names.time);
  std::vector<std::string> position, velocity;
  for (const std::string& column : layout.columns) {
    const std::string_view dimension = dimension_of_coordinate(column);
    position.push_back(names.of(dimension));
    velocity.push_back(names.of(dimension.empty() ? "1/time" : std::string(dimension) + "/time"));
  }
  if (layout.columns.empty()) {
    attach(file, "position", names.length);
    attach(file, "velocity", names.of("length/time"));
  }
  name_columns(file, group, "position", "position", position);
  name_columns(file, group, "velocity", "velocity", velocity);
  for (const TableLayout& table : layout.tables) {
    std::vector<std::string> units;
    for (const std::string& column : table.columns)
      units.push_back(names.of(dimension_of_column(table.name, column)));
    if (std::ranges::any_of(units, [](const std::string& unit) { return !unit.empty(); }))
      name_columns(file, group, table.name + "/value", table.name, units);
  }
}

}  // namespace cosimo
