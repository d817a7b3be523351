// Divides a graph into leaves, no two of which are neighbours, and a top that holds them apart:
//
//   const Dissection d = dissect(graph);
//
// Systems of equations with this graph are eliminated leaf by leaf, each leaf for itself, then the top. Paths
// and rings are cut into eight equal stretches, one for each vector lane, and long stretches into leaves: the
// k-th leaves of all stretches have the same length and run side by side. What separates the leaves of a
// stretch is a domain of its own, which comes after them, again side by side with those of the others. What
// separates the stretches, and up to seven vertices that are left over, form a path again: every second of
// them is a domain, then every second of the rest, until few are left for the top. Everything else is cut by
// METIS (Karypis, Kumar 1998) with a fixed seed, down to leaves of about `leaf_size` vertices. Pieces that
// hang together with nothing else are divided one by one.
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
  std::vector<std::vector<std::uint32_t>> leaves;   ///< of paths from end to end, others ascending
  std::vector<std::vector<std::uint32_t>> between;  ///< after the leaves, one after the other
  std::vector<std::uint32_t> top;                   ///< along the paths, separators of METIS outermost last
};

/// Where what separates the leaves of a stretch goes. In the top it makes that longer, and leaves fewer.
enum class Between { domains, top };

Dissection dissect(const NeighbourLists& graph, Between between = Between::domains);

}  // namespace cosimo
