// The states of all bodies at the macro points, for subsystems that carry copies of each other's
// bodies: what their owners published at T_N, and what they publish for T_{N+1} while the step is
// under way. One entry per coordinate of the model (Model::coordinates()); behind them, among the positions,
// what its elements remember, the velocities being zero there. Large arrays take memory only
// where they are written to (core/aligned.hpp), so that a rank of a distributed run pays for what it owns and
// carries.
//
//   task of a subsystem:  read x()[copy], v()[copy];  ... advance ...  write next_x()[own], next_v()[own]
//   step accepted:        accept()
//   step taken back:      nothing; the next attempt writes everything again
//
// Tasks write disjoint entries and read only the accepted set, so they need no locks. Together with
// the barrier at the end of a batch this is the one exchange of a macro step.
#pragma once

#include <span>
#include <utility>

#include "core/aligned.hpp"

namespace cosimo {

class BodyStates {
 public:
  /// Where x and v are zero because a windowed model does not fill them, no memory is taken.
  BodyStates(std::span<const double> x, std::span<const double> v)
      : now_{AlignedVector(x), AlignedVector(v)}, next_(now_) {}

  const AlignedVector& x() const { return now_.x; }
  const AlignedVector& v() const { return now_.v; }
  /// To be filled with what other ranks publish.
  AlignedVector& now_x() { return now_.x; }
  AlignedVector& now_v() { return now_.v; }
  AlignedVector& next_x() { return next_.x; }
  AlignedVector& next_v() { return next_.v; }
  const AlignedVector& next_x() const { return next_.x; }
  const AlignedVector& next_v() const { return next_.v; }

  void accept() { std::swap(now_, next_); }

 private:
  struct Set {
    AlignedVector x, v;
  };
  Set now_, next_;
};

}  // namespace cosimo
