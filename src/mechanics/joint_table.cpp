#include "mechanics/joint_table.hpp"

#include <algorithm>
#include <tuple>

#include "mechanics/dynamics_data.hpp"
#include "mechanics/joint_rows.hpp"

namespace cosimo {

namespace {

std::uint8_t code_of(const JointVector& vector) {
  constexpr std::array<std::uint8_t, 4> first{JointFactor::global, JointFactor::from, JointFactor::to,
                                              JointFactor::difference};
  const bool has_axis = vector.origin != JointVector::Origin::difference;
  return static_cast<std::uint8_t>(first[static_cast<std::size_t>(vector.origin)] +
                                   (has_axis ? vector.axis : 0));
}

JointShape shape_of(const JoinedRows& joined) {
  JointShape shape;
  for (const BilinearRow& row : joined.rows) shape.rows.push_back({code_of(row.u), code_of(row.v)});
  shape.points = static_cast<std::uint32_t>(joined.points);
  for (const JointShape::Row& row : shape.rows)
    for (const std::uint8_t code : {row.u, row.v})
      if (code >= JointFactor::from && code < JointFactor::difference)
        shape.needed[code - JointFactor::from] = true;
  for (std::size_t side = 0; side < 2; ++side)
    shape.moves[side] = joined.pair.slot[side] != BodyList::no_slot;
  return shape;
}

void put_column(const Vec3& a, double* out) {
  for (Eigen::Index k = 0; k < 3; ++k) out[static_cast<std::size_t>(k) * pack_things] = a[k];
}

}  // namespace

struct JointTable::Entry {
  std::size_t unit = 0;
  std::uint32_t shape = 0, constraint = 0;
  TreeRows rows;
  bool has_rows = false;
  std::array<bool, 2> writes{}, arm{};
  TreeSlot first{};  ///< of what it writes

  auto kind() const { return std::tuple(unit, shape, has_rows, writes, arm); }
  auto key() const { return std::tuple(kind(), first.stride < pack_things, first.at); }
};

JointTable::JointTable(std::span<const ConstraintData> constraints, const EliminationTree& tree,
                       const BodyTable& bodies) {
  std::vector<Entry> entries;
  for (std::uint32_t c = 0; c < constraints.size(); ++c) {
    const ConstraintData& data = constraints[c];
    const JoinedRows* const joined = data.constraint->joined_rows();
    bool tabled = joined != nullptr;
    for (std::size_t e = 0; e < data.ends; ++e)
      tabled = tabled && bodies.place[data.end[e].body] != BodyTable::none;
    if (!tabled) {
      others.push_back(c);
      continue;
    }
    JointShape shape = shape_of(*joined);
    for (std::size_t side = 0; side < 2; ++side)
      shape.planar[side] =
          shape.moves[side] &&
          bodies.is_planar(bodies.place[data.end[static_cast<std::size_t>(joined->pair.slot[side])].body]);
    const auto found = std::find(shapes.begin(), shapes.end(), shape);
    add_entries({0, static_cast<std::uint32_t>(found - shapes.begin()), c, tree.rows(c)}, data, tree,
                entries);
    if (found == shapes.end()) shapes.push_back(std::move(shape));
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key() < b.key(); });
  std::vector<std::span<const Entry>> parts;
  for (std::size_t first = 0, last = 0; first < entries.size(); first = last) {
    while (last < entries.size() && last < first + pack_things &&
           entries[last].kind() == entries[first].kind())
      ++last;
    parts.push_back(std::span<const Entry>(entries).subspan(first, last - first));
  }
  numbers.resize(parts.size() * constants * pack_things);
  units.resize(tree.units());
  for (const std::span<const Entry> part : parts) {
    fill_numbers(part, constraints, tree);
    add_group(part, constraints, bodies);
    units[part[0].unit].last = groups.size();
  }
  for (std::size_t k = 0, first = 0; k < units.size(); first = units[k++].last)
    units[k] = {first, std::max(first, units[k].last)};
}

/// One for each unit that has something of the joint.
void JointTable::add_entries(Entry entry, const ConstraintData& data, const EliminationTree& tree,
                             std::vector<Entry>& entries) {
  const std::array<int, 2>& slot = data.constraint->joined_rows()->pair.slot;
  const TreeSlot rows = entry.rows[RowSection::curvature];
  std::array<std::size_t, 3> units{tree.unit_of(rows), tree.units(), tree.units()};
  for (std::size_t side = 0; side < 2; ++side) {
    if (slot[side] == BodyList::no_slot) continue;
    const ConstraintEnd& end = data.end[static_cast<std::size_t>(slot[side])];
    units[side + 1] = tree.unit_of(end.J);
    entry.arm[side] = tree.has_arms(end.body);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    if (units[k] == tree.units() ||
        std::find(units.begin(), units.begin() + k, units[k]) != units.begin() + k)
      continue;
    entry.unit = units[k];
    entry.has_rows = units[0] == entry.unit;
    entry.writes = {units[1] == entry.unit, units[2] == entry.unit};
    const std::size_t side = entry.writes[0] ? 0 : 1;
    entry.first = entry.has_rows ? rows : data.end[static_cast<std::size_t>(slot[side])].J;
    entries.push_back(entry);
  }
}

