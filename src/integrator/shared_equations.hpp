// What implicit methods ask of a system with constraints, by threads that call together (core/fellow.hpp).
// Every fellow has bodies of its own, with their coordinates and freedoms; what it finds is there after the
// next meeting. Bits do not depend on the fellows.
#pragma once

#include <span>

#include "core/fellow.hpp"
#include "integrator/whole.hpp"
#include "numerics/state_tangent.hpp"

namespace cosimo {

class SharedEquations {
 public:
  /// ConstrainedSystem::whole_residual() and, in `rows`, velocity_residual().
  struct Instant {
    double t = 0;
    Whole y;
    const double *alpha = nullptr, *lambda = nullptr;
    double *r = nullptr, *z_rate = nullptr, *rows = nullptr;
  };

  virtual ~SharedEquations() = default;
  virtual int most_fellows() const = 0;  ///< that are worth it, by counted work

  virtual Range coordinates(const Fellow& me) const = 0;
  virtual Range freedoms(const Fellow& me) const = 0;
  // Of the own bodies, as their namesakes of ConstrainedSystem.
  virtual void twist(const double* q, const double* v, double* w, const Fellow& me) const = 0;
  virtual void rates(const double* q, const double* w, double* v, const Fellow& me) const = 0;
  virtual void lift(const double* q, const double* v, const double* alpha, double* a,
                    const Fellow& me) const = 0;
  virtual void lower(const double* q, const double* v, const double* a, double* alpha,
                     const Fellow& me) const = 0;

  // Fellows have met before, so that all arguments are complete, and meet when it is done.
  [[nodiscard]] virtual bool residual(const Instant& at, const Fellow& me) = 0;
  virtual void linearise(double t, const Whole& y, const double* alpha, const double* lambda,
                         StateTangent& out, const Fellow& me) = 0;
};

}  // namespace cosimo
