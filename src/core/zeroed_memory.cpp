#include "core/zeroed_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

namespace cosimo {

namespace {

/// Not the machine's: what is compared before it is written. A multiple or a fraction serves as well.
constexpr std::size_t page = 4096;

constexpr std::align_val_t alignment{64};

constexpr std::array<std::byte, page> zeros{};

/// Calls visit(offset, length) page by page, or once for a small block.
template <class F>
void for_pages(std::size_t bytes, F visit) {
  const std::size_t step = bytes < ZeroedMemory::mapped_from ? std::max<std::size_t>(1, bytes) : page;
  for (std::size_t at = 0; at < bytes; at += step) visit(at, std::min(step, bytes - at));
}

void* map(std::size_t bytes, ZeroedMemory::Pages pages) {
  void* const data =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) throw std::bad_alloc();
  // A kernel without huge pages refuses the advice, and needs none.
  if (pages == ZeroedMemory::Pages::small) ::madvise(data, bytes, MADV_NOHUGEPAGE);
  return data;
}

}  // namespace

ZeroedMemory::ZeroedMemory(std::size_t bytes, Pages pages) : bytes_(bytes) {
  if (bytes == 0) return;
  if (bytes >= mapped_from) {
    data_ = map(bytes, pages);
    return;
  }
  data_ = ::operator new(bytes, alignment);
  std::memset(data_, 0, bytes);
}

ZeroedMemory::~ZeroedMemory() {
  if (data_ == nullptr) return;
  if (bytes_ >= mapped_from)
    ::munmap(data_, bytes_);
  else
    ::operator delete(data_, alignment);
}

void copy_into_zeros(void* to, const void* from, std::size_t bytes) {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  for_pages(bytes, [&](std::size_t at, std::size_t length) {
    if (length > page || std::memcmp(source + at, zeros.data(), length) != 0)
      std::memcpy(target + at, source + at, length);
  });
}

void copy_differing(void* to, const void* from, std::size_t bytes) {
  auto* const target = static_cast<std::byte*>(to);
  const auto* const source = static_cast<const std::byte*>(from);
  for_pages(bytes, [&](std::size_t at, std::size_t length) {
    if (length > page || std::memcmp(target + at, source + at, length) != 0)
      std::memcpy(target + at, source + at, length);
  });
}

void clear(void* data, std::size_t bytes) {
  auto* const target = static_cast<std::byte*>(data);
  for_pages(bytes, [&](std::size_t at, std::size_t length) {
    if (length > page || std::memcmp(target + at, zeros.data(), length) != 0)
      std::memset(target + at, 0, length);
  });
}

}  // namespace cosimo
