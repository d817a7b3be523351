// What two result sets have in common: output times, and bodies with the same coordinates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "results/recorder.hpp"

namespace cosimo {

/// Index of one thing (an output time, a column) in both result sets.
struct Shared {
  std::size_t mine = 0, reference = 0;
};

/// Times equal to 1e-9 relative.
std::vector<Shared> shared_times(std::span<const double> mine, std::span<const double> reference);

/// The shared columns, body after body: those asked for, then the others.
struct SharedBodies {
  std::vector<Shared> columns;
  std::vector<std::size_t> first{0};  ///< where the columns of each body begin; one more entry
  std::size_t asked = 0;

  std::size_t size() const { return first.size() - 1; }
  std::span<const Shared> columns_of(std::size_t body) const {
    return std::span(columns).subspan(first[body], first[body + 1] - first[body]);
  }
};

/// `wanted` are labels; none: all that are shared. Throws Error when one of them is not recorded in both, or
/// one that is asked for has other coordinates in the one than in the other.
SharedBodies shared_bodies(const Results& a, const Results& reference, std::span<const std::int64_t> wanted);

}  // namespace cosimo
