// A part of a mechanism as the integrators see it: its dynamics (mechanics/dynamics.hpp) with a wrench on the
// body of every port.
//
// A port driven by a force makes the wrench of the prescribed components of the element's effort and of where
// its own body is now: the arm turns with it. A port driven by motion keeps the element (2.6)-(2.8): the far
// body has the prescribed coordinates and rates, polynomials that need not be each other's derivative, and
// the element says the rest. The length of a prescribed quaternion means nothing (mechanics/body.hpp). Both
// depend on the state, so both add to stiffness and damping. A signal pushes along a freedom of its body: a
// force along a global axis at the reference point, or a torque.
//
// What its elements remember are the states z, the memory s and the roots of the system; those of an element
// that a port drives are nobody's.
//
// Each lane has its own: workspace and scratch are not shared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "integrator/constrained_system.hpp"
#include "mechanics/dynamics.hpp"
#include "model/cut_effort.hpp"
#include "numerics/polynomial.hpp"
#include "subsystem/part_equations.hpp"

namespace cosimo {

class MechanismPart final : public ConstrainedSystem, public DrivenSystem {
 public:
  /// The inputs of the ports must be numbered one after the other. Dynamics and model must outlive it.
  /// `initial` is where the part begins, for messages.
  MechanismPart(const Model& model, const Dynamics& dynamics, std::span<const CutPort> ports,
                std::span<const double> initial = {});
  ~MechanismPart() override;

  // As it is driven.
  const System& system() const override { return *this; }
  void drive(std::span<const Polynomial> inputs) override;
  void outputs(double t, const Whole& state, std::span<const double> inputs,
               std::span<PortState> y) const override;
  bool accelerations(double t, const Whole& y, std::span<const double> values,
                     std::span<double> a) const override;
  void begin(const double* q, const double* v, double* z, double* s) const override {
    dynamics_.begin(q, v, z, s);
  }
  /// The same of coordinates of any bodies: a[k] that of dofs[k].
  [[nodiscard]] bool accelerations(double t, const Whole& y, std::span<const double> values,
                                   std::span<const std::int32_t> dofs, std::span<double> a) const;
  /// One term of the series.
  bool respond(const Window& window, const Start& start, Response& response) override;
  /// Names the joints whose constraints have become dependent: a singular position.
  std::string explain(double t, const double* q, std::string_view method) const override;
  std::string_view complaint(double since) const override { return model_.mechanism->complaint(since); }
  std::span<const std::int32_t> output_dofs() const override { return output_dofs_; }

  // As it is integrated.
  std::size_t size() const override { return dynamics_.size(); }
  /// Everything depends on everything through the constraints: where there are some, all accelerations are
  /// evaluated.
  bool acceleration(double t, const double* q, const double* v, double* a, Range dofs) const override;
  /// What drives ports is found once for all coordinates.
  bool shareable() const override { return drivers_.empty() && dynamics_.divisible(); }
  double row_cost() const override { return dynamics_.row_cost(); }
  /// By central differences in time; inputs and elements are smooth between breakpoints.
  void time_derivative(double t, const double* q, const double* v, double* a_t) const override;
  std::span<const std::int32_t> driven() const override { return driven_; }
  double next_breakpoint(double t) const override;
  double longest_step(double t) const override;
  std::span<const std::uint8_t> angles() const override { return angles_; }
  /// Of its elements, and of those that drivers of motion keep.
  std::span<const std::int32_t> switch_laws() const override { return switch_laws_; }
  std::span<const std::int32_t> switch_dofs() const override { return switch_dofs_; }
  void switches(double t, const double* q, const double* v, Switch* out) const override;
  std::string law_name(std::int32_t law) const override;
  Extent extent() const override { return dynamics_.extent(); }
  std::span<const double> nominals() const override { return dynamics_.nominals(); }
  bool evaluate(double t, const Whole& y, double* a, double* z_rate) const override {
    return evaluate_with_multipliers(t, y, a, z_rate, nullptr);
  }
  void commit(double t, const Whole& y, double* s) const override {
    dynamics_.commit(t, y.q, y.v, remembered(y), s, work_.get());
  }
  void roots(double t, const Whole& y, double* g) const override {
    dynamics_.roots(t, y.q, y.v, remembered(y), g);
  }
  std::span<const std::int32_t> root_dofs() const override { return dynamics_.root_coordinates(); }
  Fired fire(double t, std::span<const std::int8_t> crossed, Editable& y) const override {
    return dynamics_.fire(t, crossed, y.q.data(), y.v.data(), y.z.data(), y.s.data());
  }

  SharedEvaluation* shared() const override;
  SharedEquations* shared_equations() const override;

