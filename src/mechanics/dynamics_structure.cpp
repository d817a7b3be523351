// Collects the bodies, elements and constraints of a Dynamics, and what follows from their topology alone.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include <Eigen/LU>

#include "core/check.hpp"
#include "core/error.hpp"
#include "mechanics/dynamics_data.hpp"
#include "mechanics/joint_rows.hpp"

namespace cosimo {

namespace {

/// Sets of things that hang together; the smaller number represents a set.
class Union {
 public:
  explicit Union(std::size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0U); }
  std::size_t find(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  /// False when they were joined already.
  bool join(std::size_t i, std::size_t j) {
    i = find(i);
    j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
    return i != j;
  }

 private:
  std::vector<std::size_t> parent_;
};

/// Inertias follow from lengths and masses and may leave what numbers can hold, though none of those does.
void need(double value, const Body& body, const char* what) {
  if (value > 0 && std::isfinite(value) && std::isfinite(1 / value)) return;
  throw Error(Fault{.field = "model",
                    .value = body.name,
                    .problem = std::string("its ") + what + " is too small or too large to be computed with",
                    .remedy = "choose other units, or other masses and lengths"});
}

/// About the axis of least resistance.
double smallest_inertia(const BodyData& body) {
  return body.kind == BodyKind::rigid
             ? 1.0 / body.inverse_inertia.cwiseAbs().rowwise().sum().maxCoeff()  // at most 3 times too small
             : body.turning;
}

std::int32_t place_of(BodyId body, const std::vector<std::int32_t>& place) {
  return body.valid() ? place[body.index()] : no_body;
}

}  // namespace

Dynamics::Impl::Impl(const Mechanism& mechanism, std::span<const BodyId> members,
                     std::span<const ElementId> joining, Memory memory)
    : gravity(mechanism.gravity) {
  std::vector<std::int32_t> place(mechanism.bodies.size(), no_body);
  add_bodies(mechanism, members, place);
  add_elements(mechanism, joining, place, memory);
  add_groups(mechanism, place);
  find_switches();
  add_constraints(mechanism, place);
  count_entries();
  find_points();
  find_groups();
  grow_tree();
  fill_tables();
  make_units();
}

void Dynamics::Impl::add_bodies(const Mechanism& mechanism, std::span<const BodyId> members,
                                std::vector<std::int32_t>& place) {
  for (const BodyId id : members) {
    const Body& body = mechanism.bodies.at(id.index());
    COSIMO_CHECK(place[id.index()] == no_body, "body '" + body.name + "' is there twice");
    need(body.mass, body, "mass");
    place[id.index()] = static_cast<std::int32_t>(bodies.size());
    BodyData data;
    data.kind = body.kind;
    data.freedoms = static_cast<std::uint32_t>(freedoms_of(body.kind));
    data.q = size;
    data.w = freedoms;
    data.mass = body.mass;
    data.inverse_mass = 1.0 / body.mass;
    if (body.kind == BodyKind::planar) {
      need(body.inertia(2, 2), body, "inertia");
      data.turning = body.inertia(2, 2);
      data.inverse_turning = 1.0 / data.turning;
    } else if (body.kind == BodyKind::rigid) {
      const double scale = body.inertia.trace();  // determinants of small numbers vanish
      const Mat3 scaled = body.inertia / scale;
      need(scale, body, "inertia");
      need(scaled.determinant(), body, "inertia");
      data.inertia = body.inertia;
      data.inverse_inertia = scaled.inverse() / scale;
    }
    size += coordinates_of(body.kind);
    freedoms += data.freedoms;
    bodies.push_back(data);
  }
}

void Dynamics::Impl::add_elements(const Mechanism& mechanism, std::span<const ElementId> joining,
                                  const std::vector<std::int32_t>& place, Memory memory) {
  for (const ElementId id : joining) {
    const ForceElement& element = *mechanism.elements.at(id.index());
    ElementData data{&element, place_of(element.at_from.body, place), place_of(element.at_to.body, place)};
    COSIMO_CHECK((data.from != no_body) == element.at_from.body.valid() &&
                     (data.to != no_body) == element.at_to.body.valid(),
                 "element '" + element.name + "' joins a body that is not here");
    const ElementMemory* const own = element.memory();
    if (own != nullptr && (memory == Memory::kept || own->essential())) add_memory(data);
    elements.push_back(data);
  }
  root_coordinates = coordinates_of_bodies(
      [](const ElementData& data) { return data.memory != nullptr && data.memory->extent().roots > 0; });
}

/// Those whose bodies are here; all of a group's bodies are, or none.
void Dynamics::Impl::add_groups(const Mechanism& mechanism, const std::vector<std::int32_t>& place) {
  std::size_t ends = 0;
  for (const auto& group : mechanism.groups) {
    GroupData data{group.get(), {}, extent.s, ends};
    for (const BodyId body : group->bodies())
      if (const std::int32_t here = place_of(body, place); here != no_body)
        data.bodies.push_back(static_cast<std::uint32_t>(here));
    if (data.bodies.empty()) continue;
    COSIMO_CHECK(data.bodies.size() == group->bodies().size(),
                 "'" + group->name + "' acts on a body that is not here");
    extent.s += group->remembers();
    ends += data.bodies.size();
    laws.push_back(std::move(data));
  }
}

void Dynamics::Impl::add_memory(ElementData& data) {
  data.memory = data.element->memory();
  data.first = extent;
  const Extent own = data.memory->extent();
  extent.z += own.z;
  extent.s += own.s;
  extent.roots += own.roots;
  const auto ordinary = data.memory->nominals();
  nominals.insert(nominals.end(), ordinary.begin(), ordinary.end());
  nominals.resize(extent.z, 1);
  remembering.push_back(static_cast<std::uint32_t>(elements.size()));
}

template <class Which>
std::vector<std::int32_t> Dynamics::Impl::coordinates_of_bodies(Which which) const {
  std::vector<bool> taken(bodies.size(), false);
  for (const ElementData& data : elements)
    for (const std::int32_t body : {data.from, data.to})
      if (body != no_body && which(data)) taken[static_cast<std::size_t>(body)] = true;
  return coordinates_taken(taken);
}

std::vector<std::int32_t> Dynamics::Impl::coordinates_taken(const std::vector<bool>& taken) const {
  std::vector<std::int32_t> list;
  for (std::size_t b = 0; b < bodies.size(); ++b)
    for (std::size_t k = 0; taken[b] && k < coordinates_of(bodies[b].kind); ++k)
      list.push_back(static_cast<std::int32_t>(bodies[b].q + k));
  return list;
}

void Dynamics::Impl::find_switches() {
  for (std::size_t e = 0; e < elements.size(); ++e)
    switch_laws.insert(switch_laws.end(), elements[e].element->switch_count(), static_cast<std::int32_t>(e));
  std::vector<bool> taken(bodies.size(), false);
  const auto take = [&](auto body) { taken[static_cast<std::size_t>(body)] = true; };
  for (const ElementData& data : elements)
    for (const std::int32_t body : {data.from, data.to})
      if (body != no_body && data.element->switch_count() > 0) take(body);
  for (std::size_t g = 0; g < laws.size(); ++g) {
    const std::size_t count = laws[g].group->switch_count();
    switch_laws.insert(switch_laws.end(), count, static_cast<std::int32_t>(elements.size() + g));
    if (count > 0) std::ranges::for_each(laws[g].bodies, take);
  }
  switch_coordinates = coordinates_taken(taken);
}

void Dynamics::Impl::add_constraints(const Mechanism& mechanism, const std::vector<std::int32_t>& place) {
  for (std::size_t id = 0; id < mechanism.constraints.size(); ++id) {
    const Constraint& constraint = *mechanism.constraints[id];
    const std::span<const BodyId> joined = constraint.bodies();
    const auto here = [&](BodyId body) { return place_of(body, place) != no_body; };
    if (constraint.rows() == 0 || std::none_of(joined.begin(), joined.end(), here)) continue;
    COSIMO_CHECK(std::all_of(joined.begin(), joined.end(), here) && joined.size() <= most_ends,
                 "constraint '" + constraint.name + "' joins a body that is not here");
    ConstraintData data;
    data.constraint = &constraint;
    data.row = static_cast<std::uint32_t>(rows);
    data.rows = static_cast<std::uint32_t>(constraint.rows());
    data.ends = static_cast<std::uint32_t>(joined.size());
    data.adjacent = true;
    for (std::size_t e = 0; e < joined.size(); ++e) {
      const auto body = static_cast<std::uint32_t>(place_of(joined[e], place));
      data.end[e].body = body;
      data.adjacent = data.adjacent && body == data.end[0].body + e;
    }
    ids.push_back(id);
    first_rows.push_back(rows);
    rows += data.rows;
    constraints.push_back(data);
  }
}

void Dynamics::Impl::find_groups() {
  // A constraint on a single body joins it to the ground, which closes loops but does not hold apart
  // mechanisms that stand on it together.
  const std::size_t earth = bodies.size();
  Union without_ground(bodies.size()), with_ground(bodies.size() + 1);
  std::vector<bool> closes(constraints.size(), false);
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    const ConstraintData& data = constraints[c];
    if (data.ends == 1) closes[c] = !with_ground.join(data.end[0].body, earth);
    for (std::size_t e = 1; e < data.ends; ++e) {
      without_ground.join(data.end[0].body, data.end[e].body);
      if (!with_ground.join(data.end[0].body, data.end[e].body)) closes[c] = true;
    }
  }
  std::vector<std::uint32_t> number(bodies.size(), 0);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const std::size_t root = without_ground.find(b);
    if (root == b) {
      number[b] = static_cast<std::uint32_t>(groups.size());
      groups.emplace_back();
    }
    ConstraintGroup& group = groups[bodies[b].group = number[root]];
    const double inertia = bodies[b].kind == BodyKind::rigid
                               ? bodies[b].inertia.cwiseAbs().rowwise().sum().maxCoeff()
                               : bodies[b].turning;
    const auto keep_smaller = [](double& least, double x) { least = least > 0 && least < x ? least : x; };
    group.largest_mass = std::max(group.largest_mass, bodies[b].mass);
    group.largest_inertia = std::max(group.largest_inertia, inertia);
    keep_smaller(group.smallest_mass, bodies[b].mass);
    if (inertia > 0) keep_smaller(group.smallest_inertia, smallest_inertia(bodies[b]));
  }
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    constraints[c].group = number[without_ground.find(constraints[c].end[0].body)];
    if (closes[c]) loops = groups[constraints[c].group].loops = true;
  }
  constexpr double alike = 1e-2;  // pivots are larger than those of equal bodies by the inverse at most
  for (const ConstraintGroup& group : groups)
    uneven = uneven || (group.loops && (group.smallest_mass < alike * group.largest_mass ||
                                        group.smallest_inertia < alike * group.largest_inertia));
}

