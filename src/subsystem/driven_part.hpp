// A part's equations together with what drives its ports, as the integrators see them. Each lane has its
// own. What drives a port is found anew for every acceleration of its body, so that threads may share a step.
//
// A port driven by a force feels +u at the `from` end of the cut element and -u at the `to` end (2.5); u is
// a polynomial, or the recorded force of a neighbour that has been integrated before. A port driven by
// motion keeps the element (2.6)-(2.8): the law is odd, so at either end the force on the own body is
//
//   F(x~(t) - x, v~(t) - v),
//
// with the prescribed position x~ and velocity v~ of the far body, two polynomials that need not be each
// other's derivative. It depends on the state: its slopes join the diagonals of K and C.
#pragma once

#include <span>
#include <vector>

#include "core/aligned.hpp"
#include "integrator/system.hpp"
#include "model/equations.hpp"
#include "numerics/polynomial.hpp"
#include "subsystem/cut_ports.hpp"
#include "subsystem/recorded_force.hpp"

namespace cosimo {

class DrivenPart final : public System {
 public:
  /// The ports' inputs must be numbered one after the other (number_inputs(), subsystem/cut_ports.hpp).
  DrivenPart(const Equations& equations, std::span<const CutPort> ports);

  /// One polynomial per input.
  void drive(std::span<const Polynomial> inputs);
  /// The port is driven by this force from now on, whatever polynomial it is given.
  void drive_by_record(std::size_t port, const RecordedForce& force);

  std::size_t size() const override { return equations_.size(); }
  const TangentPattern& pattern() const override { return equations_.pattern(); }
  std::size_t reach() const override { return equations_.reach(); }
  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override;
  bool shareable() const override { return true; }
  void tangent(double t, const double* q, const double* v, Tangent& out) const override {
    tangent_rows(t, q, v, out, {0, size()});
  }
  Range tangent_rows(double t, const double* q, const double* v, Tangent& out, Range dofs) const override;
  void time_derivative(double t, const double* q, const double* v, double* a_t) const override;
  std::span<const std::int32_t> driven() const override { return driven_; }
  std::size_t inputs() const override { return inputs_.size(); }
  InputEffect input_effect(std::size_t input, double t, const double* q, const double* v) const override;
  double next_breakpoint(double t) const override { return equations_.next_breakpoint(t); }
  double longest_step(double t) const override { return equations_.longest_step(t); }
  /// Of contacts alone: their coordinates.
  std::span<const std::int32_t> switch_laws() const override { return switch_laws_; }
  std::span<const std::int32_t> switch_dofs() const override { return equations_.contacts(); }
  void switches(double t, const double* q, const double* v, Switch* out) const override;

  double inverse_mass(std::size_t dof) const { return equations_.inverse_mass(dof); }
  /// a[k] = acceleration of dofs[k] when the inputs have these values, whatever drives them; nothing else is
  /// evaluated. False when a force overflows.
  [[nodiscard]] bool accelerations(double t, const double* q, const double* v, std::span<const double> values,
                                   std::span<const std::int32_t> dofs, std::span<double> a) const;

 private:
  struct ForcePort {
    std::size_t port = 0, input = 0;
    double sign = 1;
    const RecordedForce* record = nullptr;  ///< null: the polynomial counts
  };
  struct MotionPort {
    std::size_t port = 0, input = 0;
    std::size_t dof = 0;
    SpringLaw law;
  };
  struct Target {
    std::int32_t dof = 0;
    bool force = true;
    std::size_t number = 0;  ///< of the force or motion port
  };
  /// What an input is at an instant: its polynomial's value.
  struct Driven {
    const std::vector<Polynomial>& inputs;
    double t;
    double operator()(std::size_t input) const {
      const Polynomial& u = inputs[input];
      return u.degree == 0 ? u.a[0] : u(t);  // most are held
    }
    double operator()(const RecordedForce& record) const { return record.value(t); }
  };
  /// The same where its values are given.
  struct Given {
    std::span<const double> values;
    double operator()(std::size_t input) const { return values[input]; }
  };

  template <class Values>
  double force_at(const Target& port, Values value, const double* q, const double* v) const;
  template <class Values>
  bool accelerate(double t, const double* q, const double* v, double* a, Range dofs, Values value) const;

  const Equations& equations_;
  std::vector<Polynomial> inputs_;
  std::vector<ForcePort> force_ports_;
  std::vector<MotionPort> motion_ports_;
  std::vector<Target> targets_;  ///< per input
  std::vector<Target> by_dof_;   ///< per driven port, by degree of freedom
  std::vector<std::int32_t> driven_;
  std::vector<std::int32_t> switch_laws_;
  mutable std::vector<InputForce> rates_;  ///< per driven port, as last asked for
  mutable AlignedVector scratch_;          ///< of accelerations(); only the entries asked for have a meaning
};

}  // namespace cosimo
