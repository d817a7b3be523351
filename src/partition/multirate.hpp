// Regions that need far more steps than the bulk of the model, and weak couplings between large pieces: where
// a model falls apart by itself.
//
// A region grows around every vertex whose rate is at least four times the bulk's: with one layer of slower
// neighbours, so that its cuts lie between two of them and not beside the stiff body (004 5.4), and with the
// slivers of slow bodies between regions and ends that would be too small for parts of their own. As small
// subsystems they take their many steps alone (5.8: a speed-up of 400 on the chain with contacts).
#pragma once

#include <cstdint>
#include <vector>

#include "partition/cut_graph.hpp"

namespace cosimo {

/// Vertices that hang together.
struct Piece {
  std::vector<std::int32_t> vertices;  ///< ascending
  double cost = 0;                     ///< of its vertices; of all at the steps of the fastest when stiff
  bool stiff = false;
  bool alone = false;  ///< no edge leads out of it
};

/// Connected pieces of the graph as it is.
std::vector<Piece> connected_pieces(const CutGraph& graph);

/// Pieces of stiff and of slow vertices. Slow slivers of up to `sliver` freedoms join their stiff neighbours.
/// Without a stiff vertex: the connected pieces.
std::vector<Piece> separate_stiff(const CutGraph& graph, double sliver);

/// The given pieces once more divided where edges cost at most 1/20 of the typical one and every side costs
/// at least `least`.
std::vector<Piece> separate_weak(const CutGraph& graph, const std::vector<Piece>& pieces, double least);

}  // namespace cosimo
