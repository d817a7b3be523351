// The solver for any forest of bodies, however they are numbered: elimination from the
// leaves to the roots, which creates no new entries.
//
// Every tree is rooted at its centre and eliminated level by level, deepest first:
// branches are then as short as they can be, and the recurrences along them run
// interleaved. For a path this is the twisted elimination of path_solver.cpp.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "numerics/second_order_solvers.hpp"

namespace cosimo {
namespace {

/// Node k-th in the order of elimination; all its children come before it.
struct Elimination {
  std::int32_t node = 0;
  std::int32_t parent = -1;  ///< -1: a root
  std::int32_t edge = -1;    ///< to the parent
};

/// Neighbours of all nodes in one array.
class Neighbours {
 public:
  struct Link {
    std::int32_t node;
    std::int32_t edge;
  };

  explicit Neighbours(const TangentPattern& pattern) : first_(pattern.size() + 1, 0) {
    const std::vector<Edge>& edges = pattern.edges();
    for (const Edge& edge : edges)
      for (const std::int32_t node : {edge.a, edge.b}) ++first_[static_cast<std::size_t>(node) + 1];
    for (std::size_t i = 0; i < pattern.size(); ++i) first_[i + 1] += first_[i];
    links_.resize(2 * edges.size());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto number = static_cast<std::int32_t>(e);
      links_[next[static_cast<std::size_t>(edges[e].a)]++] = {edges[e].b, number};
      links_[next[static_cast<std::size_t>(edges[e].b)]++] = {edges[e].a, number};
    }
  }
  std::span<const Link> of(std::int32_t node) const {
    const auto i = static_cast<std::size_t>(node);
    return {links_.data() + first_[i], first_[i + 1] - first_[i]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<Link> links_;
};

/// Appends the tree of `root`, level by level from the root down.
void append_levels(const Neighbours& neighbours, std::int32_t root, std::vector<Elimination>& order) {
  std::size_t next = order.size();
  order.push_back({root, -1, -1});
  for (; next < order.size(); ++next) {
    const Elimination from = order[next];
    for (const auto& link : neighbours.of(from.node))
      if (link.edge != from.edge) order.push_back({link.node, from.node, link.edge});
  }
}

/// The middle of a longest path through the tree of `any`: from anywhere the last node of the
/// lowest level is one end of such a path, and seen from there it is the other end.
std::int32_t centre(const Neighbours& neighbours, std::int32_t any, std::vector<std::int32_t>& parent) {
  std::vector<Elimination> levels;
  append_levels(neighbours, any, levels);
  const std::int32_t end = levels.back().node;
  levels.clear();
  append_levels(neighbours, end, levels);
  for (const Elimination& step : levels) parent[static_cast<std::size_t>(step.node)] = step.parent;
  // Two steps up for one: `middle` is half-way when `top` has arrived.
  const auto up = [&parent](std::int32_t node) { return parent[static_cast<std::size_t>(node)]; };
  std::int32_t middle = levels.back().node, top = middle;
  while (up(top) >= 0 && up(up(top)) >= 0) {
    middle = up(middle);
    top = up(up(top));
  }
  return middle;
}

std::vector<Elimination> elimination_order(const TangentPattern& pattern) {
  const Neighbours neighbours(pattern);
  std::vector<Elimination> order;
  order.reserve(pattern.size());
  std::vector<bool> placed(pattern.size(), false);
  std::vector<std::int32_t> parent(pattern.size(), -1);
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (placed[i]) continue;
    const std::size_t first = order.size();
    append_levels(neighbours, centre(neighbours, static_cast<std::int32_t>(i), parent), order);
    for (std::size_t k = first; k < order.size(); ++k) placed[static_cast<std::size_t>(order[k].node)] = true;
  }
  std::reverse(order.begin(), order.end());
  return order;
}

struct TreeFactors {
  AlignedVector inverse;     ///< 1 / pivot, in the order of elimination
  AlignedVector multiplier;  ///< entry to the parent / pivot, in the order of elimination
};

class TreeSolver final : public SharedFactors<TreeFactors> {
 public:
  explicit TreeSolver(const TangentPattern& pattern)
      : order_(elimination_order(pattern)), pivot_(pattern.size()) {}
  std::string_view name() const override { return "tree"; }
  EliminationCount count() const override { return without_fill(order_.size()); }

  void solve(std::span<double> b) const override {
    const TreeFactors& f = current(b, order_.size());
    const double* const r = f.inverse.data();
    const double* const l = f.multiplier.data();
    double* const x = b.data();
    for (std::size_t k = 0; k < order_.size(); ++k)
      if (order_[k].parent >= 0) x[order_[k].parent] -= l[k] * x[order_[k].node];
    for (std::size_t k = order_.size(); k-- > 0;) {
      const Elimination& step = order_[k];
      x[step.node] *= r[k];
      if (step.parent >= 0) x[step.node] -= l[k] * x[step.parent];
    }
  }

 private:
  std::shared_ptr<TreeFactors> make() const override {
    return std::make_shared<TreeFactors>(
        TreeFactors{AlignedVector(order_.size()), AlignedVector(order_.size())});
  }

  bool compute(const Tangent& tangent, double g, TreeFactors& out) override {
    const ShiftedMatrix matrix(tangent, g);
    double* const d = pivot_.data();
    for (std::size_t i = 0; i < order_.size(); ++i) d[i] = matrix.diagonal(i);
    bool usable = true;
    for (std::size_t k = 0; k < order_.size(); ++k) {
      const Elimination& step = order_[k];
      const double r = 1.0 / d[step.node];
      usable &= usable_pivot(d[step.node], r, matrix.magnitude(static_cast<std::size_t>(step.node)));
      out.inverse[k] = r;
      if (step.parent < 0) continue;
      const double entry = matrix.edge(static_cast<std::size_t>(step.edge));
      out.multiplier[k] = entry * r;
      d[step.parent] -= entry * out.multiplier[k];
    }
    return usable;
  }

  std::vector<Elimination> order_;
  AlignedVector pivot_;  ///< work space of compute()
};

}  // namespace

std::unique_ptr<SecondOrderSolver> make_tree_solver(const TangentPattern& pattern) {
  COSIMO_CHECK(pattern.is_forest(), "tree solver on a graph with a cycle");
  return std::make_unique<TreeSolver>(pattern);
}

}  // namespace cosimo
