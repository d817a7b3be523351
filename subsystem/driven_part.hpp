// A part's equations together with what drives its ports, as the integrators see them: a
// polynomial per port, or the recorded force of a neighbour that has been integrated before. Each lane has
// its own, so the scratch space is not shared.
#pragma once

#include <span>
#include <vector>

#include "integrator/system.hpp"
#include "model/equations.hpp"
#include "numerics/polynomial.hpp"
#include "subsystem/recorded_force.hpp"
#include "subsystem/subsystem.hpp"

namespace cosimo {

class DrivenPart final : public System {
 public:
  DrivenPart(const Equations& equations, std::span<const Port> ports);

  /// One polynomial per port.
  void drive(std::span<const Polynomial> inputs);
  /// The port is driven by this force from now on, whatever polynomial it is given.
  void drive_by_record(std::size_t port, const RecordedForce& force) { recorded_[port] = &force; }

  std::size_t size() const override { return equations_.size(); }
  const TangentPattern& pattern() const override { return equations_.pattern(); }
  std::size_t reach() const override { return equations_.reach(); }
  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override;
  void tangent(double t, const double* q, const double* v, Tangent& out) const override;
  void time_derivative(double t, const double* q, const double* v, double* a_t) const override;
  std::span<const std::int32_t> driven() const override { return driven_; }
  double next_breakpoint(double t) const override { return equations_.next_breakpoint(t); }

 private:
  std::span<const InputForce> forces(double t) const;

  const Equations& equations_;
  std::vector<Polynomial> inputs_;
  std::vector<const RecordedForce*> recorded_;  ///< null: the polynomial counts
  std::vector<double> signs_;
  std::vector<std::int32_t> driven_;
  // The stages of a step ask for the same instant block after block.
  mutable std::vector<InputForce> forces_;
  mutable double cached_t_;
  bool held_ = false;  ///< all inputs are constant over the macro step
};

}  // namespace cosimo
