// The second-order structure of a mechanical system, M v' + C v + K q = ..., and
// the linear systems (M + g C + g^2 K) x = b that every implicit method reduces to
// once the positions are eliminated.
//
// M is diagonal and C and K are symmetric on the graph of the bodies: forces act in
// equal and opposite pairs. An element that breaks the symmetry belongs into the
// general sparse path (`linear: klu`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/aligned.hpp"
#include "core/ids.hpp"

namespace cosimo {

/// Two degrees of freedom that an element joins, a < b.
struct Edge {
  std::int32_t a = 0;
  std::int32_t b = 0;
  bool operator==(const Edge&) const = default;
};

/// Where M, C and K may be non-zero: the diagonal and the edges, each edge once.
class TangentPattern {
 public:
  TangentPattern() = default;
  /// Edges in any order; duplicates are merged. Use edge_of() to find an edge's number afterwards.
  /// When every edge joins i and i+1 the pattern becomes a *path*: n-1 edges, edge i joins i and i+1.
  TangentPattern(std::size_t size, std::vector<Edge> edges);

  std::size_t size() const { return size_; }
  const std::vector<Edge>& edges() const { return edges_; }
  std::size_t edge_of(std::int32_t a, std::int32_t b) const;  ///< its number; the edge must exist
  /// The edges from these degrees of freedom to later ones: they lie side by side, ascending.
  Range edges_from(Range dofs) const;
  bool is_path() const { return path_; }
  bool is_forest() const { return forest_; }  ///< no cycle; a path is one

 private:
  std::size_t size_ = 0;
  std::vector<Edge> edges_;
  bool path_ = true;
  bool forest_ = true;
};

/// Values on a pattern: M = diag(mass); K = -df/dq, C = -df/dv at one state.
struct Tangent {
  AlignedVector mass, c_diag, k_diag;  ///< per degree of freedom
  AlignedVector c_edge, k_edge;        ///< per edge: the off-diagonal entry, usually negative
  explicit Tangent(const TangentPattern& pattern);
  Tangent() = default;
};

/// y = K x (diag and edge values of either C or K).
void multiply(const TangentPattern& pattern, std::span<const double> diag, std::span<const double> edge,
              std::span<const double> x, std::span<double> y);

/// What elimination takes, counted from the pattern alone: multiplications of one factorisation, and numbers
/// in its factors, which every solution reads once.
struct EliminationCount {
  double multiplications = 0;
  double entries = 0;
};

/// A right-hand side that is zero outside `range`, and then the solution: entries outside the range, below
/// this part of the largest, may have been left at zero.
struct NearSide {
  std::span<double> b;
  Range& range;
};
inline constexpr double negligible_solution = 1e-13;

/// Factorises and solves (M + g C + g^2 K) x = b.
///
/// Factors are immutable once computed and shared: a snapshot holds them with
/// factors() and puts them back with adopt() without copying a number. factor()
/// recycles a factor that nobody else holds, so a steady run allocates nothing.
class SecondOrderSolver {
 public:
  virtual ~SecondOrderSolver() = default;
  /// False if the matrix is singular or not finite; the old factors are then kept.
  [[nodiscard]] virtual bool factor(const Tangent& tangent, double g) = 0;
  virtual void solve(std::span<double> b) const = 0;  ///< in place
  /// Several right-hand sides, each of which is zero outside a range. Far from there a solution may fade: the
  /// work then goes with the length of what is not negligible, where the solver can do that.
  virtual void solve_near(std::span<const NearSide> sides) const;
  virtual std::shared_ptr<const void> factors() const = 0;
  virtual void adopt(std::shared_ptr<const void> factors) = 0;
  virtual EliminationCount count() const = 0;
  virtual std::string_view name() const = 0;  ///< "path", "tree", "klu" or "dense"
};

/// Without fill for every forest of bodies (twisted elimination from both ends on a path,
/// leaves to root on a tree), sparse LU otherwise.
std::unique_ptr<SecondOrderSolver> make_structured_solver(const TangentPattern& pattern);
std::unique_ptr<SecondOrderSolver> make_klu_solver(const TangentPattern& pattern);
std::unique_ptr<SecondOrderSolver> make_dense_solver(const TangentPattern& pattern);

}  // namespace cosimo
