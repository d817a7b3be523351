// What implicit integrators know of a system of bodies in space with joints. Beside the coordinates q and
// their rates v = dq/dt there are *freedoms*: independent velocities w (a rotating body has four coordinates
// and three freedoms), in which the equations of motion are written:
//
//   M(q) alpha = f(t, q, v) - J(q)^T lambda,    0 = g(t, q),    alpha = dw/dt.
//
// acceleration() of the base class solves for the coordinates' accelerations with the constraints
// differentiated twice; project() takes away the drift that this leaves. Methods that cannot live with
// that form the residuals below themselves. Coordinates that nothing turns have q = x, v = w.
#pragma once

#include <cstddef>

#include "integrator/system.hpp"
#include "numerics/constrained_tangent.hpp"
#include "numerics/tolerances.hpp"

namespace cosimo {

class SharedEquations;
class SharedEvaluation;

class ConstrainedSystem : public System {
 public:
  virtual std::size_t freedoms() const = 0;
  virtual std::size_t constraints() const = 0;  ///< rows
  /// Not zero where a freedom is an angular velocity; empty: none is.
  virtual std::span<const std::uint8_t> turning() const { return {}; }

  /// Evaluations by several threads; null: it offers none.
  virtual SharedEvaluation* shared() const { return nullptr; }
  /// Residuals and tangents by several threads; null: it offers none.
  virtual SharedEquations* shared_equations() const { return nullptr; }

  // Between coordinates and freedoms.
  virtual void twist(const double* q, const double* v, double* w) const = 0;
  /// v = rates of the coordinates for w; also small displacements of the coordinates for those of the
  /// freedoms.
  virtual void rates(const double* q, const double* w, double* v) const = 0;
  /// a = accelerations of the coordinates for those of the freedoms, and back.
  virtual void lift(const double* q, const double* v, const double* alpha, double* a) const = 0;
  virtual void lower(const double* q, const double* v, const double* a, double* alpha) const = 0;
  /// Gives coordinates that are no freedoms the size they have by definition (quaternions the length one) and
  /// leaves all others. Nothing to do where coordinates are freedoms.
  virtual void normalise(double* /*q*/) const {}

  /// r = M alpha - f + J^T lambda; false when a force overflows.
  [[nodiscard]] virtual bool residual(double t, const double* q, const double* v, const double* alpha,
                                      const double* lambda, double* r) const = 0;
  virtual void position_residual(double t, const double* q, double* g) const = 0;
  virtual void velocity_residual(double t, const double* q, const double* v, double* g) const = 0;
  /// M, C = -df/dw, K = d(M alpha - f + J^T lambda)/dx, J, rate = d(J w + g_t)/dx, and the rows that the
  /// others imply (numerics/constrained_tangent.hpp).
  virtual void linearise(double t, const double* q, const double* v, const double* alpha,
                         const double* lambda, ConstrainedTangent& out) const = 0;
  /// Entries of C and K, as far as known before they are there.
  virtual ForceEntries force_entries() const { return {}; }
  /// Accelerations of the coordinates, and multipliers.
  [[nodiscard]] virtual bool acceleration_and_multipliers(double t, const double* q, const double* v,
                                                          double* a, double* lambda) const = 0;

  /// Brings a state that a step ended at back onto the constraints of both levels, when it is further off
  /// than a tenth of the tolerances. `moved` says whether anything changed. False: there is no such state
  /// nearby.
  [[nodiscard]] virtual bool project(double t, double* q, double* v, const MotionSizes& tolerances,
                                     bool& moved) const = 0;

  // With first-order states or memory (integrator/whole.hpp) these are asked in the place of their namesakes.
  /// As residual(), and the rates of z.
  [[nodiscard]] virtual bool whole_residual(double t, const Whole& y, const double* alpha,
                                            const double* lambda, double* r, double* /*z_rate*/) const {
    return residual(t, y.q, y.v, alpha, lambda, r);
  }
  /// As evaluate(), with the multipliers.
  [[nodiscard]] virtual bool evaluate_with_multipliers(double t, const Whole& y, double* a,
                                                       double* /*z_rate*/, double* lambda) const {
    return acceleration_and_multipliers(t, y.q, y.v, a, lambda);
  }
  /// a_t and z_t are not asked for.
  virtual void linearise_whole(double t, const Whole& y, const double* alpha, const double* lambda,
                               StateTangent& out) const {
    linearise(t, y.q, y.v, alpha, lambda, out);
  }

  const ConstrainedSystem* constrained() const final { return this; }

  // The symmetric structure of the base class does not exist here.
  const TangentPattern& pattern() const final;
  void tangent(double t, const double* q, const double* v, Tangent& out) const final;
  std::size_t reach() const final { return size(); }
};

}  // namespace cosimo
