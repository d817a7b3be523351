#include "results/recorder.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "core/check.hpp"
#include "core/error.hpp"
#include "results/column_units.hpp"
#include "results/crash_safe_file.hpp"
#include "results/hdf5_strings.hpp"
#include "results/results_format.hpp"
#include "results/results_source.hpp"
#include "results/results_tables.hpp"

namespace cosimo {

namespace {

constexpr std::uintmax_t header_bytes = std::uintmax_t{128} * 1024;  // what an empty file needs, generously
constexpr std::uintmax_t table_header_bytes = 4096;                  // and every table more

/// Refuses at once a disk that cannot hold even the header and one row.
void require_space(const std::filesystem::path& file, const ResultsLayout& layout) {
  std::uintmax_t needed =
      header_bytes +
      (4 * layout.bodies.size() + 8 * layout.couplings + layout.variable_cuts.size() + layout.links.size()) *
          sizeof(double) +
      stored_bytes(layout.columns) + stored_bytes(layout.body_names) + stored_bytes(layout.cut_names) +
      stored_bytes(layout.variable_names) + layout.scene.size();
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
  const auto none_or = [](std::size_t size, std::size_t wanted) { return size == 0 || size == wanted; };
  COSIMO_CHECK(none_or(layout.parts.size(), layout.bodies.size()), "one subsystem per column");
  COSIMO_CHECK(layout.links.size() % 2 == 0, "a link has two ends");
  COSIMO_CHECK(none_or(layout.cut_bodies.size(), 2 * layout.couplings) &&
                   none_or(layout.cut_parts.size(), 2 * layout.couplings) &&
                   none_or(layout.cut_names.size(), layout.couplings),
               "two bodies, two subsystems and one name per coupling");
  const std::size_t variables = layout.variables == 0 ? layout.couplings : layout.variables;
  COSIMO_CHECK(
      none_or(layout.variable_cuts.size(), variables) && none_or(layout.variable_names.size(), variables),
      "one coupling and one name per variable");
  const std::set<std::string> own = {"bodies", "time",  "position", "velocity",    "steps",  "coupling",
                                     "cuts",   "local", "columns",  "body_names",  "tables", "parts",
                                     "links",  "scene", "units",    checksum_group};
  std::set<std::string> taken;
  for (const TableLayout& table : layout.tables) {
    const std::string& name = table.name;
    COSIMO_CHECK(!name.empty() && name.front() != '/' && name.back() != '/' && name.find("//") == name.npos,
                 "a table needs a relative path: " + name);
    COSIMO_CHECK(own.count(name.substr(0, name.find('/'))) == 0 && taken.insert(name).second,
                 "the name of a table is taken: " + name);
  }
}

/// The file a resumed run replaces, as it was.
struct Predecessor {
  std::filesystem::path file;
  ResultsPosition rows;
  double last_time;
};

/// What a resumed run must reach before it may replace `file`: its own rows, also where the rows to begin
/// with came from the file beside it.
Predecessor predecessor(const std::filesystem::path& file, const ResultsSource& source,
                        const ResultsLayout& layout) {
  std::error_code ignored;
  if (source.path() == file) return {file, source.rows(), source.last_time()};
  if (!std::filesystem::exists(file, ignored)) return {file, {}, -std::numeric_limits<double>::infinity()};
  const ResultsSource old(file, layout);
  return {file, old.rows(), old.last_time()};
}

}  // namespace

struct ResultsWriter::Impl {
  Impl(const std::filesystem::path& path, const ResultsLayout& layout_) : layout(layout_), disk(path) {
    require_sound(layout);
    if (layout.variables == 0) layout.variables = layout.couplings;
  }

  /// Everything but the rows; the file has its temporary name.
  void create() {
    file = disk.create();
    write_attribute<std::int64_t>(file, attribute_version, results_format_version);
    write_attribute<std::uint64_t>(file, attribute_hash, layout.model_hash);
    make_array<std::int64_t>(file, "bodies", layout.bodies);
    if (!layout.parts.empty()) make_array<std::int32_t>(file, "parts", layout.parts);
    if (!layout.links.empty()) make_array<std::int64_t>(file, "links", layout.links, 2);
    tables.create(file, layout);
    if (layout.couplings > 0) create_cuts();
    make_strings(file, "columns", layout.columns);
    make_strings(file, "body_names", layout.body_names);
    write_units(file, layout);
    if (!layout.scene.empty()) make_strings(file, "scene", {&layout.scene, 1});
    disk.start(file);
  }

  void create_cuts() {
    const Handle cuts = make_group(file, "cuts");
    make_array<std::int64_t>(cuts, "element", layout.cut_elements);
    // Until close() they say "unknown".
    cut_errors.assign(layout.couplings, std::numeric_limits<double>::quiet_NaN());
    cut_layers.assign(layout.couplings, -1);
    error_array = make_array<double>(cuts, "error", cut_errors, single_column, true);
    layers_array = make_array<std::int32_t>(cuts, "layers", cut_layers, single_column, true);
    if (!layout.cut_bodies.empty()) make_array<std::int64_t>(cuts, "bodies", layout.cut_bodies, 2);
    if (!layout.cut_parts.empty()) make_array<std::int32_t>(cuts, "parts", layout.cut_parts, 2);
    make_strings(cuts, "name", layout.cut_names);
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
    if (old && disk.failure() == 0 && no_less_than(*old)) replace_old();
  }

