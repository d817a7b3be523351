// IDA's Newton matrix in full, factorised by KLU.
//
// KLU's refactorisation keeps the pivots of an earlier factorisation, so its bits would
// depend on the past, and it overwrites factors that a snapshot may hold. We factorise
// anew each time: the factors are a function of the matrix alone.
#include <klu.h>

#include <cmath>
#include <vector>

#include "core/check.hpp"
#include "integrator/ida_linear.hpp"

namespace cosimo {

namespace {

struct KluSymbolic {
  klu_symbolic* symbolic = nullptr;
  ~KluSymbolic() {
    klu_common common;
    klu_defaults(&common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
};

struct KluFactors final : Counted {
  std::vector<double> values;  // of the matrix
  klu_numeric* numeric = nullptr;
  ~KluFactors() override { clear(); }
  void clear() {
    klu_common common;
    klu_defaults(&common);
    if (numeric) klu_free_numeric(&numeric, &common);
  }
};

// Compressed columns of the matrix and, for every entry of it, where its value comes from.
class FullMatrix {
 public:
  explicit FullMatrix(const TangentPattern& pattern) : n_(pattern.size()), edges_(pattern.edges()) {
    std::vector<std::vector<std::int32_t>> neighbours(n_);
    for (const Edge& e : edges_) {
      neighbours[static_cast<std::size_t>(e.a)].push_back(e.b);
      neighbours[static_cast<std::size_t>(e.b)].push_back(e.a);
    }
    const auto n = static_cast<int>(n_);
    column_.push_back(0);
    for (int block = 0; block < 2; ++block) {  // columns of dq, then of dv
      for (int j = 0; j < n; ++j) {
        row_.push_back(j);  // cj I, -I
        row_.push_back(n + j);
        for (std::int32_t i : neighbours[static_cast<std::size_t>(j)]) row_.push_back(n + i);
        column_.push_back(static_cast<int>(row_.size()));
      }
    }
    place_edges();
  }

  void fill(const Tangent& t, double cj, std::span<double> value) const {
    for (std::size_t j = 0; j < n_; ++j) {
      const auto dq = static_cast<std::size_t>(column_[j]), dv = static_cast<std::size_t>(column_[n_ + j]);
      value[dq] = cj;
      value[dq + 1] = t.k_diag[j] / t.mass[j];
      value[dv] = -1;
      value[dv + 1] = cj + t.c_diag[j] / t.mass[j];
    }
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      const double m_a = t.mass[static_cast<std::size_t>(edges_[e].a)];
      const double m_b = t.mass[static_cast<std::size_t>(edges_[e].b)];
      value[place_[e].q_of_b] = t.k_edge[e] / m_a;  // row a, column b
      value[place_[e].q_of_a] = t.k_edge[e] / m_b;
      value[place_[e].v_of_b] = t.c_edge[e] / m_a;
      value[place_[e].v_of_a] = t.c_edge[e] / m_b;
    }
  }

  std::size_t entries() const { return row_.size(); }
  int size() const { return 2 * static_cast<int>(n_); }
  int* columns() { return column_.data(); }
  int* rows() { return row_.data(); }

 private:
  struct Place {
    std::size_t q_of_a, q_of_b, v_of_a, v_of_b;
  };

  // Neighbours were listed in the order of the edges: walk through the columns in that order again.
  void place_edges() {
    std::vector<std::size_t> next(2 * n_);
    for (std::size_t j = 0; j < 2 * n_; ++j) next[j] = static_cast<std::size_t>(column_[j]) + 2;
    for (const Edge& e : edges_) {
      const auto a = static_cast<std::size_t>(e.a), b = static_cast<std::size_t>(e.b);
      place_.push_back({next[a]++, next[b]++, next[n_ + a]++, next[n_ + b]++});
    }
  }

  std::size_t n_;
  std::vector<Edge> edges_;
  std::vector<int> column_, row_;
  std::vector<Place> place_;
};

class KluNewton final : public NewtonMatrix {
 public:
  explicit KluNewton(const System& system)
      : NewtonMatrix(system), system_(system), tangent_(system.pattern()), matrix_(system.pattern()) {
    klu_defaults(&common_);
    symbolic_.symbolic = klu_analyze(matrix_.size(), matrix_.columns(), matrix_.rows(), &common_);
    COSIMO_CHECK(symbolic_.symbolic, "KLU's analysis of the pattern failed");
    x_.resize(static_cast<std::size_t>(matrix_.size()));
  }

  bool setup(double t, StateView state, double cj) override {
    system_.tangent(t, state.q, state.v, tangent_);
    Ref<KluFactors> next = spare();
    matrix_.fill(tangent_, cj, next->values);
    if (!factorize(*next)) return false;
    use(next);
    return true;
  }

  void solve(double scale, StateView r, double* dq, double* dv) override {
    COSIMO_CHECK(current_, "solve before setup");
    const std::size_t n = system_.size();
    stack(scale, r, x_);
    klu_solve(symbolic_.symbolic, &own_, matrix_.size(), 1, x_.data(), &common_);
    std::copy_n(x_.data(), n, dq);
    std::copy_n(x_.data() + n, n, dv);
  }

  Ref<const Counted> factors() const override { return current_; }
  void adopt(const Ref<const Counted>& factors) override { use(own_kind<KluFactors>(factors)); }

  void archive(Archive& a) override {
    bool there = static_cast<bool>(current_);
    a(there);
    if (!a.loading()) {
      if (there) a(current_->values);
      return;
    }
    if (!there) return use({});
    const Ref<KluFactors> next = spare();
    a(std::span<double>(next->values));
    if (!factorize(*next)) refuse_matrix();
    use(next);
  }

 private:
  // Room for new ones.
  Ref<KluFactors> spare() {
    Ref<KluFactors> next = recycler_.take([] { return new KluFactors; });
    next->values.resize(matrix_.entries());
    return next;
  }

  // False if its values are not finite or make a singular matrix.
  bool factorize(KluFactors& factors) {
    factors.clear();
    for (const double x : factors.values)
      if (!std::isfinite(x)) return false;
    factors.numeric =
        klu_factor(matrix_.columns(), matrix_.rows(), factors.values.data(), symbolic_.symbolic, &common_);
    return factors.numeric && common_.status == KLU_OK;
  }

  // klu_solve() works in memory that belongs to the factors: every lane brings its own instead.
  void use(const Ref<const KluFactors>& factors) {
    current_ = factors;
    if (!current_) return;
    own_ = *current_->numeric;
    work_.resize(own_.worksize / sizeof(double) + 1);
    own_.Work = own_.Xwork = work_.data();
  }

  const System& system_;
  Tangent tangent_;
  FullMatrix matrix_;
  klu_common common_{};
  KluSymbolic symbolic_;
  Recycler<KluFactors> recycler_;
  Ref<const KluFactors> current_;
  klu_numeric own_{};  // a view of the shared factors with our own work space
  std::vector<double> work_, x_;
};

}  // namespace

std::unique_ptr<NewtonMatrix> make_klu_newton(const System& system) {
  return std::make_unique<KluNewton>(system);
}

}  // namespace cosimo
