#include "integrator/ida_problem.hpp"

#include <ida/ida.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.hpp"
#include "integrator/ida_kernels.hpp"

namespace cosimo {

namespace {

// Degrees of freedom that are predicted, evaluated and turned into a residual while in cache.
constexpr std::size_t block = 512;

void expect(int flag, const char* call) {
  COSIMO_CHECK(flag == 0, std::string(call) + " returned " + std::to_string(flag));
}

}  // namespace

template <class F>
int IdaProblem::guarded(F f) noexcept {
  try {
    return f() ? 0 : 1;
  } catch (...) {
    if (!failure_) failure_ = std::current_exception();
    return -1;
  }
}

// SUNDIALS wants a matrix and a linear solver. Ours is evaluated and factorised in the Jacobian
// function, the only one that is told t, y and cj; the matrix object is a name without contents.
struct IdaProblem::Callbacks {
  static IdaProblem& problem(void* data) { return *static_cast<IdaProblem*>(data); }

  static int residual(realtype t, N_Vector y, N_Vector yp, N_Vector r, void* data) {
    return problem(data).guarded([&] { return problem(data).residual(t, y, yp, r); });
  }

  static int weights(N_Vector y, N_Vector w, void* data) {
    return problem(data).guarded([&] { return problem(data).weights(y, w); }) == 0 ? 0 : -1;
  }

  static int jacobian(realtype t, realtype cj, N_Vector y, N_Vector yp, N_Vector, SUNMatrix, void* data,
                      N_Vector, N_Vector, N_Vector) {
    return problem(data).guarded([&] { return problem(data).setup(t, cj, y, yp); });
  }

  static int solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    IdaProblem& p = problem(solver->content);
    const int flag = p.guarded([&] {
      p.solve(x, b);
      return true;
    });
    return flag == 0 ? SUNLS_SUCCESS : SUNLS_PACKAGE_FAIL_UNREC;
  }

  static SUNLinearSolver_Type type(SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; }
  static int nothing(SUNLinearSolver) { return SUNLS_SUCCESS; }
  static int setup(SUNLinearSolver, SUNMatrix) { return SUNLS_SUCCESS; }
  static SUNMatrix_ID matrix_id(SUNMatrix) { return SUNMATRIX_CUSTOM; }
  static int zero(SUNMatrix) { return SUNMAT_SUCCESS; }
  static void silent(int, const char*, const char*, char*, void*) {}
};

void IdaProblem::FreeMatrix::operator()(SUNMatrix m) const {
  SUNMatFreeEmpty(m);
}

void IdaProblem::FreeSolver::operator()(SUNLinearSolver s) const {
  s->content = nullptr;  // it is the problem itself
  SUNLinSolFreeEmpty(s);
}

double IdaProblem::current_cj() const {
  double cj = 0;
  expect(IDAGetCurrentCj(ida_, &cj), "IDAGetCurrentCj");
  return cj;
}

void IdaProblem::attach(void* ida, N_Vector y, N_Vector yp) {
  ida_ = ida;
  sun_matrix_.reset(SUNMatNewEmpty(context_));
  sun_solver_.reset(SUNLinSolNewEmpty(context_));
  COSIMO_CHECK(sun_matrix_ && sun_solver_, "SUNDIALS objects");
  sun_matrix_->ops->getid = Callbacks::matrix_id;
  sun_matrix_->ops->zero = Callbacks::zero;
  sun_solver_->ops->gettype = Callbacks::type;
  sun_solver_->ops->initialize = Callbacks::nothing;
  sun_solver_->ops->setup = Callbacks::setup;
  sun_solver_->ops->solve = Callbacks::solve;
  sun_solver_->content = this;

  expect(IDASetErrHandlerFn(ida, Callbacks::silent, nullptr), "IDASetErrHandlerFn");
  expect(IDAInit(ida, Callbacks::residual, 0.0, y, yp), "IDAInit");
  expect(IDASetUserData(ida, this), "IDASetUserData");
  expect(IDAWFtolerances(ida, Callbacks::weights), "IDAWFtolerances");
  expect(IDASetLinearSolver(ida, sun_solver_.get(), sun_matrix_.get()), "IDASetLinearSolver");
  expect(IDASetJacFn(ida, Callbacks::jacobian), "IDASetJacFn");
  expect(IDASetNonlinConvCoef(ida, newton_accuracy()), "IDASetNonlinConvCoef");
}

