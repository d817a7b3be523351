// One dataset of an open HDF5 file, to read from: private to results/.
//
//   const Column position(file, "position", 2);       shape and storage are checked here
//   position.read<double>(rows)                        the first rows, all columns
//   position.read(Rectangle{.first_row = 7, .rows = 1, .first_column = 0, .columns = 100}, out);
//
// Throws Hdf5Failure. Lengths are believed only as far as the file has bytes for them, rows only when they
// have the checksum they were written with (results/hdf5_table.hpp): a row is checked as a whole when
// something of it is read for the first time. Older files have no checksums, and a killed writer may leave
// the last rows without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "results/hdf5_table.hpp"

namespace cosimo {

/// Whether the link is there, and every group on the way to it.
bool exists(hid_t parent, const std::string& path);

struct Extent {
  std::size_t rows = 0, columns = 1;
};

/// A rectangle of a dataset.
struct Rectangle {
  std::size_t first_row = 0, rows = 0, first_column = 0, columns = 1;
};

class Column {
 public:
  /// `rank` 1: [rows], 2: [rows x columns].
  Column(hid_t file, const std::string& path, int rank);

  const Extent& extent() const { return extent_; }
  std::size_t rows() const { return extent_.rows; }
  std::size_t columns() const { return extent_.columns; }

  /// Row-major to `out`, which has that many elements.
  template <class T>
  void read(const Rectangle& block, std::span<T> out) const {
    read(block, Hdf5Type<T>::native(), out.data());
  }
  /// The first `rows` rows.
  template <class T>
  std::vector<T> read(std::size_t rows) const {
    std::vector<T> values(rows * extent_.columns);
    read<T>({0, rows, 0, extent_.columns}, values);
    return values;
  }
  template <class T>
  std::vector<T> read() const {
    return read<T>(extent_.rows);
  }

 private:
  void read(const Rectangle& block, hid_t type, void* out) const;
  void load(const Rectangle& block, hid_t type, void* out) const;
  void verify(std::size_t first_row, std::size_t rows, const std::byte* bytes) const;

  std::string path_;
  Handle dataset_, type_;  ///< and how its elements are stored
  Extent extent_;
  std::unique_ptr<Column> checksums_;   ///< null: an older file
  mutable std::vector<bool> verified_;  ///< rows that have their checksum
};

}  // namespace cosimo
