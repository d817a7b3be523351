// What an integrator knows of a subsystem:  q' = v,  M v' = f(t, q, v, u(t)).
//
// Coordinates are plain arrays q and v of the same length. Inputs u(t) are part of
// the system object: the lane sets their polynomials before it lets the integrator
// advance. All members are const: an evaluation changes nothing but its outputs, and
// two lanes never share a system object that is being changed.
//
// A system whose extent() is not zero has first-order states z, memory s or root functions as well
// (integrator/whole.hpp). With z or s integrators ask evaluate() and state_tangent() in the place of
// acceleration(), tangent() and time_derivative().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "core/ids.hpp"
#include "integrator/whole.hpp"
#include "numerics/second_order.hpp"
#include "numerics/state_tangent.hpp"
#include "numerics/switch.hpp"

namespace cosimo {

/// What an input does to the system: its force on one degree of freedom, per unit of the input.
struct InputEffect {
  std::int32_t dof = 0;
  double force = 0;
};

class ConstrainedSystem;

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

  /// Several threads may ask for the accelerations of different degrees of freedom at the same time.
  virtual bool shareable() const { return false; }
  /// What an acceleration costs, in those of a chain (parallel/shares.hpp).
  virtual double row_cost() const { return 1; }

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
  /// No step from t to the next breakpoint may be longer than this.
  virtual double longest_step(double /*t*/) const { return std::numeric_limits<double>::infinity(); }

  /// Where laws switch: the law that each switch belongs to, ascending; the degrees of freedom that they
  /// depend on; and the switches at a state, of which only those entries are read.
  virtual std::span<const std::int32_t> switch_laws() const { return {}; }
  virtual std::span<const std::int32_t> switch_dofs() const { return {}; }
  virtual void switches(double /*t*/, const double* /*q*/, const double* /*v*/, Switch* /*out*/) const {}
  /// One of them for messages; empty: it has no name.
  virtual std::string law_name(std::int32_t /*law*/) const { return {}; }

  /// Itself, if it is of that kind.
  virtual const ConstrainedSystem* constrained() const { return nullptr; }

  /// What there is beside coordinates; never changes. All that follows is asked only where it is not zero.
  virtual Extent extent() const { return {}; }

  /// What counts as an ordinary value of each z: errors below rtol / 100 of it do not matter. Empty: one.
  virtual std::span<const double> nominals() const { return {}; }

  /// All accelerations, and the rates of all z. False when a number overflows.
  [[nodiscard]] virtual bool evaluate(double t, const Whole& y, double* a, double* z_rate) const;

  /// Derivatives at the state, with y.s frozen. The places of the entries stay from call to call. Systems
  /// with constraints are asked ConstrainedSystem::linearise_whole() instead.
  virtual void state_tangent(double t, const Whole& y, StateTangent& out) const;

  /// After an accepted step that ended at y, with y.s as it was at its beginning: the memory from now on.
  /// `s` is another array, and holds y.s when it is called.
  virtual void commit(double /*t*/, const Whole& /*y*/, double* /*s*/) const {}

  /// All root functions. They should be continuous along the motion.
  virtual void roots(double /*t*/, const Whole& /*y*/, double* /*g*/) const {}
  /// Degrees of freedom that they depend on, where that is not all: inside a step only those are read.
  virtual std::span<const std::int32_t> root_dofs() const { return {}; }

  /// An event: root k has gone to the side crossed[k] (-1 or 1; 0: it has not). May also be called to learn
  /// what it would do: with the same arguments it does the same.
  virtual Fired fire(double /*t*/, std::span<const std::int8_t> /*crossed*/, Editable& /*y*/) const {
    return Fired::none;
  }
};

}  // namespace cosimo
