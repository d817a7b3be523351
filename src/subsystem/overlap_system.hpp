// The equations of a part with the copies it carries, and a system of them that is driven where the carried
// bodies end: by held forces across the far edges, and at the cuts that are not carried.
//
//   const auto carried = make_overlap_system(model, part, inputs);   // inputs: far edges first, then cuts
//   carried->hold_far_forces(t, x, v, polynomials);                  // of the far edges, at published states
//   carried->drive(polynomials);
//   make_integrator(carried->system(), options);
//
// In a mechanism a far edge is what a force-driven cut is (subsystem/mechanism_part.hpp): the components of
// the element's effort are held, and the wrench on the copy turns with the copy.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "integrator/system.hpp"
#include "model/model.hpp"
#include "numerics/polynomial.hpp"
#include "partition/part.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/recorded_force.hpp"

namespace cosimo {

/// The elements whose memory parts with copies keep: those that cannot do without.
std::vector<ElementId> essential_memories(const Model& model, std::span<const ElementId> elements);

class OverlapSystem {
 public:
  virtual ~OverlapSystem() = default;

  /// What the integrators see.
  virtual const System& system() const = 0;
  /// What its elements remember at the beginning of a run, z and s.
  virtual void begin(const double* /*q*/, const double* /*v*/, double* /*z*/, double* /*s*/) const {}
  /// The forces across the far edges at the states of all bodies, constant from t on, into the first
  /// polynomials: one per component of every edge.
  virtual void hold_far_forces(double t, std::span<const double> x, std::span<const double> v,
                               std::span<Polynomial> inputs) const = 0;
  /// One polynomial per input; they are copied.
  virtual void drive(std::span<const Polynomial> inputs) = 0;
  /// The port is driven by this force from now on. Scalar models only.
  virtual void drive_by_record(std::size_t port, const RecordedForce& force) = 0;
  /// a[k] = acceleration of coordinate dofs[k] when the inputs have these values, whatever drives them. False
  /// when a force overflows.
  [[nodiscard]] virtual bool accelerations(double t, const Whole& y, std::span<const double> values,
                                           std::span<const std::int32_t> dofs, std::span<double> a) const = 0;
};

/// The first of `inputs` are those of the part's far edges. Everything given must outlive it.
std::unique_ptr<OverlapSystem> make_overlap_system(const Model& model, const OverlappingPart& part,
                                                   std::span<const CutPort> inputs);

}  // namespace cosimo
