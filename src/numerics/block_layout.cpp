#include "numerics/block_layout.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "numerics/block_program.hpp"

namespace cosimo {

BlockLayout::BlockLayout(const SparsePattern& pattern, const UnknownGroups& groups)
    : constraints_(groups.constraints.size()) {
  place_.resize(pattern.size());
  std::vector<bool> known(pattern.size(), false);
  first_block_.push_back(0);
  for (const auto* list : {&groups.constraints, &groups.bodies})
    for (const auto& group : *list) add_vertex(group, known);
  COSIMO_CHECK(std::all_of(known.begin(), known.end(), [](bool x) { return x; }), "an unknown of no group");
  find_order(pattern);
}

std::vector<std::uint32_t> BlockLayout::blocks_of(std::span<const std::uint32_t> vertices) const {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t v : vertices)
    for (std::uint32_t b = first_block_[v]; b < first_block_[v + 1]; ++b) out.push_back(b);
  return out;
}

std::size_t BlockLayout::operations() const {
  std::size_t sum = 0;
  for (std::uint32_t v = 0; v < order_.below.size(); ++v) {
    std::size_t blocks = first_block_[v + 1] - first_block_[v];
    for (const std::uint32_t below : order_.below[v]) blocks += first_block_[below + 1] - first_block_[below];
    sum += (first_block_[v + 1] - first_block_[v]) * blocks * blocks;
  }
  return sum;
}

void BlockLayout::add_vertex(const std::vector<std::int32_t>& group, std::vector<bool>& known) {
  const std::size_t pieces = (group.size() + largest_block - 1) / largest_block;
  std::size_t next = 0;
  for (std::size_t piece = 0; piece < pieces; ++piece) {
    const std::size_t last = group.size() * (piece + 1) / pieces;
    const auto block = static_cast<std::uint32_t>(sizes_.size());
    sizes_.push_back(static_cast<std::uint32_t>(last - next));
    vertex_.push_back(static_cast<std::uint32_t>(first_block_.size() - 1));
    for (std::uint32_t row = 0; next < last; ++next, ++row) {
      const auto unknown = static_cast<std::size_t>(group[next]);
      COSIMO_CHECK(unknown < known.size() && !known[unknown], "an unknown of two groups");
      known[unknown] = true;
      place_[unknown] = {block, row};
    }
  }
  first_block_.push_back(static_cast<std::uint32_t>(sizes_.size()));
}

void BlockLayout::find_order(const SparsePattern& pattern) {
  const auto vertices = static_cast<std::uint32_t>(first_block_.size() - 1);
  const auto constraints = static_cast<std::uint32_t>(constraints_);
  std::vector<std::vector<std::uint32_t>> bodies_of(constraints_), neighbours(vertices - constraints);
  for (std::size_t j = 0; j < pattern.size(); ++j) {
    const std::uint32_t v = vertex_[place_[j].block];
    for (int k = pattern.columns[j]; k < pattern.columns[j + 1]; ++k) {
      const auto i = static_cast<std::size_t>(pattern.rows[static_cast<std::size_t>(k)]);
      const std::uint32_t w = vertex_[place_[i].block];
      if (v == w) continue;
      if (v < constraints && w < constraints)
        tidy_ = false;
      else if (v >= constraints && w >= constraints)
        neighbours[std::min(v, w) - constraints].push_back(std::max(v, w) - constraints);
      else
        bodies_of[std::min(v, w)].push_back(std::max(v, w) - constraints);
    }
  }
  std::vector<std::uint32_t> freedoms(vertices - constraints, 0);
  std::vector<TreeConstraint> joints;
  std::vector<TreeCoupling> couplings;
  const auto tidy_up = [](std::vector<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  for (auto& list : bodies_of) {
    tidy_up(list);
    if (list.empty()) tidy_ = false;
    joints.push_back({0, list});
  }
  for (std::uint32_t b = 0; b < neighbours.size(); ++b) {
    tidy_up(neighbours[b]);
    for (const std::uint32_t other : neighbours[b]) couplings.push_back({b, other});
  }
  if (tidy_) order_ = find_whole_order(freedoms, joints, couplings);
}

}  // namespace cosimo
