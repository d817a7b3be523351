// The reference of all benchmarks: SUNDIALS IDA with KLU and its own serial vectors, as
// Debian ships it and as a user would write it today, on the uncut chain of Table 5.9.
#pragma once

#include "bench/models.hpp"

namespace cosimo::bench {

struct ReferenceRun {
  Trajectory trajectory;
  double seconds = 0;
  long steps = 0;
};

/// The same chain and the same sampled bodies as integrate(table_5_9(n)).
ReferenceRun reference_ida(const Model& model, double rtol, const Sampler& sampler);

}  // namespace cosimo::bench
