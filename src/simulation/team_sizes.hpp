// How many threads take the steps of each part together, where there are more threads than parts.
#pragma once

#include <span>
#include <vector>

namespace cosimo {

/// One thread for every part; the others by the largest remainder of cost x threads / total cost, and none to
/// a part that has its `most`. Results do not depend on it.
std::vector<int> team_sizes(std::span<const double> cost, std::span<const int> most, int threads);

}  // namespace cosimo
