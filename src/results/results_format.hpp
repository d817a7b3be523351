// What writer and reader of results.h5 must agree on: private to results/.
#pragma once

#include <unordered_set>

#include "results/hdf5_table.hpp"

namespace cosimo {

inline constexpr std::int64_t results_format_version = 1;
inline constexpr const char* attribute_version = "format_version";
inline constexpr const char* attribute_hash = "model_hash";

/// How many bodies the labels of the columns name.
inline std::size_t distinct(std::span<const std::int64_t> labels) {
  return std::unordered_set<std::int64_t>(labels.begin(), labels.end()).size();
}

template <class T>
void write_attribute(hid_t object, const char* name, T value) {
  const Handle space(checked(H5Screate(H5S_SCALAR), name), H5Sclose);
  const Handle attribute(
      checked(H5Acreate2(object, name, Hdf5Type<T>::stored(), space, H5P_DEFAULT, H5P_DEFAULT), name),
      H5Aclose);
  checked(H5Awrite(attribute, Hdf5Type<T>::native(), &value), name);
}

/// A dataset of fixed shape [rows x columns], or [rows] for single_column, written now. Its values may still
/// be rewritten when the file is live, if `rewritten` says so, its existence not. The library checks what is
/// read of it (checksummed_creation).
template <class T>
Handle make_array(hid_t parent, const char* name, std::span<const T> values,
                  std::size_t columns = single_column, bool rewritten = false) {
  const bool matrix = columns != single_column;
  const hsize_t extent[2] = {matrix ? values.size() / columns : values.size(), columns};
  const Handle space(checked(H5Screate_simple(matrix ? 2 : 1, extent, nullptr), name), H5Sclose);
  const Handle creation = checksummed_creation({extent, matrix ? 2u : 1u}, sizeof(T), name, rewritten);
  Handle dataset(
      checked(H5Dcreate2(parent, name, Hdf5Type<T>::stored(), space, H5P_DEFAULT, creation, H5P_DEFAULT),
              name),
      H5Dclose);
  if (!values.empty())
    checked(H5Dwrite(dataset, Hdf5Type<T>::native(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), name);
  return dataset;
}

}  // namespace cosimo
