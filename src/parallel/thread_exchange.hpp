// Ranks that are threads of one process: what MPI does, without MPI. For tests of everything that is told
// between ranks.
//
//   run_ranks(3, [](Exchange& exchange) { ... });      one call per rank, each on its own thread
//
// Nothing is shared but messages, in mailboxes behind one lock; collective calls gather at rank 0 and spread
// from there.
#pragma once

#include <functional>

#include "parallel/exchange.hpp"

namespace cosimo {

/// Returns when all ranks have. An exception of one rank wakes the others with one of their own; the first
/// is rethrown here.
void run_ranks(int ranks, const std::function<void(Exchange&)>& rank);

}  // namespace cosimo
