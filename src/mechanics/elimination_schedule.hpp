// The order in which the operations of a domain run. What an operation computes does not depend on it as long
// as each comes after those that make what it reads, or read what it overwrites. But numbers that are made
// just before they are used are still in the cache.
#pragma once

#include <cstddef>
#include <vector>

#include "mechanics/elimination_program.hpp"

namespace cosimo {

enum class Pace {
  late,  ///< operations wait until a leader needs them
  early  ///< operations follow as soon as the leaders let them
};

/// `ops` in another order with the same results: the ones of `leaders`, which are among them, keep their
/// order and set the pace of the others.
std::vector<BlockOp> schedule(const std::vector<BlockOp>& ops, const std::vector<BlockOp>& leaders,
                              Pace pace);

}  // namespace cosimo
