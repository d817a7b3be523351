// Divides a graph into leaves, no two of which are neighbours, and a top that holds them apart:
//
//   const Dissection d = dissect(graph);
//
// Systems of equations with this graph are eliminated leaf by leaf, each leaf for itself, then the top. Paths
// and rings are cut into leaves of exactly the same length, a number that fills vector lanes; whatever is
// left over goes to the top. Everything else is cut by METIS (Karypis, Kumar 1998) with a fixed seed, down to
// leaves of about `leaf_size` vertices. Pieces that hang together with nothing else are divided one by one.
//
// The result follows from the graph alone, and for paths not even from how it is numbered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cosimo {

/// The neighbours of every vertex, ascending, each once.
using NeighbourLists = std::vector<std::vector<std::uint32_t>>;

inline constexpr std::size_t leaf_size = 32;

struct Dissection {
  std::vector<std::vector<std::uint32_t>> leaves;  ///< of paths from end to end, others ascending
  std::vector<std::uint32_t> top;                  ///< along the paths, separators of METIS outermost last
};

Dissection dissect(const NeighbourLists& graph);

}  // namespace cosimo
