// What a force element remembers beside the frames of its markers:
//
//   z      first-order states, z' = r(t, frames, z, s)
//   s      memory without a differential equation, frozen within a micro step; commit() makes the next one of
//          the state that an accepted step has reached
//   roots  functions whose zeros are events; fire() then edits z and s
//
// Effort, gradient and potential depend on them. An element without them has no ElementMemory and costs
// nothing. Efforts without memory (ForceElement::effort) are asked where nobody keeps it: where equilibria
// are sought, and at cuts and in copies unless the memory is essential.
#pragma once

#include <cstdint>
#include <span>

#include "mechanics/force_element.hpp"
#include "numerics/extent.hpp"

namespace cosimo {

/// Of one element, or of all elements of a Dynamics in a row. Both null: nobody keeps it.
struct Remembered {
  const double* z = nullptr;
  const double* s = nullptr;

  bool any() const { return z != nullptr || s != nullptr; }
};

/// Derivatives that concern z.
struct StateGradient {
  Eigen::Matrix<double, 9, Eigen::Dynamic> effort;     ///< by z
  Eigen::Matrix<double, Eigen::Dynamic, 12> from, to;  ///< of the rates of z, as those of an effort
  Eigen::MatrixXd own;                                 ///< of the rates of z by z

  /// All zero, for this many z.
  void reset(std::size_t count) {
    const auto n = static_cast<Eigen::Index>(count);
    effort.setZero(9, n);
    from.setZero(n, 12);
    to.setZero(n, 12);
    own.setZero(n, n);
  }
};

class ElementMemory {
 public:
  virtual ~ElementMemory() = default;

  virtual Extent extent() const = 0;
  /// Without it the element is another one: no cut may part its bodies.
  virtual bool essential() const = 0;
  /// What counts as an ordinary value of each z; empty: one.
  virtual std::span<const double> nominals() const { return {}; }
  /// z and s at the start of a run, at the markers' frames.
  virtual void begin(const Frame& from, const Frame& to, double* z, double* s) const = 0;
  /// And the rates of z. False when one of them is not finite.
  [[nodiscard]] virtual bool effort(double t, const Frame& from, const Frame& to, const Remembered& y,
                                    Effort& out, double* z_rate) const = 0;
  /// `z` comes with the right size, all zero.
  virtual void gradient(double t, const Frame& from, const Frame& to, const Remembered& y,
                        EffortGradient& out, StateGradient& z) const = 0;
  virtual double potential(double t, const Frame& from, const Frame& to, const Remembered& y) const = 0;
  /// `s` holds y.s when it is called.
  virtual void commit(double /*t*/, const Frame& /*from*/, const Frame& /*to*/, const Remembered& /*y*/,
                      double* /*s*/) const {}
  virtual void roots(double /*t*/, const Frame& /*from*/, const Frame& /*to*/, const Remembered& /*y*/,
                     double* /*g*/) const {}
  /// Root k has gone to the side crossed[k]; 0: it has not.
  virtual Fired fire(double /*t*/, std::span<const std::int8_t> /*crossed*/, const Frame& /*from*/,
                     const Frame& /*to*/, double* /*z*/, double* /*s*/) const {
    return Fired::none;
  }
};

}  // namespace cosimo
