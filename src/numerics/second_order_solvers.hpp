// What the solvers of numerics/second_order.hpp share, and the two structured ones by
// name: make_structured_solver() chooses between them. For numerics/ and its tests.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <utility>

#include "core/check.hpp"
#include "numerics/second_order.hpp"

namespace cosimo {

std::unique_ptr<SecondOrderSolver> make_path_solver(const TangentPattern& pattern);  ///< needs is_path()
std::unique_ptr<SecondOrderSolver> make_tree_solver(const TangentPattern& pattern);  ///< needs is_forest()

/// Of a forest of n bodies: an inverse and a multiplier each.
inline EliminationCount without_fill(std::size_t n) {
  return {2.0 * static_cast<double>(n), 2.0 * static_cast<double>(n)};
}

/// The entries of M + g C + g^2 K, computed where they are needed.
class ShiftedMatrix {
 public:
  ShiftedMatrix(const Tangent& t, double g)
      : mass_(t.mass.data()),
        c_diag_(t.c_diag.data()),
        k_diag_(t.k_diag.data()),
        c_edge_(t.c_edge.data()),
        k_edge_(t.k_edge.data()),
        g_(g) {}

  double diagonal(std::size_t i) const { return mass_[i] + g_ * (c_diag_[i] + g_ * k_diag_[i]); }
  double edge(std::size_t e) const { return g_ * (c_edge_[e] + g_ * k_edge_[e]); }
  /// What the diagonal entry is a sum of: a pivot far below has lost its digits.
  double magnitude(std::size_t i) const {
    return std::abs(mass_[i]) + std::abs(g_) * (std::abs(c_diag_[i]) + std::abs(g_ * k_diag_[i]));
  }

 private:
  const double *mass_, *c_diag_, *k_diag_, *c_edge_, *k_edge_;
  double g_;
};

/// Elimination takes pivots as they come: the matrix need not be positive definite (a contact's
/// stiffness has any sign), so a pivot may vanish. Below this part of the numbers it came from it
/// is noise, and the step that wanted the matrix fails in a way it can recover from.
inline constexpr double smallest_pivot = 1e-14;

/// False for a vanishing or non-finite pivot, and for one without a finite inverse.
inline bool usable_pivot(double pivot, double inverse, double magnitude) {
  constexpr double largest = std::numeric_limits<double>::max();
  // All three, without a branch, so that a loop over pivots becomes vector code.
  const int large_enough = std::abs(pivot) > smallest_pivot * magnitude;
  const int finite = std::abs(pivot) <= largest;
  const int invertible = std::abs(inverse) <= largest;
  return (large_enough & finite & invertible) != 0;
}

/// Factors that are immutable once published, and shared: the solver's current ones, those of
/// snapshots, and here up to three for recycling.
///
/// Solvers that exchange factors are synchronised between their tasks, as lanes are at a macro
/// point: a factor is recycled only after every other holder has let go of it.
template <class Factors>
class FactorPool {
 public:
  /// Factors that nobody else holds, to be overwritten; made by `make()` only if all are in use.
  template <class Make>
  std::shared_ptr<Factors> take(Make make) {
    for (std::shared_ptr<Factors>& slot : pool_) {
      if (!slot) return slot = make();
      if (slot.use_count() == 1) return slot;
    }
    oldest_ = (oldest_ + 1) % pool_.size();
    return pool_[oldest_] = make();
  }

 private:
  std::array<std::shared_ptr<Factors>, 3> pool_;
  std::size_t oldest_ = pool_.size() - 1;
};

/// The part of a solver that deals with shared factors: the rest is `compute` and `solve`.
template <class Factors>
class SharedFactors : public SecondOrderSolver {
 public:
  bool factor(const Tangent& tangent, double g) final {
    std::shared_ptr<Factors> fresh = pool_.take([this] { return make(); });
    if (!compute(tangent, g, *fresh)) return false;
    current_ = std::move(fresh);
    return true;
  }
  std::shared_ptr<const void> factors() const final { return current_; }
  void adopt(std::shared_ptr<const void> factors) final {
    current_ = std::static_pointer_cast<const Factors>(std::move(factors));
  }

 protected:
  /// What the last factor() or adopt() left, for a right-hand side b of n numbers.
  const Factors& current(std::span<double> b, std::size_t n) const {
    COSIMO_CHECK(current_ != nullptr, "solving without factors");
    COSIMO_CHECK(b.size() == n, "a right-hand side of another size");
    return *current_;
  }

 private:
  virtual std::shared_ptr<Factors> make() const = 0;
  virtual bool compute(const Tangent& tangent, double g, Factors& out) = 0;

  FactorPool<Factors> pool_;
  std::shared_ptr<const Factors> current_;
};

}  // namespace cosimo
