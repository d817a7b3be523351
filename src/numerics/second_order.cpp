#include "numerics/second_order.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "core/check.hpp"
#include "numerics/second_order_solvers.hpp"

namespace cosimo {
namespace {

bool before(const Edge& x, const Edge& y) {
  return std::tie(x.a, x.b) < std::tie(y.a, y.b);
}

/// Disjoint sets with path halving: an edge inside one set closes a cycle.
bool has_cycle(std::size_t size, const std::vector<Edge>& edges) {
  if (edges.size() >= std::max<std::size_t>(size, 1)) return true;
  std::vector<std::int32_t> parent(size);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&parent](std::int32_t i) {
    const auto up = [&parent](std::int32_t j) -> std::int32_t& {
      return parent[static_cast<std::size_t>(j)];
    };
    while (up(i) != i) i = up(i) = up(up(i));
    return i;
  };
  for (const Edge& edge : edges) {
    const std::int32_t a = root(edge.a), b = root(edge.b);
    if (a == b) return true;
    parent[static_cast<std::size_t>(a)] = b;
  }
  return false;
}

}  // namespace

TangentPattern::TangentPattern(std::size_t size, std::vector<Edge> edges)
    : size_(size), edges_(std::move(edges)) {
  for (const Edge& edge : edges_)
    COSIMO_CHECK(edge.a >= 0 && edge.a < edge.b && static_cast<std::size_t>(edge.b) < size,
                 "edge " + std::to_string(edge.a) + "-" + std::to_string(edge.b) + " among " +
                     std::to_string(size) + " degrees of freedom");
  path_ = std::all_of(edges_.begin(), edges_.end(), [](const Edge& edge) { return edge.b == edge.a + 1; });
  if (path_) {
    edges_.resize(size > 0 ? size - 1 : 0);
    for (std::size_t i = 0; i < edges_.size(); ++i)
      edges_[i] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(i + 1)};
    return;
  }
  std::sort(edges_.begin(), edges_.end(), before);
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  forest_ = !has_cycle(size_, edges_);
}

std::size_t TangentPattern::edge_of(std::int32_t a, std::int32_t b) const {
  const Edge wanted{std::min(a, b), std::max(a, b)};
  const auto found = path_ && wanted.a >= 0 && static_cast<std::size_t>(wanted.a) < edges_.size()
                         ? edges_.begin() + wanted.a
                         : std::lower_bound(edges_.begin(), edges_.end(), wanted, before);
  COSIMO_CHECK(found != edges_.end() && *found == wanted,
               "no edge joins " + std::to_string(a) + " and " + std::to_string(b));
  return static_cast<std::size_t>(found - edges_.begin());
}

Range TangentPattern::edges_from(Range dofs) const {
  if (path_) return {std::min(dofs.first, edges_.size()), std::min(dofs.last, edges_.size())};
  const auto first_of = [&](std::size_t dof) {
    const auto found = std::lower_bound(
        edges_.begin(), edges_.end(), dof,
        [](const Edge& edge, std::size_t row) { return static_cast<std::size_t>(edge.a) < row; });
    return static_cast<std::size_t>(found - edges_.begin());
  };
  return {first_of(dofs.first), first_of(dofs.last)};
}

Tangent::Tangent(const TangentPattern& pattern)
    : mass(pattern.size()),
      c_diag(pattern.size()),
      k_diag(pattern.size()),
      c_edge(pattern.edges().size()),
      k_edge(pattern.edges().size()) {}

namespace {

void multiply_path(std::size_t n, const double* __restrict d, const double* __restrict e,
                   const double* __restrict x, double* __restrict y) {
  if (n == 1) {
    y[0] = d[0] * x[0];
    return;
  }
  y[0] = d[0] * x[0] + e[0] * x[1];
  for (std::size_t i = 1; i + 1 < n; ++i) y[i] = (e[i - 1] * x[i - 1] + d[i] * x[i]) + e[i] * x[i + 1];
  y[n - 1] = e[n - 2] * x[n - 2] + d[n - 1] * x[n - 1];
}

}  // namespace

void multiply(const TangentPattern& pattern, std::span<const double> diag, std::span<const double> edge,
              std::span<const double> x, std::span<double> y) {
  const std::size_t n = pattern.size();
  COSIMO_CHECK(diag.size() == n && x.size() == n && y.size() == n && edge.size() == pattern.edges().size(),
               "product on a pattern of another size");
  if (n == 0) return;
  if (pattern.is_path()) return multiply_path(n, diag.data(), edge.data(), x.data(), y.data());
  for (std::size_t i = 0; i < n; ++i) y[i] = diag[i] * x[i];
  for (std::size_t e = 0; e < edge.size(); ++e) {
    const auto a = static_cast<std::size_t>(pattern.edges()[e].a);
    const auto b = static_cast<std::size_t>(pattern.edges()[e].b);
    y[a] += edge[e] * x[b];
    y[b] += edge[e] * x[a];
  }
}

void SecondOrderSolver::solve_near(std::span<const NearSide> sides) const {
  for (const NearSide& side : sides) {
    solve(side.b);
    side.range = {0, side.b.size()};
  }
}

std::unique_ptr<SecondOrderSolver> make_structured_solver(const TangentPattern& pattern) {
  if (pattern.is_path()) return make_path_solver(pattern);
  if (pattern.is_forest()) return make_tree_solver(pattern);
  return make_klu_solver(pattern);
}

}  // namespace cosimo
