// A lane's states at its last macro points, for extrapolation over the next macro step (A.2).
//
//   states.push(T_N, q, v);              at the beginning of every macro step
//   states.extrapolate(t, q, v);         polynomial through at most three points
//
// The kept states never change, so a copy (in a snapshot) shares them and costs next to nothing.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "core/aligned.hpp"
#include "core/archive.hpp"

namespace cosimo {

class MacroStates {
 public:
  static constexpr std::size_t most = 3;  ///< quadratic polynomials

  /// Points at or after t, left over from steps that were taken back, are forgotten.
  void push(double t, std::span<const double> q, std::span<const double> v);
  /// The constant, linear or quadratic polynomial through the points, at t. There must be one.
  void extrapolate(double t, std::span<double> q, std::span<double> v) const;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Points of `coordinates` positions and velocities each.
  void archive(Archive& a, std::size_t coordinates);

 private:
  struct Point {
    double t = 0;
    AlignedVector q, v;
  };
  std::array<std::shared_ptr<Point>, most> points_;  ///< newest first
  std::size_t size_ = 0;
};

}  // namespace cosimo
