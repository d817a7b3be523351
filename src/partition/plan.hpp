// A division of a cut graph into parts of equal cost, made of the pieces into which it falls (multirate.hpp).
//
// Every piece gets a share of the parts and METIS divides it; with fewer parts than pieces, pieces of one
// kind share a part. Then the cuts move to the cheapest elements nearby (refine.hpp) while no part exceeds
// its share by more than a tenth or two bodies.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "partition/multirate.hpp"

namespace cosimo {

struct Plan {
  std::vector<std::int32_t> part_of;  ///< of every vertex
  std::size_t parts = 0;
  std::vector<double> share;  ///< what each part was meant to cost
};

/// What the parts really cost: freedoms times the steps of the fastest vertex.
struct Judgement {
  double largest = 0, total = 0;
  double cut = 0;  ///< cost of all cuts
};
Judgement judge(const CutGraph& graph, const Plan& plan);

/// One part to every piece, the others one by one to the piece whose parts are the most expensive. Pieces get
/// at most one part for every 16 vertices as long as others have more, and never more parts than vertices.
std::vector<std::size_t> apportion(std::span<const Piece* const> pieces, std::size_t parts);

/// The pieces into `parts` parts, stiff ones and others apart. `moving`: cuts move to cheaper elements
/// nearby.
Plan make_plan(const CutGraph& graph, const std::vector<Piece>& pieces, std::size_t parts, bool moving);

/// Fewest vertices that a part should have where there is a choice.
inline constexpr std::size_t smallest_part = 16;

}  // namespace cosimo
