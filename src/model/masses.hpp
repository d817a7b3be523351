// Masses of a part's coordinates and their reciprocals: one number when all are
// equal, arrays otherwise.
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/aligned.hpp"

namespace cosimo {

class Masses {
 public:
  Masses() = default;
  /// One entry per coordinate.
  explicit Masses(AlignedVector mass) {
    const bool equal = std::all_of(mass.begin(), mass.end(), [&](double m) { return m == mass[0]; });
    const std::size_t kept = equal ? std::min<std::size_t>(mass.size(), 1) : mass.size();
    uniform_ = kept <= 1;
    mass_ = AlignedVector(kept);
    inverse_ = AlignedVector(kept);
    for (std::size_t i = 0; i < kept; ++i) {
      mass_[i] = mass[i];
      inverse_[i] = 1.0 / mass[i];
    }
  }

  bool uniform() const { return uniform_; }
  double mass(std::size_t i) const { return mass_[uniform_ ? 0 : i]; }
  double inverse(std::size_t i) const { return inverse_[uniform_ ? 0 : i]; }
  const double* inverse_data() const { return inverse_.data(); }

 private:
  AlignedVector mass_, inverse_;
  bool uniform_ = true;
};

}  // namespace cosimo
