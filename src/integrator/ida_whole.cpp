// IDA for systems with first-order states or memory:
//
//   F(t, y, y') = [ q' - v ; v' - a ; z' - r ](t, q, v, z, s),   y = [q | v | z],
//
// s frozen. With g = 1/cj and the positions eliminated Newton's matrix is that of integrator/rosenbrock.hpp,
//
//   (M + g C + g^2 K) dv - g f_z dz          = g M rv - g^2 K rq
//   -(g z_w + g^2 z_x) dv + (I - g z_z) dz   = g rz + g^2 z_x rq,      dq = g (rq + dv).
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "integrator/error_sum.hpp"
#include "integrator/ida_problem.hpp"
#include "numerics/kkt_solver.hpp"

namespace cosimo {
namespace {

/// Never changed once computed; snapshots and lanes share them.
struct WholeFactors final : Counted {
  StateTangent tangent;
  double g = 0;
  KktFactors numeric;

  void archive(Archive& a) {
    a(tangent.M, tangent.C, tangent.K, tangent.z.f_z, tangent.z.z_x, tangent.z.z_w, tangent.z.z_z, g);
  }
};

bool has_pattern(const StateTangent& x, const StateTangent& y) {
  const auto same = [](const std::vector<SparseEntry>& a, const std::vector<SparseEntry>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const SparseEntry& e, const SparseEntry& f) {
      return e.row == f.row && e.column == f.column;
    });
  };
  return same(x.M, y.M) && same(x.C, y.C) && same(x.K, y.K) && same(x.z.f_z, y.z.f_z) &&
         same(x.z.z_x, y.z.z_x) && same(x.z.z_w, y.z.z_w) && same(x.z.z_z, y.z.z_z);
}

class WholeProblem final : public IdaProblem {
 public:
  WholeProblem(const System& system, const IntegratorOptions& options, SUNContext context)
      : IdaProblem(system.size(), context, system.extent().z),
        system_(system),
        tolerances_(options.tolerances),
        n_(system.size()),
        m_(system.extent().z),
        b_(n_ + m_) {}

  bool begin(double t, N_Vector y, N_Vector yp) override {
    const Parts<const double> at = parts(read(y));
    const Parts<double> out = parts(write(yp));
    std::copy_n(at.v, n_, out.q);
    return system_.evaluate(t, {at.q, at.v, at.z, memory()}, out.v, out.z);
  }
  Ref<const Counted> factors() const override { return current_; }
  void adopt(const Ref<const Counted>& factors) override {
    current_ = own_kind<WholeFactors>(factors);
    if (current_) know_pattern();
  }
  void archive_factors(Archive& a) override;

 private:
  template <class T>
  struct Parts {
    T *q, *v, *z;
  };
  template <class T>
  Parts<T> parts(T* x) const {
    const StateLayout& layout = space().layout();
    return {x, x + layout.stride, x + layout.first_state()};
  }

  bool residual(double t, N_Vector y, N_Vector yp, N_Vector r) override;
  bool weights(N_Vector y, N_Vector w) override;
  bool setup(double t, double cj, N_Vector y, N_Vector yp) override;
  void solve(N_Vector x, N_Vector b) override;

  Ref<WholeFactors> spare() {
    return recycler_.take([] { return new WholeFactors; });
  }
  /// That of any state.
  void know_pattern() {
    if (solver_) return;
    const std::vector<double> zero(std::max(n_, m_));
    evaluate_tangent(0, {zero.data(), zero.data(), zero.data()}, pattern_);
    solver_.emplace(n_, 0, pattern_, m_, pattern_.z);
  }
  void evaluate_tangent(double t, Parts<const double> at, StateTangent& out) const {
    out.a_t.assign(n_, 0.0);
    out.z_t.assign(m_, 0.0);
    system_.state_tangent(t, {at.q, at.v, at.z, memory()}, out);
  }

