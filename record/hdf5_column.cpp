#include "record/hdf5_column.hpp"

#include <algorithm>
#include <array>

namespace cosimo {

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
  const Handle type(checked(H5Dget_type(dataset_), path), H5Tclose);
  // A damaged extent must not make us ask for more memory than the file can fill.
  const hsize_t elements = H5Dget_storage_size(dataset_) / std::max<std::size_t>(H5Tget_size(type), 1);
  if (extent_.columns != 0 && extent_.rows > elements / extent_.columns)
    throw Hdf5Failure("/" + path + " is shorter than it claims");
}

void Column::read(const Rectangle& block, hid_t type, void* out) const {
  if (block.rows == 0 || block.columns == 0) return;
  const Handle space(checked(H5Dget_space(dataset_), path_), H5Sclose);
  const std::array<hsize_t, 2> start = {block.first_row, block.first_column},
                               count = {block.rows, block.columns};
  checked(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), path_);
  const Handle memory(
      checked(H5Screate_simple(H5Sget_simple_extent_ndims(space), count.data(), nullptr), path_), H5Sclose);
  checked(H5Dread(dataset_, type, memory, space, H5P_DEFAULT, out), "/" + path_);
}

}  // namespace cosimo
