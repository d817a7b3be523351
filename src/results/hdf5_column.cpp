#include "results/hdf5_column.hpp"

#include <algorithm>
#include <array>

#include "results/crc32c.hpp"

namespace cosimo {

namespace {

constexpr std::size_t piece = std::size_t{1} << 17;  // elements held to check a row

}  // namespace

bool exists(hid_t parent, const std::string& path) {
  // H5Lexists wants every step of the path to exist.
  for (auto slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
    if (H5Lexists(parent, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
  return H5Lexists(parent, path.c_str(), H5P_DEFAULT) > 0;
}

Column::Column(hid_t file, const std::string& path, int rank) : path_(path) {
  // Chunks are not kept: a few columns of a wide row need not pull in all of it.
  const Handle access(checked(H5Pcreate(H5P_DATASET_ACCESS), path), H5Pclose);
  checked(H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT), path);
  dataset_ = Handle(checked(H5Dopen2(file, path.c_str(), access), path), H5Dclose);
  const Handle space(checked(H5Dget_space(dataset_), path), H5Sclose);
  std::array<hsize_t, 2> extent = {0, 1};
  if (H5Sget_simple_extent_ndims(space) != rank) throw Hdf5Failure("/" + path + " has the wrong shape");
  checked(H5Sget_simple_extent_dims(space, extent.data(), nullptr), path);
  extent_ = {extent[0], extent[1]};
  type_ = Handle(checked(H5Dget_type(dataset_), path), H5Tclose);
  // A damaged extent must not make us ask for more memory than the file can fill.
  const hsize_t elements = H5Dget_storage_size(dataset_) / std::max<std::size_t>(H5Tget_size(type_), 1);
  if (extent_.columns != 0 && extent_.rows > elements / extent_.columns)
    throw Hdf5Failure("/" + path + " is shorter than it claims");
  if (const std::string sums = checksum_group + ("/" + path); exists(file, sums))
    checksums_ = std::make_unique<Column>(file, sums, 1);
}

void Column::read(const Rectangle& block, hid_t type, void* out) const {
  if (block.rows == 0 || block.columns == 0) return;
  load(block, type, out);
  if (!checksums_ || block.first_row >= checksums_->rows()) return;
  const bool as_stored = block.columns == extent_.columns && H5Tequal(type, type_) > 0;
  verify(block.first_row, std::min(block.rows, checksums_->rows() - block.first_row),
         as_stored ? static_cast<const std::byte*>(out) : nullptr);
}

void Column::load(const Rectangle& block, hid_t type, void* out) const {
  const Handle space(checked(H5Dget_space(dataset_), path_), H5Sclose);
  const std::array<hsize_t, 2> start = {block.first_row, block.first_column},
                               count = {block.rows, block.columns};
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), path_);
  const Handle memory(
      checked(H5Screate_simple(H5Sget_simple_extent_ndims(space), count.data(), nullptr), path_), H5Sclose);
  checked(H5Dread(dataset_, type, memory, space, H5P_DEFAULT, out), "/" + path_);
}

/// `bytes`: the rows as they are stored; null: they are read here, in pieces, unless they were before.
void Column::verify(std::size_t first_row, std::size_t rows, const std::byte* bytes) const {
  const std::size_t size = H5Tget_size(type_);
  verified_.resize(extent_.rows);
  std::vector<std::uint32_t> expected, found;
  std::vector<std::byte> scratch;
  for (std::size_t row = first_row, n = 0; row < first_row + rows; row += n) {
    n = std::min(first_row + rows - row, std::max<std::size_t>(1, piece / extent_.columns));
    const auto begin = verified_.begin() + static_cast<std::ptrdiff_t>(row),
               end = begin + static_cast<std::ptrdiff_t>(n);
    if (std::find(begin, end, false) == end) continue;
    expected.resize(n);
    checksums_->load({.first_row = row, .rows = n}, H5T_NATIVE_UINT32, expected.data());
    found.assign(n, 0);
    for (std::size_t column = 0, w = 0; column < extent_.columns; column += w) {
      w = bytes != nullptr ? extent_.columns : std::min(extent_.columns - column, piece);
      const std::byte* block = nullptr;
      if (bytes != nullptr) {
        block = bytes + (row - first_row) * w * size;
      } else {
        scratch.resize(n * w * size);
        load({row, n, column, w}, type_, scratch.data());
        block = scratch.data();
      }
      for (std::size_t i = 0; i < n; ++i) found[i] = crc32c({block + i * w * size, w * size}, found[i]);
    }
    const auto differs = std::mismatch(found.begin(), found.end(), expected.begin()).first;
    if (differs != found.end())
      throw Hdf5Failure("row " + std::to_string(row + static_cast<std::size_t>(differs - found.begin()) + 1) +
                        " of /" + path_ + " does not have the checksum it was written with");
    std::fill(begin, end, true);
  }
}

}  // namespace cosimo
