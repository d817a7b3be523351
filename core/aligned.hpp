// Arrays of numbers as the vector kernels want them: 64-byte aligned and zeroed,
// with room for one full vector past the end. A contiguous range: passes as a std::span.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace cosimo {

class AlignedVector {
 public:
  AlignedVector() = default;
  explicit AlignedVector(std::size_t n) { resize(n); }
  AlignedVector(const AlignedVector& other) { *this = other; }
  AlignedVector(AlignedVector&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  AlignedVector& operator=(AlignedVector&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  AlignedVector& operator=(const AlignedVector& other) {
    if (this == &other) return *this;
    if (size_ != other.size_) resize(other.size_);
    std::copy(other.begin(), other.end(), begin());
    return *this;
  }
  ~AlignedVector() = default;

  /// Contents become zero.
  void resize(std::size_t n) {
    const std::size_t padded = (n + 15) / 8 * 8;
    data_.reset(static_cast<double*>(::operator new (padded * sizeof(double), std::align_val_t{64})));
    size_ = n;
    std::fill_n(data_.get(), padded, 0.0);
  }

  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double& operator[](std::size_t i) { return data_.get()[i]; }
  double operator[](std::size_t i) const { return data_.get()[i]; }
  double* begin() { return data(); }
  double* end() { return data() + size_; }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size_; }

 private:
  struct Free {
    void operator()(double* p) const { ::operator delete (p, std::align_val_t{64}); }
  };
  std::unique_ptr<double[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace cosimo
