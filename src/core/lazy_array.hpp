// An array that begins as zeros and takes memory only where it was written to (core/zeroed_memory.hpp): one
// entry per body or element of the whole model on every rank of a distributed run, filled where the rank
// needs it.
//
//   LazyArray<double> x(1'000'000'000);   addresses only
//   x[i] = 1;                             now one page
//
// A contiguous range that passes as a std::span. Zero means bytes of value zero, whatever T{} would be.
// Copies take no more memory than the original; comparing reads all entries. Arrays that grow entry by entry
// keep room for twice as many, which costs addresses only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/zeroed_memory.hpp"

namespace cosimo {

template <class T>
class LazyArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = const T*;

  LazyArray() = default;
  explicit LazyArray(std::size_t n) : memory_(n * sizeof(T), pages), size_(n) {}
  // NOLINTBEGIN(google-explicit-constructor): lists of numbers are arrays
  LazyArray(std::initializer_list<T> values) : LazyArray(std::span(values.begin(), values.size())) {}
  LazyArray(const std::vector<T>& values) : LazyArray(std::span(values)) {}
  // NOLINTEND(google-explicit-constructor)
  explicit LazyArray(std::span<const T> values) : LazyArray(values.size()) {
    copy_into_zeros(data(), values.data(), values.size() * sizeof(T));
  }
  LazyArray(const LazyArray& other) : LazyArray(std::span<const T>(other)) {}
  LazyArray(LazyArray&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  LazyArray& operator=(LazyArray other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~LazyArray() = default;

  /// Entries that stay keep their values; new ones are zero.
  void resize(std::size_t n) {
    if (n < size_) clear(data() + n, (size_ - n) * sizeof(T));  // what lies beyond the end is zero
    if (n > capacity()) move_to(n);
    size_ = n;
  }
  void push_back(T value) {
    if (size_ == capacity()) move_to(std::max<std::size_t>(8, 2 * size_));
    data()[size_++] = value;
  }

  T* data() { return static_cast<T*>(memory_.data()); }
  const T* data() const { return static_cast<const T*>(memory_.data()); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return data()[i]; }
  const T& operator[](std::size_t i) const { return data()[i]; }
  T& front() { return data()[0]; }
  const T& front() const { return data()[0]; }
  T& back() { return data()[size_ - 1]; }
  const T& back() const { return data()[size_ - 1]; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  friend bool operator==(const LazyArray& a, const LazyArray& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  static constexpr ZeroedMemory::Pages pages = ZeroedMemory::Pages::small;

  std::size_t capacity() const { return memory_.bytes() / sizeof(T); }
  void move_to(std::size_t capacity) {
    ZeroedMemory wider(capacity * sizeof(T), pages);
    copy_into_zeros(wider.data(), memory_.data(), size_ * sizeof(T));
    memory_ = std::move(wider);
  }

  ZeroedMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace cosimo
