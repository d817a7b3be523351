// Work arrays that live only during one call, one set per thread.
//
// A thread runs many subsystems one after the other. If each had work arrays of its own, every
// macro step would drag all of them through the caches; shared by the thread they stay in its
// second-level cache, and only the states travel. Nothing is carried from one call to the next:
// every entry is written before it is read.
#pragma once

#include <cstddef>
#include <span>

namespace cosimo {

/// `rows` arrays of `size` numbers, placed as a Slab places them. Valid until the same thread asks again.
class Scratch {
 public:
  Scratch(std::size_t rows, std::size_t size, std::size_t first);
  double* row(std::size_t k) const { return start_ + k * pitch_; }

 private:
  double* start_ = nullptr;
  std::size_t pitch_ = 0;
};

}  // namespace cosimo
