// The digest of a model, block by block: what hash() is made of, in a form that ranks can share.
//
// Block k holds the bodies from k B to (k + 1) B - 1 with the loads on them, and the elements of the same
// numbers, B = hash_block. Every block has a hash of its own; the hash of the model is that of all of them in
// order, closed by what the blocks have in common. So each rank hashes some blocks (of a chain without
// holding them: ChainGenerator::hash_share()), all gather the hashes, and each combines them:
//
//   own = block_hashes(model, my_blocks);
//   all = <gathered in the order of blocks>;
//   combine_hashes(model, all)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "model/model.hpp"

namespace cosimo {

inline constexpr std::size_t hash_block = 65536;

/// How many blocks a model of this size has; `elements` are rows of a scalar model's table.
std::size_t hash_blocks(std::size_t bodies, std::size_t elements);

/// Hashes of a range of blocks, whose bodies must be filled.
std::vector<std::uint64_t> block_hashes(const Model& model, Range blocks);

/// hash() of the whole model from the hashes of all its blocks. Of a windowed model only sizes and what is
/// common to all elements are used.
std::uint64_t combine_hashes(const Model& model, std::span<const std::uint64_t> blocks);

}  // namespace cosimo
