#include "bench/reference_ida.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <stdexcept>

#include "bench/timing.hpp"

namespace cosimo::bench {

namespace {

// y = [x0, v0, x1, v1, ...]: the interleaved layout keeps KLU's fill small.
struct Chain {
  sunindextype n = 0;
  double mass = 0;
  SpringLaw law;
  std::vector<double> k, d;  // tangent per element
};

int residual(realtype, N_Vector y_, N_Vector yp_, N_Vector r_, void* data) {
  const Chain& chain = *static_cast<Chain*>(data);
  const double *y = N_VGetArrayPointer(y_), *yp = N_VGetArrayPointer(yp_);
  double* r = N_VGetArrayPointer(r_);
  const double c = chain.law.c, d = chain.law.d, C = chain.law.C, D = chain.law.D;
  const auto force = [&](double dx, double dv) { return dx * (c + C * dx * dx) + dv * (d + D * dv * dv); };
  double left = force(y[0], y[1]);
  for (sunindextype i = 0; i < chain.n; ++i) {
    const bool last = i == chain.n - 1;
    const double right =
        force((last ? 0.0 : y[2 * i + 2]) - y[2 * i], (last ? 0.0 : y[2 * i + 3]) - y[2 * i + 1]);
    r[2 * i] = yp[2 * i] - y[2 * i + 1];
    r[2 * i + 1] = yp[2 * i + 1] - (right - left) / chain.mass;
    left = right;
  }
  return 0;
}

/// cj I - J in compressed columns: column 2j (x_j) and 2j+1 (v_j).
int jacobian(realtype, realtype cj, N_Vector y_, N_Vector, N_Vector, SUNMatrix J, void* data, N_Vector,
             N_Vector, N_Vector) {
  Chain& chain = *static_cast<Chain*>(data);
  const double* y = N_VGetArrayPointer(y_);
  const sunindextype n = chain.n;
  for (sunindextype i = 0; i <= n; ++i) {
    const double dx = (i < n ? y[2 * i] : 0.0) - (i > 0 ? y[2 * i - 2] : 0.0);
    const double dv = (i < n ? y[2 * i + 1] : 0.0) - (i > 0 ? y[2 * i - 1] : 0.0);
    chain.k[static_cast<std::size_t>(i)] = (chain.law.c + 3 * chain.law.C * dx * dx) / chain.mass;
    chain.d[static_cast<std::size_t>(i)] = (chain.law.d + 3 * chain.law.D * dv * dv) / chain.mass;
  }
  sunindextype *columns = SM_INDEXPTRS_S(J), *rows = SM_INDEXVALS_S(J), at = 0;
  double* values = SM_DATA_S(J);
  const auto put = [&](sunindextype row, double value) {
    rows[at] = row;
    values[at++] = value;
  };
  for (sunindextype j = 0; j < n; ++j)
    for (const bool velocity : {false, true}) {
      const auto& s = velocity ? chain.d : chain.k;
      const double a = s[static_cast<std::size_t>(j)], b = s[static_cast<std::size_t>(j) + 1];
      columns[2 * j + (velocity ? 1 : 0)] = at;
      if (j > 0) put(2 * j - 1, -a);
      put(2 * j, velocity ? -1.0 : cj);
      put(2 * j + 1, a + b + (velocity ? cj : 0.0));
      if (j < n - 1) put(2 * j + 3, -b);
    }
  columns[2 * n] = at;
  return 0;
}

}  // namespace

ReferenceRun reference_ida(const Model& model, double rtol, const Sampler& sampler) {
  Chain chain;
  chain.n = static_cast<sunindextype>(model.bodies.count);
  chain.mass = model.bodies.mass[0];
  chain.law = model.elements.law(ElementId{0});
  chain.k.resize(model.bodies.count + 1);
  chain.d.resize(model.bodies.count + 1);
  SUNContext context = nullptr;
  SUNContext_Create(nullptr, &context);
  const sunindextype size = 2 * chain.n;
  N_Vector y = N_VNew_Serial(size, context), yp = N_VNew_Serial(size, context),
           atol = N_VNew_Serial(size, context);
  for (sunindextype i = 0; i < chain.n; ++i) {
    N_VGetArrayPointer(y)[2 * i] = model.bodies.x[static_cast<std::size_t>(i)];
    N_VGetArrayPointer(y)[2 * i + 1] = model.bodies.v[static_cast<std::size_t>(i)];
    N_VGetArrayPointer(atol)[2 * i] = 1e-3 * rtol;
    N_VGetArrayPointer(atol)[2 * i + 1] = rtol;
  }
  // Consistent y': the residual at y' = 0 is minus the right-hand side.
  N_VConst(0.0, yp);
  N_Vector r = N_VClone(y);
  residual(0, y, yp, r, &chain);
  N_VScale(-1.0, r, yp);

  SUNMatrix matrix = SUNSparseMatrix(size, size, 8 * chain.n, CSC_MAT, context);
  SUNLinearSolver linear = SUNLinSol_KLU(y, matrix, context);
  void* ida = IDACreate(context);
  IDAInit(ida, residual, 0.0, y, yp);
  IDASVtolerances(ida, rtol, atol);
  IDASetUserData(ida, &chain);
  IDASetMaxNumSteps(ida, 100'000'000);
  IDASetLinearSolver(ida, linear, matrix);
  IDASetJacFn(ida, jacobian);

  ReferenceRun run;
  run.trajectory.columns = sampler.dofs.size();
  const double begin = now();
  for (const double t : sampler.times) {
    realtype reached = 0;
    if (IDASolve(ida, t, &reached, y, yp, IDA_NORMAL) < 0) throw std::runtime_error("the reference failed");
    const double* values = N_VGetArrayPointer(y);
    for (const std::int32_t dof : sampler.dofs) {
      run.trajectory.position.push_back(values[2 * dof]);
      run.trajectory.velocity.push_back(values[2 * dof + 1]);
    }
  }
  run.seconds = now() - begin;
  IDAGetNumSteps(ida, &run.steps);
  IDAFree(&ida);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  for (N_Vector v : {y, yp, atol, r}) N_VDestroy(v);
  SUNContext_Free(&context);
  return run;
}

}  // namespace cosimo::bench
