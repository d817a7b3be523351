#include "results/hdf5_table.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/check.hpp"
#include "results/crc32c.hpp"

namespace cosimo {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr std::size_t page_bytes = 4096;  // CrashSafeFile::page
constexpr std::size_t most_rows = 256, most_rows_of_one_column = 2048;

int rank_of(std::size_t columns) {
  return columns == single_column ? 1 : 2;
}

/// The path from the root, "steps/t".
std::string path_of(hid_t object) {
  std::string path(static_cast<std::size_t>(checked(H5Iget_name(object, nullptr, 0), "name")), '\0');
  checked(H5Iget_name(object, path.data(), path.size() + 1), "name");
  return path.substr(1);
}

}  // namespace

Handle checksummed_creation(std::span<const hsize_t> extent, std::size_t element_size,
                            const std::string& name, bool rewritten) {
  Handle creation(checked(H5Pcreate(H5P_DATASET_CREATE), name), H5Pclose);
  checked(H5Pset_obj_track_times(creation, false), name);
  std::vector<hsize_t> chunk(extent.begin(), extent.end());
  std::size_t row_bytes = element_size;
  for (std::size_t i = 1; i < chunk.size(); ++i) row_bytes *= chunk[i];
  if (chunk[0] * row_bytes == 0) return creation;
  const std::size_t bytes = rewritten ? page_bytes - sizeof(std::uint32_t) : chunk_bytes;
  chunk[0] = std::clamp<hsize_t>(bytes / row_bytes, 1, chunk[0]);
  checked(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), name);
  checked(H5Pset_fletcher32(creation), name);
  return creation;
}

Handle make_group(hid_t parent, const char* name) {
  const Handle creation(checked(H5Pcreate(H5P_GROUP_CREATE), name), H5Pclose);
  checked(H5Pset_obj_track_times(creation, false), name);
  return {checked(H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT), name), H5Gclose};
}

Handle make_groups(hid_t parent, const std::string& path) {
  Handle group;
  for (std::size_t slash = 0; slash != path.npos;) {
    slash = path.find('/', slash + 1);
    const std::string upto = path.substr(0, slash);
    group = H5Lexists(parent, upto.c_str(), H5P_DEFAULT) > 0
                ? Handle(checked(H5Gopen2(parent, upto.c_str(), H5P_DEFAULT), upto), H5Gclose)
                : make_group(parent, upto.c_str());
  }
  return group;
}

ChunkShape chunk_shape(std::size_t columns, std::size_t element_size) {
  if (columns == single_column) return {most_rows_of_one_column, 1};
  const std::size_t row_bytes = columns * element_size;
  if (row_bytes <= chunk_bytes)
    return {std::clamp<std::size_t>(chunk_bytes / row_bytes, 1, most_rows), columns};
  const std::size_t pieces = (row_bytes + chunk_bytes - 1) / chunk_bytes;
  return {1, (columns + pieces - 1) / pieces};
}

RowStore::RowStore(hid_t parent, const std::string& name, std::size_t columns, hid_t stored, hid_t native,
                   std::size_t element_size, bool checksummed)
    : columns_(columns),
      element_size_(element_size),
      row_bytes_(std::max<std::size_t>(columns, 1) * element_size),
      native_(native) {
  const ChunkShape shape = chunk_shape(columns, element_size);
  block_rows_ = shape.rows;
  chunk_row_bytes_ = shape.columns * element_size;
  if (block_rows_ > 1) buffer_.resize(block_rows_ * row_bytes_);

  const std::array<hsize_t, 2> extent = {0, columns}, largest = {H5S_UNLIMITED, columns},
                               chunk = {shape.rows, shape.columns};
  const Handle space(checked(H5Screate_simple(rank_of(columns), extent.data(), largest.data()), name),
                     H5Sclose);
  const Handle creation(checked(H5Pcreate(H5P_DATASET_CREATE), name), H5Pclose);
  checked(H5Pset_chunk(creation, rank_of(columns), chunk.data()), name);
  checked(H5Pset_obj_track_times(creation, false), name);
  // Rows are counted only when written: filling chunks first would write everything twice.
  checked(H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER), name);
  const Handle access(checked(H5Pcreate(H5P_DATASET_ACCESS), name), H5Pclose);
  checked(H5Pset_chunk_cache(access, 0, 0, H5D_CHUNK_CACHE_W0_DEFAULT), name);
  dataset_ =
      Handle(checked(H5Dcreate2(parent, name.c_str(), stored, space, H5P_DEFAULT, creation, access), name),
             H5Dclose);
  if (checksummed) make_checksums();
}

