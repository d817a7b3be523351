// The equations of motion of one part: M a = f(t, q, v) + input forces, with exact
// tangent. Immutable; any number of lanes may evaluate it at once.
//
// Accelerations come from tables of elements by rows (model/spring_slices.hpp), derivatives from runs of
// elements that join neighbouring coordinates (model/links.hpp) and a list of the others.
//
// The contributions to one coordinate are always added in the same order: elements, inputs, then loads by
// kind. Blocks therefore give the same bits as one call over everything.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "core/ids.hpp"
#include "model/attachments.hpp"
#include "model/links.hpp"
#include "model/load_table.hpp"
#include "model/masses.hpp"
#include "model/model.hpp"
#include "model/spring_slices.hpp"
#include "numerics/second_order.hpp"
#include "partition/part.hpp"

namespace cosimo {

/// A force on one coordinate from outside the part, with its time derivative.
struct InputForce {
  std::int32_t dof = 0;
  double value = 0;
  double rate = 0;
};

class Equations {
 public:
  /// Copies what it needs; the model need not outlive it.
  Equations(const Model& model, const Part& part);

  std::size_t size() const { return size_; }
  double inverse_mass(std::size_t dof) const { return masses_.inverse(dof); }
  const TangentPattern& pattern() const { return pattern_; }
  /// The largest distance between two coordinates that an element joins, at least 1.
  std::size_t reach() const { return std::max<std::size_t>(springs_.reach(), 1); }

  /// See System::acceleration. `inputs` holds the input forces at time t. False when a contact's
  /// exponent exceeds 600 or any acceleration in `dofs` is not finite: integrators need not look again.
  [[nodiscard]] bool acceleration(double t, const double* q, const double* v, double* a, Range dofs,
                                  std::span<const InputForce> inputs) const;
  /// The same with forces that are found when they are needed: push_inputs(push) calls push(dof, force) for
  /// those on `dofs`.
  template <class PushInputs>
  [[nodiscard]] bool driven_acceleration(double t, const double* q, const double* v, double* a, Range dofs,
                                         PushInputs push_inputs) const {
    bool finite = springs_.accelerate(q, v, a, dofs, masses_);
    push_inputs([&](std::int32_t dof, double force) {
      const auto i = static_cast<std::size_t>(dof);
      a[i] += force * masses_.inverse(i);
      finite &= std::isfinite(a[i]);
    });
    return loads_.add_accelerations(t, q, a, dofs, masses_) && finite;
  }
  /// Entries may be infinite where acceleration() would have failed; the factorisation then refuses them.
  void tangent(double t, const double* q, const double* v, Tangent& out) const {
    tangent(t, q, v, out, {0, size_});
  }
  /// The rows `dofs` alone: their diagonals and the edges from each to later ones.
  void tangent(double t, const double* q, const double* v, Tangent& out, Range dofs) const;
  void time_derivative(double t, const double* q, const double* v, double* a_t,
                       std::span<const InputForce> inputs) const;
  double next_breakpoint(double t) const { return loads_.breakpoints().next(t); }
  double longest_step(double t) const { return loads_.breakpoints().longest_step(t); }
  std::span<const std::int32_t> contacts() const { return loads_.contacts(); }  ///< model/load_table.hpp

  /// Initial state of the part's bodies.
  std::span<const double> initial_position() const { return q0_; }
  std::span<const double> initial_velocity() const { return v0_; }

  /// Kinetic plus potential energy (springs; loads do not count): a check for undamped systems.
  double energy(const double* q, const double* v) const;

 private:
  void add_bodies(const Model& model, const Part& part);
  void add_elements(const Model& model, const Part& part, const DofMap& dof_of);

  std::size_t size_ = 0;
  TangentPattern pattern_;
  Masses masses_;
  SpringSlices springs_;
  Links links_;
  Attachments attachments_;
  LoadTable loads_;
  AlignedVector q0_, v0_;
};

}  // namespace cosimo
