// In which order subsystems advance within a macro step.
//
// Jacobi: all at once, with what was predicted. Gauss-Seidel: one after the other, each with the newest
// outputs of those before it. Subsystems that share no cut do not wait for each other: they stand in the same
// stage and run in parallel. The stages alone decide the result.
//
// A given order of parts becomes stages by the longest path: a part stands one stage behind the last of its
// neighbours that precede it. Without an order the stages are chosen: the force-driven side of a
// force/displacement cut before its motion-driven side (Appendix B: then nothing is lost without update), and
// where a signal begins before where it ends,
// as far as that makes no circle (a cut that would close one, in the order of the cuts, only keeps its parts
// apart); otherwise as few stages as a greedy colouring of the parts finds that goes from the first part
// outward: two for a chain and every other graph without odd rings, so that half of the subsystems run at
// once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/interface.hpp"

namespace cosimo {

/// The stage of every part, from 0 without gaps. `order`: part numbers from 0, each exactly once; empty:
/// automatic.
std::vector<int> gauss_seidel_stages(const Interface& interface, std::size_t parts,
                                     std::span<const std::int32_t> order);

}  // namespace cosimo