  // As implicit methods integrate it.
  std::size_t freedoms() const override { return dynamics_.freedoms(); }
  std::span<const std::uint8_t> turning() const override { return turning_; }
  std::size_t constraints() const override { return dynamics_.constraints(); }
  void twist(const double* q, const double* v, double* w) const override { twist(q, v, w, all_bodies()); }
  void rates(const double* q, const double* w, double* v) const override { rates(q, w, v, all_bodies()); }
  void lift(const double* q, const double* v, const double* alpha, double* a) const override {
    lift(q, v, alpha, a, all_bodies());
  }
  void lower(const double* q, const double* v, const double* a, double* alpha) const override {
    lower(q, v, a, alpha, all_bodies());
  }
  /// Quaternions get the length one.
  void normalise(double* q) const override;
  bool residual(double t, const double* q, const double* v, const double* alpha, const double* lambda,
                double* r) const override {
    return whole_residual(t, {.q = q, .v = v}, alpha, lambda, r, nullptr);
  }
  bool whole_residual(double t, const Whole& y, const double* alpha, const double* lambda, double* r,
                      double* z_rate) const override;
  void position_residual(double t, const double* q, double* g) const override {
    dynamics_.position_residual(t, q, g);
  }
  void velocity_residual(double t, const double* q, const double* v, double* g) const override {
    dynamics_.velocity_residual(t, q, v, g);
  }
  void linearise(double t, const double* q, const double* v, const double* alpha, const double* lambda,
                 ConstrainedTangent& out) const override;
  ForceEntries force_entries() const override {
    return {dynamics_.entries(), dynamics_.entries_in_packs(), dynamics_.cost_in_tables()};
  }
  void linearise_whole(double t, const Whole& y, const double* alpha, const double* lambda,
                       StateTangent& out) const override;
  bool acceleration_and_multipliers(double t, const double* q, const double* v, double* a,
                                    double* lambda) const override {
    return evaluate_with_multipliers(t, {.q = q, .v = v}, a, nullptr, lambda);
  }
  bool evaluate_with_multipliers(double t, const Whole& y, double* a, double* z_rate,
                                 double* lambda) const override;
  bool project(double t, double* q, double* v, const MotionSizes& tolerances, bool& moved) const override;

 private:
  class Together;
  class Equations;
  struct Driver {
    CutPort port;
    std::optional<CutEffort> law;  ///< none: a signal
    std::size_t body = 0;          ///< among those of the dynamics
    BodyKind kind, far_kind;
  };
  /// A coordinate where a signal begins. Places are those of the reference point.
  struct Measured {
    CutPort port;
    std::size_t body = 0;    ///< among those of the dynamics
    Eigen::Index axis = -1;  ///< of a place away from the centre of mass; -1: the coordinate itself
  };
  /// What a port feels and how that changes: derivatives of its wrench with respect to its own body.
  struct OwnSlopes {
    Mat6 displacement = Mat6::Zero(), velocity = Mat6::Zero();
  };

  Range all_bodies() const { return {0, dynamics_.bodies()}; }
  void twist(const double* q, const double* v, double* w, Range bodies) const;
  void rates(const double* q, const double* w, double* v, Range bodies) const;
  void lift(const double* q, const double* v, const double* alpha, double* a, Range bodies) const;
  void lower(const double* q, const double* v, const double* a, double* alpha, Range bodies) const;
  static Remembered remembered(const Whole& y) { return {y.z, y.s}; }
  Measured measured_at(const CutPort& port) const;
  double measured_acceleration(const Measured& at, const Whole& y) const;
  void find_switches();
  void take_inputs(double t) const;
  [[nodiscard]] bool accelerate_with(double t, const Whole& y, std::span<const double> values) const;
  void finish_tangent(double t, const double* q, const double* v, ConstrainedTangent& out) const;
  [[nodiscard]] bool wrench_at(const Driver& driver, double t, const Frame& own, Wrench& out) const;
  [[nodiscard]] bool find_wrenches(double t, const double* q, const double* v) const;
  Wrench push(const Driver& driver, const Frame& own) const;
  Frame far_frame(const Driver& driver) const;
  [[nodiscard]] bool effort_at(const Driver& driver, double t, const Frame& own, Effort& out) const;
  OwnSlopes own_slopes(const Driver& driver, double t, const Frame& own) const;
  void add_port_terms(double t, const double* q, const double* v, ConstrainedTangent& out) const;
  void answer_unit_wrenches(const Driver& driver, const double* q);
  void respond_to_port(const Driver& driver, double t, const Start& start, std::span<PortState> derivative);

  const Model& model_;
  const Dynamics& dynamics_;
  Dynamics::WorkspacePtr work_;
  std::unique_ptr<Together> together_;
  std::unique_ptr<Equations> equations_;
  std::vector<Driver> drivers_;
  std::vector<Measured> measured_;
  std::vector<std::int32_t> driven_;
  std::vector<std::uint8_t> angles_, turning_;
  std::vector<std::int32_t> switch_laws_, switch_dofs_;
  std::vector<Dynamics::Law> switched_;  ///< by the switches
  std::vector<Polynomial> inputs_;
  std::vector<std::int32_t> output_dofs_;
  std::span<const double> initial_;
  double time_scale_ = 1;  ///< of the inputs
  // Stages of a step ask for the same instant several times.
  mutable double cached_t_;
  mutable std::vector<double> values_;  ///< of the inputs there
  mutable std::vector<ExternalWrench> wrenches_;
  mutable std::vector<double> a_, before_, z_rate_;
  std::vector<double> alpha_;
  std::vector<double> answers_;  ///< accelerations of the outputs per unit wrench: [component * outputs + o]
  double integrals_[2] = {0, 0};
};

}  // namespace cosimo
