// Several arrays of equal length that are read and written side by side in one loop.
//
// A processor tells a load from the stores before it by the last twelve bits of the address first.
// Arrays that lie a multiple of 4096 bytes apart, or slightly less, look alike to it, and a loop
// over many arrays then loses up to half its speed, depending on how long they happen to be. Rows
// of a slab start at different places of a page; slabs that meet in a loop get different `first`
// places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/aligned.hpp"

namespace cosimo {

class Slab {
 public:
  Slab() = default;
  /// Row k starts at place first + k of a page, with room for a full vector past its end.
  Slab(std::size_t rows, std::size_t size, std::size_t first)
      : size_(size),
        pitch_(pitch_of(size)),
        storage_(storage_for(rows, size, first)),
        start_(start_in(storage_.data(), first)) {}

  // The placement itself, for arrays that live elsewhere (integrator/scratch.hpp).
  static std::size_t pitch_of(std::size_t size) { return (size + 8 + page - 1) / page * page + place; }
  static std::size_t storage_for(std::size_t rows, std::size_t size, std::size_t first) {
    return rows * pitch_of(size) + page + first * place;
  }
  static std::size_t start_in(const double* storage, std::size_t first) {
    const std::size_t address = reinterpret_cast<std::uintptr_t>(storage) / sizeof(double);
    return (page - address % page) % page + first * place;
  }

  std::span<double> row(std::size_t k) { return {storage_.data() + start_ + k * pitch_, size_}; }
  std::span<const double> row(std::size_t k) const { return {storage_.data() + start_ + k * pitch_, size_}; }
  bool empty() const { return storage_.empty(); }

 private:
  static constexpr std::size_t page = 512;  ///< doubles
  static constexpr std::size_t place = 16;  ///< doubles between two places

  std::size_t size_ = 0;
  std::size_t pitch_ = 0;
  AlignedVector storage_;
  std::size_t start_ = 0;
};

}  // namespace cosimo
