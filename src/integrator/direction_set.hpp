// The derivatives that one advance() carries along (Directions, integrator/integrator.hpp), one direction
// (dq, dv) per input, as the one-step methods hold them:
//
//   set.begin(system, wanted);   all zero; nothing to carry when `wanted` is null
//   ... after every accepted step the stepper changes set.directions() ...
//   set.finish();                the wanted entries are written
//
// They obey the variational equation along the solution,
//
//   dq' = dv,   M dv' = -K(t) dq - C(t) dv + e(t) shape(t),
//
// where e is the force per unit of the input on its degree of freedom. A direction spreads from there by the
// system's reach per stage, so it is held on a range only; outside of it all entries are zero. What is
// negligible at the ends of the range is cut off after every step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "integrator/integrator.hpp"
#include "integrator/slab.hpp"

namespace cosimo {

/// The derivatives of all positions and velocities with respect to one scalar.
struct Direction {
  std::size_t input = 0;
  double* q = nullptr;
  double* v = nullptr;
  Range range;  ///< all others are zero
};

/// Entries below this part of the largest one, at the ends of a direction's range, are made zero. Far below
/// anything that an interface Jacobian can feel, far above the rounding of the largest.
inline constexpr double negligible_direction = 1e-11;

/// The smallest range that holds both; empty ones do not count.
inline Range hull(Range a, Range b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  return {std::min(a.first, b.first), std::max(a.last, b.last)};
}

/// `range` and `margin` more on both sides, within [0, size).
inline Range widened(Range range, std::size_t margin, std::size_t size) {
  return {range.first - std::min(range.first, margin), range.last + std::min(size - range.last, margin)};
}

class DirectionSet {
 public:
  void begin(const System& system, Directions* wanted);
  void finish();

  bool wanted() const { return wanted_ != nullptr && !directions_.empty(); }
  const Polynomial& shape() const { return wanted_->shape; }
  std::span<Direction> directions() { return directions_; }

  /// Says which instant the directions stand at: another number after every begin() and every step. What a
  /// stepper has computed for an instant it may use again while the number is the same.
  std::uint64_t instant() const { return instant_; }
  void next_instant() { ++instant_; }

 private:
  void allocate(std::size_t inputs, std::size_t size);

  Directions* wanted_ = nullptr;
  std::size_t size_ = 0;
  Slab storage_;
  std::vector<Direction> directions_;
  std::uint64_t instant_ = 0;
};

/// Cuts off what is negligible at the ends of the range.
void trim(Direction& direction);

}  // namespace cosimo
