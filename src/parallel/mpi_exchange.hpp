// Ranks on MPI (Open MPI): processes that mpirun or a scheduler has started together.
//
//   auto exchange = join_cluster();      null when this process was started alone
//
// MPI is initialised by the call and finalised with the object; there can be only one. Whether the process
// belongs to a job is seen from its environment, so that a run of its own never pays for MPI.
#pragma once

#include <memory>

#include "parallel/exchange.hpp"

namespace cosimo {

/// Throws Error when several processes were started without a way to find each other (srun without PMIx).
std::unique_ptr<Exchange> join_cluster();

}  // namespace cosimo
