#include "record/recorder.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "core/check.hpp"
#include "core/error.hpp"
#include "record/crash_safe_file.hpp"
#include "record/hdf5_strings.hpp"
#include "record/results_format.hpp"

namespace cosimo {

namespace {

constexpr std::uintmax_t header_bytes = std::uintmax_t{128} * 1024;  // what an empty file needs, generously
constexpr std::uintmax_t table_header_bytes = 4096;                  // and every table more

template <class T>
T saturated(int value) {
  return static_cast<T>(std::clamp<int>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

/// Refuses at once a disk that cannot hold even the header and one row.
void require_space(const std::filesystem::path& file, const ResultsLayout& layout) {
  std::uintmax_t needed = header_bytes + (3 * layout.bodies.size() + 4 * layout.couplings) * sizeof(double) +
                          stored_bytes(layout.columns) + stored_bytes(layout.body_names);
  for (const TableLayout& table : layout.tables)
    needed += table_header_bytes + table.columns.size() * sizeof(double) + stored_bytes(table.columns);
  std::error_code error;
  const auto space =
      std::filesystem::space(file.has_parent_path() ? file.parent_path() : std::filesystem::path("."), error);
  if (error || space.available >= needed) return;  // a folder that cannot be read is reported when opening
  throw IoError(file.string() + ": cannot write: No space left on device: " +
                std::to_string(space.available / 1024) + " KiB are free, the first row needs " +
                std::to_string(needed / 1024) + " KiB (free some space or choose another --out folder)");
}

/// The layout is the program's own, so that a wrong one is a bug.
void require_sound(const ResultsLayout& layout) {
  COSIMO_CHECK(layout.cut_elements.size() == layout.couplings, "one label per coupling");
  COSIMO_CHECK(layout.columns.empty() || layout.columns.size() == layout.bodies.size(),
               "one name per column");
  COSIMO_CHECK(layout.body_names.empty() || layout.body_names.size() == distinct(layout.bodies),
               "one name per recorded body");
  const std::set<std::string> own = {"bodies", "time",  "position", "velocity",   "steps", "coupling",
                                     "cuts",   "local", "columns",  "body_names", "tables"};
  std::set<std::string> taken;
  for (const TableLayout& table : layout.tables) {
    const std::string& name = table.name;
    COSIMO_CHECK(!name.empty() && name.front() != '/' && name.back() != '/' && name.find("//") == name.npos,
                 "a table needs a relative path: " + name);
    COSIMO_CHECK(own.count(name.substr(0, name.find('/'))) == 0 && taken.insert(name).second,
                 "the name of a table is taken: " + name);
  }
}

/// The groups along a path like "forces/tyres"; the last one is returned.
Handle make_groups(hid_t parent, const std::string& path) {
  Handle group;
  for (std::size_t slash = 0; slash != path.npos;) {
    slash = path.find('/', slash + 1);
    const std::string upto = path.substr(0, slash);
    group = H5Lexists(parent, upto.c_str(), H5P_DEFAULT) > 0
                ? Handle(checked(H5Gopen2(parent, upto.c_str(), H5P_DEFAULT), upto), H5Gclose)
                : make_group(parent, upto.c_str());
  }
  return group;
}

/// Every dataset of the file that grows.
struct Tables {
  std::optional<Table<double>> time, position, velocity, t, H, error, u, local_position, local_velocity,
      local_u;
  std::optional<Table<std::int8_t>> kappa, accepted;
  std::optional<Table<std::int16_t>> iterations;
  std::optional<Table<std::int32_t>> layers;
  std::vector<std::optional<Table<double>>> named;  ///< as in the layout; empty for tables without columns

  void write_buffered() {
    const auto write_all = [](auto&... table) { (..., (table ? table->write_buffered() : void())); };
    write_all(time, position, velocity, t, H, kappa, error, accepted, iterations, layers, u, local_position,
              local_velocity, local_u);
    for (auto& table : named) write_all(table);
  }
};

}  // namespace

struct ResultsWriter::Impl {
  Impl(const std::filesystem::path& path, const ResultsLayout& layout_) : layout(layout_), disk(path) {
    if (layout.variables == 0) layout.variables = layout.couplings;
  }

  void create() {
    file = disk.create();
    write_attribute<std::int64_t>(file, attribute_version, results_format_version);
    write_attribute<std::uint64_t>(file, attribute_hash, layout.model_hash);
    make_array<std::int64_t>(file, "bodies", layout.bodies);
    tables.time.emplace(file, "time", single_column);
    if (!layout.bodies.empty()) {
      tables.position.emplace(file, "position", layout.bodies.size());
      tables.velocity.emplace(file, "velocity", layout.bodies.size());
    }
    create_steps();
    if (layout.couplings > 0) create_couplings();
    if (layout.local_bodies > 0) create_local();
    make_strings(file, "columns", layout.columns);
    make_strings(file, "body_names", layout.body_names);
    create_tables();
    disk.go_live(file);
  }

  void create_steps() {
    const Handle group = make_group(file, "steps");
    tables.t.emplace(group, "t", single_column);
    tables.H.emplace(group, "H", single_column);
    tables.kappa.emplace(group, "kappa", single_column);
    tables.error.emplace(group, "error", single_column);
    tables.accepted.emplace(group, "accepted", single_column);
    tables.iterations.emplace(group, "iterations", single_column);
    tables.layers.emplace(group, "layers", single_column);
  }

  void create_couplings() {
    const Handle coupling = make_group(file, "coupling");
    tables.u.emplace(coupling, "u", layout.variables);
    const Handle cuts = make_group(file, "cuts");
    make_array<std::int64_t>(cuts, "element", layout.cut_elements);
    // Until close() they say "unknown".
    cut_errors.assign(layout.couplings, std::numeric_limits<double>::quiet_NaN());
    cut_layers.assign(layout.couplings, -1);
    error_array = make_array<double>(cuts, "error", cut_errors);
    layers_array = make_array<std::int32_t>(cuts, "layers", cut_layers);
  }

  void create_local() {
    const Handle group = make_group(file, "local");
    tables.local_position.emplace(group, "position", layout.local_bodies);
    tables.local_velocity.emplace(group, "velocity", layout.local_bodies);
    if (layout.variables > 0) tables.local_u.emplace(group, "u", layout.variables);
  }

  void create_tables() {
    std::vector<std::string> names;
    tables.named.resize(layout.tables.size());
    for (std::size_t i = 0; i < layout.tables.size(); ++i) {
      const TableLayout& table = layout.tables[i];
      names.push_back(table.name);
      const Handle group = make_groups(file, table.name);
      make_strings(group, "columns", table.columns);
      if (!table.columns.empty()) tables.named[i].emplace(group, "value", table.columns.size());
    }
    make_strings(file, "tables", names);
  }

  void write_cuts() {
    if (!error_array) return;
    checked(H5Dwrite(error_array, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, cut_errors.data()),
            "write");
    checked(H5Dwrite(layers_array, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, cut_layers.data()),
            "write");
  }

  void flush() {
    tables.write_buffered();
    checked(H5Fflush(file, H5F_SCOPE_LOCAL), "flush");
  }

  void close() {
    write_cuts();
    flush();
    tables = {};
    error_array.reset();
    layers_array.reset();
    if (!file.reset()) throw Hdf5Failure("close: " + hdf5_reason());
  }

  ResultsLayout layout;
  CrashSafeFile disk;  // outlives the handles below
  Handle file, error_array, layers_array;
  Tables tables;
  std::vector<double> cut_errors;
  std::vector<std::int32_t> cut_layers;
};

ResultsWriter::ResultsWriter(const std::filesystem::path& file, const ResultsLayout& layout)
    : impl_(std::make_unique<Impl>(file, layout)) {
  require_sound(layout);
  require_space(file, layout);
  impl_->disk.guarded([&] { impl_->create(); });
}

ResultsWriter::~ResultsWriter() {
  try {
    close();
  } catch (const std::exception&) {
    // Nobody is left to tell. The rows up to the last flush are on disk.
    const SilentErrors quiet;
    impl_.reset();
  }
}

void ResultsWriter::output(double t, std::span<const double> position, std::span<const double> velocity) {
  COSIMO_CHECK(impl_ != nullptr, "output() after close()");
  COSIMO_CHECK(position.size() == impl_->layout.bodies.size() && velocity.size() == position.size(),
               "one value per recorded column");
  impl_->disk.guarded([&] {
    Tables& tables = impl_->tables;
    tables.time->append(t);
    if (position.empty()) return;
    tables.position->append(position);
    tables.velocity->append(velocity);
  });
}

void ResultsWriter::table(std::size_t index, std::span<const double> row) {
  COSIMO_CHECK(impl_ != nullptr, "table() after close()");
  COSIMO_CHECK(index < impl_->layout.tables.size(), "no such table");
  COSIMO_CHECK(row.size() == impl_->layout.tables[index].columns.size(), "one value per column of the table");
  if (row.empty()) return;
  impl_->disk.guarded([&] { impl_->tables.named[index]->append(row); });
}

void ResultsWriter::step(const StepRow& row) {
  COSIMO_CHECK(impl_ != nullptr, "step() after close()");
  impl_->disk.guarded([&] {
    Tables& tables = impl_->tables;
    tables.t->append(row.t);
    tables.H->append(row.H);
    tables.kappa->append(saturated<std::int8_t>(row.kappa));
    tables.error->append(row.error);
    tables.accepted->append(static_cast<std::int8_t>(row.accepted ? 1 : 0));
    tables.iterations->append(saturated<std::int16_t>(row.iterations));
    tables.layers->append(saturated<std::int32_t>(row.layers));
  });
}

void ResultsWriter::coupling(std::span<const double> u) {
  COSIMO_CHECK(impl_ != nullptr, "coupling() after close()");
  COSIMO_CHECK(u.size() == impl_->layout.variables, "one value per coupling variable");
  if (u.empty()) return;
  impl_->disk.guarded([&] { impl_->tables.u->append(u); });
}

void ResultsWriter::cut_errors(std::span<const double> error, std::span<const std::int32_t> layers) {
  COSIMO_CHECK(impl_ != nullptr, "cut_errors() after close()");
  COSIMO_CHECK(error.size() == impl_->layout.couplings && layers.size() == error.size(),
               "one error and one number of layers per coupling");
  impl_->cut_errors.assign(error.begin(), error.end());
  impl_->cut_layers.assign(layers.begin(), layers.end());
}

void ResultsWriter::local_error(std::span<const double> position, std::span<const double> velocity,
                                std::span<const double> u) {
  COSIMO_CHECK(impl_ != nullptr, "local_error() after close()");
  COSIMO_CHECK(position.size() == impl_->layout.local_bodies && velocity.size() == position.size() &&
                   u.size() == impl_->layout.variables,
               "one value per coupling body and coupling variable");
  if (position.empty()) return;
  impl_->disk.guarded([&] {
    impl_->tables.local_position->append(position);
    impl_->tables.local_velocity->append(velocity);
    if (!u.empty()) impl_->tables.local_u->append(u);
  });
}

void ResultsWriter::flush() {
  COSIMO_CHECK(impl_ != nullptr, "flush() after close()");
  impl_->disk.guarded([&] { impl_->flush(); });
}

void ResultsWriter::close() {
  if (impl_ == nullptr) return;
  impl_->disk.guarded([&] { impl_->close(); });
  impl_.reset();
}

}  // namespace cosimo
