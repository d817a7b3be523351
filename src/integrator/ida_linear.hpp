// The linear systems of IDA's Newton iteration for q' = v, v' = a(t, q, v), with leading
// coefficient cj and K = -da/dq, C = -da/dv multiplied by the masses:
//
//   [ cj I      -I            ] [dq]   [rq]
//   [ M^-1 K    cj I + M^-1 C ] [dv] = [rv]
//
// structured  positions eliminated with g = 1/cj:
//             (M + g C + g^2 K) dv = g M rv - g^2 K rq,   dq = g (rq + dv)
// klu, dense  the whole matrix of twice the size, general sparse or dense
//
// setup() evaluates and factorises; solve() any number of times. Factors are never changed
// once computed and belong to everybody who holds them: a snapshot keeps factors() and any
// lane takes them back with adopt(), without copying.
#pragma once

#include <memory>
#include <span>

#include "core/archive.hpp"
#include "core/check.hpp"
#include "core/checked_cast.hpp"
#include "integrator/integrator.hpp"
#include "integrator/nvector_array.hpp"

namespace cosimo {

struct StateView {
  const double* q;
  const double* v;
};

/// x = scale * [rq; rv], for solvers of the whole matrix.
inline void stack(double scale, StateView r, std::span<double> x) {
  const std::size_t n = x.size() / 2;
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = scale * r.q[i];
    x[n + i] = scale * r.v[i];
  }
}

/// Factors as the kind of matrix that made them knows them.
template <class Factors>
Ref<const Factors> own_kind(const Ref<const Counted>& factors) {
  return Ref<const Factors>(factors ? &checked_cast<Factors>(*factors) : nullptr);
}

/// Loaded numbers that no matrix ever had.
[[noreturn]] inline void refuse_matrix() {
  throw ArchiveError("the data hold a matrix that has no factors");
}

class NewtonMatrix {
 public:
  explicit NewtonMatrix(const System& system) : size_(system.size()) {}
  NewtonMatrix(const NewtonMatrix&) = delete;
  NewtonMatrix& operator=(const NewtonMatrix&) = delete;
  virtual ~NewtonMatrix() = default;

  /// False if the matrix is singular or not finite; the old factors are then kept.
  [[nodiscard]] virtual bool setup(double t, StateView state, double cj) = 0;
  /// [dq; dv] = scale * matrix^-1 [rq; rv]; the outputs are other arrays than the inputs.
  virtual void solve(double scale, StateView r, double* dq, double* dv) = 0;
  /// The same for right-hand sides that are zero outside `rows`, and outputs that are zero. Returns the range
  /// of the solution that is not negligible: where it fades the rest may be left at zero.
  virtual Range solve_near(double scale, StateView r, double* dq, double* dv, Range rows);
  virtual Ref<const Counted> factors() const = 0;
  virtual void adopt(const Ref<const Counted>& factors) = 0;
  /// The factors as bytes, or what gives the same bits when it is factorised again.
  virtual void archive(Archive& a) = 0;

 protected:
  std::size_t size() const { return size_; }  ///< degrees of freedom

 private:
  std::size_t size_;
};

/// automatic means structured.
std::unique_ptr<NewtonMatrix> make_newton_matrix(const System& system, Linear linear);

std::unique_ptr<NewtonMatrix> make_structured_newton(const System& system);
std::unique_ptr<NewtonMatrix> make_klu_newton(const System& system);
std::unique_ptr<NewtonMatrix> make_dense_newton(const System& system);

}  // namespace cosimo
