// Inside of our N_Vectors (nvector*.cpp only): values and how they are added.
#pragma once

#include <array>

#include "integrator/nvector.hpp"
#include "integrator/nvector_kernels.hpp"

namespace cosimo {

/// N_Vector::content.
struct VectorContent {
  VectorSpace* space = nullptr;
  VectorValue value;
};

inline VectorContent& content(N_Vector x) {
  return *static_cast<VectorContent*>(x->content);
}

/// The terms of an array or a promise as the kernels want them; `factor` is applied to all.
struct TermList {
  std::array<double, StateArray::max_terms> c{};
  std::array<const double*, StateArray::max_terms> x{};
  std::size_t count = 0;
  explicit TermList(const StateArray& array, double factor = 1);
  kernels::Combination sum() const { return {count, c.data(), x.data()}; }
};

/// Collects a linear combination; becomes a value without touching numbers.
class SumBuilder {
 public:
  explicit SumBuilder(VectorSpace& space) : space_(space) {}
  void add(double factor, const VectorValue& x);
  VectorValue value();

 private:
  void add_term(double c, const Ref<StateArray>& x);
  Ref<StateArray> promise();
  VectorSpace& space_;
  VectorValue first_;
  std::size_t operands_ = 0;  ///< that are not zero
  std::array<StateArray::Term, StateArray::max_terms> terms_;
  std::size_t count_ = 0;
};

/// factor * x; shares x's array, computed or not.
VectorValue scaled(double factor, const VectorValue& x);

/// Computes what was promised.
void compute(StateArray& array, std::size_t length);

/// Gives z a new value; a promise that nobody wants any more lets go of its terms.
void replace(VectorContent& z, VectorValue value);

/// z's own array for new numbers, not computed.
double* own_array(VectorContent& z);

/// Weighted root-mean-square norm over the degrees of freedom of both halves.
double wrms_norm(VectorContent& x, VectorContent& w);

}  // namespace cosimo
