// One extendible HDF5 dataset that grows by rows, with its row buffer: private to record/.
//
// Rows are collected and written in blocks of one chunk: about 1 MiB, at most 256 rows (2048
// for a single column). A row of 1 MiB or more is written at once from the caller's memory, in
// chunks of one row and about 2^17 columns, so that 10^7 columns cost no copy and no padding.
// Chunks bypass the library's cache: a written block has left the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "record/hdf5_handles.hpp"

namespace cosimo {

/// The stored (little-endian, sized) and the native HDF5 type of T.
template <class T>
struct Hdf5Type;
template <>
struct Hdf5Type<double> {
  static hid_t stored() { return H5T_IEEE_F64LE; }
  static hid_t native() { return H5T_NATIVE_DOUBLE; }
};
template <>
struct Hdf5Type<std::int8_t> {
  static hid_t stored() { return H5T_STD_I8LE; }
  static hid_t native() { return H5T_NATIVE_INT8; }
};
template <>
struct Hdf5Type<std::int16_t> {
  static hid_t stored() { return H5T_STD_I16LE; }
  static hid_t native() { return H5T_NATIVE_INT16; }
};
template <>
struct Hdf5Type<std::int32_t> {
  static hid_t stored() { return H5T_STD_I32LE; }
  static hid_t native() { return H5T_NATIVE_INT32; }
};
template <>
struct Hdf5Type<std::int64_t> {
  static hid_t stored() { return H5T_STD_I64LE; }
  static hid_t native() { return H5T_NATIVE_INT64; }
};
template <>
struct Hdf5Type<std::uint64_t> {
  static hid_t stored() { return H5T_STD_U64LE; }
  static hid_t native() { return H5T_NATIVE_UINT64; }
};

inline constexpr std::size_t single_column = 0;  ///< as number of columns: a dataset [rows], not [rows x 1]

struct ChunkShape {
  std::size_t rows = 0, columns = 0;
};
/// How a dataset with rows of that many elements is stored; see above.
ChunkShape chunk_shape(std::size_t columns, std::size_t element_size);

/// The storage behind Table, without its element type.
class RowStore {
 public:
  RowStore(hid_t parent, const std::string& name, std::size_t columns, hid_t stored, hid_t native,
           std::size_t element_size);

  void append(const std::byte* row);
  void write_buffered();  ///< all appended rows leave the process; the library's flush publishes them

 private:
  void write_rows(const std::byte* data, std::size_t rows);

  std::size_t columns_;  ///< or single_column
  std::size_t row_bytes_, block_rows_;
  hid_t native_;
  Handle dataset_;
  std::size_t written_ = 0;  ///< rows
  std::vector<std::byte> buffer_;
  std::size_t buffered_ = 0;  ///< rows
};

/// A dataset [rows x columns] of T, or [rows] for `single_column`.
template <class T>
class Table {
 public:
  Table(hid_t parent, const std::string& name, std::size_t columns)
      : store_(parent, name, columns, Hdf5Type<T>::stored(), Hdf5Type<T>::native(), sizeof(T)) {}
  void append(std::span<const T> row) { store_.append(reinterpret_cast<const std::byte*>(row.data())); }
  void append(T value) { store_.append(reinterpret_cast<const std::byte*>(&value)); }
  void write_buffered() { store_.write_buffered(); }

 private:
  RowStore store_;
};

}  // namespace cosimo
