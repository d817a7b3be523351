// Two HDF5 files hold the same data: the same datasets and attributes, of the same types and extents, and the
// same bytes in them. How and when these came to disk (chunks, free space, flushes) does not count.
//
//   EXPECT_EQ(difference("a/results.h5", "b/results.h5"), "");
//
// Goes through the plain HDF5 interface, as any reader would; numbers are compared as bytes, so that a NaN is
// equal to itself and -0 is not 0.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace cosimo::testing {

/// Type, extent and bytes of everything in a file, by path; attributes as "path@name".
using FileContents = std::map<std::string, std::vector<std::byte>>;

namespace same_data {

inline void append(std::vector<std::byte>& bytes, const void* data, std::size_t size) {
  const auto* begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}

/// What a dataset or attribute is, before what it holds. The bytes it holds are those behind.
inline std::size_t describe(hid_t type, hid_t space, std::vector<std::byte>& bytes) {
  const auto kind = static_cast<int>(H5Tget_class(type));
  const std::size_t size = H5Tget_size(type);
  std::vector<hsize_t> extent(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, extent.data(), nullptr);
  append(bytes, &kind, sizeof kind);
  append(bytes, &size, sizeof size);
  append(bytes, extent.data(), extent.size() * sizeof(hsize_t));
  return static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * size;
}

inline herr_t add_attribute(hid_t object, const char* name, const H5A_info_t*, void* data) {
  const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  std::string path(static_cast<std::size_t>(H5Iget_name(object, nullptr, 0)), '\0');
  H5Iget_name(object, path.data(), path.size() + 1);
  auto& bytes = (*static_cast<FileContents*>(data))[path + "@" + name];
  const std::size_t size = describe(type, space, bytes), header = bytes.size();
  bytes.resize(header + size);
  const herr_t status = H5Aread(attribute, type, bytes.data() + header);
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return status;
}

inline herr_t add_object(hid_t file, const char* name, const H5O_info_t* info, void* data) {
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  herr_t status = H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, add_attribute, data);
  auto& bytes = (*static_cast<FileContents*>(data))[name];
  if (status >= 0 && info->type == H5O_TYPE_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    const std::size_t size = describe(type, space, bytes), header = bytes.size();
    bytes.resize(header + size);
    status = H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data() + header);
    H5Sclose(space);
    H5Tclose(type);
  }
  H5Oclose(object);
  return status;
}

}  // namespace same_data

/// Empty when the file cannot be read to its end.
inline FileContents contents(const std::filesystem::path& file) {
  FileContents all;
  const hid_t id = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (id < 0) return {};
  const herr_t status =
      H5Ovisit2(id, H5_INDEX_NAME, H5_ITER_INC, same_data::add_object, &all, H5O_INFO_BASIC);
  H5Fclose(id);
  return status < 0 ? FileContents{} : all;
}

/// Everything that differs, in words; empty: they hold the same.
inline std::string difference(const FileContents& a, const FileContents& b) {
  std::string found;
  for (const auto& [name, bytes] : a) {
    const auto other = b.find(name);
    if (other == b.end())
      found += name + " is in the first only\n";
    else if (other->second.size() != bytes.size())
      found += name + " has another size\n";
    else if (const auto at = std::mismatch(bytes.begin(), bytes.end(), other->second.begin()).first;
             at != bytes.end())
      found += name + " differs from byte " + std::to_string(at - bytes.begin()) + " of " +
               std::to_string(bytes.size()) + "\n";
  }
  for (const auto& [name, bytes] : b)
    if (a.find(name) == a.end()) found += name + " is in the second only\n";
  return found;
}

inline std::string difference(const std::filesystem::path& a, const std::filesystem::path& b) {
  const FileContents one = contents(a), other = contents(b);
  if (one.empty()) return a.string() + " cannot be read";
  if (other.empty()) return b.string() + " cannot be read";
  return difference(one, other);
}

}  // namespace cosimo::testing
