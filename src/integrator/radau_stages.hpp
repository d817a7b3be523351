// The three stages of a Radau step and the Newton iteration that finds them.
//
//   RadauStages stages(system, tolerances);
//   if (!stages.linearise(from)) ...             at the beginning of the step; kept for other sizes of it
//   if (!stages.factor(h)) ...
//   if (!stages.solve(t_end, counters)) ...
//   stages.q(i), v(i), a(i), alpha(i)            i = 0..2; the last is the end of the step
//   stages.filter(d, e)                          (I - h mu f')^-1 of a perturbation, for the error
//
// A team shares the tangent, residuals, factors, solutions and all loops over the bodies
// (integrator/shared_equations.hpp, core/fellow.hpp); no bit depends on it.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "integrator/constrained_system.hpp"
#include "integrator/integrator.hpp"
#include "integrator/radau_tableau.hpp"
#include "integrator/shared_equations.hpp"
#include "integrator/state.hpp"
#include "numerics/kkt_solver.hpp"
#include "parallel/team.hpp"

namespace cosimo {

class RadauStages {
 public:
  RadauStages(const ConstrainedSystem& system, const Tolerances& tolerances,
              Linear linear = Linear::automatic, Team* team = nullptr);

  [[nodiscard]] bool linearise(const Point& from, Counters& counters);
  [[nodiscard]] bool factor(double h, Counters& counters);
  /// False when the iteration does not converge, or a force overflows.
  [[nodiscard]] bool solve(double t_end, Counters& counters);

  /// Of an attempt, in attempts of rk (integrator/stiffness.hpp).
  double cost(const Point& at);

  const double* q(std::size_t i) const { return q_[i]; }
  const double* v(std::size_t i) const { return v_[i]; }
  const double* a(std::size_t i) const { return a_[i]; }
  const double* z(std::size_t i) const { return z_[i].data(); }
  const double* z_rate(std::size_t i) const { return z_rate_[i].data(); }
  const double* alpha(std::size_t i) const { return alpha_[i].data(); }
  /// Accelerations of the freedoms at the beginning.
  const double* alpha_begin() const { return alpha_begin_.data(); }
  const double* z_rate_begin() const { return z_rate_begin_.data(); }

  /// Of displacements and velocities of the freedoms, and of first-order states.
  struct Perturbation {
    std::vector<double> x, w, z;
  };
  /// d -> e, which obeys the linearised constraints.
  void filter(const Perturbation& d, Perturbation& e, Counters& counters);

 private:
  using Rows = std::array<double*, radau::stages>;

  int fellows() const;
  // By fellows; each has coordinates and freedoms of its own.
  Range coordinates(const Fellow& me) const;
  Range freedoms(const Fellow& me) const;
  void begin(const Fellow& me);
  void begin_constant(Range own);
  void begin_extrapolated(const State& previous, Range own);
  void begin_states(const State* previous);
  void follow(const Fellow& me);
  bool residuals(double t_end, const Fellow& me);
  void correct(const Fellow& me);
  void keep_old(const Fellow& me);
  void note_change(const Fellow& me);
  double change() const;
  void lift(std::size_t stage, const Fellow& me);
  void lower(std::size_t stage, const Fellow& me);
  bool residual(std::size_t stage, double t, const Fellow& me);

  const ConstrainedSystem& system_;
  SharedEquations* shared_;  ///< null: the leader asks the system
  Team* team_;
  Tolerances tolerances_;
  KktOptions linear_;
  std::size_t n_, f_, m_, states_;
  radau::Eigenvectors real_, complex_;
  Point from_;
  double h_ = 0;
  Slab work_;
  Rows q_, v_, a_, old_q_, old_v_;
  double *weight_q_, *weight_v_, *a_begin_;
  std::vector<double> alpha_begin_, lambda_begin_;
  std::array<std::vector<double>, radau::stages> alpha_, lambda_;
  std::array<std::vector<double>, radau::stages> residual_;  ///< freedoms, then states, then rows
  std::vector<double> z_rate_begin_, weight_z_;
  std::array<std::vector<double>, radau::stages> z_, old_z_, z_rate_;
  StateTangent tangent_;
  std::optional<KktSolver<double>> real_solver_;
  std::optional<KktSolver<radau::Complex>> complex_solver_;
  double cost_ = 0;  ///< zero: not known yet
  std::vector<double> real_b_;
  std::vector<radau::Complex> complex_b_;
  std::vector<double> squares_;  ///< of the changes of coordinates, stage by stage
};

}  // namespace cosimo
