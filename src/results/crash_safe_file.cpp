#include "results/crash_safe_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "results/crash_safe_driver.hpp"

namespace cosimo {

namespace {

// Superblock, version 3 (HDF5 File Format Specification 3.0, II.A).
constexpr std::size_t flags_at = 11;
constexpr std::size_t end_of_file_at = 28;
constexpr std::size_t checksum_at = 44;

template <class Word>
void store(std::span<std::byte> bytes, std::size_t at, Word word) {
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    bytes[at + i] = static_cast<std::byte>(word >> (8 * i) & 0xff);
}

}  // namespace

std::uint32_t metadata_checksum(std::span<const std::byte> bytes) {
  const auto word = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4 && at + i < bytes.size(); ++i)
      value |= std::to_integer<std::uint32_t>(bytes[at + i]) << (8 * i);
    return value;
  };
  std::uint32_t a = 0xdeadbeefu + static_cast<std::uint32_t>(bytes.size()), b = a, c = a;
  if (bytes.empty()) return c;
  std::size_t at = 0;
  for (; bytes.size() - at > 12; at += 12) {
    a += word(at), b += word(at + 4), c += word(at + 8);
    a -= c, a ^= std::rotl(c, 4), c += b;
    b -= a, b ^= std::rotl(a, 6), a += c;
    c -= b, c ^= std::rotl(b, 8), b += a;
    a -= c, a ^= std::rotl(c, 16), c += b;
    b -= a, b ^= std::rotl(a, 19), a += c;
    c -= b, c ^= std::rotl(b, 4), b += a;
  }
  a += word(at), b += word(at + 4), c += word(at + 8);
  c ^= b, c -= std::rotl(b, 14);
  a ^= c, a -= std::rotl(c, 11);
  b ^= a, b -= std::rotl(a, 25);
  c ^= b, c -= std::rotl(b, 16);
  a ^= c, a -= std::rotl(c, 4);
  b ^= a, b -= std::rotl(a, 14);
  c ^= b, c -= std::rotl(b, 24);
  return c;
}

CrashSafeFile::CrashSafeFile(std::filesystem::path file) : file_(std::move(file)), part_(part_name(file_)) {}

CrashSafeFile::~CrashSafeFile() {
  close();
  std::error_code ignored;
  if (!live_) std::filesystem::remove(part_, ignored);
}

Handle CrashSafeFile::create() {
  Handle access(checked(H5Pcreate(H5P_FILE_ACCESS), "prepare"), H5Pclose);
  use_crash_safe_driver(access, *this);
  // A fixed format, whatever newer library is used one day.
  checked(H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110), "choose the format");
  checked(H5Pset_fclose_degree(access, H5F_CLOSE_STRONG), "prepare");
  H5AC_cache_config_t cache;
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  checked(H5Pget_mdc_config(access, &cache), "prepare the cache");
  cache.evictions_enabled = false;  // metadata reach the disk in a flush and only there
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  checked(H5Pset_mdc_config(access, &cache), "prepare the cache");
  Handle creation(checked(H5Pcreate(H5P_FILE_CREATE), "prepare"), H5Pclose);
  checked(H5Pset_obj_track_times(creation, false), "prepare");
  return {checked(H5Fcreate(part_.c_str(), H5F_ACC_TRUNC, creation, access), "create"), H5Fclose};
}

void CrashSafeFile::go_live(hid_t file) {
  start(file);
  appear();
}

void CrashSafeFile::start(hid_t file) {
  checked(H5Fflush(file, H5F_SCOPE_LOCAL), "write the header");
  if (failure_ != 0) return;  // the next call reads back what should have been written
  checked(H5Fstart_swmr_write(file), "start writing");
  checked(H5Fflush(file, H5F_SCOPE_LOCAL), "write the header");
}

void CrashSafeFile::appear() {
  if (failure_ != 0) return;
  std::error_code error;
  std::filesystem::rename(part_, file_, error);
  if (error) {
    fail(error.value());
  } else {
    live_ = true;
  }
}

void CrashSafeFile::move_to(const std::filesystem::path& file) {
  sync();
  if (failure_ != 0) return;
  std::error_code error;
  std::filesystem::rename(file_, file, error);
  if (error) {
    fail(error.value());
  } else {
    file_ = file;
  }
}

