// An evaluation of the accelerations in sections that several threads go through together.
//
//   0  poses, gravity           of bodies
//   1  bushings, masses, J      of their groups; the first share does what is in no table
//   2  free accelerations       of bodies
//   3  elimination              of leaves
//   4  the top                  by the first share alone
//   5  what follows from it     in leaves
//   6  accelerations            of bodies
//
// Within a section shares write different numbers and read what earlier sections have written.
#include <algorithm>

#include "mechanics/dynamics_data.hpp"

namespace cosimo {

namespace {

/// A thread with fewer bodies waits longer at the meetings than it works.
constexpr std::size_t worth_a_share = 250;

Range part_of(std::size_t count, int share, int shares) {
  const auto first = [&](int k) {
    return count * static_cast<std::size_t>(k) / static_cast<std::size_t>(shares);
  };
  return {first(share), first(share + 1)};
}

}  // namespace

int Dynamics::most_shares() const {
  const Impl& impl = *impl_;
  if (impl.rows == 0 || impl.factor_wanted() == Factor::made || !impl.hubs.empty()) return 1;
  const std::size_t worth = std::min(impl.tree.leaf_groups(), impl.bodies.size() / worth_a_share);
  return static_cast<int>(std::clamp<std::size_t>(worth, 1, share_limit));
}

void Dynamics::evaluate(int section, const Evaluation& at, int share, int shares) const {
  const Impl& impl = *impl_;
  Workspace& work = *at.work;
  SchurState& state = work.motion;
  const double* const pose = state.pose.data();
  const bool first = share == 0;
  const Range bodies = part_of(impl.table.groups(), share, shares);
  const Range leaves = part_of(impl.tree.leaf_groups(), share, shares);
  ShareResult& result = work.results[static_cast<std::size_t>(share)];
  switch (section) {
    case 0:
      result = {};
      find_poses(impl.table, bodies, at.q, at.v, state.pose.data());
      find_weights(impl.table, bodies, pose, impl.gravity.data(), work.pull.data());
      if (!first) return;
      work.shares = shares;
      impl.find_plain_frames(at.q, at.v, state);
      impl.find_plain_weights(work);
      return impl.tree.clear(RowSection::lambda, state.values);
    case 1:
      find_bushing_efforts(impl.bushings, part_of(impl.bushings.groups.size(), share, shares), pose,
                           work.efforts.data());
      write_inverse_masses(impl.table, bodies, pose, state.values.data());
      write_jacobians(impl.joints, part_of(impl.joints.groups.size(), share, shares), pose, true,
                      state.values.data());
      if (!first) return;
      impl.find_asked_frames(state);
      impl.write_plain_masses(state);
      impl.write_other_jacobians(at.t, state, work, true);
      result.fine = impl.add_other_forces(at.t, state, at.external, work, {}, nullptr);
      return;
    case 2:
      add_bushing_efforts(impl.bushings, work.efforts.data(), bodies, work.pull.data());
      result.largest = divide_forces(impl.table, bodies, pose, work.pull.data(), state.values.data());
      if (first) result.largest = std::max(result.largest, impl.accelerate_plain_bodies(state, work));
      return;
    case 3:
      return impl.tree.descend_leaves(state.values, Factor::missing, leaves);
    case 4:
      if (!first) return;
      work.begin = impl.tree.descend_top(state.values, Factor::missing);
      return impl.tree.ascend_top(state.values);
    case 5:
      return impl.tree.ascend_leaves(state.values, leaves);
    default:
      if (first) work.left = impl.tree.find_left(state.values);
      if (!find_accelerations(impl.table, bodies, at.q, at.v, pose, state.values.data(), at.a))
        result.fine = false;
      if (first && !impl.tell_plain_accelerations(at.q, at.v, state, at.a)) result.fine = false;
  }
}

bool Dynamics::finish(const Evaluation& at) const {
  const Impl& impl = *impl_;
  Workspace& work = *at.work;
  bool fine = true;
  double largest = 0;
  for (int k = 0; k < work.shares; ++k) {
    const ShareResult& result = work.results[static_cast<std::size_t>(k)];
    fine = fine && result.fine;
    largest = std::max(largest, result.largest);
  }
  if (!fine) return false;
  bool refined = false;
  if (!impl.lead_on(work.motion, largest, work.begin, work.left, &refined)) return false;
  return !refined || impl.tell_accelerations(at.q, at.v, work.motion, at.a);
}

}  // namespace cosimo
