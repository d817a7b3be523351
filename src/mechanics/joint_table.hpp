// Joints between rigid bodies, those of the plane or the ground (mechanics/joint_rows.hpp) in groups of eight
// with the same rows, in the order in which the elimination tree has them in its lanes, evaluated in vector
// kernels (joint_kernels.cpp). Scales and markers may differ from joint to joint. Everything else, motors and
// gears among it, is evaluated one by one.
//
// A group belongs to one unit of the tree and writes nothing elsewhere. A joint between two units is in
// groups of both, and in one of the crown, which has its rows.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "mechanics/body_table.hpp"
#include "mechanics/pack_slots.hpp"

namespace cosimo {

struct ConstraintData;

/// What the rows of a joint are products of: the global axes, those of the two markers, and the way between.
struct JointFactor {
  static constexpr std::uint8_t global = 0, from = 3, to = 6, difference = 9;  ///< first ones
};

struct JointShape {
  struct Row {
    std::uint8_t u = 0, v = 0;
    bool operator==(const Row&) const = default;
  };
  std::vector<Row> rows;
  std::uint32_t points = 0;      ///< leading rows that join points: global axis and difference
  std::array<bool, 2> moves{};   ///< the side is on a body
  std::array<bool, 2> planar{};  ///< and this has three freedoms
  std::array<bool, 6> needed{};  ///< axes of the markers

  std::size_t freedoms(std::size_t side) const { return planar[side] ? 3 : 6; }
  bool operator==(const JointShape&) const = default;
};

struct JointGroup {
  std::uint32_t shape = 0;
  bool rows = false;             ///< it writes the curvature, and all else that is asked of rows
  std::array<bool, 2> writes{};  ///< J of the sides
  std::array<bool, 2> arm{};     ///< which are arms (mechanics/elimination_program.hpp)
  std::array<PackPoses, 2> side;
  std::array<PackSlots, 2> jacobian;
  PackSlots curvature, threshold;                 ///< in the tree
  PackSlots row;                                  ///< among all rows
  std::array<std::int32_t, pack_things> chain{};  ///< ConstraintData::group
};

struct JointTable {
  JointTable() = default;
  JointTable(std::span<const ConstraintData> constraints, const EliminationTree& tree,
             const BodyTable& bodies);

  Range all() const { return {0, groups.size()}; }
  /// What never changes of the Jacobians; all else that is not zero is written by write_jacobians().
  void write_constants(AlignedVector& values) const;

  /// Constants of a group: first places; of each side its point and the axes, column by column.
  static constexpr std::size_t point = 0, axes = 3, of_to = 12, scale = 24, constant = 30;
  static constexpr std::size_t felt = 36, constants = 38;  ///< EliminationTree::feels of both sides, 1 or 0
  /// Numbers of a group for each state: the largest square of an arm, and of each row the squares of what is
  /// along it and of what is about it.
  static constexpr std::size_t square_numbers = 13;
  std::size_t square_size() const { return groups.size() * square_numbers * pack_things; }

  std::vector<JointShape> shapes;
  std::vector<JointGroup> groups;
  std::vector<Range> units;  ///< groups of each unit of the tree
  AlignedVector numbers;
  std::vector<std::uint32_t> others;  ///< constraints that are not in the table

 private:
  struct Entry;
  static void add_entries(Entry entry, const ConstraintData& data, const EliminationTree& tree,
                          std::vector<Entry>& entries);
  void add_group(std::span<const Entry> entries, std::span<const ConstraintData> constraints,
                 const BodyTable& bodies);
  void fill_numbers(std::span<const Entry> entries, std::span<const ConstraintData> constraints,
                    const EliminationTree& tree);
};

/// J of some of the groups, and with it the curvature where it is wanted, to the tree.
void write_jacobians(const JointTable& table, Range groups, const double* pose, bool curvature,
                     double* values);
/// Squares of the rows of the Jacobians that are there.
void find_row_squares(const JointTable& table, const double* values, double* squares);
/// Of each chain of constraints, what its thresholds are raised to: share (along + per_arm about).
struct ThresholdFloor {
  const double* share;
  const double* per_arm;
};
void raise_joint_thresholds(const JointTable& table, const double* squares, const ThresholdFloor& floor,
                            double* values);
/// The largest residuals of the rows of some groups on both levels, those of angles times a weight; infinity
/// where one is not a number.
struct JointResiduals {
  double position = 0, velocity = 0;
};
JointResiduals largest_residuals(const JointTable& table, Range groups, const double* pose,
                                 const JointResiduals& angle_weight);
/// g, or J w, of all rows.
void find_joint_residuals(const JointTable& table, const double* pose, double* out);
void find_joint_rates(const JointTable& table, const double* pose, double* out);

}  // namespace cosimo
