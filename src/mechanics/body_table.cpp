#include "mechanics/body_table.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

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
  std::vector<std::uint32_t> tabled;
  for (std::uint32_t b = 0; b < all.size(); ++b)
    if (all[b].kind == BodyKind::rigid || all[b].kind == BodyKind::planar) tabled.push_back(b);
  const auto whose = [&](std::uint32_t b) {
    return std::pair(tree.unit_of(tree.alpha(b)), all[b].kind == BodyKind::planar);
  };
  // Of a unit and a kind those in eight lanes first; they come in whole groups.
  std::stable_sort(tabled.begin(), tabled.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto key = [&](std::uint32_t body) {
      const TreeSlot slot = tree.alpha(body);
      return std::tuple(whose(body), slot.stride < pack_things, slot.at);
    };
    return key(a) < key(b);
  });
  std::vector<std::size_t> filled;  // bodies of each group
  units.resize(tree.units());
  for (std::size_t first = 0, last = 0; first < tabled.size(); first = last) {
    while (last < tabled.size() && last < first + pack_things && whose(tabled[last]) == whose(tabled[first]))
      bodies.push_back(tabled[last++]);
    for (std::size_t k = first; k < last; ++k)
      place[tabled[k]] = static_cast<std::uint32_t>(bodies.size() - (last - k));
    filled.push_back(last - first);
    bodies.resize(filled.size() * pack_things, bodies.back());
    planar.push_back(whose(tabled[first]).second ? 1 : 0);
    units[whose(tabled[first]).first].last = groups();
  }
  for (std::size_t k = 0, first = 0; k < units.size(); first = units[k++].last)
    units[k] = {first, std::max(first, units[k].last)};
  constant.resize(groups() * constants * pack_things);
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const BodyData& body = all[bodies[k]];
    q.push_back(static_cast<std::int32_t>(body.q));
    double* const c = constant.data() + k / pack_things * constants * pack_things + k % pack_things;
    c[mass * pack_things] = body.mass;
    c[inverse_mass * pack_things] = body.inverse_mass;
    put_symmetric(body.inertia, c + inertia * pack_things);
    put_symmetric(body.inverse_inertia, c + inverse_inertia * pack_things);
    if (is_planar(k)) {
      c[(inertia + 5) * pack_things] = body.turning;
      c[(inverse_inertia + 5) * pack_things] = body.inverse_turning;
    }
    diagonal = diagonal && body.inertia.isDiagonal(0) && body.inverse_inertia.isDiagonal(0);
  }
  for (std::size_t g = 0; g < groups(); ++g) {
    std::vector<TreeSlot> motion, weight, coordinate;
    for (std::size_t i = 0; i < filled[g]; ++i) {
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

std::size_t BodyTable::unit_of(std::size_t k) const {
  const auto after = [](std::size_t group, const Range& unit) { return group < unit.last; };
  return static_cast<std::size_t>(std::upper_bound(units.begin(), units.end(), k / pack_things, after) -
                                  units.begin());
}

AlignedVector BodyTable::make_poses() const {
  AlignedVector poses(pose_size());
  for (std::size_t at = 0; at < ground_place(); ++at) {
    if (is_planar(at))
      poses[pose_of(at) + (PoseNumber::R + 8) * pack_things] = 1;
    else
      poses[pose_of(at) + PoseNumber::turned * pack_things] = std::numeric_limits<double>::quiet_NaN();
  }
  for (std::size_t i = 0; i < pack_things; ++i)
    for (const std::size_t k : {PoseNumber::R, PoseNumber::R + 4, PoseNumber::R + 8, PoseNumber::p})
      poses[pose_of(ground_place()) + k * pack_things + i] = 1;
  return poses;
}

}  // namespace cosimo
