// Evaluations of the accelerations unit by unit: leaves of the elimination tree with the bodies, joints and
// bushings in them, which stay in the cache, and which threads can share.
//
//   place    poses, gravity             of the bodies of a unit
//   load     bushings, J, elimination   what a unit reads of others are poses
//   move     the crown, by every share for itself; back into the unit, accelerations
//
// What is in no table is done by the first share before the others load. Shares read what others have written
// in the step before: they meet after placing and after loading. Numbers that all of them need while some are
// already ahead are in places of their own: notes of the leaves, and results of the shares.
#include <algorithm>
#include <limits>

#include "mechanics/dynamics_data.hpp"

namespace cosimo {

namespace {

// What evaluations of things in tables cost, and of a row of a constraint by the others of it; fitted to
// chains of rods with and without dampers and to lattices with bushings.
constexpr double body_in_table = 33, bushing_in_table = 24, rows_in_table = 5, plain_body = 10;

/// A thread with fewer bodies waits longer at the meetings than it works.
constexpr std::size_t worth_a_share = 100;

/// Groups of the table in a unit of a heap.
constexpr std::size_t groups_of_heap = 8;

}  // namespace

void Dynamics::Impl::make_heap_units() {
  for (std::size_t first = 0; first < table.groups(); first += groups_of_heap)
    units.emplace_back().bodies = {first, std::min(first + groups_of_heap, table.groups())};
  units.emplace_back().bodies = {table.groups(), table.groups()};
  for (std::uint32_t b = 0; b < bodies.size(); ++b) {
    const std::uint32_t place = table.place[b];
    units[place == BodyTable::none ? units.size() - 1 : place / pack_things / groups_of_heap]
        .members.push_back(b);
  }
}

void Dynamics::Impl::make_units() {
  if (is_heap()) {
    make_heap_units();
  } else {
    units.resize(tree.units());
    for (std::size_t k = 0; k < units.size(); ++k) {
      units[k].leaves = tree.leaves_of(k);
      units[k].bodies = table.units[k];
      units[k].joints = joints.units[k];
      units[k].bushings = bushings.units[k];
    }
    for (std::uint32_t b = 0; b < bodies.size(); ++b) units[tree.unit_of(tree.alpha(b))].members.push_back(b);
  }
  for (Unit& unit : units) {
    unit.coordinates.first = unit_coordinates.size();
    for (const std::uint32_t b : unit.members) {
      if (table.place[b] == BodyTable::none) unit.plain.push_back(b);
      const Range own{bodies[b].q, bodies[b].q + coordinates_of(bodies[b].kind)};
      if (unit_coordinates.size() > unit.coordinates.first && unit_coordinates.back().last == own.first)
        unit_coordinates.back().last = own.last;
      else
        unit_coordinates.push_back(own);
    }
    unit.coordinates.last = unit_coordinates.size();
  }
}

void Dynamics::Impl::place(const Unit& unit, const double* q, const double* v, SchurState& state,
                           Workspace& work) const {
  find_poses(table, unit.bodies, q, v, state.pose.data());
  find_weights(table, unit.bodies, state.pose.data(), gravity.data(), work.pull.data());
  for (const std::uint32_t b : unit.plain) {
    state.frames[b] = frame_at(b, q, v);
    find_plain_weight(b, work);
  }
}

void Dynamics::Impl::load_others(double t, SchurState& state, Workspace& work) const {
  write_plain_masses(state);
  write_other_jacobians(t, state, work, true);
}

double Dynamics::Impl::load(std::size_t number, SchurState& state, Workspace& work) const {
  const Unit& unit = units[number];
  const double* const pose = state.pose.data();
  if (!is_heap()) {
    tree.clear(RowSection::lambda, number, state.values);
    add_bushing_forces(bushings, unit.bushings, pose, work.pull.data());
  }
  double largest = divide_forces(table, unit.bodies, pose, work.pull.data(), state.values.data());
  for (const std::uint32_t b : unit.plain) largest = std::max(largest, accelerate_plain_body(b, state, work));
  if (is_heap()) return largest;
  write_jacobians(joints, unit.joints, pose, true, state.values.data());
  tree.descend_leaves(state.values.data(), state.notes.data(), Factor::missing, unit.leaves);
  return largest;
}

bool Dynamics::Impl::tell(std::size_t number, const double* q, const double* v, const SchurState& state,
                          const double* crown, double* a) const {
  const Unit& unit = units[number];
  const double* const values = number + 1 == units.size() ? crown : state.values.data();
  const bool fine = find_accelerations(table, unit.bodies, state.pose.data(), values, a);
  return tell_plain_accelerations(unit.plain, q, v, values, a) && fine;
}

bool Dynamics::Impl::accelerate_in_units(const Evaluation& at, double* lambda, const Remembered& y,
                                         double* z_rate) const {
  Workspace& work = *at.work;
  SchurState& state = work.motion;
  double* const values = state.values.data();
  for (const Unit& unit : units) place(unit, at.q, at.v, state, work);
  find_asked_frames(state, {0, framed_bodies.size()});
  load_others(at.t, state, work);
  if (!add_other_forces(at.t, state, at.external, work, y, z_rate)) return false;
  double largest = 0;
  for (std::size_t k = 0; k < units.size(); ++k) largest = std::max(largest, load(k, state, work));
  const EliminationTree::Largest begin =
      tree.descend_crown(values, state.notes.data(), values, Factor::missing);
  tree.ascend_crown(values);
  bool fine = true;
  for (std::size_t k = 0; k < units.size(); ++k) {
    tree.ascend_leaves(values, state.left.data(), values, units[k].leaves);
    fine = tell(k, at.q, at.v, state, values, at.a) && fine;
  }
  bool refined = false;
  if (!lead_on(state, largest, begin, tree.find_left(state.left.data(), values).rest, &refined)) return false;
  tell_multipliers(state, lambda);
  return refined ? tell_accelerations(at.q, at.v, state, at.a) : fine;
}

int Dynamics::most_shares() const {
  const Impl& impl = *impl_;
  if (!(impl.in_units() || impl.is_heap()) || !impl.remembering.empty()) return 1;
  std::size_t worth = std::min(impl.units.size() - 1, impl.bodies.size() / worth_a_share);
  for (const GroupData& data : impl.laws)
    worth = data.group->remembers() > 0 ? 1 : std::min(worth, data.group->most_fellows());
  return static_cast<int>(std::clamp<std::size_t>(worth, 1, share_limit));
}

void Dynamics::expect(int shares, Workspace& work) const {
  const auto count = static_cast<std::size_t>(shares);
  if (work.shares.size() < count) work.shares.resize(count);
  for (Workspace::Share& share : work.shares)
    if (share.crown.size() == 0) share.crown.resize(impl_->tree.crown_storage());
}

/// Units of a share, by the bodies in them; the last has the crown's.
Range Dynamics::Impl::units_of(int share, int shares) const {
  const auto before = [&](int number) {
    if (number == shares) return units.size();
    const std::size_t wanted = bodies.size() * static_cast<std::size_t>(number);
    std::size_t k = 0;
    for (std::size_t sum = 0; k + 1 < units.size(); ++k) {
      if ((2 * sum + units[k].members.size()) * static_cast<std::size_t>(shares) >= 2 * wanted) break;
      sum += units[k].members.size();
    }
    return k;
  };
  return {before(share), before(share + 1)};
}

std::span<const Range> Dynamics::owned_by(int share, int shares) const {
  const auto& units = impl_->units;
  const auto [first, last] = impl_->units_of(share, shares);
  const std::size_t end =
      last == units.size() ? impl_->unit_coordinates.size() : units[last].coordinates.first;
  return std::span<const Range>(impl_->unit_coordinates)
      .subspan(units[first].coordinates.first, end - units[first].coordinates.first);
}

void Dynamics::place(const Evaluation& at, int share, int shares) const {
  const auto [first, last] = impl_->units_of(share, shares);
  for (std::size_t k = first; k < last; ++k)
    impl_->place(impl_->units[k], at.q, at.v, at.work->motion, *at.work);
}

bool Dynamics::has_others() const {
  return !impl_->laws.empty() || !impl_->bushings.others.empty() || !impl_->joints.others.empty() ||
         !impl_->plain_bodies.empty();
}

void Dynamics::load_others(const Evaluation& at, bool driven, const Fellow& me) const {
  const Impl& impl = *impl_;
  Workspace& work = *at.work;
  SchurState& state = work.motion;
  bool& fine = work.shares[me.number].others_fine;
  fine = driven;
  impl.find_asked_frames(state, me.share(impl.framed_bodies.size()));
  me.meet();
  if (me.leads()) {
    impl.load_others(at.t, state, work);
    fine = impl.add_element_forces(at.t, state, work, {}, nullptr) && fine;
  }
  if (!impl.laws.empty()) fine = impl.add_group_forces(at.t, state, work, me) && fine;
  if (me.leads()) impl.add_external(at.external, work);
}

void Dynamics::load(const Evaluation& at, int share, int shares, bool again) const {
  const Impl& impl = *impl_;
  SchurState& state = at.work->motion;
  double& largest = at.work->shares[static_cast<std::size_t>(share)].largest;
  if (!again) largest = 0;
  const auto [first, last] = impl.units_of(share, shares);
  for (std::size_t k = first; k < last; ++k) {
    if (again)
      impl.tree.descend_leaves(state.values.data(), state.notes.data(), Factor::made, impl.units[k].leaves);
    else
      largest = std::max(largest, impl.load(k, state, *at.work));
  }
}

void Dynamics::move(const Evaluation& at, int share, int shares, bool again) const {
  const Impl& impl = *impl_;
  Workspace& work = *at.work;
  SchurState& state = work.motion;
  Workspace::Share& own = work.shares[static_cast<std::size_t>(share)];
  double* const crown = impl.is_heap() ? state.values.data() : own.crown.data();
  if (!impl.is_heap()) {
    if (!again) impl.tree.copy_crown(state.values.data(), crown);
    const EliminationTree::Largest begin = impl.tree.descend_crown(
        state.values.data(), state.notes.data(), crown, again ? Factor::made : Factor::missing);
    if (!again) own.begin = begin;
    impl.tree.ascend_crown(crown);
  }
  ShareResult& result = work.results[static_cast<std::size_t>(share)];
  result.fine = true;
  result.largest = own.largest;
  if (!own.others_fine) result.fine = false;
  const auto [first, last] = impl.units_of(share, shares);
  for (std::size_t k = first; k < last; ++k) {
    if (!impl.is_heap())
      impl.tree.ascend_leaves(state.values.data(), state.left.data(), crown, impl.units[k].leaves);
    result.fine = impl.tell(k, at.q, at.v, state, crown, at.a) && result.fine;
  }
}

Dynamics::Verdict Dynamics::judge(const Evaluation& at, int share, int shares, int times) const {
  const Impl& impl = *impl_;
  Workspace& work = *at.work;
  Workspace::Share& own = work.shares[static_cast<std::size_t>(share)];
  double largest = 0;
  for (int k = 0; k < shares; ++k) {
    const ShareResult& result = work.results[static_cast<std::size_t>(k)];
    if (!result.fine) return Verdict::unclear;
    largest = std::max(largest, result.largest);
  }
  if (impl.is_heap()) return Verdict::fine;
  const double left = impl.tree.find_left(work.motion.left.data(), own.crown.data()).rest;
  const double before = times == 0 ? std::numeric_limits<double>::infinity() : own.before;
  if (impl.helps(left, before, largest, own.begin, times)) {
    own.before = left;
    return Verdict::again;
  }
  return impl.led(left, largest, own.begin) ? Verdict::fine : Verdict::unclear;
}

double Dynamics::cost_in_tables() const {
  const Impl& impl = *impl_;
  const std::size_t tabled = impl.bodies.size() - impl.plain_bodies.size();
  if (tabled == 0 || impl.only_points()) return 0;
  const auto freedoms_of = [&](std::int32_t body) {
    return body == no_body ? 0.0 : static_cast<double>(impl.bodies[static_cast<std::size_t>(body)].freedoms);
  };
  double cost = body_in_table * static_cast<double>(tabled) +
                plain_body * static_cast<double>(impl.plain_bodies.size()) +
                bushing_in_table * static_cast<double>(impl.elements.size() - impl.bushings.others.size());
  for (const std::uint32_t e : impl.bushings.others) {
    const double moved = freedoms_of(impl.elements[e].from) + freedoms_of(impl.elements[e].to);
    cost += 2 * moved * moved;
  }
  for (const ConstraintData& data : impl.constraints)
    cost += rows_in_table * static_cast<double>(data.rows * data.rows);
  for (const std::uint32_t c : impl.joints.others) {
    double moved = 0;
    for (std::size_t e = 0; e < impl.constraints[c].ends; ++e)
      moved += freedoms_of(static_cast<std::int32_t>(impl.constraints[c].end[e].body));
    cost += moved * moved;
  }
  return cost;
}

}  // namespace cosimo