void IdaProblem::rethrow_failure() {
  space_.rethrow_failure();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

namespace {

// F(t, y, y') = [ q' - v ; v' - a(t, q, v) ],   y = [q | v].
class PlainProblem final : public IdaProblem {
 public:
  PlainProblem(const System& system, const IntegratorOptions& options, SUNContext context)
      : IdaProblem(system.size(), context),
        system_(system),
        tolerances_(options.tolerances),
        matrix_(make_newton_matrix(system, options.linear)) {}

  bool begin(double t, N_Vector y, N_Vector yp) override {
    const std::size_t n = system_.size(), stride = space().layout().stride;
    const double* q = read(y);
    double* out = write(yp);
    std::copy_n(q + stride, n, out);
    return system_.acceleration(t, q, q + stride, out + stride, {0, n});
  }
  Ref<const Counted> factors() const override { return matrix_->factors(); }
  void adopt(const Ref<const Counted>& factors) override { matrix_->adopt(factors); }
  void archive_factors(Archive& a) override { matrix_->archive(a); }
  NewtonMatrix* matrix() override { return matrix_.get(); }

 private:
  bool residual(double t, N_Vector y, N_Vector yp, N_Vector r) override;

  bool weights(N_Vector y, N_Vector w) override {
    const MotionSize absolute = tolerances_.absolute().length;
    return set_error_weights(y, w, tolerances_.rtol, absolute.position, absolute.velocity);
  }
  bool setup(double t, double cj, N_Vector y, N_Vector) override {
    const double* q = read(y);
    return matrix_->setup(t, {q, q + space().layout().stride}, cj);
  }
  void solve(N_Vector x, N_Vector b) override {
    const std::size_t stride = space().layout().stride;
    const Scaled r = read_scaled(b);
    double* d = write(x);
    matrix_->solve(r.c, {r.values, r.values + stride}, d, d + stride);
  }

  const System& system_;
  Tolerances tolerances_;
  std::unique_ptr<NewtonMatrix> matrix_;
};

// One pass: y and y' are usually promises, the predicted values as sums over the history.
bool PlainProblem::residual(double t, N_Vector y, N_Vector yp, N_Vector r) {
  const std::size_t n = system_.size(), stride = space().layout().stride;
  const std::size_t reach = std::min(system_.reach(), n);
  Reading state(y), rate(yp);
  const double *q = state.values(), *v = q + stride, *dq = rate.values(), *dv = dq + stride;
  double *rq = write(r), *rv = rq + stride;
  bool finite = true;
  std::size_t known = 0;  // degrees of freedom of y computed so far
  for (std::size_t first = 0; first < n; first += block) {
    const std::size_t last = std::min(first + block, n);
    const std::size_t end = last == n ? stride : last;
    const std::size_t needed = std::min((last + reach + 7) / 8 * 8, stride);
    if (needed > known) state.compute(std::exchange(known, needed), needed);
    rate.compute(first, end);
    finite = finite && system_.acceleration(t, q, v, rv, {first, last});
    kernels::residual({dq, dv, v, rq, rv}, {first, last});
  }
  state.finish();
  rate.finish();
  return finite;
}

}  // namespace

std::unique_ptr<IdaProblem> make_ida_problem(const System& system, const IntegratorOptions& options,
                                             SUNContext context) {
  if (const ConstrainedSystem* const constrained = system.constrained())
    return make_constrained_ida_problem(*constrained, options, context);
  if (system.extent().states()) return make_whole_ida_problem(system, options, context);
  return std::make_unique<PlainProblem>(system, options, context);
}

}  // namespace cosimo
