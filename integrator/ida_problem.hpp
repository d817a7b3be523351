// What IDA calls back: residual, error weights and Newton matrix of one system, as the C
// functions that SUNDIALS wants.
//
//   F(t, y, y') = [ q' - v ; v' - a(t, q, v) ],   y = [q | v]
//
// Exceptions end here: they are kept, IDA gets its code for an unrecoverable failure, and
// rethrow_failure() lets them go on once IDA has returned. A force that overflows is
// recoverable: IDA tries a smaller step.
#pragma once

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <exception>
#include <memory>
#include <type_traits>

#include "integrator/ida_linear.hpp"
#include "integrator/integrator.hpp"
#include "integrator/nvector.hpp"

namespace cosimo {

class IdaProblem {
 public:
  IdaProblem(const System& system, const IntegratorOptions& options, SUNContext context);

  VectorSpace& space() { return space_; }
  const VectorSpace& space() const { return space_; }
  NewtonMatrix& matrix() { return *matrix_; }
  const NewtonMatrix& matrix() const { return *matrix_; }

  /// Gives IDA the functions, the linear solver and the tolerances; y and yp are a start of any value.
  void attach(void* ida, N_Vector y, N_Vector yp);
  void rethrow_failure();

  /// y' = [v | a(t, q, v)]; false when a force overflows.
  [[nodiscard]] bool derivative(double t, N_Vector y, N_Vector yp);

 private:
  struct Callbacks;
  enum class Outcome { ok, recoverable };

  Outcome residual(double t, N_Vector y, N_Vector yp, N_Vector r);
  template <class F>
  int guarded(F f) noexcept;

  struct FreeMatrix {
    void operator()(SUNMatrix m) const;
  };
  struct FreeSolver {
    void operator()(SUNLinearSolver s) const;
  };

  const System& system_;
  Tolerances tolerances_;
  SUNContext context_;
  VectorSpace space_;
  std::unique_ptr<NewtonMatrix> matrix_;
  std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix> sun_matrix_;
  std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeSolver> sun_solver_;
  std::exception_ptr failure_;
};

}  // namespace cosimo
