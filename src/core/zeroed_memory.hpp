// Zeroed memory, 64-byte aligned, of which large blocks cost only what is written to: they are anonymous
// mappings, whose pages the kernel provides at the first write. Reading a page that was never written shows
// zeros and takes no memory either.
//
// So an array as long as the whole model may stand on every rank of a distributed run while each fills
// only its own stretch of it. Used by LazyArray and AlignedVector.
#pragma once

#include <cstddef>
#include <utility>

namespace cosimo {

class ZeroedMemory {
 public:
  /// From this size on memory is mapped, below it comes from the heap.
  static constexpr std::size_t mapped_from = std::size_t{1} << 20;

  enum class Pages {
    any,   ///< as the system likes: possibly huge ones, for arrays that are used in full
    small  ///< never more than the smallest, for arrays of which stretches stay empty
  };

  ZeroedMemory() = default;
  /// Throws std::bad_alloc when not even addresses are left.
  explicit ZeroedMemory(std::size_t bytes, Pages pages = Pages::any);
  ZeroedMemory(ZeroedMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  ZeroedMemory& operator=(ZeroedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ZeroedMemory(const ZeroedMemory&) = delete;
  ZeroedMemory& operator=(const ZeroedMemory&) = delete;
  ~ZeroedMemory();

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Of large blocks these touch only the pages that must be written.

/// Copies into memory that is still zero; the blocks do not overlap.
void copy_into_zeros(void* to, const void* from, std::size_t bytes);
/// Copies onto whatever is there; the blocks do not overlap.
void copy_differing(void* to, const void* from, std::size_t bytes);
/// Makes all bytes zero.
void clear(void* data, std::size_t bytes);

}  // namespace cosimo
