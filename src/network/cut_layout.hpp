// Where the outputs at the ends of couplings are in arrays over all of them: one array for the `from` ends,
// one for the `to` ends, coupling after coupling. Every output is a value with its rate: position and
// velocity of a coordinate of a coupling body, or a signal (whose rate need not be known, and is zero then).
// In a scalar model without signals the place is the number of the coupling.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "network/interface.hpp"

namespace cosimo {

class CutLayout {
 public:
  CutLayout() = default;
  explicit CutLayout(const Interface& interface) {
    for (const Coupling& coupling : interface.couplings) {
      from_.push_back(from_.back() + coupling.from.coordinates);
      to_.push_back(to_.back() + coupling.to.coordinates);
      values_.push_back(coupling.from.motion ? 0 : 1);
    }
  }

  std::size_t couplings() const { return from_.size() - 1; }
  /// All coordinates of the ends on one side.
  std::size_t count(CutSide side) const { return of(side).back(); }
  /// Of both sides together.
  std::size_t count() const { return from_.back() + to_.back(); }
  Range coordinates(std::size_t coupling, CutSide side) const {
    return {of(side)[coupling], of(side)[coupling + 1]};
  }
  /// Positions with their velocities, not plain values.
  bool is_motion(std::size_t coupling, CutSide side) const {
    return side == CutSide::to || values_[coupling] == 0;
  }
  std::size_t first(std::size_t coupling, CutSide side) const { return of(side)[coupling]; }
  std::size_t coupling_of(std::size_t coordinate, CutSide side) const {
    const auto& first = of(side);
    return static_cast<std::size_t>(std::upper_bound(first.begin(), first.end(), coordinate) -
                                    first.begin()) -
           1;
  }
  /// Place in an array of both sides: `from` and `to` of the first coupling, then those of the second, ...
  std::size_t joint_first(std::size_t coupling, CutSide side) const {
    return from_[coupling + (side == CutSide::to ? 1 : 0)] + to_[coupling];
  }

 private:
  const std::vector<std::size_t>& of(CutSide side) const { return side == CutSide::from ? from_ : to_; }
  std::vector<std::size_t> from_{0}, to_{0};  ///< first coordinate of every end, and how many there are
  std::vector<std::uint8_t> values_;          ///< per coupling: plain values at its `from` end
};

}  // namespace cosimo
