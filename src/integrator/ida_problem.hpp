// What IDA calls back: residual, error weights and Newton matrix of a problem, as the C functions that
// SUNDIALS wants. Three kinds of problems, made by make_ida_problem():
//
//   ordinary systems            y = [q | v],                  integrator/ida_problem.cpp
//   with states or memory       y = [q | v | z],              integrator/ida_whole.cpp
//   with constraints            y = [q mu | v lambda | z],    integrator/ida_constrained.cpp
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

#include "integrator/constrained_system.hpp"
#include "integrator/ida_linear.hpp"
#include "integrator/integrator.hpp"
#include "integrator/nvector.hpp"

namespace cosimo {

class IdaProblem {
 public:
  /// A state of two halves with `half` numbers each, and of `states` more.
  IdaProblem(std::size_t half, SUNContext context, std::size_t states = 0)
      : context_(context), space_(half, context, states) {}
  IdaProblem(const IdaProblem&) = delete;
  IdaProblem& operator=(const IdaProblem&) = delete;
  virtual ~IdaProblem() = default;

  VectorSpace& space() { return space_; }
  const VectorSpace& space() const { return space_; }

  /// Gives IDA the functions, the linear solver and the tolerances; y and yp are a start of any value.
  void attach(void* ida, N_Vector y, N_Vector yp);
  void rethrow_failure();
  /// The system's memory, which the caller keeps; of the same place from now on.
  void use_memory(const double* s) { s_ = s; }

  /// Where IDA begins anew: y' for the positions and velocities (and z) in y, and what else belongs to them
  /// in y. False when a force overflows.
  [[nodiscard]] virtual bool begin(double t, N_Vector y, N_Vector yp) = 0;

  /// The factors of the Newton matrix (integrator/ida_linear.hpp), for snapshots.
  virtual Ref<const Counted> factors() const = 0;
  virtual void adopt(const Ref<const Counted>& factors) = 0;
  /// The same as bytes. After an ArchiveError they are as they were.
  virtual void archive_factors(Archive& a) = 0;
  /// The matrix itself, for directions; null where they are not offered.
  virtual NewtonMatrix* matrix() { return nullptr; }

 protected:
  const double* memory() const { return s_; }
  double current_cj() const;  ///< leading coefficient over step size, of the step that IDA tries

 private:
  /// Where Newton's iteration ends, as a part of the tolerances. IDA's own choice is 0.33; what it leaves
  /// open in the constraints shows.
  virtual double newton_accuracy() const { return 0.33; }
  struct Callbacks;
  template <class F>
  int guarded(F f) noexcept;

  // False is a recoverable failure.
  virtual bool residual(double t, N_Vector y, N_Vector yp, N_Vector r) = 0;
  virtual bool weights(N_Vector y, N_Vector w) = 0;
  virtual bool setup(double t, double cj, N_Vector y, N_Vector yp) = 0;
  virtual void solve(N_Vector x, N_Vector b) = 0;

  struct FreeMatrix {
    void operator()(SUNMatrix m) const;
  };
  struct FreeSolver {
    void operator()(SUNLinearSolver s) const;
  };

  SUNContext context_;
  void* ida_ = nullptr;  ///< whose problem it is
  const double* s_ = nullptr;
  VectorSpace space_;
  std::unique_ptr<std::remove_pointer_t<SUNMatrix>, FreeMatrix> sun_matrix_;
  std::unique_ptr<std::remove_pointer_t<SUNLinearSolver>, FreeSolver> sun_solver_;
  std::exception_ptr failure_;
};

std::unique_ptr<IdaProblem> make_ida_problem(const System& system, const IntegratorOptions& options,
                                             SUNContext context);
std::unique_ptr<IdaProblem> make_whole_ida_problem(const System& system, const IntegratorOptions& options,
                                                   SUNContext context);
std::unique_ptr<IdaProblem> make_constrained_ida_problem(const ConstrainedSystem& system,
                                                         const IntegratorOptions& options,
                                                         SUNContext context);

}  // namespace cosimo
