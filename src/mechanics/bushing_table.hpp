// Bushings between rigid bodies, those of the plane or the ground (mechanics/bushing_element.cpp) in groups
// of eight, evaluated in vector kernels (bushing_kernels.cpp): dampers of joints among them. What they do to
// their bodies is added in the order of the table. A group belongs to one unit of the elimination tree and
// pulls at bodies of this unit only: a bushing between two units is evaluated in both. Those that measure a
// tilt or have odd powers are evaluated one by one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "mechanics/body_table.hpp"
#include "mechanics/pack_slots.hpp"

namespace cosimo {

struct ElementData;

struct BushingGroup {
  bool translates = false, rotates = false, cubic = false;
  std::array<bool, 2> planar{};  ///< bodies of the plane feel three numbers of a wrench
  std::array<PackPoses, 2> side;
  /// Where the forces on the bodies begin; `nowhere`: on the ground, or padding.
  std::array<std::array<std::uint32_t, pack_things>, 2> force{};
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
};

struct BushingTable {
  BushingTable() = default;
  BushingTable(std::span<const ElementData> elements, const BodyTable& bodies);

  Range all() const { return {0, groups.size()}; }

  /// Constants: first places; the axes of `from` column by column, orientations of both markers as
  /// quaternions.
  static constexpr std::size_t from = 0, axes = 3, turn_from = 12, to = 16, turn_to = 19;
  static constexpr std::size_t law = 23, constants = 47;  ///< c, d, C, D of six laws

  std::vector<BushingGroup> groups;
  std::vector<Range> units;  ///< groups of each unit
  AlignedVector numbers;
  std::vector<std::uint32_t> others;  ///< elements that are not in the table
};

/// Of some of the groups, to the forces on the bodies.
void add_bushing_forces(const BushingTable& table, Range groups, const double* pose, double* force);

}  // namespace cosimo