void JointTable::fill_numbers(std::span<const Entry> entries, std::span<const ConstraintData> constraints,
                              const EliminationTree& tree) {
  for (std::size_t i = 0; i < pack_things; ++i) {
    const Entry& entry = entries[std::min(i, entries.size() - 1)];
    const JoinedRows& joined = *constraints[entry.constraint].constraint->joined_rows();
    double* const own = numbers.data() + groups.size() * constants * pack_things + i;
    for (const bool to : {false, true}) {
      const Marker& marker = to ? joined.pair.to : joined.pair.from;
      double* const side = own + (to ? of_to : 0) * pack_things;
      const int slot = joined.pair.slot[to ? 1 : 0];
      own[(felt + (to ? 1 : 0)) * pack_things] =
          slot != BodyList::no_slot && tree.feels(entry.constraint, static_cast<std::size_t>(slot)) ? 1 : 0;
      put_column(marker.point, side + point * pack_things);
      for (std::size_t k = 0; k < 3; ++k)
        put_column(marker.axes.col(static_cast<Eigen::Index>(k)), side + (axes + 3 * k) * pack_things);
    }
    for (std::size_t r = 0; r < joined.rows.size(); ++r) {
      own[(scale + r) * pack_things] = joined.rows[r].scale;
      own[(constant + r) * pack_things] = joined.rows[r].constant;
    }
  }
}

void JointTable::add_group(std::span<const Entry> entries, std::span<const ConstraintData> constraints,
                           const BodyTable& bodies) {
  JointGroup& group = groups.emplace_back();
  group.shape = entries[0].shape;
  group.rows = entries[0].has_rows;
  group.writes = entries[0].writes;
  group.arm = entries[0].arm;
  std::vector<TreeSlot> curvature, threshold, row;
  for (const Entry& entry : entries) {
    curvature.push_back(entry.rows[RowSection::curvature]);
    threshold.push_back(entry.rows[RowSection::threshold]);
    row.push_back({constraints[entry.constraint].row, 1});
  }
  group.curvature = pack_slots(curvature);
  group.threshold = pack_slots(threshold);
  group.row = pack_slots(row);
  for (std::size_t i = 0; i < pack_things; ++i)
    group.chain[i] =
        static_cast<std::int32_t>(constraints[entries[std::min(i, entries.size() - 1)].constraint].group);
  for (std::size_t side = 0; side < 2; ++side) {
    PackPoses& poses = group.side[side];
    std::vector<TreeSlot> jacobian;
    for (std::size_t i = 0; i < pack_things; ++i) {
      const ConstraintData& data = constraints[entries[std::min(i, entries.size() - 1)].constraint];
      const int slot = data.constraint->joined_rows()->pair.slot[side];
      std::size_t place = bodies.ground_place() + i;
      if (slot != BodyList::no_slot) {
        const ConstraintEnd& end = data.end[static_cast<std::size_t>(slot)];
        place = bodies.place[end.body];
        if (i < entries.size()) jacobian.push_back(end.J);
      }
      poses.at[i] = static_cast<std::int32_t>(bodies.pose_of(place));
    }
    poses.find_out();
    if (!jacobian.empty()) group.jacobian[side] = pack_slots(jacobian);
  }
}

void JointTable::write_constants(AlignedVector& values) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const JointGroup& group = groups[g];
    const JointShape& shape = shapes[group.shape];
    for (std::size_t side = 0; side < 2; ++side) {
      const PackSlots& J = group.jacobian[side];
      for (std::size_t i = 0; i < J.count && group.arm[side]; ++i) {
        const double factor = numbers[(g * constants + scale) * pack_things + i];
        values[J.at[i]] = side == 0 ? -factor : factor;
      }
      for (std::size_t i = 0; i < J.count && !group.arm[side]; ++i)
        for (std::size_t r = 0; r < shape.points; ++r) {
          if (shape.planar[side] && shape.rows[r].u == 2) continue;
          const double factor = numbers[(g * constants + scale + r) * pack_things + i];
          values[J.at[i] + (shape.freedoms(side) * r + shape.rows[r].u) * J.stride[i]] =
              side == 0 ? -factor : factor;
        }
    }
  }
}

}  // namespace cosimo