void RowStore::make_checksums() {
  const std::string path = std::string(checksum_group) + "/" + path_of(dataset_);
  const std::size_t slash = path.rfind('/');
  const Handle file(checked(H5Iget_file_id(dataset_), path), H5Fclose);
  const Handle group = make_groups(file, path.substr(0, slash));
  checksums_ = std::make_unique<RowStore>(group, path.substr(slash + 1), single_column,
                                          Hdf5Type<std::uint32_t>::stored(),
                                          Hdf5Type<std::uint32_t>::native(), sizeof(std::uint32_t), false);
}

void RowStore::end_row() {
  filled_ = 0;
  if (checksums_) checksums_->append(std::as_bytes(std::span(&checksum_, 1)));
  checksum_ = 0;
}

std::size_t RowStore::room() const {
  return std::min(chunk_row_bytes_ - filled_ % chunk_row_bytes_, row_bytes_ - filled_);
}

void RowStore::append(std::span<const std::byte> piece) {
  COSIMO_CHECK(piece.size() <= row_bytes_ - filled_, "more than the rest of a row");
  if (checksums_) checksum_ = crc32c(piece, checksum_);
  if (block_rows_ == 1) return append_wide(piece);
  std::memcpy(buffer_.data() + buffered_ * row_bytes_ + filled_, piece.data(), piece.size());
  filled_ += piece.size();
  if (filled_ < row_bytes_) return;
  end_row();
  if (++buffered_ == block_rows_) write_buffered();
}

void RowStore::append_wide(std::span<const std::byte> piece) {
  while (!piece.empty()) {
    const std::size_t left = room(), n = std::min(piece.size(), left);
    const std::size_t in_chunk = filled_ % chunk_row_bytes_;
    const std::byte* chunk = piece.data();
    if (in_chunk > 0 || n < left) {  // not the whole chunk at once
      buffer_.resize(chunk_row_bytes_);
      std::memcpy(buffer_.data() + in_chunk, piece.data(), n);
      chunk = buffer_.data();
    }
    filled_ += n;
    piece = piece.subspan(n);
    if (n < left) return;
    if (extent_ == written_) extend(written_ + 1);
    const std::size_t bytes = in_chunk + n;
    write_block(chunk, {written_, (filled_ - bytes) / element_size_}, {1, bytes / element_size_});
    if (filled_ < row_bytes_) continue;
    end_row();
    ++written_;
  }
}

void RowStore::write_buffered() {
  if (checksums_) checksums_->write_buffered();
  if (buffered_ == 0) return;
  extend(written_ + buffered_);
  write_block(buffer_.data(), {written_, 0}, {buffered_, columns_});
  written_ += buffered_;
  buffered_ = 0;
}

void RowStore::extend(std::size_t rows) {
  const std::array<hsize_t, 2> extent = {rows, columns_};
  checked(H5Dset_extent(dataset_, extent.data()), "extend");
  extent_ = rows;
}

void RowStore::write_block(const std::byte* data, std::array<hsize_t, 2> start,
                           std::array<hsize_t, 2> count) {
  const Handle file_space(checked(H5Dget_space(dataset_), "extend"), H5Sclose);
  checked(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
          "extend");
  const Handle memory_space(checked(H5Screate_simple(rank_of(columns_), count.data(), nullptr), "extend"),
                            H5Sclose);
  checked(H5Dwrite(dataset_, native_, memory_space, file_space, H5P_DEFAULT, data), "write");
}

}  // namespace cosimo
