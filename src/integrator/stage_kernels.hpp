// Vector kernels for the stages of explicit pairs and for the norm of a step's error, compiled for several
// processors (numerics/pack_targets.hpp). All of them round alike.
#pragma once

#include <array>
#include <cstddef>

#include "core/ids.hpp"
#include "integrator/error_weights.hpp"
#include "integrator/tableau.hpp"

namespace cosimo {

/// Everything a loop over the degrees of freedom needs during one step.
template <class Pair>
struct StageArrays {
  const double* q0;
  const double* v0;
  double* q;
  double* v;
  std::array<double*, Pair::stages> a;  ///< a[0] is only read
  /// Degree of freedom i of the inner stages is at a[s][i - begin]: what is forgotten soon needs no long
  /// array.
  std::size_t begin = 0;

  /// With the inner stages where the others are.
  StageArrays aligned() const {
    StageArrays x = *this;
    for (std::size_t s = 1; s + 1 < Pair::stages; ++s) x.a[s] -= begin;
    return x;
  }
};

/// Eight partial sums: number k of a row goes to sum k mod 8.
using EightSums = std::array<double, 8>;

/// The loops of one pair for the processor at hand.
template <class Pair>
struct StageKernels {
  /// Q_s and V_s for the degrees of freedom in `range`; none for s = 0.
  using State = void (*)(const StageArrays<Pair>& x, double h, Range range);
  std::array<State, Pair::stages> state;
  /// Adds the squares of the errors in `range` (integrator/error_sum.hpp), its first to the first sum.
  void (*error)(const StageArrays<Pair>& x, double h, const ErrorWeights& weights, Range range,
                EightSums& sums);
};

/// To be had for DormandPrince and Merson.
template <class Pair>
const StageKernels<Pair>& stage_kernels();

/// The same squares where the errors are in arrays.
struct ErrorArrays {
  const double *q, *v;    ///< the errors
  const double *q0, *v0;  ///< the state before
  const double *q1, *v1;  ///< and after the step
};
void add_error_squares(const ErrorArrays& x, const ErrorWeights& weights, Range range, EightSums& sums);

}  // namespace cosimo
