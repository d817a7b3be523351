#include "mechanics/body_table.hpp"

#include <algorithm>

#include "mechanics/dynamics_data.hpp"

namespace cosimo {

namespace {

void put_symmetric(const Mat3& A, double* out) {
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = i; j < 3; ++j, out += pack_things) *out = A(i, j);
}

}  // namespace

BodyTable::BodyTable(std::span<const BodyData> all, const EliminationTree& tree) {
  place.assign(all.size(), none);
  for (std::uint32_t b = 0; b < all.size(); ++b)
    if (all[b].kind == BodyKind::rigid) bodies.push_back(b);
  // Those in eight lanes first; they come in whole groups.
  std::stable_sort(bodies.begin(), bodies.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t body) {
      const TreeSlot slot = tree.alpha(body);
      return std::pair(slot.stride < pack_things, slot.at);
    };
    return key(a) < key(b);
  });
  for (std::uint32_t k = 0; k < bodies.size(); ++k) place[bodies[k]] = k;
  const std::size_t count = bodies.size();
  if (count > 0) bodies.resize((count + pack_things - 1) / pack_things * pack_things, bodies.back());
  constant.resize(groups() * constants * pack_things);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const BodyData& body = all[bodies[k]];
    q.push_back(static_cast<std::int32_t>(body.q));
    double* const c = constant.data() + k / pack_things * constants * pack_things + k % pack_things;
    c[mass * pack_things] = body.mass;
    c[inverse_mass * pack_things] = body.inverse_mass;
    put_symmetric(body.inertia, c + inertia * pack_things);
    put_symmetric(body.inverse_inertia, c + inverse_inertia * pack_things);
    diagonal = diagonal && body.inertia.isDiagonal(0) && body.inverse_inertia.isDiagonal(0);
  }
  for (std::size_t g = 0; g < groups(); ++g) {
    const std::size_t here = std::min(pack_things, count - g * pack_things);
    std::vector<TreeSlot> motion, weight, coordinate;
    for (std::size_t i = 0; i < here; ++i) {
      const std::uint32_t b = bodies[g * pack_things + i];
      motion.push_back(tree.alpha(b));
      weight.push_back(tree.mass(b));
      coordinate.push_back({all[b].q, 1});
    }
    alpha.push_back(pack_slots(motion));
    masses.push_back(pack_slots(weight));
    coordinates.push_back(pack_slots(coordinate));
  }
}

AlignedVector BodyTable::make_poses() const {
  AlignedVector poses(pose_size());
  for (std::size_t i = 0; i < pack_things; ++i)
    for (const std::size_t k : {PoseNumber::R, PoseNumber::R + 4, PoseNumber::R + 8, PoseNumber::p})
      poses[pose_of(ground_place()) + k * pack_things + i] = 1;
  return poses;
}

}  // namespace cosimo
