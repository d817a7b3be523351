#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "record/hdf5_strings.hpp"
#include "record/recorder.hpp"
#include "record/results_format.hpp"

namespace cosimo {

namespace {

struct Extent {
  std::size_t rows = 0, columns = 1;
};

bool exists(hid_t parent, const std::string& path) {
  // H5Lexists wants every step of the path to exist.
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (H5Lexists(parent, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Lexists(parent, path.c_str(), H5P_DEFAULT) > 0;
}

/// One dataset of an open file; reading checks shape and storage first.
class Column {
 public:
  Column(hid_t file, const std::string& path, int rank) : path_(path) {
    dataset_ = Handle(checked(H5Dopen2(file, path.c_str(), H5P_DEFAULT), path), H5Dclose);
    const Handle space(checked(H5Dget_space(dataset_), path), H5Sclose);
    std::array<hsize_t, 2> extent = {0, 1};
    if (H5Sget_simple_extent_ndims(space) != rank) throw Hdf5Failure("/" + path + " has the wrong shape");
    checked(H5Sget_simple_extent_dims(space, extent.data(), nullptr), path);
    extent_ = {extent[0], extent[1]};
    const Handle type(checked(H5Dget_type(dataset_), path), H5Tclose);
    // A damaged extent must not make us ask for more memory than the file can fill.
    const hsize_t elements = H5Dget_storage_size(dataset_) / std::max<std::size_t>(H5Tget_size(type), 1);
    if (extent_.columns != 0 && extent_.rows > elements / extent_.columns)
      throw Hdf5Failure("/" + path + " is shorter than it claims");
  }

  const Extent& extent() const { return extent_; }

  /// The first `rows` rows.
  template <class T>
  std::vector<T> read(std::size_t rows) const {
    std::vector<T> values(rows * extent_.columns);
    if (values.empty()) return values;
    const Handle space(checked(H5Dget_space(dataset_), path_), H5Sclose);
    const std::array<hsize_t, 2> start = {0, 0}, count = {rows, extent_.columns};
    checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), path_);
    const Handle memory(
        checked(H5Screate_simple(H5Sget_simple_extent_ndims(space), count.data(), nullptr), path_), H5Sclose);
    checked(H5Dread(dataset_, Hdf5Type<T>::native(), memory, space, H5P_DEFAULT, values.data()), "/" + path_);
    return values;
  }
  template <class T>
  std::vector<T> read() const {
    return read<T>(extent_.rows);
  }

 private:
  std::string path_;
  Handle dataset_;
  Extent extent_;
};

template <class T>
T read_attribute(hid_t file, const char* name) {
  const Handle attribute(checked(H5Aopen(file, name, H5P_DEFAULT), name), H5Aclose);
  T value{};
  checked(H5Aread(attribute, Hdf5Type<T>::native(), &value), name);
  return value;
}

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

void read_steps(hid_t file, Results& results) {
  const Column t(file, "steps/t", 1), H(file, "steps/H", 1), kappa(file, "steps/kappa", 1),
      error(file, "steps/error", 1), accepted(file, "steps/accepted", 1),
      iterations(file, "steps/iterations", 1);
  std::optional<Column> layers;  // older files have none
  if (exists(file, "steps/layers")) layers.emplace(file, "steps/layers", 1);
  std::size_t rows = std::min({t.extent().rows, H.extent().rows, kappa.extent().rows, error.extent().rows,
                               accepted.extent().rows, iterations.extent().rows});
  if (layers) rows = std::min(rows, layers->extent().rows);
  const auto t_values = t.read<double>(rows), H_values = H.read<double>(rows),
             errors = error.read<double>(rows);
  const auto orders = kappa.read<std::int8_t>(rows), verdicts = accepted.read<std::int8_t>(rows);
  const auto counts = iterations.read<std::int16_t>(rows);
  const auto widths = layers ? layers->read<std::int32_t>(rows) : std::vector<std::int32_t>(rows);
  results.steps.resize(rows);
  for (std::size_t i = 0; i < rows; ++i)
    results.steps[i] = {.t = t_values[i],
                        .H = H_values[i],
                        .kappa = orders[i],
                        .error = errors[i],
                        .accepted = verdicts[i] != 0,
                        .iterations = counts[i],
                        .layers = widths[i]};
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

[[noreturn]] void refuse(const std::filesystem::path& file, std::string problem, std::string remedy) {
  throw Error(Fault{.file = file.string(), .problem = std::move(problem), .remedy = std::move(remedy)});
}

Handle open_results(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error))
    refuse(file, "there is no such file", "name a results.h5 of a finished run");
  if (std::filesystem::is_directory(file, error))
    refuse(file, "is a folder", "name the results.h5 inside it");
  Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!opened) {
    const std::string reason = hdf5_reason();
    if (H5Fis_hdf5(file.c_str()) > 0)
      refuse(file, "is damaged or cut off: " + reason,
             "copy it again from where it was written, or run again");
    refuse(file, "is not an HDF5 file: " + reason, "name a results.h5 written by cosimo run");
  }
  if (H5Aexists(opened, attribute_version) <= 0 || H5Aexists(opened, attribute_hash) <= 0)
    refuse(file, "is an HDF5 file, but not results of cosimo", "name a results.h5 written by cosimo run");
  return opened;
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
    const auto version = read_attribute<std::int64_t>(opened, attribute_version);
    if (version != results_format_version)
      refuse(file,
             "has format version " + std::to_string(version) + ", this program reads version " +
                 std::to_string(results_format_version),
             "use the version of cosimo that wrote it");
    results.model_hash = read_attribute<std::uint64_t>(opened, attribute_hash);
    read_motion(opened, results);
    read_names(opened, results);
    read_tables(opened, results);
    read_steps(opened, results);
    read_couplings(opened, results);
    read_local(opened, results);
  } catch (const Hdf5Failure& failure) {
    refuse(file, std::string("is damaged: ") + failure.what(),
           "copy it again from where it was written, or run again");
  }
  return results;
}

}  // namespace cosimo
