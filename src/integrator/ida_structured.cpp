// IDA's Newton matrix with the positions eliminated.
#include <array>

#include "core/check.hpp"
#include "integrator/direction_set.hpp"
#include "integrator/ida_kernels.hpp"
#include "integrator/ida_linear.hpp"

namespace cosimo {

namespace {

struct StructuredFactors final : Counted {
  Tangent tangent;  // M and K are needed again for every right-hand side
  double g = 0;
  std::shared_ptr<const void> factors;

  void archive_matrix(Archive& a) {
    for (AlignedVector* const part :
         {&tangent.mass, &tangent.c_diag, &tangent.k_diag, &tangent.c_edge, &tangent.k_edge})
      a(std::span<double>(*part));
    a(g);
  }
};

class StructuredNewton final : public NewtonMatrix {
 public:
  explicit StructuredNewton(const System& system)
      : NewtonMatrix(system), system_(system), solver_(make_structured_solver(system.pattern())) {}

  bool setup(double t, StateView state, double cj) override {
    // Factors change too rarely for a run to find out how many it needs: make room at once for the
    // current ones, those of a snapshot, those of a comparison lane and the next.
    std::array<Ref<const StructuredFactors>, 3> others;
    if (recycler_.size() == 0)
      for (auto& other : others) other = compute(t, state, cj);
    const Ref<const StructuredFactors> next = compute(t, state, cj);
    if (next) current_ = next;
    return static_cast<bool>(next);
  }

  void solve(double scale, StateView r, double* dq, double* dv) override {
    COSIMO_CHECK(current_, "solve before setup");
    const std::size_t n = system_.size();
    const double g = current_->g;
    right_hand_side(scale, r, dq, dv);
    solver_->solve({dv, n});
    kernels::position_change(g, scale, r.q, dv, dq, {0, n});
  }

  Range solve_near(double scale, StateView r, double* dq, double* dv, Range rows) override {
    if (!system_.pattern().is_path()) return NewtonMatrix::solve_near(scale, r, dq, dv, rows);
    COSIMO_CHECK(current_, "solve before setup");
    const std::size_t n = system_.size();
    const double g = current_->g;
    Range range = widened(rows, 1, n);
    right_hand_side_near(scale, r, dv, range);
    const NearSide side{{dv, n}, range};
    solver_->solve_near({&side, 1});
    kernels::position_change(g, scale, r.q, dv, dq, range);
    return range;
  }

  Ref<const Counted> factors() const override { return current_; }

  void adopt(const Ref<const Counted>& factors) override {
    current_ = own_kind<StructuredFactors>(factors);
    if (current_) solver_->adopt(current_->factors);
  }

  void archive(Archive& a) override {
    bool there = static_cast<bool>(current_);
    a(there);
    if (!a.loading()) {
      if (there) const_cast<StructuredFactors&>(*current_).archive_matrix(a);  // reads only
      return;
    }
    if (!there) return adopt({});
    const Ref<StructuredFactors> next = spare();
    next->archive_matrix(a);
    if (!solver_->factor(next->tangent, next->g)) refuse_matrix();
    next->factors = solver_->factors();
    current_ = next;
  }

 private:
  /// Room for new ones.
  Ref<StructuredFactors> spare() {
    // the solver uses them again
    recycler_.for_each_free([](StructuredFactors& old) { old.factors.reset(); });
    return recycler_.take([this] {
      auto fresh = std::make_unique<StructuredFactors>();
      fresh->tangent = Tangent(system_.pattern());
      return fresh.release();
    });
  }

  Ref<const StructuredFactors> compute(double t, StateView state, double cj) {
    const Ref<StructuredFactors> next = spare();
    next->g = 1 / cj;
    system_.tangent(t, state.q, state.v, next->tangent);
    if (!solver_->factor(next->tangent, next->g)) return {};
    next->factors = solver_->factors();
    return next;
  }

  // dv = scale (g M rv - g^2 K rq); dq is scratch.
  void right_hand_side(double scale, StateView r, double* dq, double* dv) const {
    const Tangent& tangent = current_->tangent;
    const std::size_t n = system_.size();
    const double gm = scale * current_->g, gk = gm * current_->g;
    const double *rq = r.q, *rv = r.v, *mass = tangent.mass.data();
    if (!system_.pattern().is_path() || n < 2) {
      multiply(system_.pattern(), tangent.k_diag, tangent.k_edge, {rq, n}, {dq, n});
#pragma GCC ivdep
      for (std::size_t i = 0; i < n; ++i) dv[i] = gm * mass[i] * rv[i] - gk * dq[i];
      return;
    }
    // a path: K is tridiagonal, one pass does both
    const double *diag = tangent.k_diag.data(), *edge = tangent.k_edge.data();
    dv[0] = gm * mass[0] * rv[0] - gk * (diag[0] * rq[0] + edge[0] * rq[1]);
    kernels::path_side({mass, diag, edge, rq, rv, gm, gk}, dv, {1, n - 1});
    dv[n - 1] = gm * mass[n - 1] * rv[n - 1] - gk * (edge[n - 2] * rq[n - 2] + diag[n - 1] * rq[n - 1]);
  }

  // The same on a range of a path.
  void right_hand_side_near(double scale, StateView r, double* dv, Range range) const {
    const Tangent& tangent = current_->tangent;
    const double gm = scale * current_->g, gk = gm * current_->g;
    const double *rq = r.q, *rv = r.v, *mass = tangent.mass.data();
    const double *diag = tangent.k_diag.data(), *edge = tangent.k_edge.data();
    const auto one = [&](std::size_t i, double neighbours) {
      dv[i] = gm * mass[i] * rv[i] - gk * (diag[i] * rq[i] + neighbours);
    };
    const std::size_t n = system_.size();
    std::size_t first = range.first, last = range.last;
    if (first == 0 && first < last) one(first++, n > 1 ? edge[0] * rq[1] : 0.0);
    if (last == n && first < last) {
      --last;
      one(last, edge[last - 1] * rq[last - 1]);
    }
#pragma GCC ivdep
    for (std::size_t i = first; i < last; ++i) one(i, edge[i - 1] * rq[i - 1] + edge[i] * rq[i + 1]);
  }

  const System& system_;
  std::unique_ptr<SecondOrderSolver> solver_;
  Recycler<StructuredFactors> recycler_;
  Ref<const StructuredFactors> current_;
};

}  // namespace

Range NewtonMatrix::solve_near(double scale, StateView r, double* dq, double* dv, Range) {
  solve(scale, r, dq, dv);
  return {0, size()};
}

std::unique_ptr<NewtonMatrix> make_structured_newton(const System& system) {
  return std::make_unique<StructuredNewton>(system);
}

std::unique_ptr<NewtonMatrix> make_newton_matrix(const System& system, Linear linear) {
  switch (linear) {
    case Linear::klu:
      return make_klu_newton(system);
    case Linear::dense:
      return make_dense_newton(system);
    case Linear::automatic:
    case Linear::structured:
      break;
  }
  return make_structured_newton(system);
}

}  // namespace cosimo
