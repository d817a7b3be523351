// One extendible HDF5 dataset that grows by rows, with its row buffer: private to results/.
//
// Rows are collected and written in blocks of one chunk: about 1 MiB, at most 256 rows (2048
// for a single column). Of a wide row, more than half a MiB, every chunk of one row and up to 2^17
// columns is written as soon as it is whole, straight from the caller's memory where that holds all of it:
// 10^7 columns cost no copy and no padding, and may come in pieces without ever being held.
// Chunks bypass the library's cache: a written block has left the process.
//
// Every row has a checksum, the CRC-32C of its bytes, in a dataset of its own: that of /steps/t is
// /crc32c/steps/t [rows]. (The library's own checksums are of whole chunks: a chunk that grows would be
// written over and over, and a kill in between would cost all of its rows. See
// docs/decisions/0020-checksums.md.)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "results/hdf5_handles.hpp"

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
struct Hdf5Type<std::uint32_t> {
  static hid_t stored() { return H5T_STD_U32LE; }
  static hid_t native() { return H5T_NATIVE_UINT32; }
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

inline constexpr const char* checksum_group = "crc32c";

/// How a dataset of fixed extent is made that the library itself checks when it is read (Fletcher-32, one per
/// chunk). `rewritten`: once the file is live. A chunk then lies in one page with its checksum, and a kill
/// leaves the old one or the new one.
Handle checksummed_creation(std::span<const hsize_t> extent, std::size_t element_size,
                            const std::string& name, bool rewritten = false);

/// A group without time stamps, so that equal data give equal files.
Handle make_group(hid_t parent, const char* name);
/// The groups along a path like "forces/tyres", as far as they are not there; the last one is returned.
Handle make_groups(hid_t parent, const std::string& path);

/// The storage behind Table, without its element type.
class RowStore {
 public:
  RowStore(hid_t parent, const std::string& name, std::size_t columns, hid_t stored, hid_t native,
           std::size_t element_size, bool checksummed = true);

  /// What follows of the row under way, at most to its end, where it begins to count.
  void append(std::span<const std::byte> piece);
  void write_buffered();  ///< all whole rows leave the process; the library's flush publishes them

  std::size_t rows() const { return written_ + buffered_; }  ///< whole ones given so far
  std::size_t room() const;                                  ///< bytes to the end of the row or its chunk
  /// The dataset already has a row of which only the beginning was given: it must not be published.
  bool torn() const { return extent_ > written_; }

 private:
  void make_checksums();
  void end_row();
  void append_wide(std::span<const std::byte> piece);
  void extend(std::size_t rows);
  void write_block(const std::byte* data, std::array<hsize_t, 2> start, std::array<hsize_t, 2> count);

  std::size_t columns_;  ///< or single_column
  std::size_t element_size_, row_bytes_, block_rows_, chunk_row_bytes_;
  hid_t native_;
  Handle dataset_;
  std::size_t extent_ = 0;   ///< rows of the dataset
  std::size_t written_ = 0;  ///< rows of it that are whole
  std::vector<std::byte> buffer_;
  std::size_t buffered_ = 0;             ///< rows
  std::size_t filled_ = 0;               ///< bytes given of the row under way
  std::unique_ptr<RowStore> checksums_;  ///< of the rows; null: they have none
  std::uint32_t checksum_ = 0;           ///< of the row under way, as far as given
};

/// A dataset [rows x columns] of T, or [rows] for `single_column`.
template <class T>
class Table {
 public:
  Table(hid_t parent, const std::string& name, std::size_t columns)
      : store_(parent, name, columns, Hdf5Type<T>::stored(), Hdf5Type<T>::native(), sizeof(T)) {}
  /// A row, or its next columns.
  void append(std::span<const T> piece) { store_.append(std::as_bytes(piece)); }
  void append(T value) { store_.append(std::as_bytes(std::span(&value, 1))); }
  void write_buffered() { store_.write_buffered(); }

  std::size_t rows() const { return store_.rows(); }
  std::size_t room() const { return store_.room() / sizeof(T); }  ///< columns to the next border of a chunk
  bool torn() const { return store_.torn(); }

 private:
  RowStore store_;
};

}  // namespace cosimo
