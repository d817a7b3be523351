// Which rank runs which part: equal expected cost, few cuts between ranks.
//
// Two candidates are made: ranges of parts in their order, as even as ranges can be (right for chains, whose
// parts follow each other), and METIS on the graph of parts (right for everything else). The one with the
// lower largest load wins unless it has many more cuts between ranks. Parts that must stay together do.
// Depends on its arguments alone; where a part runs never changes what it computes.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "partition/part.hpp"

namespace cosimo {

/// Rank of every part. With fewer (groups of) parts than ranks the last ranks get none. `together`: pairs of
/// parts that must be on one rank.
std::vector<int> place_parts(std::span<const double> cost, std::span<const Coupling> couplings,
                             std::span<const std::pair<std::size_t, std::size_t>> together, int ranks);

}  // namespace cosimo
