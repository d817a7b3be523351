// Arrays of numbers as the vector kernels want them: 64-byte aligned and zeroed,
// with room for one full vector past the end. A contiguous range: passes as a std::span.
// Large ones take memory only where they are written to (core/zeroed_memory.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "core/zeroed_memory.hpp"

namespace cosimo {

class AlignedVector {
 public:
  AlignedVector() = default;
  explicit AlignedVector(std::size_t n) { resize(n); }
  explicit AlignedVector(std::span<const double> values) : AlignedVector(values.size()) {
    copy_into_zeros(data(), values.data(), values.size_bytes());
  }
  AlignedVector(const AlignedVector& other) { *this = other; }
  AlignedVector(AlignedVector&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  AlignedVector& operator=(AlignedVector&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  AlignedVector& operator=(const AlignedVector& other) {
    if (this == &other) return *this;
    if (size_ != other.size_) return *this = AlignedVector(std::span<const double>(other));
    copy_differing(data(), other.data(), size_ * sizeof(double));
    return *this;
  }
  ~AlignedVector() = default;

  /// Contents become zero.
  void resize(std::size_t n) {
    const std::size_t padded = (n + 15) / 8 * 8;
    memory_ = ZeroedMemory(padded * sizeof(double));
    size_ = n;
  }

  double* data() { return static_cast<double*>(memory_.data()); }
  const double* data() const { return static_cast<const double*>(memory_.data()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double& operator[](std::size_t i) { return data()[i]; }
  double operator[](std::size_t i) const { return data()[i]; }
  double* begin() { return data(); }
  double* end() { return data() + size_; }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size_; }

 private:
  ZeroedMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace cosimo