  const System& system_;
  Tolerances tolerances_;
  std::size_t n_, m_;
  StateTangent pattern_;  ///< its places
  std::optional<KktSolver<double>> solver_;
  Recycler<WholeFactors> recycler_;
  Ref<const WholeFactors> current_;
  std::vector<double> b_;
};

bool WholeProblem::residual(double t, N_Vector y, N_Vector yp, N_Vector r) {
  const Parts<const double> at = parts(read(y)), rate = parts(read(yp));
  const Parts<double> out = parts(write(r));
  if (!system_.evaluate(t, {at.q, at.v, at.z, memory()}, out.v, out.z)) return false;
  for (std::size_t i = 0; i < n_; ++i) {
    out.q[i] = rate.q[i] - at.v[i];
    out.v[i] = rate.v[i] - out.v[i];
  }
  for (std::size_t i = 0; i < m_; ++i) out.z[i] = rate.z[i] - out.z[i];
  return true;
}

bool WholeProblem::weights(N_Vector y, N_Vector w) {
  const Parts<const double> at = parts(read(y));
  const Parts<double> out = parts(write(w));
  const ErrorWeights weights(tolerances_, system_.angles());
  const StateWeights state_weights(tolerances_, system_.nominals());
  bool finite = true;
  for (std::size_t i = 0; i < n_; ++i) {
    out.q[i] = 1 / weights.q(i, at.q[i]);
    out.v[i] = 1 / weights.v(i, at.v[i]);
    finite = finite && std::isfinite(out.q[i]) && std::isfinite(out.v[i]);
  }
  for (std::size_t i = 0; i < m_; ++i) {
    out.z[i] = 1 / state_weights(i, at.z[i]);
    finite = finite && std::isfinite(out.z[i]);
  }
  return finite;
}

bool WholeProblem::setup(double t, double cj, N_Vector y, N_Vector) {
  const Parts<const double> at = parts(read(y));
  const Ref<WholeFactors> next = spare();
  next->g = 1 / cj;
  evaluate_tangent(t, at, next->tangent);
  know_pattern();
  if (!solver_->factor(next->tangent, next->g, next->tangent.z, next->numeric)) return false;
  current_ = next;
  return true;
}

void WholeProblem::solve(N_Vector x, N_Vector b) {
  const Parts<const double> r = parts(read(b));
  const Parts<double> d = parts(write(x));
  const StateTangent& tangent = current_->tangent;
  const double g = current_->g;
  std::fill_n(b_.begin(), n_, 0.0);
  for (std::size_t i = 0; i < m_; ++i) b_[n_ + i] = g * r.z[i];
  add_product(tangent.M, g, r.v, b_.data());
  add_product(tangent.K, -g * g, r.q, b_.data());
  add_product(tangent.z.z_x, g * g, r.q, b_.data() + n_);
  solver_->solve(current_->numeric, b_);
  for (std::size_t i = 0; i < n_; ++i) {
    d.v[i] = b_[i];
    d.q[i] = g * (r.q[i] + b_[i]);
  }
  std::copy_n(b_.data() + n_, m_, d.z);
}

/// The numeric factors are made again.
void WholeProblem::archive_factors(Archive& a) {
  bool there = static_cast<bool>(current_);
  a(there);
  if (!a.loading()) {
    if (there) const_cast<WholeFactors&>(*current_).archive(a);  // reads only
    return;
  }
  if (!there) return adopt({});
  const Ref<WholeFactors> next = spare();
  next->archive(a);
  know_pattern();
  if (!has_pattern(next->tangent, pattern_)) throw ArchiveError("the data hold a matrix of another system");
  if (!solver_->factor(next->tangent, next->g, next->tangent.z, next->numeric)) refuse_matrix();
  current_ = next;
}

}  // namespace

std::unique_ptr<IdaProblem> make_whole_ida_problem(const System& system, const IntegratorOptions& options,
                                                   SUNContext context) {
  return std::make_unique<WholeProblem>(system, options, context);
}

}  // namespace cosimo
