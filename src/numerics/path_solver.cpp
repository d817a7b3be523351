// The solver for a path of bodies, the hot one: twisted elimination.
//
// The matrix is tridiagonal. Elimination is a recurrence, and its time is the latency of
// its operations, not their number. So it starts at both ends at once and meets in the
// middle: two independent recurrences run interleaved. With the entries a_i on the
// diagonal and b_i between i and i+1, and m = n/2,
//
//   d_0 = a_0,          d_i = a_i - b_{i-1}^2 / d_{i-1}          i = 1 ... m-1,
//   d_{n-1} = a_{n-1},  d_j = a_j - b_j^2 / d_{j+1}              j = n-2 ... m+1,
//   d_m = a_m - b_{m-1}^2 / d_{m-1} - b_m^2 / d_{m+1}.
//
// One division and one subtraction per step are the shortest chain for which nothing can
// overflow early. Inverses 1/d_i and multipliers l_i = b_i / d_(outer end) follow in vector code.
#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.hpp"
#include "numerics/second_order_solvers.hpp"

namespace cosimo {
namespace {

struct PathFactors {
  AlignedVector inverse;     ///< 1 / d_i
  AlignedVector multiplier;  ///< per edge: b_i over the pivot of its end that was eliminated first
};

class PathSolver final : public SharedFactors<PathFactors> {
 public:
  explicit PathSolver(std::size_t n) : n_(n), middle_(n / 2) {}
  std::string_view name() const override { return "path"; }
  EliminationCount count() const override { return without_fill(n_); }

  void solve(std::span<double> b) const override {
    const PathFactors& f = current(b, n_);
    if (n_ == 0) return;
    eliminate(f.multiplier.data(), b.data());
    substitute(f.inverse.data(), f.multiplier.data(), b.data());
  }

  void solve_near(std::span<const NearSide> sides) const override;

 private:
  std::shared_ptr<PathFactors> make() const override {
    return std::make_shared<PathFactors>(PathFactors{AlignedVector(n_), AlignedVector(n_ > 0 ? n_ - 1 : 0)});
  }

  bool compute(const Tangent& tangent, double g, PathFactors& out) override {
    if (n_ == 0) return true;
    const ShiftedMatrix matrix(tangent, g);
    pivots(matrix, out.inverse.data(), out.multiplier.data());
    return invert(matrix, out.inverse.data(), out.multiplier.data());
  }

  void pivots(const ShiftedMatrix& matrix, double* __restrict d, double* __restrict b) const;
  bool invert(const ShiftedMatrix& matrix, double* __restrict d, double* __restrict l) const;
  void eliminate(const double* __restrict l, double* __restrict x) const;
  void substitute(const double* __restrict r, const double* __restrict l, double* __restrict x) const;
  void solve_two(const double* __restrict r, const double* __restrict l, double* __restrict x,
                 double* __restrict y) const;
  bool fades(const PathFactors& f, Range support) const;
  Range solve_fading(const PathFactors& f, double* x, Range support) const;

  std::size_t substitute_left(const PathFactors& f, double* x, std::size_t end, std::size_t support,
                              double p) const;
  std::size_t substitute_right(const PathFactors& f, double* x, std::size_t begin, std::size_t support,
                               double q) const;

