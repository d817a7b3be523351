#include "results/column_file.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/error.hpp"
#include "results/hdf5_column.hpp"
#include "results/hdf5_strings.hpp"
#include "results/new_file.hpp"
#include "results/results_format.hpp"
#include "results/results_open.hpp"

namespace cosimo {

namespace {

void write_column(hid_t file, const FileColumn& column) {
  const std::size_t slash = column.path.rfind('/');
  const std::string folder = slash != column.path.npos ? column.path.substr(0, slash) : "";
  const std::string name = slash != column.path.npos ? column.path.substr(slash + 1) : column.path;
  const Handle group = folder.empty() ? Handle() : make_groups(file, folder);
  const hid_t parent = folder.empty() ? file : static_cast<hid_t>(group);
  if (const auto* texts = std::get_if<std::vector<std::string>>(&column.values))
    make_strings(parent, name.c_str(), *texts);
  else if (const auto& numbers = std::get<std::vector<double>>(column.values); !numbers.empty())
    make_array<double>(parent, name.c_str(), numbers);
}

/// The whole file in memory.
std::vector<std::byte> image_of(std::span<const FileColumn> columns) {
  const Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "properties"), H5Pclose);
  checked(H5Pset_fapl_core(access, std::size_t{1} << 20U, 0), "properties");
  const Handle file(checked(H5Fcreate("columns", H5F_ACC_TRUNC, H5P_DEFAULT, access), "create"), H5Fclose);
  write_attribute<std::int64_t>(file, attribute_version, results_format_version);
  for (const FileColumn& column : columns) write_column(file, column);
  checked(H5Fflush(file, H5F_SCOPE_GLOBAL), "flush");
  const auto size = checked(H5Fget_file_image(file, nullptr, 0), "image");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  checked(H5Fget_file_image(file, bytes.data(), bytes.size()), "image");
  return bytes;
}

}  // namespace

std::string column_name(std::string name) {
  std::ranges::replace(name, '/', '|');
  return name;
}

void write_column_file(const std::filesystem::path& file, std::span<const FileColumn> columns) {
  std::vector<std::byte> bytes;
  {
    const SilentErrors quiet;
    try {
      bytes = image_of(columns);
    } catch (const Hdf5Failure& failure) {
      throw IoError(file.string() + ": cannot be made: " + failure.what());
    }
  }
  NewFile whole(file, "the table before is intact");
  whole.write(bytes);
  whole.appear();
}

struct ColumnFile::Impl {
  std::filesystem::path file;
  Handle opened;

  template <class Operation>
  auto reading(Operation operation) const {
    const SilentErrors quiet;
    try {
      return operation(static_cast<hid_t>(opened));
    } catch (const Hdf5Failure& failure) {
      refuse_damaged(file, failure);
    }
  }
};

ColumnFile::ColumnFile(std::filesystem::path file) : impl_(std::make_unique<Impl>()) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(file, code)) refuse(file, "there is no such file", "check the name");
  const SilentErrors quiet;
  impl_->opened = Handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!impl_->opened) refuse(file, "is no HDF5 file, or damaged", "name a file that cosimo wrote");
  impl_->file = std::move(file);
}

ColumnFile::~ColumnFile() = default;

bool ColumnFile::has(const std::string& path) const {
  return impl_->reading([&](hid_t file) { return exists(file, path); });
}

bool ColumnFile::has_texts(const std::string& path) const {
  return impl_->reading([&](hid_t file) {
    if (!exists(file, path)) return false;
    const Handle dataset(checked(H5Dopen2(file, path.c_str(), H5P_DEFAULT), path), H5Dclose);
    const Handle type(checked(H5Dget_type(dataset), path), H5Tclose);
    return H5Tget_class(type) == H5T_STRING;
  });
}

std::vector<double> ColumnFile::numbers(const std::string& path) const {
  return impl_->reading([&](hid_t file) {
    return exists(file, path) ? Column(file, path, 1).read<double>() : std::vector<double>();
  });
}

std::vector<std::string> ColumnFile::texts(const std::string& path) const {
  return impl_->reading(
      [&](hid_t file) { return exists(file, path) ? read_strings(file, path) : std::vector<std::string>(); });
}

}  // namespace cosimo
