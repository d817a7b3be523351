// The table of operations that SUNDIALS calls. What IDA needs in every step works on values
// (nvector.cpp); the rest, which IDA only checks for, is computed directly.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "integrator/nvector_value.hpp"
#include "numerics/sums.hpp"

namespace cosimo {

namespace {

// Runs an operation behind the C boundary.
template <class Operation>
int guarded(N_Vector z, Operation operation) noexcept {
  try {
    operation();
    return 0;
  } catch (...) {
    content(z).space->keep_failure();
    return -1;
  }
}

void destroy(N_Vector x) {
  if (!x) return;
  if (x->content) {
    replace(content(x), {});
    delete static_cast<VectorContent*>(x->content);
    x->content = nullptr;
  }
  N_VFreeEmpty(x);
}

N_Vector clone(N_Vector x) {
  try {
    return content(x).space->make();
  } catch (...) {
    content(x).space->keep_failure();
    return nullptr;
  }
}

N_Vector_ID vector_id(N_Vector) {
  return SUNDIALS_NVEC_CUSTOM;
}

sunindextype length(N_Vector x) {
  return static_cast<sunindextype>(content(x).space->layout().count());
}

void linear_sum(realtype a, N_Vector x, realtype b, N_Vector y, N_Vector z) {
  guarded(z, [&] {
    SumBuilder sum(*content(z).space);
    sum.add(a, content(x).value);
    sum.add(b, content(y).value);
    replace(content(z), sum.value());
  });
}

void scale(realtype c, N_Vector x, N_Vector z) {
  guarded(z, [&] { replace(content(z), scaled(c, content(x).value)); });
}

int linear_combination(int count, realtype* c, N_Vector* x, N_Vector z) {
  return guarded(z, [&] {
    SumBuilder sum(*content(z).space);
    for (int j = 0; j < count; ++j) sum.add(c[j], content(x[j]).value);
    replace(content(z), sum.value());
  });
}

int scale_vector_array(int count, realtype* c, N_Vector* x, N_Vector* z) {
  for (int j = 0; j < count; ++j) scale(c[j], x[j], z[j]);
  return 0;
}

// IDA completes a step with phi_k += e, phi_{k-1} += phi_k, ..., phi_0 += phi_1.
bool is_chain(int count, realtype a, N_Vector* x, realtype b, N_Vector* y, N_Vector* z) {
  if (a != 1 || b != 1 || count > static_cast<int>(StateArray::max_terms)) return false;
  for (int j = 0; j < count; ++j) {
    if (z[j] != x[j] || !content(x[j]).value.array || (j > 0 && y[j] != x[j - 1])) return false;
    for (int i = 0; i < j; ++i)
      if (x[i] == x[j]) return false;
  }
  return content(y[0]).value.array && std::find(x, x + count, y[0]) == x + count;
}

void run_chain(int count, N_Vector e, N_Vector* x) {
  std::array<double, StateArray::max_terms> c{};
  std::array<const double*, StateArray::max_terms> from{};
  std::array<double*, StateArray::max_terms> to{};
  std::array<Ref<StateArray>, StateArray::max_terms> hold;
  const Scaled first = read_scaled(e);
  for (std::size_t j = 0; j < static_cast<std::size_t>(count); ++j) {
    const Scaled s = read_scaled(x[j]);
    c[j] = s.c;
    from[j] = s.values;
    VectorContent& row = content(x[j]);
    if (row.value.array->users() > 2) hold[j] = row.value.array;  // somebody else sees it: keep it alive
    to[j] = own_array(row);
  }
  const kernels::Chain rows{
      static_cast<std::size_t>(count), first.c, first.values, c.data(), from.data(), to.data()};
  kernels::chain(rows, content(e).space->layout().length());
}

int linear_sum_vector_array(int count, realtype a, N_Vector* x, realtype b, N_Vector* y, N_Vector* z) {
  return guarded(z[0], [&] {
    if (is_chain(count, a, x, b, y, z)) return run_chain(count, y[0], x);
    for (int j = 0; j < count; ++j) linear_sum(a, x[j], b, y[j], z[j]);
  });
}

int scale_add_multi(int count, realtype* a, N_Vector x, N_Vector* y, N_Vector* z) {
  for (int j = 0; j < count; ++j) linear_sum(a[j], x, 1, y[j], z[j]);
  return 0;
}

realtype weighted_norm(N_Vector x, N_Vector w) {
  double norm = std::numeric_limits<double>::quiet_NaN();  // what fails must not look converged
  guarded(x, [&] { norm = wrms_norm(content(x), content(w)); });
  return norm;
}

// z_i = f(i) on the degrees of freedom; the padding stays zero. f may read z's old array.
template <class F>
void fill(N_Vector z, F f) {
  guarded(z, [&] {
    VectorContent& out = content(z);
    const Ref<StateArray> old = out.value.array;
    const StateLayout& layout = out.space->layout();
    double* values = own_array(out);
    for (const auto [first, count] : layout.parts()) {
#pragma GCC ivdep
      for (std::size_t i = first; i < first + count; ++i) values[i] = f(i);
    }
  });
}

const double* read_guarded(N_Vector x) {
  const double* values = nullptr;
  guarded(x, [&] { values = read(x); });
  return values;
}

void constant(realtype c, N_Vector z) {
  if (c == 0) return void(guarded(z, [&] { replace(content(z), {}); }));
  fill(z, [c](std::size_t) { return c; });
}

void product(N_Vector x, N_Vector y, N_Vector z) {
  const double *p = read_guarded(x), *q = read_guarded(y);
  if (p && q) fill(z, [p, q](std::size_t i) { return p[i] * q[i]; });
}

void quotient(N_Vector x, N_Vector y, N_Vector z) {
  const double *p = read_guarded(x), *q = read_guarded(y);
  if (p && q) fill(z, [p, q](std::size_t i) { return p[i] / q[i]; });
}

void absolute(N_Vector x, N_Vector z) {
  if (const double* p = read_guarded(x)) fill(z, [p](std::size_t i) { return std::abs(p[i]); });
}

void inverse(N_Vector x, N_Vector z) {
  if (const double* p = read_guarded(x)) fill(z, [p](std::size_t i) { return 1.0 / p[i]; });
}

void add_constant(N_Vector x, realtype b, N_Vector z) {
  if (const double* p = read_guarded(x)) fill(z, [p, b](std::size_t i) { return p[i] + b; });
}

template <class F>
double reduce(N_Vector x, double start, F f) {
  const double* p = read_guarded(x);
  if (!p) return std::numeric_limits<double>::quiet_NaN();
  const StateLayout& layout = content(x).space->layout();
  for (const auto [first, count] : layout.parts())
    for (std::size_t i = first; i < first + count; ++i) start = f(start, p[i]);
  return start;
}

realtype minimum(N_Vector x) {
  return reduce(x, std::numeric_limits<double>::infinity(),
                [](double m, double v) { return std::min(m, v); });
}

realtype max_norm(N_Vector x) {
  return reduce(x, 0.0, [](double m, double v) { return std::max(m, std::abs(v)); });
}

realtype dot_product(N_Vector x, N_Vector y) {
  const double *p = read_guarded(x), *q = read_guarded(y);
  if (!p || !q) return std::numeric_limits<double>::quiet_NaN();
  return reproducible_sum(content(x).space->layout().length(), [p, q](std::size_t i) { return p[i] * q[i]; });
}

void set_operations(_generic_N_Vector_Ops& ops) {
  ops.nvgetvectorid = vector_id;
  ops.nvclone = clone;
  ops.nvcloneempty = clone;
  ops.nvdestroy = destroy;
  ops.nvgetlength = length;
  ops.nvlinearsum = linear_sum;
  ops.nvconst = constant;
  ops.nvprod = product;
  ops.nvdiv = quotient;
  ops.nvscale = scale;
  ops.nvabs = absolute;
  ops.nvinv = inverse;
  ops.nvaddconst = add_constant;
  ops.nvdotprod = dot_product;
  ops.nvmaxnorm = max_norm;
  ops.nvwrmsnorm = weighted_norm;
  ops.nvmin = minimum;
  ops.nvlinearcombination = linear_combination;
  ops.nvscaleaddmulti = scale_add_multi;
  ops.nvlinearsumvectorarray = linear_sum_vector_array;
  ops.nvscalevectorarray = scale_vector_array;
}

}  // namespace

N_Vector VectorSpace::make() {
  auto value = std::make_unique<VectorContent>();
  value->space = this;
  N_Vector x = N_VNewEmpty(context_);
  if (!x) throw std::bad_alloc();
  set_operations(*x->ops);
  x->content = value.release();
  return x;
}

}  // namespace cosimo
