// IDA's Newton matrix in full and dense: cubic cost, for the scaling study of Section 5.7.
//
// The unknowns are cj dq and dv, which have the same unit: pivots must not be chosen by units.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "integrator/ida_linear.hpp"

namespace cosimo {

namespace {

// P S A = L U by rows, with partial pivoting; blocked, so that the rows of U being subtracted
// stay in cache. S brings every row to the size of one, by powers of two.
struct DenseFactors final : Counted {
  std::size_t n = 0;
  AlignedVector a;                  // row after row; L below the diagonal (unit diagonal), U from it on
  std::vector<std::size_t> pivots;  // row exchanged with row k at step k
  std::vector<double> scale;        // S
  double g = 0;                     // 1 / cj

  explicit DenseFactors(std::size_t size) : n(size), a(size * size), pivots(size), scale(size) {}
  double* row(std::size_t i) { return a.data() + i * n; }
  const double* row(std::size_t i) const { return a.data() + i * n; }

  void archive(Archive& to) {
    to(std::span<double>(a), std::span<std::size_t>(pivots), std::span<double>(scale), g);
    for (const std::size_t pivot : pivots)
      if (pivot >= n) refuse_matrix();
  }

  bool factorize() {
    if (!scale_rows()) return false;
    constexpr std::size_t block = 64;
    for (std::size_t first = 0; first < n; first += block) {
      const std::size_t last = std::min(n, first + block);
      if (!factorize_panel(first, last)) return false;
      for (std::size_t i = first + 1; i < last; ++i) subtract_rows(i, first, i, last);
      for (std::size_t i = last; i < n; ++i) subtract_rows(i, first, last, last);
    }
    return true;
  }

  void solve(double* x) const {
    for (std::size_t k = 0; k < n; ++k) x[k] *= scale[k];
    for (std::size_t k = 0; k < n; ++k) std::swap(x[k], x[pivots[k]]);
    for (std::size_t i = 1; i < n; ++i) x[i] -= dot(row(i), x, 0, i);
    for (std::size_t i = n; i-- > 0;) x[i] = (x[i] - dot(row(i), x, i + 1, n)) / row(i)[i];
  }

 private:
  bool scale_rows() {
    for (std::size_t i = 0; i < n; ++i) {
      double largest = 0;
      for (std::size_t j = 0; j < n; ++j) {
        if (!std::isfinite(row(i)[j])) return false;
        largest = std::max(largest, std::abs(row(i)[j]));
      }
      if (largest == 0) return false;
      scale[i] = std::ldexp(1.0, -std::ilogb(largest));
      for (std::size_t j = 0; j < n; ++j) row(i)[j] *= scale[i];
    }
    return true;
  }

  // Columns [first, last) of all rows below; exchanges whole rows.
  bool factorize_panel(std::size_t first, std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
      std::size_t pivot = k;
      for (std::size_t i = k + 1; i < n; ++i)
        if (std::abs(row(i)[k]) > std::abs(row(pivot)[k])) pivot = i;
      const double p = row(pivot)[k];
      if (p == 0) return false;
      pivots[k] = pivot;
      if (pivot != k) std::swap_ranges(row(k), row(k) + n, row(pivot));
      for (std::size_t i = k + 1; i < n; ++i) {
        const double l = row(i)[k] /= p;
        subtract(l, row(k), row(i), k + 1, last);
      }
    }
    return true;
  }

  // row i -= sum over k in [from, to) of L(i, k) * row k, columns from `column` on.
  void subtract_rows(std::size_t i, std::size_t from, std::size_t to, std::size_t column) {
    constexpr std::size_t tile = 1024;
    for (std::size_t c = column; c < n; c += tile)
      for (std::size_t k = from; k < to; ++k) subtract(row(i)[k], row(k), row(i), c, std::min(n, c + tile));
  }

  static void subtract(double l, const double* x, double* y, std::size_t first, std::size_t last) {
#pragma GCC ivdep
    for (std::size_t j = first; j < last; ++j) y[j] -= l * x[j];
  }

  static double dot(const double* x, const double* y, std::size_t first, std::size_t last) {
    double s = 0;
    for (std::size_t j = first; j < last; ++j) s += x[j] * y[j];
    return s;
  }
};

class DenseNewton final : public NewtonMatrix {
 public:
  explicit DenseNewton(const System& system)
      : NewtonMatrix(system), system_(system), tangent_(system.pattern()), x_(2 * system.size()) {}

  bool setup(double t, StateView state, double cj) override {
    system_.tangent(t, state.q, state.v, tangent_);
    const Ref<DenseFactors> next = spare();
    fill(*next, cj);
    if (!next->factorize()) return false;
    current_ = next;
    return true;
  }

  void solve(double scale, StateView r, double* dq, double* dv) override {
    COSIMO_CHECK(current_, "solve before setup");
    const std::size_t n = system_.size();
    stack(scale, r, x_);
    current_->solve(x_.data());
    for (std::size_t i = 0; i < n; ++i) dq[i] = current_->g * x_[i];
    std::copy_n(x_.data() + n, n, dv);
  }

  Ref<const Counted> factors() const override { return current_; }
  void adopt(const Ref<const Counted>& factors) override { current_ = own_kind<DenseFactors>(factors); }

  void archive(Archive& a) override {
    bool there = static_cast<bool>(current_);
    a(there);
    if (!a.loading()) {
      if (there) const_cast<DenseFactors&>(*current_).archive(a);  // reads only
      return;
    }
    if (!there) return adopt({});
    const Ref<DenseFactors> next = spare();
    next->archive(a);
    current_ = next;
  }

 private:
  // Room for new ones.
  Ref<DenseFactors> spare() {
    return recycler_.take([this] { return new DenseFactors(2 * system_.size()); });
  }

  void fill(DenseFactors& out, double cj) const {
    const std::size_t n = system_.size();
    const double g = out.g = 1 / cj;
    std::fill(out.a.begin(), out.a.end(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      out.row(i)[i] = 1;
      out.row(i)[n + i] = -1;
      out.row(n + i)[i] = g * tangent_.k_diag[i] / tangent_.mass[i];
      out.row(n + i)[n + i] = cj + tangent_.c_diag[i] / tangent_.mass[i];
    }
    const std::vector<Edge>& edges = system_.pattern().edges();
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto a = static_cast<std::size_t>(edges[e].a), b = static_cast<std::size_t>(edges[e].b);
      out.row(n + a)[b] = g * tangent_.k_edge[e] / tangent_.mass[a];
      out.row(n + b)[a] = g * tangent_.k_edge[e] / tangent_.mass[b];
      out.row(n + a)[n + b] = tangent_.c_edge[e] / tangent_.mass[a];
      out.row(n + b)[n + a] = tangent_.c_edge[e] / tangent_.mass[b];
    }
  }

  const System& system_;
  Tangent tangent_;
  std::vector<double> x_;
  Recycler<DenseFactors> recycler_;
  Ref<const DenseFactors> current_;
};

}  // namespace

std::unique_ptr<NewtonMatrix> make_dense_newton(const System& system) {
  return std::make_unique<DenseNewton>(system);
}

}  // namespace cosimo
