// The loads of a generated chain: which bodies, with which numbers. Used by make_chain().
#pragma once

#include <cstdint>
#include <string_view>

#include "core/random.hpp"
#include "model/chain.hpp"

namespace cosimo {

/// The random stream of one use, named by words instead of numbers (FNV-1a of the name).
constexpr RandomStream named_stream(std::uint64_t seed, std::string_view use) {
  std::uint64_t name = 0xcbf29ce484222325ULL;
  for (const char letter : use) name = (name ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  return {seed, name};
}

/// All loads of the chain, sorted by body; on one body in the order of `spec.loads`, impulses of one
/// load in the order of their start times.
Loads make_chain_loads(const ChainSpec& spec);

}  // namespace cosimo
