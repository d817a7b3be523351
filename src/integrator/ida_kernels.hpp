// Vector kernels around IDA's Newton iteration, compiled for several processors (numerics/pack_targets.hpp).
#pragma once

#include "core/ids.hpp"

namespace cosimo::kernels {

/// rq = dq - v, rv = dv - rv
struct ResidualArrays {
  const double *dq, *dv, *v;
  double *rq, *rv;
};
void residual(const ResidualArrays& x, Range range);

/// dv = gm M rv - gk K rq on a path, rows that have both neighbours.
struct PathSide {
  const double *mass, *diag, *edge;
  const double *rq, *rv;
  double gm, gk;
};
void path_side(const PathSide& x, double* dv, Range range);

/// dq = g (scale rq + dv)
void position_change(double g, double scale, const double* rq, const double* dv, double* dq, Range range);

}  // namespace cosimo::kernels
