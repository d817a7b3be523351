// Directions through the steps of the Rosenbrock method: its stages applied to the variational equation, with
// the step's own factorised matrix. With F = -K(t) dq - C(t) dv + e(t) shape(t), stage s is
//
//   (M + g C + g^2 K) W_s = g (F(t + c_s h, Q_s, V_s) + M sum_j C_sj/h W_j + d_s h F_t) - g^2 K r_s
//
// (rosenbrock.hpp, rodas.hpp): six back-substitutions per step and direction, no matrix, no force. The matrix
// belongs to the start of the step, as for the step itself; K(t) and C(t) are linear in time between the two
// ends of the step, and so is e(t). Directions of a linear system are exact.
//
// On a path a direction is held, and the equations are solved, where it is not negligible.
#pragma once

#include <vector>

#include "integrator/rodas_stages.hpp"
#include "integrator/slab.hpp"
#include "integrator/stepper.hpp"
#include "integrator/variation.hpp"

namespace cosimo {

class RosenbrockDirections {
 public:
  explicit RosenbrockDirections(const System& system) : system_(system), end_(system) {}

  /// `tangent` and the factors of `solver` are those of the step.
  void carry(const AcceptedStep& step, const Tangent& tangent, const SecondOrderSolver& solver,
             DirectionSet& set, Counters& counters);

 private:
  /// Arrays for one direction, zero but for the rows in use.
  struct Work {
    rodas::Stages w{};
    double* q = nullptr;    ///< Q_s
    double* v = nullptr;    ///< V_s
    double* r = nullptr;    ///< g r_s
    double* f = nullptr;    ///< F - g K r_s
    double* f_t = nullptr;  ///< h F_t
  };
  /// One direction during one step.
  struct Task {
    Direction* direction = nullptr;
    InputEffect begin, end;
    Range live;  ///< where stages and states so far are not zero
    Work work;
  };
  /// What all directions have in common during one step.
  struct Common {
    const AcceptedStep& step;
    const Tangent& tangent;
    const SecondOrderSolver& solver;
    const Polynomial& shape;
    std::size_t reach;
    double force(const Task& task, std::size_t s) const;
    double rate(const Task& task) const;
  };

  void allocate(std::size_t directions);
  template <std::size_t s>
  void stage(const Common& common);
  template <std::size_t s>
  void prepare(const Common& common, Task& task);
  template <std::size_t s>
  static void stage_state(const Task& task, double h);
  template <std::size_t s>
  static void right_hand_side(const Common& common, const Task& task);
  static void finish(const Task& task, double h);

  const System& system_;
  LocalTangent end_;
  Slab storage_;
  std::vector<Task> tasks_;
  std::vector<NearSide> sides_;
};

}  // namespace cosimo
