// The equations of a part, whatever its model is made of, and a system of them that can be driven.
//
//   const auto equations = make_part_equations(model, part);       // immutable, one per subsystem
//   const auto driven = equations->make_system(ports);             // one per lane
//   driven->drive(inputs);                                         // one polynomial per input of the ports
//   make_integrator(driven->system(), options);
//
// Three kinds exist: parts of scalar models (subsystem/driven_part.hpp), of mechanisms
// (subsystem/mechanism_part.hpp), and the pendulum in minimal coordinates (subsystem/pendulum_part.hpp).
#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "model/model.hpp"
#include "native/driven_system.hpp"
#include "partition/part.hpp"
#include "subsystem/cut_ports.hpp"

namespace cosimo {

class PartEquations {
 public:
  virtual ~PartEquations() = default;

  virtual std::span<const double> initial_position() const = 0;
  virtual std::span<const double> initial_velocity() const = 0;
  /// First instant after t at which a load has an edge; infinity when there is none.
  virtual double next_breakpoint(double t) const = 0;
  /// Nothing depends on time.
  virtual bool autonomous() const { return false; }
  /// `ports` must outlive the system, and so must the equations.
  virtual std::unique_ptr<DrivenSystem> make_system(std::span<const CutPort> ports) const = 0;
};

/// The model must outlive them. Evaluations that take seconds fail soon after `interrupt` has become true.
std::unique_ptr<PartEquations> make_part_equations(const Model& model, const Part& part,
                                                   const std::atomic<bool>* interrupt = nullptr);

}  // namespace cosimo
