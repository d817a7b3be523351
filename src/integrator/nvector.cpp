#include "integrator/nvector.hpp"

#include <cmath>

#include "core/check.hpp"
#include "integrator/nvector_value.hpp"

namespace cosimo {

TermList::TermList(const StateArray& array, double factor) {
  if (array.count == 0) {
    c[0] = factor;
    x[0] = array.values();
    count = 1;
    return;
  }
  for (; count < array.count; ++count) {
    c[count] = factor * array.terms[count].c;
    x[count] = array.terms[count].x->values();
  }
}

void compute(StateArray& array, std::size_t length) {
  if (array.count == 0) return;
  kernels::combine(TermList(array).sum(), 0, length, array.values());
  array.forget_terms();
}

VectorValue scaled(double factor, const VectorValue& x) {
  if (!x.array || factor == 0) return {};
  VectorValue z = x;
  z.c *= factor;
  z.weights = 0;
  return z;
}

void SumBuilder::add(double factor, const VectorValue& x) {
  const double c = factor * x.c;
  if (!x.array || c == 0) return;
  if (++operands_ == 1) {
    first_ = scaled(factor, x);
    return;
  }
  const auto add_value = [this](const VectorValue& v, double f) {
    if (count_ + v.array->count > terms_.size()) compute(*v.array, space_.layout().length());
    if (v.array->count == 0) return add_term(f, v.array);
    for (std::size_t j = 0; j < v.array->count; ++j) add_term(f * v.array->terms[j].c, v.array->terms[j].x);
  };
  if (operands_ == 2) {
    add_value(first_, first_.c);
    first_ = {};
  }
  add_value(x, c);
}

void SumBuilder::add_term(double c, const Ref<StateArray>& x) {
  for (std::size_t j = 0; j < count_; ++j) {
    if (terms_[j].x == x) {
      terms_[j].c += c;
      return;
    }
  }
  if (count_ == terms_.size()) {  // too long a sum: compute what is there
    const Ref<StateArray> partial = promise();
    compute(*partial, space_.layout().length());
    terms_[0] = {1.0, partial};
    count_ = 1;
  }
  terms_[count_++] = {c, x};
}

Ref<StateArray> SumBuilder::promise() {
  Ref<StateArray> array = space_.take_array();
  for (std::size_t j = 0; j < count_; ++j) array->terms[j] = std::move(terms_[j]);
  array->count = std::exchange(count_, 0);
  return array;
}

VectorValue SumBuilder::value() {
  if (operands_ <= 1) return std::move(first_);
  VectorValue z;
  z.c = 1;
  z.array = promise();
  return z;
}

void replace(VectorContent& z, VectorValue value) {
  std::swap(z.value, value);
  // `value` is the old one now; two users: its recycler and this reference
  if (value.array && value.array->count != 0 && value.array->users() == 2) value.array->forget_terms();
}

double* own_array(VectorContent& z) {
  Ref<StateArray> array = z.value.array;
  // three users: the recycler, z and this reference
  if (!array || array->users() != 3) array = z.space->take_array();
  array->forget_terms();
  double* values = array->values();
  VectorValue fresh;
  fresh.c = 1;
  fresh.array = std::move(array);
  replace(z, std::move(fresh));
  return values;
}

double wrms_norm(VectorContent& x, VectorContent& w) {
  VectorValue& v = x.value;
  if (!v.array || !w.value.array) return 0;
  if (w.value.weights != 0 && v.measured == w.value.weights) return std::abs(v.c) * v.norm;
  compute(*w.value.array, w.space->layout().length());
  const StateLayout& layout = x.space->layout();
  const double squares =
      kernels::weighted_square_sum(TermList(*v.array).sum(), w.value.array->values(), layout.length());
  v.norm = std::abs(w.value.c) * std::sqrt(squares / static_cast<double>(layout.count()));
  v.measured = w.value.weights;
  return std::abs(v.c) * v.norm;
}

VectorSpace::VectorSpace(std::size_t dofs, SUNContext context, std::size_t states)
    : layout_(dofs, states), context_(context) {
  COSIMO_CHECK(layout_.count() > 0, "a state without coordinates");
  // What IDA needs at most (its history, that of a snapshot, that of a comparison lane, and what it
  // works with in a step) is needed so rarely that a run would allocate now and then for long.
  recycler_.reserve(36, [this] { return new StateArray(layout_); });
}

Ref<StateArray> VectorSpace::take_array() {
  Ref<StateArray> array = recycler_.take([this] { return new StateArray(layout_); });
  array->forget_terms();
  return array;
}

void VectorSpace::keep_failure() noexcept {
  if (!failure_) failure_ = std::current_exception();
}

void VectorSpace::rethrow_failure() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

Scaled read_scaled(N_Vector x) {
  VectorContent& z = content(x);
  if (!z.value.array) {  // zero has no array yet
    double* values = own_array(z);
    std::fill_n(values, z.space->layout().length(), 0.0);
  }
  compute(*z.value.array, z.space->layout().length());
  return {z.value.c, z.value.array->values()};
}

const double* read(N_Vector x) {
  const Scaled s = read_scaled(x);
  if (s.c == 1) return s.values;
  VectorContent& z = content(x);
  Ref<StateArray> array = z.space->take_array();
  kernels::combine({1, &s.c, &s.values}, 0, z.space->layout().length(), array->values());
  VectorValue value;
  value.c = 1;
  value.array = std::move(array);
  replace(z, std::move(value));
  return z.value.array->values();
}

double* write(N_Vector z) {
  return own_array(content(z));
}

VectorValue share(N_Vector x) {
  VectorValue value = content(x).value;
  if (value.array) compute(*value.array, content(x).space->layout().length());
  value.weights = value.measured = 0;  // stamps mean nothing in another lane
  return value;
}

void assign(N_Vector z, const VectorValue& value) {
  replace(content(z), value);
}

bool set_error_weights(N_Vector y, N_Vector w, double rtol, double atol_pos, double atol_vel) {
  const double* values = read(y);
  VectorContent& weights = content(w);
  const StateLayout& layout = weights.space->layout();
  double* out = own_array(weights);
  const double squares =
      kernels::error_weights(layout.dofs, values, rtol, atol_pos, out) +
      kernels::error_weights(layout.dofs, values + layout.stride, rtol, atol_vel, out + layout.stride);
  // IDA measures y with these weights next: remember the norm
  weights.value.weights = weights.space->next_stamp();
  VectorValue& measured = content(y).value;
  measured.measured = weights.value.weights;
  measured.norm = std::sqrt(squares / static_cast<double>(2 * layout.dofs));
  return std::isfinite(squares);
}

Reading::Reading(N_Vector x) : stride_(content(x).space->layout().stride) {
  VectorContent& z = content(x);
  if (!z.value.array || z.value.c != 1) {
    values_ = read(x);
    return;
  }
  values_ = z.value.array->values();
  if (z.value.array->count != 0) promise_ = z.value.array.get();
}

void Reading::compute(std::size_t first, std::size_t last) {
  if (!promise_) return;
  const TermList terms(*promise_);
  double* values = promise_->values();
  kernels::combine(terms.sum(), first, last, values);
  kernels::combine(terms.sum(), stride_ + first, stride_ + last, values);
}

void Reading::finish() {
  if (promise_) promise_->forget_terms();
  promise_ = nullptr;
}

}  // namespace cosimo
