// One parameter of many bodies or elements: a single number when all are equal, an
// array otherwise. Kernels ask uniform() once and then run the matching loop.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/lazy_array.hpp"

namespace cosimo {

class Field {
 public:
  Field() = default;
  explicit Field(double value) : values_{value} {}
  /// One value: equal for all. Otherwise one value each.
  explicit Field(const std::vector<double>& values) : values_(values) {}
  explicit Field(LazyArray<double> values) : values_(std::move(values)) {}

  bool uniform() const { return values_.size() == 1; }
  double operator[](std::size_t i) const { return values_[uniform() ? 0 : i]; }
  const double* data() const { return values_.data(); }
  LazyArray<double>& values() { return values_; }

 private:
  LazyArray<double> values_{0.0};
};

}  // namespace cosimo