  std::size_t n_;
  std::size_t middle_;
};

/// d becomes the pivots, b the off-diagonal entries.
void PathSolver::pivots(const ShiftedMatrix& matrix, double* __restrict d, double* __restrict b) const {
  const std::size_t m = middle_, right = n_ - 1 - m;  // steps from the right end
  double from_left = 0, from_right = 0;               // b^2 / d of the neighbour eliminated last
  const auto left_step = [&](std::size_t i) {
    const double pivot = matrix.diagonal(i) - from_left, entry = matrix.edge(i);
    from_left = entry * entry / pivot;
    d[i] = pivot;
    b[i] = entry;
  };
  const auto right_step = [&](std::size_t j) {
    const double pivot = matrix.diagonal(j) - from_right, entry = matrix.edge(j - 1);
    from_right = entry * entry / pivot;
    d[j] = pivot;
    b[j - 1] = entry;
  };
  for (std::size_t i = 0; i < right; ++i) {
    left_step(i);
    right_step(n_ - 1 - i);
  }
  if (m > right) left_step(m - 1);
  d[m] = (matrix.diagonal(m) - from_left) - from_right;
}

/// In place: pivots to inverses, off-diagonal entries to multipliers. False if a pivot is unusable.
bool PathSolver::invert(const ShiftedMatrix& matrix, double* __restrict d, double* __restrict l) const {
  std::size_t usable = 0;  // a count, because the compiler vectorises sums but not conjunctions
  for (std::size_t i = 0; i < n_; ++i) {
    const double r = 1.0 / d[i];
    usable += usable_pivot(d[i], r, matrix.magnitude(i)) ? 1 : 0;
    d[i] = r;
  }
  for (std::size_t e = 0; e < middle_; ++e) l[e] *= d[e];
  for (std::size_t e = middle_; e + 1 < n_; ++e) l[e] *= d[e + 1];
  return usable == n_;
}

/// Towards the middle.
void PathSolver::eliminate(const double* __restrict l, double* __restrict x) const {
  const std::size_t m = middle_, right = n_ - 1 - m;
  double p = 0, q = 0;  // what the last row on each side subtracts from the next
  for (std::size_t i = 0; i < right; ++i) {
    const std::size_t j = n_ - 1 - i;
    x[i] -= p;
    p = l[i] * x[i];
    x[j] -= q;
    q = l[j - 1] * x[j];
  }
  if (m > right) {
    x[m - 1] -= p;
    p = l[m - 1] * x[m - 1];
  }
  x[m] = (x[m] - p) - q;
}

/// From the middle to the ends.
void PathSolver::substitute(const double* __restrict r, const double* __restrict l,
                            double* __restrict x) const {
  const std::size_t m = middle_, right = n_ - 1 - m;
  double p = x[m] * r[m], q = p;
  x[m] = p;
  for (std::size_t k = 1; k <= right; ++k) {
    const std::size_t i = m - k, j = m + k;
    p = x[i] * r[i] - l[i] * p;
    x[i] = p;
    q = x[j] * r[j] - l[j - 1] * q;
    x[j] = q;
  }
  if (m > right) x[0] = x[0] * r[0] - l[0] * p;
}

/// Both for two right-hand sides side by side.
void PathSolver::solve_two(const double* __restrict r, const double* __restrict l, double* __restrict x,
                           double* __restrict y) const {
  const std::size_t m = middle_, right = n_ - 1 - m;
  double px = 0, qx = 0, py = 0, qy = 0;
  for (std::size_t i = 0; i < right; ++i) {
    const std::size_t j = n_ - 1 - i;
    x[i] -= px;
    x[j] -= qx;
    y[i] -= py;
    y[j] -= qy;
    px = l[i] * x[i];
    qx = l[j - 1] * x[j];
    py = l[i] * y[i];
    qy = l[j - 1] * y[j];
  }
  if (m > right) {
    x[m - 1] -= px;
    y[m - 1] -= py;
    px = l[m - 1] * x[m - 1];
    py = l[m - 1] * y[m - 1];
  }
  x[m] = px = qx = ((x[m] - px) - qx) * r[m];
  y[m] = py = qy = ((y[m] - py) - qy) * r[m];
  for (std::size_t k = 1; k <= right; ++k) {
    const std::size_t i = m - k, j = m + k;
    x[i] = px = x[i] * r[i] - l[i] * px;
    x[j] = qx = x[j] * r[j] - l[j - 1] * qx;
    y[i] = py = y[i] * r[i] - l[i] * py;
    y[j] = qy = y[j] * r[j] - l[j - 1] * qy;
  }
  if (m > right) {
    x[0] = x[0] * r[0] - l[0] * px;
    y[0] = y[0] * r[0] - l[0] * py;
  }
}

/// The largest number so far, and what is nothing beside it.
struct Fading {
  double largest = 0;
  void see(double x) { largest = std::max(largest, std::abs(x)); }
  bool negligible(double x) const { return std::abs(x) <= negligible_solution * largest; }
};

/// Whether it pays to look for the ends of the solution: far from the support it shrinks with every row by
/// about the multiplier there.
bool PathSolver::fades(const PathFactors& f, Range support) const {
  if (2 * support.size() >= n_) return false;
  const std::size_t before = support.first - std::min<std::size_t>(support.first, 1);
  const double ratio =
      std::max(std::abs(f.multiplier[before]), std::abs(f.multiplier[std::min(support.last, n_ - 1) - 1]));
  if (!(ratio < 1)) return false;
  const double rows = ratio > 0 ? std::log(negligible_solution) / std::log(ratio) : 1;
  return 2 * (static_cast<double>(support.size()) + 2 * rows) < static_cast<double>(n_);
}

/// What does not fade is solved in pairs: the recurrences of two take hardly longer than those of one.
void PathSolver::solve_near(std::span<const NearSide> sides) const {
  double* waiting = nullptr;
  for (const NearSide& side : sides) {
    const PathFactors& f = current(side.b, n_);
    if (side.range.size() == 0) continue;
    double* const x = side.b.data();
    if (fades(f, side.range)) {
      side.range = solve_fading(f, x, side.range);
      continue;
    }
    side.range = {0, n_};
    if (waiting == nullptr) {
      waiting = x;
      continue;
    }
    solve_two(f.inverse.data(), f.multiplier.data(), waiting, x);
    waiting = nullptr;
  }
  if (waiting != nullptr) solve({waiting, n_});
}

/// Elimination begins where b does: the rows further out have zero right-hand sides and stay zero. Past the
/// support it ends where what it hands on is negligible, and so does the substitution.
Range PathSolver::solve_fading(const PathFactors& f, double* x, Range support) const {
  const double *const r = f.inverse.data(), *const l = f.multiplier.data();
  const std::size_t m = middle_;

  Fading row;
  double p = 0, q = 0;  // what the last row on each side subtracts from the next
  std::size_t left = support.first, right = std::max(support.last, m + 1);  // [left, right): not yet done
  for (; left < m; ++left) {
    if (left >= support.last && row.negligible(p * r[left])) break;
    x[left] -= p;
    p = l[left] * x[left];
    row.see(x[left] * r[left]);
  }
  for (; right > m + 1; --right) {
    if (right <= support.first && row.negligible(q * r[right - 1])) break;
    x[right - 1] -= q;
    q = l[right - 2] * x[right - 1];
    row.see(x[right - 1] * r[right - 1]);
  }
  if (left < m) return {substitute_left(f, x, left, support.first, 0), left};
  if (right > m + 1) return {right, substitute_right(f, x, right, support.last, 0)};
  x[m] = ((x[m] - p) - q) * r[m];
  return {substitute_left(f, x, m, support.first, x[m]), substitute_right(f, x, m + 1, support.last, x[m])};
}

/// Rows before `end`, whose successor has the value p, and not beyond where the solution has faded away
/// outside the support. Returns the first row that is not zero.
std::size_t PathSolver::substitute_left(const PathFactors& f, double* x, std::size_t end, std::size_t support,
                                        double p) const {
  Fading solution;
  solution.see(p);
  for (std::size_t i = end; i > 0; --i) {
    if (i <= support && solution.negligible(p)) return i;
    p = x[i - 1] * f.inverse[i - 1] - f.multiplier[i - 1] * p;
    x[i - 1] = p;
    solution.see(p);
  }
  return 0;
}

/// The same for the rows from `begin` on; returns the end of those that are not zero.
std::size_t PathSolver::substitute_right(const PathFactors& f, double* x, std::size_t begin,
                                         std::size_t support, double q) const {
  Fading solution;
  solution.see(q);
  for (std::size_t j = begin; j < n_; ++j) {
    if (j >= support && solution.negligible(q)) return j;
    q = x[j] * f.inverse[j] - f.multiplier[j - 1] * q;
    x[j] = q;
    solution.see(q);
  }
  return n_;
}

}  // namespace

std::unique_ptr<SecondOrderSolver> make_path_solver(const TangentPattern& pattern) {
  COSIMO_CHECK(pattern.is_path(), "path solver");
  return std::make_unique<PathSolver>(pattern.size());
}

}  // namespace cosimo