  bool no_less_than(const Predecessor& other) const {
    const ResultsPosition rows = tables.rows();
    return last_output >= other.last_time && rows.steps >= other.rows.steps &&
           rows.points >= other.rows.points && rows.locals >= other.rows.locals;
  }

  void replace_old() {
    disk.move_to(old->file);
    old.reset();
  }

  void close(bool in_any_case) {
    write_cuts();
    flush();
    if (old && in_any_case && disk.failure() == 0) replace_old();
    tables = {};
    error_array.reset();
    layers_array.reset();
    if (!file.reset()) throw Hdf5Failure("close: " + hdf5_reason());
  }

  ResultsLayout layout;
  CrashSafeFile disk;  // outlives the handles below
  Handle file, error_array, layers_array;
  ResultsTables tables;
  std::vector<double> cut_errors;
  std::vector<std::int32_t> cut_layers;
  std::optional<Predecessor> old;  ///< until caught up
  double last_output = -std::numeric_limits<double>::infinity();
  std::optional<double> row_time;  ///< between output_begin() and output_end()
  std::size_t next_column = 0;
};

ResultsWriter::ResultsWriter(const std::filesystem::path& file, const ResultsLayout& layout)
    : impl_(std::make_unique<Impl>(file, layout)) {
  remove_resumed(file);  // of a run that was killed: a new one begins
  require_space(file, layout);
  impl_->disk.guarded([&] { impl_->create(); });
  impl_->disk.guarded([&] { impl_->disk.appear(); });
}

ResultsWriter::ResultsWriter(const std::filesystem::path& file, const ResultsLayout& layout,
                             const ResumeFrom& from)
    : impl_(std::make_unique<Impl>(resumed_name(file), layout)) {
  Impl& impl = *impl_;
  const ResultsSource source = find_source(file, impl.layout, from.position);
  require_space(file, layout);
  impl.disk.guarded([&] { impl.create(); });
  impl.last_output = copy_rows(source, from, impl.layout, impl.tables, impl.disk);
  // All rows of the checkpoint first, then the name: whatever has it can be resumed from.
  impl.disk.guarded([&] { impl.flush(); });
  impl.disk.guarded([&] { impl.disk.appear(); });
  impl.old = predecessor(file, source, impl.layout);
  impl.disk.guarded([&] { impl.flush(); });
}

ResultsWriter::~ResultsWriter() {
  if (impl_ == nullptr) return;
  try {
    // The beginning of a row must not become a row.
    if (impl_->tables.torn()) impl_->disk.abandon();
    impl_->disk.guarded([&] { impl_->close(false); });
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
  output_begin(t);
  output_block(0, position, velocity);
  output_end();
}

void ResultsWriter::output_begin(double t) {
  COSIMO_CHECK(impl_ != nullptr, "output after close()");
  COSIMO_CHECK(!impl_->row_time, "output_begin() before the end of the row before");
  impl_->row_time = t;
  impl_->next_column = 0;
}

void ResultsWriter::output_block(std::size_t first_column, std::span<const double> position,
                                 std::span<const double> velocity) {
  COSIMO_CHECK(impl_ != nullptr && impl_->row_time, "output_block() outside of a row");
  COSIMO_CHECK(first_column == impl_->next_column, "blocks of columns follow each other");
  COSIMO_CHECK(
      velocity.size() == position.size() && position.size() <= impl_->layout.bodies.size() - first_column,
      "one value per recorded column");
  impl_->disk.guarded([&] { impl_->tables.append_motion(position, velocity); });
  impl_->next_column += position.size();
}

void ResultsWriter::output_end() {
  COSIMO_CHECK(impl_ != nullptr && impl_->row_time, "output_end() outside of a row");
  COSIMO_CHECK(impl_->next_column == impl_->layout.bodies.size(), "one value per recorded column");
  impl_->disk.guarded([&] { impl_->tables.time->append(*impl_->row_time); });
  impl_->last_output = *impl_->row_time;
  impl_->row_time.reset();
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
  impl_->disk.guarded([&] { impl_->tables.append_step(row); });
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
  COSIMO_CHECK(impl_ != nullptr && !impl_->row_time, "flush() after close() or within a row");
  impl_->disk.guarded([&] { impl_->flush(); });
}

void ResultsWriter::sync() {
  flush();
  impl_->disk.guarded([&] { impl_->disk.sync(); });
}

ResultsPosition ResultsWriter::position() const {
  COSIMO_CHECK(impl_ != nullptr && !impl_->row_time, "position() after close() or within a row");
  COSIMO_CHECK(impl_->tables.named_complete(), "one row per output time in every table");
  return impl_->tables.rows();
}

bool ResultsWriter::caught_up() const {
  return impl_ == nullptr || !impl_->old;
}

void ResultsWriter::close() {
  if (impl_ == nullptr) return;
  COSIMO_CHECK(!impl_->row_time, "close() within a row");
  impl_->disk.guarded([&] { impl_->close(true); });
  impl_.reset();
}

}  // namespace cosimo
