#include "results/hdf5_strings.hpp"

#include <algorithm>

#include "results/hdf5_table.hpp"

namespace cosimo {

namespace {

std::size_t longest(std::span<const std::string> names) {
  std::size_t width = 1;  // the library knows no empty type
  for (const std::string& name : names) width = std::max(width, name.size());
  return width;
}

Handle string_type(std::size_t width) {
  Handle type(checked(H5Tcopy(H5T_C_S1), "string type"), H5Tclose);
  checked(H5Tset_size(type, width), "string type");
  checked(H5Tset_strpad(type, H5T_STR_NULLPAD), "string type");
  checked(H5Tset_cset(type, H5T_CSET_UTF8), "string type");
  return type;
}

}  // namespace

std::size_t stored_bytes(std::span<const std::string> names) {
  return names.size() * longest(names);
}

void make_strings(hid_t parent, const char* name, std::span<const std::string> names) {
  if (names.empty()) return;
  const std::size_t width = longest(names);
  std::string packed(names.size() * width, '\0');
  for (std::size_t i = 0; i < names.size(); ++i)
    std::copy(names[i].begin(), names[i].end(), packed.begin() + static_cast<std::ptrdiff_t>(i * width));

  const Handle type = string_type(width);
  const hsize_t extent = names.size();
  const Handle space(checked(H5Screate_simple(1, &extent, nullptr), name), H5Sclose);
  const Handle creation = checksummed_creation({&extent, 1}, width, name);
  const Handle dataset(
      checked(H5Dcreate2(parent, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), name), H5Dclose);
  checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), name);
}

std::vector<std::string> read_strings(hid_t parent, const std::string& path) {
  const Handle dataset(checked(H5Dopen2(parent, path.c_str(), H5P_DEFAULT), path), H5Dclose);
  const Handle type(checked(H5Dget_type(dataset), path), H5Tclose);
  const Handle space(checked(H5Dget_space(dataset), path), H5Sclose);
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) > 0 ||
      H5Sget_simple_extent_ndims(space) != 1)
    throw Hdf5Failure("/" + path + " is not an array of fixed-length strings");
  const std::size_t width = H5Tget_size(type);
  hsize_t count = 0;
  checked(H5Sget_simple_extent_dims(space, &count, nullptr), path);
  // A damaged extent must not make us ask for more memory than the file can fill.
  if (width == 0 || count > H5Dget_storage_size(dataset) / width)
    throw Hdf5Failure("/" + path + " is shorter than it claims");

  std::string packed(count * width, '\0');
  if (count > 0) checked(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, packed.data()), "/" + path);
  const bool spaces = H5Tget_strpad(type) == H5T_STR_SPACEPAD;
  std::vector<std::string> names(count);
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = packed.substr(i * width, width);
    names[i].erase(spaces ? names[i].find_last_not_of(' ') + 1 : std::min(names[i].find('\0'), width));
  }
  return names;
}

}  // namespace cosimo
