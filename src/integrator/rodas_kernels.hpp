// Vector kernels for the stages of integrator/rodas.hpp, of a step and of the derivatives that are carried
// along with it; compiled for several processors (numerics/pack_targets.hpp).
#pragma once

#include <array>

#include "core/ids.hpp"
#include "integrator/rodas.hpp"
#include "integrator/rodas_stages.hpp"

namespace cosimo {

struct RodasArrays {
  const double *q0, *v0;
  double *q, *v, *r;
  rodas::Stages w;
};

/// What the right-hand side of a stage is made of; the accelerations or forces, and their rates.
struct RodasSide {
  const double *mass, *a, *a_t;
  const double* kr;  ///< K r_s
  rodas::Stages w;   ///< of the stages before, and where it goes
};

struct RodasKernels {
  /// Q_s, V_s and r_s times `r_scale`.
  std::array<void (*)(const RodasArrays& x, double h, double r_scale, Range range), rodas::stages> state;
  /// w_s = g M (a + sum_j C_sj / h w_j + d_s h a_t) - g^2 K r_s
  std::array<void (*)(const RodasSide& x, double h, Range range), rodas::stages> side;
  /// w_s = g (f + M sum_j C_sj / h w_j + d_s f_t): K r_s is part of f
  std::array<void (*)(const RodasSide& x, double h, Range range), rodas::stages> direction_side;
  /// y_1 = Y_6 + U_6, with the position part of U_6 in r
  void (*end)(const RodasArrays& x, double h, Range range);
  /// The same of a direction, from its beginning in q and v
  void (*direction_end)(const RodasArrays& x, double h, Range range);
  /// y = K x on a path, rows that have both neighbours
  void (*path_product)(const double* diag, const double* edge, const double* x, double* y, Range range);
};
const RodasKernels& rodas_kernels();

}  // namespace cosimo
