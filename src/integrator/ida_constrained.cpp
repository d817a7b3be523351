// IDA for systems with constraints, in the stabilised form of index 2 (Gear, Gupta, Leimkuhler 1985):
//
//   q' = v - rates(q, J^T mu),   M alpha = f - J^T lambda,   0 = g(t, q),   0 = J w + g_t,
//
// with alpha = lower(q, v, v'). Both levels are kept, so nothing drifts; mu is zero up to the errors of the
// method. The J of the first equation is the one of the last Newton matrix, since only the space it spans
// matters. Where coordinates are no freedoms (quaternions) the parts of q and v across the rates belong to no
// equation above: v' there is that of lift(q, v, alpha), q' is zero, and a pull over some ten steps keeps the
// length of q, and v along the rates.
//
// y = [q mu | v lambda | z]: two halves of the same length, and first-order states, if any. mu and lambda are
// left out of the error test and the test of convergence by weights of zero; they follow the others.
//
// Newton matrix, in displacements x and velocities w of the freedoms:
//
//   [ cj I   -I        J^T        ] [x     ]
//   [ K      cj M + C        J^T  ] [w     ]
//   [ J               -eps        ] [mu    ]
//   [ rate   J               -eps ] [lambda]
//
// with a tiny eps against rounding. States z come between w and mu: -f_z in the rows of w, and rows of their
// own, [ -z_x  -z_w  cj I - z_z ]. Across the rates: cj dq, cj dv, and a tenth more from the pull.
//
// Rows that others imply in the state of the last Newton matrix (numerics/constrained_tangent.hpp) are left
// out: instead of them mu_k = 0 and lambda_k = what it was there. With them the multipliers of a closed loop
// would be whatever rounding makes of them, and forces with them as soon as J moves on.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "integrator/error_sum.hpp"
#include "integrator/ida_problem.hpp"
#include "integrator/shared_equations.hpp"
#include "numerics/kkt_matrix.hpp"
#include "numerics/kkt_solver.hpp"
#include "parallel/shares.hpp"

namespace cosimo {
namespace {

constexpr double regularisation = 1e-10;
/// Of the pull across the rates, in parts of cj.
constexpr double pull_part = 0.1;

/// Never changed once computed; snapshots and lanes share them.
struct ConstrainedFactors final : Counted {
  KktFactors numeric;
  double t = 0, cj = 0;
  std::vector<double> q;                ///< where the matrix was set up
  std::vector<SparseEntry> J;           ///< there
  std::vector<double> values;           ///< of the matrix; empty where there is none yet
  std::vector<std::uint8_t> dependent;  ///< rows that are left out
  std::vector<double> lambda;           ///< where it was set up

  void archive(Archive& a) { a(t, cj, q, J, values, dependent, lambda); }
};

class ConstrainedProblem final : public IdaProblem {
 public:
  ConstrainedProblem(const ConstrainedSystem& system, const IntegratorOptions& options, SUNContext context)
      : IdaProblem(system.size() + system.constraints(), context, system.extent().z),
        system_(system),
        shared_(system.shared_equations()),
        team_(shared_ == nullptr ? nullptr : options.team),
        tolerances_(options.tolerances),
        linear_(options.linear),
        n_(system.size()),
        f_(system.freedoms()),
        m_(system.constraints()),
        states_(system.extent().z),
        a_(n_),
        rates_(n_),
        tangential_(n_),
        alpha_(f_),
        push_(f_),
        lambda_(m_),
        b_(2 * (f_ + m_) + states_) {}

  bool begin(double t, N_Vector y, N_Vector yp) override;
  Ref<const Counted> factors() const override { return current_; }
  void adopt(const Ref<const Counted>& factors) override;
  void archive_factors(Archive& a) override;

 private:
  /// The parts of a vector of the space.
  template <class T>
  struct Parts {
    T *q, *mu, *v, *lambda, *z;
  };
  template <class T>
  Parts<T> parts(T* x) const {
    const std::size_t stride = space().layout().stride;
    return {x, x + n_, x + stride, x + stride + n_, x + space().layout().first_state()};
  }

  double newton_accuracy() const override { return 0.005; }
  bool residual(double t, N_Vector y, N_Vector yp, N_Vector r) override;
  bool weights(N_Vector y, N_Vector w) override;
  bool setup(double t, double cj, N_Vector y, N_Vector yp) override;
  void solve(N_Vector x, N_Vector b) override;

