// Our vectors for SUNDIALS: states y = [q | v | z] whose copies, scalings and sums cost nothing
// until somebody needs the numbers.
//
// SUNDIALS asks for many small operations (copy, scale by a factor, sum of two), each of
// which would read and write whole vectors; on large systems a step of IDA is bound by
// that traffic. Here the *value* of a vector is c * A, a factor and a shared array that
// nobody changes (integrator/nvector_array.hpp), where A may still be the promise of a
// linear combination. Hence
//
//   z = c x           shares the array           z = 0        holds no array at all
//   z = a x + b y     is a promise               ||z||_w      sums without storing z
//
// and a snapshot of a vector is one more reference to its array: neither saving nor
// restoring copies a number. Numbers are computed when read() or Reading asks for them;
// one pass over memory then does what would have been several.
//
// Order of rounding: terms are added from left to right in the order of the operations.
//
// Call sequence: VectorSpace space(n, context); N_Vector y = space.make(); write(y), fill;
// give it to SUNDIALS; read(y). Operations cannot throw through SUNDIALS' C code: failures
// (memory) are kept in the space; call rethrow_failure() after every call into SUNDIALS.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>

#include <sundials/sundials_nvector.h>

#include "integrator/nvector_array.hpp"

namespace cosimo {

/// What a vector is worth: c * array; no array is zero.
struct VectorValue {
  double c = 0;
  Ref<StateArray> array;
  std::uint64_t weights = 0;   ///< stamp, if these are error weights
  std::uint64_t measured = 0;  ///< stamp of the weights that `norm` was measured with
  double norm = 0;             ///< of the array, without c
};

class VectorSpace {
 public:
  VectorSpace(std::size_t dofs, SUNContext context, std::size_t states = 0);
  VectorSpace(const VectorSpace&) = delete;
  VectorSpace& operator=(const VectorSpace&) = delete;
  ~VectorSpace() = default;

  N_Vector make();  ///< zero; N_VDestroy() it before the space goes
  const StateLayout& layout() const { return layout_; }
  Ref<StateArray> take_array();
  std::size_t arrays() const { return recycler_.size(); }  ///< ever made
  std::uint64_t next_stamp() { return ++stamp_; }

  void keep_failure() noexcept;
  void rethrow_failure();

 private:
  StateLayout layout_;
  SUNContext context_;
  Recycler<StateArray> recycler_;
  std::uint64_t stamp_ = 0;
  std::exception_ptr failure_;
};

/// The numbers of a vector: positions from [0], velocities from [layout.stride], first-order states from
/// [layout.first_state()]. Valid until it changes.
const double* read(N_Vector x);

/// The same without applying the factor.
struct Scaled {
  double c;
  const double* values;
};
Scaled read_scaled(N_Vector x);

/// Where to put new numbers (the old ones are gone, padding must stay zero).
double* write(N_Vector z);

/// The value for a snapshot: computed, so that several lanes may share it.
VectorValue share(N_Vector x);
void assign(N_Vector z, const VectorValue& value);

/// w = 1 / (rtol |y| + atol) with the tolerances of the two halves; false if that is not finite. Without
/// states.
bool set_error_weights(N_Vector y, N_Vector w, double rtol, double atol_pos, double atol_vel);

/// Computes a promised vector piece by piece, so that its reader finds the numbers in cache. Without states.
class Reading {
 public:
  explicit Reading(N_Vector x);
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() = default;
  /// Makes dofs [first, last) available, multiples of 8 or the end; each piece once.
  void compute(std::size_t first, std::size_t last);
  /// All pieces are done: the vector keeps the numbers.
  void finish();
  const double* values() const { return values_; }

 private:
  StateArray* promise_ = nullptr;
  std::size_t stride_ = 0;
  const double* values_ = nullptr;
};

}  // namespace cosimo
