// The linear part of the variational equation: the forces -K dq - C dv on a few rows, with a tangent that is
// known there only and goes linearly from the beginning of a step to its end.
//
//   LocalTangent begin(system), end(system);
//   begin.provide(t, q, v, rows);  end.provide(...);         evaluates what is missing
//   restoring_force({pattern, rows, reach}, {begin.values(), end.values(), theta}, {dq, dv}, f);
//
// The tangent of a linear system is constant, and so is the interpolated one to the bit. Of a nonlinear
// one it is wrong by O(h^2), where the derivatives of the solution need not be as good as the solution.
#pragma once

#include <cstddef>
#include <vector>

#include "integrator/system.hpp"

namespace cosimo {

/// M, C and K at one state, in those rows that somebody has asked for.
class LocalTangent {
 public:
  explicit LocalTangent(const System& system) : system_(&system) {}

  void forget() { known_.clear(); }
  /// Rows `rows` and all edges that touch them. The state is the same in all calls since forget().
  void provide(double t, const double* q, const double* v, Range rows);
  const Tangent& values() const { return values_; }

 private:
  void evaluate(double t, const double* q, const double* v, Range rows, Range& known);

  const System* system_;
  Tangent values_;  ///< empty until the first use
  std::vector<Range> known_;
};

/// Between the two ends of a step: K = K_begin + theta (K_end - K_begin), and so for C. Masses are constant.
struct TangentBlend {
  const Tangent& begin;
  const Tangent& end;
  double theta = 0;
};

/// Arrays of all entries, of which those within the system's reach of the wanted rows are read.
struct Displacement {
  const double* q;
  const double* v;
};

/// Which rows of what, and how far the neighbours may be.
struct Rows {
  const TangentPattern& pattern;
  Range range;
  std::size_t reach;
};

/// f = -(K q + C v).
void restoring_force(const Rows& rows, const Tangent& tangent, Displacement x, double* f);
void restoring_force(const Rows& rows, const TangentBlend& tangent, Displacement x, double* f);

/// f = -(K q + C v) - K_begin r: r meets the stiffness of the start alone.
void restoring_force(const Rows& rows, const TangentBlend& tangent, Displacement x, const double* r,
                     double* f);

/// f = -theta ((K_end - K_begin) q + (C_end - C_begin) v).
void force_of_change(const Rows& rows, const TangentBlend& tangent, Displacement x, double* f);

}  // namespace cosimo