  void linearise(double t, Parts<const double> y);
  void remember(double t, double cj, Parts<const double> at, ConstrainedFactors& out) const;
  void know_pattern(double t, const std::vector<double>& q);
  void make_matrix();
  UnknownGroups groups() const;
  void fill(double cj);
  void across(const double* q, const double* x, double* out);
  void add_across(Parts<const double> at, Parts<const double> rate, Parts<double> out);

  /// work(const Fellow&), by a team where there is one.
  template <class F>
  void share(F& work) const {
    together(team_, shared_ == nullptr ? 1 : shared_->most_fellows(), work);
  }
  bool evaluate(double t, Parts<const double> at, Parts<const double> rate, Parts<double> out);

  const ConstrainedSystem& system_;
  SharedEquations* shared_;  ///< null: the system is asked alone
  Team* team_;
  Tolerances tolerances_;
  Linear linear_;
  std::size_t n_, f_, m_, states_;
  StateTangent tangent_;
  std::optional<KktMatrix<double>> matrix_;
  Recycler<ConstrainedFactors> recycler_;
  Ref<const ConstrainedFactors> current_;
  std::vector<double> a_, rates_, tangential_, alpha_, push_, lambda_, b_;
  std::vector<double> mass_, stabilising_, holding_;  ///< scales of eps
};

void ConstrainedProblem::linearise(double t, Parts<const double> y) {
  const Whole whole{y.q, y.v, y.z, memory()};
  auto work = [&](const Fellow& me) {
    if (shared_ == nullptr) {
      system_.lower(y.q, y.v, a_.data(), alpha_.data());
      return system_.linearise_whole(t, whole, alpha_.data(), y.lambda, tangent_);
    }
    shared_->lower(y.q, y.v, a_.data(), alpha_.data(), me);
    me.meet();
    shared_->linearise(t, whole, alpha_.data(), y.lambda, tangent_, me);
  };
  share(work);
  if (!matrix_) make_matrix();
}

void ConstrainedProblem::remember(double t, double cj, Parts<const double> at,
                                  ConstrainedFactors& out) const {
  out.t = t;
  out.cj = cj;
  out.q.assign(at.q, at.q + n_);
  out.J = tangent_.J;
  out.dependent = tangent_.dependent;
  out.lambda.assign(at.lambda, at.lambda + m_);
}

/// A lane that has taken no step of its own does not know the pattern yet, which is that of any state.
void ConstrainedProblem::know_pattern(double t, const std::vector<double>& q) {
  if (matrix_) return;
  const std::vector<double> zero(n_ + m_ + states_);
  std::fill(a_.begin(), a_.end(), 0.0);
  linearise(t, {q.data(), zero.data(), zero.data(), zero.data(), zero.data()});
}

void ConstrainedProblem::adopt(const Ref<const Counted>& factors) {
  current_ = own_kind<ConstrainedFactors>(factors);
  if (current_) know_pattern(current_->t, current_->q);
}

/// The numeric factors are made again from the values of the matrix.
void ConstrainedProblem::archive_factors(Archive& a) {
  bool there = static_cast<bool>(current_);
  a(there);
  if (!a.loading()) {
    if (there) const_cast<ConstrainedFactors&>(*current_).archive(a);  // reads only
    return;
  }
  if (!there) return adopt({});
  const Ref<ConstrainedFactors> next = recycler_.take([] { return new ConstrainedFactors; });
  next->archive(a);
  if (next->q.size() != n_ || next->lambda.size() != m_ ||
      (!next->dependent.empty() && next->dependent.size() != m_))
    throw ArchiveError("the data hold a matrix of another system");
  know_pattern(next->t, next->q);
  const std::span<double> values = matrix_->values();
  const auto same_place = [](const SparseEntry& x, const SparseEntry& y) {
    return x.row == y.row && x.column == y.column;
  };
  if (!std::equal(next->J.begin(), next->J.end(), tangent_.J.begin(), tangent_.J.end(), same_place) ||
      (!next->values.empty() && next->values.size() != values.size()))
    throw ArchiveError("the data hold a matrix of another system");
  std::copy(next->values.begin(), next->values.end(), values.begin());
  if (!next->values.empty() && !matrix_->factor(next->numeric)) refuse_matrix();
  current_ = next;
}

bool ConstrainedProblem::begin(double t, N_Vector y, N_Vector yp) {
  const std::vector<double> state(read(y), read(y) + space().layout().length());
  const Parts<double> out = parts(write(y));
  const Parts<const double> in = parts(state.data());
  std::copy_n(in.q, n_, out.q);
  std::copy_n(in.v, n_, out.v);
  std::copy_n(in.z, states_, out.z);
  std::fill_n(out.mu, m_, 0.0);
  const Parts<double> rate = parts(write(yp));
  if (!system_.evaluate_with_multipliers(t, {out.q, out.v, out.z, memory()}, a_.data(), rate.z, out.lambda))
    return false;
  std::copy_n(out.v, n_, rate.q);
  std::copy_n(a_.data(), n_, rate.v);
  std::fill_n(rate.mu, m_, 0.0);
  std::fill_n(rate.lambda, m_, 0.0);
  // The residual needs a J before IDA asks for the first matrix.
  linearise(t, {out.q, out.mu, out.v, out.lambda, out.z});
  Ref<ConstrainedFactors> first = recycler_.take([] { return new ConstrainedFactors; });
  remember(t, 0, {out.q, out.mu, out.v, out.lambda, out.z}, *first);
  first->values.clear();
  current_ = first;
  return true;
}

/// Rows of v and lambda, and the rates of z.
bool ConstrainedProblem::evaluate(double t, Parts<const double> at, Parts<const double> rate,
                                  Parts<double> out) {
  const Whole whole{at.q, at.v, at.z, memory()};
  if (shared_ == nullptr) {
    system_.lower(at.q, at.v, rate.v, alpha_.data());
    if (!system_.whole_residual(t, whole, alpha_.data(), at.lambda, push_.data(), out.z)) return false;
    system_.velocity_residual(t, at.q, at.v, out.lambda);
    system_.rates(at.q, push_.data(), out.v);
    return true;
  }
  bool fine = true;
  auto work = [&](const Fellow& me) {
    shared_->lower(at.q, at.v, rate.v, alpha_.data(), me);
    me.meet();
    const bool found =
        shared_->residual({t, whole, alpha_.data(), at.lambda, push_.data(), out.z, out.lambda}, me);
    if (found) shared_->rates(at.q, push_.data(), out.v, me);
    if (me.leads()) fine = found;
  };
  share(work);
  return fine;
}

bool ConstrainedProblem::residual(double t, N_Vector y, N_Vector yp, N_Vector r) {
  const Parts<const double> at = parts(read(y)), rate = parts(read(yp));
  const Parts<double> out = parts(write(r));
  if (!evaluate(t, at, rate, out)) return false;
  for (std::size_t i = 0; i < states_; ++i) out.z[i] = rate.z[i] - out.z[i];
  std::fill(push_.begin(), push_.end(), 0.0);
  add_transposed_product(current_->J, 1, at.mu, push_.data());
  system_.rates(at.q, push_.data(), rates_.data());
  for (std::size_t i = 0; i < n_; ++i) out.q[i] = rate.q[i] - at.v[i] + rates_[i];
  if (n_ != f_) add_across(at, rate, out);
  system_.position_residual(t, at.q, out.mu);
  for (std::size_t k = 0; k < current_->dependent.size(); ++k) {
    if (current_->dependent[k] == 0) continue;
    out.mu[k] = -at.mu[k];
    out.lambda[k] = current_->lambda[k] - at.lambda[k];
  }
  return true;
}

/// What belongs to no freedom: v' as lifted, q' without the part of v across the rates, and both drawn to
/// where they belong.
void ConstrainedProblem::add_across(Parts<const double> at, Parts<const double> rate, Parts<double> out) {
  // That of the step under way, not of the last matrix: the equations must not change while they are solved.
  const double pull = pull_part * current_cj();
  system_.lift(at.q, at.v, alpha_.data(), a_.data());
  across(at.q, at.v, rates_.data());
  for (std::size_t i = 0; i < n_; ++i) {
    out.v[i] += (rate.v[i] - a_[i]) + pull * rates_[i];
    out.q[i] += rates_[i];
  }
  std::copy_n(at.q, n_, a_.data());
  system_.normalise(a_.data());
  for (std::size_t i = 0; i < n_; ++i) out.q[i] -= pull * (a_[i] - at.q[i]);
}

/// The norm divides by all components; weights make up for those that do not count.
bool ConstrainedProblem::weights(N_Vector y, N_Vector w) {
  const Parts<const double> at = parts(read(y));
  const Parts<double> out = parts(write(w));
  const double share =
      std::sqrt(static_cast<double>(space().layout().count()) / static_cast<double>(2 * n_ + states_));
  const ErrorWeights weights(tolerances_, system_.angles());
  bool finite = true;
  for (std::size_t i = 0; i < n_; ++i) {
    out.q[i] = share / weights.q(i, at.q[i]);
    out.v[i] = share / weights.v(i, at.v[i]);
    finite = finite && std::isfinite(out.q[i]) && std::isfinite(out.v[i]);
  }
  const StateWeights state_weights(tolerances_, system_.nominals());
  for (std::size_t i = 0; i < states_; ++i) {
    out.z[i] = share / state_weights(i, at.z[i]);
    finite = finite && std::isfinite(out.z[i]);
  }
  std::fill_n(out.mu, m_, 0.0);
  std::fill_n(out.lambda, m_, 0.0);
  return finite;
}

/// Displacements and velocities of a body, or mu and lambda of a constraint, are one group.
UnknownGroups ConstrainedProblem::groups() const {
  if (linear_ == Linear::klu) return {};
  UnknownGroups out = find_groups(f_, m_, tangent_, states_, tangent_.z);
  const auto f = static_cast<std::int32_t>(f_), m = static_cast<std::int32_t>(m_);
  for (auto& group : out.bodies) {
    const std::vector<std::int32_t> own = std::exchange(group, {});
    std::copy_if(own.begin(), own.end(), std::back_inserter(group), [&](std::int32_t i) { return i < f; });
    for (const std::int32_t i : own) group.push_back(f + i);  // velocities, and first-order states
  }
  for (auto& group : out.constraints) {
    const std::vector<std::int32_t> own = std::exchange(group, {});
    for (const std::int32_t i : own) group.push_back(f + i);
    for (const std::int32_t i : own) group.push_back(f + m + i);
  }
  out.half_empty = true;  // displacements and velocities of different bodies hardly meet
  return out;
}

void ConstrainedProblem::make_matrix() {
  const auto f = static_cast<std::int32_t>(f_), m = static_cast<std::int32_t>(m_);
  const auto states = static_cast<std::int32_t>(states_);
  const std::int32_t w = f, z = 2 * f, mu = z + states, lambda = mu + m;
  std::vector<KktPlace> places;
  places.reserve(2 * f_);
  for (std::int32_t j = 0; j < f; ++j) places.push_back({j, j});
  for (std::int32_t j = 0; j < f; ++j) places.push_back({j, w + j});
  for (const auto* block : {&tangent_.M, &tangent_.C})
    for (const SparseEntry& e : *block) places.push_back({w + e.row, w + e.column});
  for (const SparseEntry& e : tangent_.K) places.push_back({w + e.row, e.column});
  for (const SparseEntry& e : tangent_.J) places.push_back({e.column, mu + e.row});
  for (const SparseEntry& e : tangent_.J) places.push_back({w + e.column, lambda + e.row});
  for (const SparseEntry& e : tangent_.J) places.push_back({mu + e.row, e.column});
  for (const SparseEntry& e : tangent_.J) places.push_back({lambda + e.row, w + e.column});
  for (const SparseEntry& e : tangent_.rate) places.push_back({lambda + e.row, e.column});
  for (const SparseEntry& e : tangent_.z.f_z) places.push_back({w + e.row, z + e.column});
  for (const SparseEntry& e : tangent_.z.z_x) places.push_back({z + e.row, e.column});
  for (const SparseEntry& e : tangent_.z.z_w) places.push_back({z + e.row, w + e.column});
  for (const SparseEntry& e : tangent_.z.z_z) places.push_back({z + e.row, z + e.column});
  for (std::int32_t k = 0; k < states; ++k) places.push_back({z + k, z + k});
  for (std::int32_t k = 0; k < 2 * m; ++k) places.push_back({mu + k, mu + k});
  matrix_.emplace(2 * (f_ + m_) + states_, places, 2 * f_ + states_, groups(), kkt_iteration);
  mass_.resize(f_);
  stabilising_.resize(m_);
  holding_.resize(m_);
}

void ConstrainedProblem::fill(double cj) {
  auto next = matrix_->values().begin();
  auto put = [&](const std::vector<SparseEntry>& block, double factor) {
    for (const SparseEntry& e : block) *next++ = factor * e.value;
  };
  for (std::size_t j = 0; j < f_; ++j) *next++ = cj;
  for (std::size_t j = 0; j < f_; ++j) *next++ = -1;
  put(tangent_.M, cj);
  put(tangent_.C, 1);
  put(tangent_.K, 1);
  for (int copy = 0; copy < 4; ++copy) put(tangent_.J, 1);
  put(tangent_.rate, 1);
  for (const auto* block : {&tangent_.z.f_z, &tangent_.z.z_x, &tangent_.z.z_w, &tangent_.z.z_z})
    put(*block, -1);
  for (std::size_t k = 0; k < states_; ++k) *next++ = cj;
  // Against the Schur complements J J^T / cj and J (cj M + C + K / cj)^-1 J^T.
  std::fill(mass_.begin(), mass_.end(), 0.0);
  auto add = [&](const std::vector<SparseEntry>& block, double factor) {
    for (const SparseEntry& e : block)
      if (e.row == e.column) mass_[static_cast<std::size_t>(e.row)] += factor * e.value;
  };
  add(tangent_.M, cj);
  add(tangent_.C, 1);
  add(tangent_.K, 1 / cj);
  std::fill(stabilising_.begin(), stabilising_.end(), 0.0);
  std::fill(holding_.begin(), holding_.end(), 0.0);
  for (const SparseEntry& e : tangent_.J) {
    const double mass = std::fabs(mass_[static_cast<std::size_t>(e.column)]);
    stabilising_[static_cast<std::size_t>(e.row)] += e.value * e.value / cj;
    if (mass > 0) holding_[static_cast<std::size_t>(e.row)] += e.value * e.value / mass;
  }
  for (const auto* scale : {&stabilising_, &holding_})
    for (const double s : *scale) *next++ = -(s > 0 ? regularisation * s : 1.0);
}

bool ConstrainedProblem::setup(double t, double cj, N_Vector y, N_Vector yp) {
  const Parts<const double> at = parts(read(y)), rate = parts(read(yp));
  std::copy_n(rate.v, n_, a_.data());
  linearise(t, at);
  fill(cj);
  Ref<ConstrainedFactors> next = recycler_.take([] { return new ConstrainedFactors; });
  bool fine = true;
  auto work = [&](const Fellow& me) {
    const bool done = matrix_->factor(next->numeric, me);
    if (me.leads()) fine = done;
  };
  share(work);
  if (!fine) return false;
  remember(t, cj, at, *next);
  next->values.assign(matrix_->values().begin(), matrix_->values().end());
  current_ = next;
  return true;
}

/// The part of a vector of coordinates that no freedom can make.
void ConstrainedProblem::across(const double* q, const double* x, double* out) {
  system_.twist(q, x, push_.data());
  system_.rates(q, push_.data(), tangential_.data());
  for (std::size_t i = 0; i < n_; ++i) out[i] = x[i] - tangential_[i];
}

void ConstrainedProblem::solve(N_Vector x, N_Vector b) {
  const Parts<const double> r = parts(read(b));
  const Parts<double> d = parts(write(x));
  const double* const q = current_->q.data();
  const double cj = current_->cj;
  double* const v_part = b_.data() + f_;
  double* const z_part = b_.data() + 2 * f_;
  double* const rows = z_part + states_;
  system_.twist(q, r.q, b_.data());
  system_.twist(q, r.v, v_part);
  std::copy_n(r.z, states_, z_part);
  std::copy_n(r.mu, m_, rows);
  std::copy_n(r.lambda, m_, rows + m_);
  auto work = [&](const Fellow& me) { matrix_->solve(current_->numeric, b_, me); };
  share(work);
  system_.rates(q, b_.data(), d.q);
  system_.rates(q, v_part, d.v);
  std::copy_n(z_part, states_, d.z);
  std::copy_n(rows, m_, d.mu);
  std::copy_n(rows + m_, m_, d.lambda);
  if (n_ == f_) return;
  across(q, r.q, rates_.data());
  across(q, r.v, a_.data());
  for (std::size_t i = 0; i < n_; ++i) {
    d.v[i] += a_[i] / ((1 + pull_part) * cj);
    d.q[i] += rates_[i] / ((1 + pull_part) * cj);
  }
}

}  // namespace

std::unique_ptr<IdaProblem> make_constrained_ida_problem(const ConstrainedSystem& system,
                                                         const IntegratorOptions& options,
                                                         SUNContext context) {
  return std::make_unique<ConstrainedProblem>(system, options, context);
}

}  // namespace cosimo