void CrashSafeFile::sync() {
  if (failure_ != 0) return;
  int result = 0;
  do result = ::fsync(descriptor_);
  while (result != 0 && errno == EINTR);
  if (result != 0) fail(errno);
}

bool CrashSafeFile::open() {
  descriptor_ = ::open(part_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return descriptor_ >= 0 || fail(errno);
}

void CrashSafeFile::close() {
  // Some file systems report a full disk only here.
  if (descriptor_ >= 0 && ::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

bool CrashSafeFile::fail(int error) {
  if (failure_ == 0) failure_ = error == 0 ? EIO : error;
  return false;
}

void CrashSafeFile::raise(const std::string& otherwise) const {
  const bool full = failure_ == ENOSPC || failure_ == EDQUOT || failure_ == EFBIG;
  throw IoError(
      file_.string() +
      ": cannot write: " + (failure_ != 0 ? std::generic_category().message(failure_) : otherwise) +
      (full ? " (rows up to the last flush are readable; free some space or choose another --out folder)"
            : ""));
}

bool CrashSafeFile::read(std::uint64_t address, std::span<std::byte> out) {
  while (!out.empty()) {
    const ::ssize_t n = ::pread(descriptor_, out.data(), out.size(), static_cast<::off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(errno);
    if (n == 0) break;
    out = out.subspan(static_cast<std::size_t>(n));
    address += static_cast<std::uint64_t>(n);
  }
  std::fill(out.begin(), out.end(), std::byte{0});  // allocated but never written
  return true;
}

bool CrashSafeFile::put(std::uint64_t address, std::span<const std::byte> block) {
  while (!block.empty()) {
    const ::ssize_t n = ::pwrite(descriptor_, block.data(), block.size(), static_cast<::off_t>(address));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(n < 0 ? errno : ENOSPC);
    block = block.subspan(static_cast<std::size_t>(n));
    address += static_cast<std::uint64_t>(n);
    size_ = std::max(size_, address);
  }
  return true;
}

bool CrashSafeFile::resize(std::uint64_t size) {
  if (size == size_) return true;
  if (::ftruncate(descriptor_, static_cast<::off_t>(size)) != 0) return fail(errno);
  size_ = size;
  return true;
}

// The superblock with `end` as end-of-file address: 48 bytes at address 0, one atomic write.
bool CrashSafeFile::publish(std::uint64_t end) {
  if (size_ < end && !resize(end)) return false;
  store(superblock_, flags_at, std::uint8_t{0});
  store(superblock_, end_of_file_at, end);
  store(superblock_, checksum_at, metadata_checksum(std::span(superblock_).first(checksum_at)));
  if (!put(0, superblock_)) return false;
  published_end_ = end;
  return true;
}

bool CrashSafeFile::write(std::uint64_t address, std::span<const std::byte> block, bool metadata) {
  if (failure_ != 0) return true;
  if (!metadata) return put(address, block);
  if (address == 0 && block.size() == superblock_size) {
    std::copy(block.begin(), block.end(), superblock_.begin());
    return publish(std::max(allocated_, published_end_));
  }
  if (published_end_ != 0 && published_end_ < allocated_ && !publish(allocated_)) return false;
  return put(address, block);
}

std::uint64_t CrashSafeFile::allocate(std::uint64_t size, bool metadata) {
  const auto align = [](std::uint64_t address) { return (address + page - 1) / page * page; };
  if (metadata && size <= free_last_ - free_first_) return std::exchange(free_first_, free_first_ + size);
  const std::uint64_t address = align(allocated_);
  allocated_ = address + size;
  if (metadata) {
    allocated_ = align(allocated_);
    free_first_ = address + size;  // the rest of the last page serves later, smaller blocks
    free_last_ = allocated_;
  }
  return address;
}

void CrashSafeFile::set_allocated(std::uint64_t end) {
  allocated_ = end;
  if (end < free_last_) free_first_ = free_last_ = 0;
}

// The library asks for a file as long as its allocated space: before it shrinks, the superblock must say so.
bool CrashSafeFile::truncate() {
  if (failure_ != 0) return true;
  if (allocated_ < published_end_ && !publish(allocated_)) return false;
  return resize(allocated_);
}

}  // namespace cosimo
