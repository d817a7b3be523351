// Where eight things of a table that are worked on side by side have their numbers in an array. Tables come
// in groups of eight, whatever packs the machine has (numerics/packs-inl.hpp), and in the order of the lanes
// of the elimination tree, so that mostly number k of thing i is `8 k + i` behind the first: whole packs are
// read and written. Else each of them is asked for its own place.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mechanics/elimination_tree.hpp"

namespace cosimo {

inline constexpr std::size_t pack_things = 8;

struct PackSlots {
  std::array<std::uint32_t, pack_things> at{}, stride{};
  std::uint32_t count = 0;    ///< of things; the others repeat the last one and are not written
  bool side_by_side = false;  ///< all eight
};

/// At most eight, at least one.
inline PackSlots pack_slots(std::span<const TreeSlot> slots) {
  PackSlots out;
  out.count = static_cast<std::uint32_t>(slots.size());
  out.side_by_side = slots.size() == pack_things;
  for (std::size_t i = 0; i < pack_things; ++i) {
    const TreeSlot& slot = slots[i < slots.size() ? i : slots.size() - 1];
    out.at[i] = static_cast<std::uint32_t>(slot.at);
    out.stride[i] = slot.stride;
    out.side_by_side = out.side_by_side && slot.stride == pack_things && slot.at == slots[0].at + i;
  }
  return out;
}

}  // namespace cosimo
