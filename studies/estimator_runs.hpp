// Runs of the two-mass oscillators M1 to M3 with the five error estimators ([K] 5.2): what the estimators
// say, and the true local errors.
//
// Results hold one number per macro step: the weighted norm (3.21) to (3.23) of the estimate. With fixed
// steps, which no weight can change, weights of 1 for positions and 1e-30 for velocities make it the root
// mean square of the estimated errors of both positions, in m; likewise for velocities and the force.
//
// True errors: of states as recorded by `simulate.local_error`. Of the predicted coupling force: the degree 2
// extrapolation (2.23) of the recorded forces, less the law (2.9) at the local reference's states.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "studies/lab.hpp"

namespace cosimo::studies {

inline constexpr std::array<const char*, 5> estimator_names{"exLE", "exMD", "exCV", "imMD", "imCV"};
enum EstimatorIndex : std::size_t { exLE, exMD, exCV, imMD, imCV };
/// Estimates errors of the coupling force, not of states.
inline bool judges_forces(std::size_t estimator) {
  return estimator == exCV || estimator == imCV;
}

/// Estimated and real local errors of accepted steps, without those of the start phase.
struct ErrorCourse {
  std::vector<double> t, estimated, real;

  /// Share within a factor 2, of the steps whose error exceeds a tenth of the largest.
  double good_share() const;
  /// Largest real over estimated error among those steps.
  double underestimate() const;
  /// Median of estimated over real error among those steps.
  double median_ratio() const;
};

/// With fixed macro steps.
struct FixedRun {
  ErrorCourse position, velocity;  ///< root mean squares over both masses; of exLE, exMD, imMD
  ErrorCourse force;               ///< of exCV, imCV
};

/// With controlled macro steps.
struct ControlledRun {
  double rtol = 0;
  double steps = 0, rejected = 0, mean_H = 0;
  double local_pos = 0, local_vel = 0;    ///< NRMSE (5.2)
  double global_pos = 0, global_vel = 0;  ///< against the reference
};

/// With the tolerances of Section 5.2, all macro points recorded.
struct ControlledCourse {
  StepHistory steps;
  std::vector<double> t, x1, v1, u;  ///< at macro points; of u none at t = 0
  ErrorCourse weighted;              ///< in units of the tolerance
};

struct ModelRuns {
  int model = 1;
  double end = 0, fixed_H = 0;
  std::vector<double> t, x1, v1, u;  ///< of the reference
  std::array<FixedRun, 5> fixed;
  std::array<std::vector<ControlledRun>, 5> controlled;  ///< by falling rtol
  std::array<ControlledCourse, 5> courses;

  /// The run with the tolerance of Section 5.2: 1e-5, of exCV and imCV 1e-3.
  const ControlledRun& base(std::size_t estimator) const;
};

struct EstimatorPlan {
  double end = 0.3;
  std::vector<double> rtols{1e-3, 1e-4, 1e-5, 1e-6};  ///< with 1e-3 and 1e-5
};

ModelRuns run_model(Lab& lab, int model, const EstimatorPlan& plan);

}  // namespace cosimo::studies