/// Whether nothing but the coordinates of points of rigid bodies, or of those of the plane, must agree, with
/// one scale.
bool Dynamics::Impl::joins_points(const ConstraintData& data) const {
  const JoinedRows* const joined = data.constraint->joined_rows();
  const BodyKind kind = bodies[data.end[0].body].kind;
  const std::size_t wanted = kind == BodyKind::planar ? 2 : 3;
  if (joined == nullptr || joined->points != wanted || joined->rows.size() != wanted) return false;
  if (kind != BodyKind::planar && kind != BodyKind::rigid) return false;
  for (std::uint8_t k = 0; k < wanted; ++k)
    if (joined->rows[k].u.axis != k || joined->rows[k].scale != joined->rows[0].scale) return false;
  return std::all_of(data.end.begin(), data.end.begin() + data.ends,
                     [&](const ConstraintEnd& end) { return bodies[end.body].kind == kind; });
}

void Dynamics::Impl::grow_tree() {
  std::vector<TreeBody> tree_bodies;
  for (const BodyData& body : bodies) tree_bodies.push_back({body.freedoms, body.kind == BodyKind::rigid});
  std::vector<std::array<std::uint32_t, most_ends>> ends(constraints.size());
  std::vector<TreeConstraint> tree_constraints;
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    for (std::size_t e = 0; e < constraints[c].ends; ++e) ends[c][e] = constraints[c].end[e].body;
    tree_constraints.push_back(
        {constraints[c].rows, {ends[c].data(), constraints[c].ends}, joins_points(constraints[c])});
  }
  tree = EliminationTree(tree_bodies, tree_constraints);
  for (std::uint32_t c = 0; c < constraints.size(); ++c) {
    for (std::uint32_t e = 0; e < constraints[c].ends; ++e) {
      constraints[c].end[e].J = tree.jacobian(c, e);
      if (tree.is_hub(ends[c][e]) && tree.feels(c, e)) felt_hubs.emplace_back(c, e);
    }
  }
}

void Dynamics::Impl::fill_tables() {
  table = BodyTable(bodies, tree);
  joints = JointTable(constraints, tree, table);
  bushings = BushingTable(elements, table);
  std::vector<bool> asked(bodies.size(), false);
  for (const std::uint32_t c : joints.others)
    for (std::size_t e = 0; e < constraints[c].ends; ++e) asked[constraints[c].end[e].body] = true;
  for (const std::uint32_t e : bushings.others)
    for (const std::int32_t body : {elements[e].from, elements[e].to})
      if (body != no_body) asked[static_cast<std::size_t>(body)] = true;
  for (const GroupData& data : laws)
    for (const std::uint32_t body : data.bodies) asked[body] = true;
  pull_size = table.force_size();
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    if (tree.is_hub(b)) hubs.push_back(b);
    if (table.place[b] == BodyTable::none) {
      plain_bodies.push_back(b);
      force_slots.push_back({pull_size, 1});
      pull_size += bodies[b].freedoms;
    } else {
      if (asked[b]) framed_bodies.push_back(b);
      force_slots.push_back(table.force_of(table.place[b]));
    }
  }
}

}  // namespace cosimo
