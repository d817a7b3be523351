// What an integrator knows of a subsystem:  q' = v,  M v' = f(t, q, v, u(t)).
//
// Coordinates are plain arrays q and v of the same length. Inputs u(t) are part of
// the system object: the lane sets their polynomials before it lets the integrator
// advance. All members are const: an evaluation changes nothing but its outputs, and
// two lanes never share a system object that is being changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/ids.hpp"
#include "numerics/second_order.hpp"
#include "numerics/switch.hpp"

namespace cosimo {

/// What an input does to the system: its force on one degree of freedom, per unit of the input.
struct InputEffect {
  std::int32_t dof = 0;
  double force = 0;
};

class System {
 public:
  virtual ~System() = default;

  virtual std::size_t size() const = 0;  ///< number of degrees of freedom
  virtual const TangentPattern& pattern() const = 0;

  /// a[i] depends only on q[j], v[j] with |i - j| <= reach(); size() when nothing better is known.
  /// Integrators with fused stage loops evaluate block after block while the data is in cache.
  virtual std::size_t reach() const = 0;

  /// a[i] = (M^-1 f)(t, q, v) for i in `dofs`; other entries of a stay as they are.
  /// False when a force overflows: a recoverable failure of the step, never an exception.
  /// Blocks give the same bits as one call over everything.
  [[nodiscard]] virtual bool acceleration(double t, const double* q, const double* v, double* a,
                                          Range dofs) const = 0;

  /// M, C = -df/dv, K = -df/dq at the state.
  virtual void tangent(double t, const double* q, const double* v, Tangent& out) const = 0;

  /// The same for the rows `dofs` alone: mass and diagonals there, and the edges from each of them to a later
  /// degree of freedom. Returns the rows that were written, at least those; the others are not touched.
  virtual Range tangent_rows(double t, const double* q, const double* v, Tangent& out, Range /*dofs*/) const {
    tangent(t, q, v, out);
    return {0, size()};
  }

  /// a_t = partial derivative of the acceleration with respect to time at fixed q, v
  /// (inputs and loads), for all degrees of freedom.
  virtual void time_derivative(double t, const double* q, const double* v, double* a_t) const = 0;

  /// Degrees of freedom on which inputs act directly: only their accelerations jump
  /// when the input polynomials are exchanged at a macro point.
  virtual std::span<const std::int32_t> driven() const = 0;

  /// Inputs that may be varied (integrator.hpp, Directions), and df/du of each at a state.
  virtual std::size_t inputs() const { return 0; }
  virtual InputEffect input_effect(std::size_t /*input*/, double /*t*/, const double* /*q*/,
                                   const double* /*v*/) const {
    return {};
  }

  /// Not zero where a coordinate is an angle or part of a quaternion; empty: all are lengths.
  virtual std::span<const std::uint8_t> angles() const { return {}; }

  /// The first instant after t that no step may jump over; infinity when there is none.
  virtual double next_breakpoint(double t) const = 0;

  /// Where laws switch: the law that each switch belongs to, ascending; the degrees of freedom that they
  /// depend on; and the switches at a state, of which only those entries are read.
  virtual std::span<const std::int32_t> switch_laws() const { return {}; }
  virtual std::span<const std::int32_t> switch_dofs() const { return {}; }
  virtual void switches(double /*t*/, const double* /*q*/, const double* /*v*/, Switch* /*out*/) const {}
  /// One of them for messages; empty: it has no name.
  virtual std::string law_name(std::int32_t /*law*/) const { return {}; }
};

}  // namespace cosimo
