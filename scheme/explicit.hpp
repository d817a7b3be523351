// The explicit scheme (Section 2.4.1), Jacobi, force/force decomposition:
//
//   predict u at T_{N+1} -> approximation polynomials -> advance all lanes
//   -> consistent update u = phi(y) -> estimate the error
//
// Estimators: exLE and exMD advance a second lane of every subsystem with comparison
// polynomials and judge the states of the coupling bodies; exCV compares predicted and
// updated coupling variables. The very first step of exLE and exMD is judged as exCV does,
// because the comparison needs one more history point than there is.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "coupling/force_laws.hpp"
#include "scheme/lanes.hpp"
#include "scheme/scheme.hpp"
#include "signal/history.hpp"
#include "signal/predictor.hpp"

namespace cosimo {

struct EstimateOptions {
  Estimator estimator = Estimator::exCV;
  double rtol = 1e-4;
  double atol_pos = 1e-7, atol_vel = 1e-4;
  /// 0: rtol times the running magnitude of the coupling variables, plus the force that a coupling
  /// exerts when its ends are off by atol_pos and atol_vel: errors below that do not matter, and
  /// a model that starts from rest has no magnitude yet.
  double atol_u = 0;
};

struct ExplicitOptions {
  EstimateOptions estimate;
  PredictorOptions predictor;
};

class ExplicitScheme final : public Scheme {
 public:
  ExplicitScheme(LaneSet& lanes, const ForceLaws& laws, double t_start, const ExplicitOptions& options);

  int admissible(int kappa) const override;
  Candidate attempt(const Attempt& attempt, std::span<const double> output_times) override;
  void accept() override;
  void reject() override;
  /// Norms for the controller, of the accepted history and step size H.
  const DerivativeNorms& derivative_norms(double H);
  PointView point() const override { return {u_, u_pre_, y_, cut_error_}; }
  AttemptCost cost() const override;

  const History& history() const { return history_; }
  /// Estimated local errors of the last attempt: per coupling, both bodies (exLE, exMD) or u (exCV).
  const CutStates& estimated_states() const { return estimate_; }
  std::span<const double> estimated_coupling() const { return u_error_; }

 private:
  class Norms;
  bool prepare(const Window& window, int kappa);
  void estimate_coupling(Candidate& candidate);
  void estimate_states(const Window& window, Candidate& candidate);
  double atol_u(std::size_t coupling) const;
  double weighted_norm(std::span<const double> error, std::span<const double> u) const;

  LaneSet& lanes_;
  const ForceLaws& laws_;
  ExplicitOptions options_;
  History history_;
  CutStates y_, y_compare_, estimate_;
  std::vector<double> u_, u_pre_, u_compare_, u_error_, cut_error_;
  std::vector<Polynomial> actual_, compare_;
  std::vector<double> floor_;  ///< force of each coupling at the absolute tolerances
  double magnitude_ = 0;       ///< running magnitude of u over accepted points
  double next_magnitude_ = 0;  ///< with the candidate
  double next_time_ = 0;
  double interface_seconds_ = 0;
  std::unique_ptr<Norms> norms_;

 public:
  ~ExplicitScheme() override;
};

}  // namespace cosimo
