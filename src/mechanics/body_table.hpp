// The rigid bodies of a Dynamics and those of the plane in groups of eight of one kind, in the order in which
// the elimination tree has them in its lanes, and what every evaluation asks of each of them, in vector
// kernels (body_kernels.cpp). The ground is a group of its own behind them, so that joints need not ask for
// it. Poses of the plane are those of space, so joints and bushings need not know which they are; what never
// changes of them is written once.
//
//   find_poses(table, all, q, v, pose);            // where they are and how they move
//   find_weights(table, all, pose, g, force);      // gravity and gyroscopic terms; elements add theirs
//   write_inverse_masses(table, all, pose, values);
//   divide_forces(table, all, pose, force, values);         // alpha = M^-1 f, to the tree, with the masses
//   ...                                                // which leads it along the constraints
//   find_accelerations(table, all, pose, values, a);
//
// Each for some of the groups, `all` of them here, or those of a unit of the tree: no group has bodies of two
// of these. Poses and forces hold number k of body i of a group at 8 k
// + i. Any packs give the same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/ids.hpp"
#include "mechanics/pack_slots.hpp"

namespace cosimo {

struct BodyData;

/// Numbers of a pose: first places.
struct PoseNumber {
  static constexpr std::size_t r = 0, R = 3, v = 12, w = 15;  ///< R row by row
  static constexpr std::size_t inverse_inertia = 18;          ///< upper triangle, along the global axes
  static constexpr std::size_t p = 24;                        ///< the quaternion, of any length
  static constexpr std::size_t stretch = 28, short_by = 29;   ///< p.p'/p.p and 1 - 1/p.p of the quaternion
  static constexpr std::size_t turned = 30;                   ///< as Frame has it
  static constexpr std::size_t count = 31;
};

/// Where the poses of eight bodies are.
struct PackPoses {
  std::array<std::int32_t, pack_things> at{};
  bool side_by_side = false;

  void find_out() {
    side_by_side = true;
    for (std::size_t i = 1; i < pack_things; ++i)
      side_by_side = side_by_side && at[i] == at[0] + static_cast<std::int32_t>(i);
  }
};

struct BodyTable {
  BodyTable() = default;
  BodyTable(std::span<const BodyData> bodies, const EliminationTree& tree);

  std::size_t groups() const { return bodies.size() / pack_things; }
  Range all() const { return {0, groups()}; }
  std::size_t pose_size() const { return (groups() + 1) * PoseNumber::count * pack_things; }
  std::size_t force_size() const { return groups() * 6 * pack_things; }
  /// An array for poses, with the ground in it.
  AlignedVector make_poses() const;

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  bool is_planar(std::size_t k) const { return planar[k / pack_things] != 0; }  ///< the body in place k
  /// Where the numbers of the body in place k (or of the ground) begin in poses and in forces.
  std::size_t pose_of(std::size_t k) const {
    return k / pack_things * PoseNumber::count * pack_things + k % pack_things;
  }
  std::size_t ground_place() const { return bodies.size(); }
  /// That of the body in place k.
  std::size_t unit_of(std::size_t k) const;
  TreeSlot force_of(std::size_t k) const {
    return {k / pack_things * 6 * pack_things + k % pack_things, pack_things};
  }

  /// Constants: first places. Of the inertias of bodies of the plane there is the last number alone.
  static constexpr std::size_t mass = 0, inverse_mass = 1, inertia = 2, inverse_inertia = 8, constants = 14;

  std::vector<Range> units;           ///< groups of each unit of the tree
  std::vector<std::uint32_t> bodies;  ///< groups of eight, those of a unit filled up with its last body
  std::vector<std::uint8_t> planar;   ///< of each group, 1 or 0
  std::vector<std::uint32_t> place;   ///< of each body, `none`: a point mass
  std::vector<std::int32_t> q;        ///< their first coordinates
  AlignedVector constant;
  std::vector<PackSlots> masses, alpha;  ///< of each group in the tree
  std::vector<PackSlots> coordinates;    ///< and in the state
  bool diagonal = true;                  ///< all inertias in space are
};

void find_poses(const BodyTable& table, Range groups, const double* q, const double* v, double* pose);
void find_weights(const BodyTable& table, Range groups, const double* pose, const double* gravity,
                  double* force);
/// As the tree wants them of light bodies; those of hubs are to be written after this.
void write_inverse_masses(const BodyTable& table, Range groups, const double* pose, double* values);
/// And the masses, as write_inverse_masses(). Returns the largest acceleration of a freedom.
double divide_forces(const BodyTable& table, Range groups, const double* pose, const double* force,
                     double* values);
/// False when one of them is not finite.
[[nodiscard]] bool find_accelerations(const BodyTable& table, Range groups, const double* pose,
                                      const double* values, double* a);

}  // namespace cosimo
