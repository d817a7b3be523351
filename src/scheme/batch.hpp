// Kinds of batches that schemes hand to the pool, which learns the costs of each kind by itself
// (parallel/pool.hpp).
#pragma once

namespace cosimo::batch {

enum Kind : int {
  saving = 1,
  growing,      ///< overlaps
  forecasting,  ///< of their costs
  estimating,
  making,   ///< lanes
  pushing,  ///< what an error does to the bodies beside a cut
  profiling,
  gathering,         ///< the ends of cuts
  cutting,           ///< what is done for every cut
  first_stage = 16,  ///< two for every stage: without and with lanes beside
};

}  // namespace cosimo::batch
