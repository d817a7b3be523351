// What all schemes with classic cuts share. Coupling variables u are predicted at T_{N+1}, polynomials
// through the prediction drive the subsystems, the new states of the coupling bodies give u at T_{N+1}
// (Section 2.4):
//
//   predict -> [advance all subsystems, once or again and again] -> update u -> estimate the error
//
// The part in brackets is the scheme: ExplicitScheme, ImplicitScheme, WaveformScheme implement solve().
// Within it the subsystems advance all at once (Jacobi) or in stages (Gauss-Seidel, scheme/sequence.hpp): a
// later stage takes its inputs from the newest states of those before it and the predicted states of the
// rest.
//
// Estimators (3.1): exLE and exMD advance a second lane of every subsystem with comparison polynomials; imMD
// compares the states after the first sweep with the final ones; exCV, imCV and waCV compare predicted
// and final coupling variables, and judge also what their difference does to the bodies beside the cuts
// (docs/decisions/0017). The very first step of exLE and exMD is judged as exCV does, because the comparison
// needs one more history point than there is.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coupling/conditions.hpp"
#include "coupling/motion_predictor.hpp"
#include "network/course.hpp"
#include "scheme/coupling_norms.hpp"
#include "scheme/lanes.hpp"
#include "scheme/scheme.hpp"
#include "signal/history.hpp"
#include "signal/predictor.hpp"

namespace cosimo {

/// Prediction from accelerations (Appendix C).
struct MotionOptions {
  int degree = 0;               ///< of the accelerations, kappa_a
  std::optional<double> omega;  ///< accrel: weight of the extrapolation; empty: acc
  /// acc: the integrated course itself drives the subsystems, one order more than the polynomial of degree
  /// kappa_a through its end value (docs/decisions/0009).
  bool whole_course = false;
  bool update = true;  ///< accelerations at macro points are evaluated with the updated variables
};

struct ClassicOptions {
  Estimator estimator = Estimator::none;
  NormOptions norms;
  PredictorOptions predictor;
  std::optional<MotionOptions> motion;
  bool consistent_update = true;  ///< false: forces as the motion-driven subsystems report them
  std::vector<int> stages;        ///< per subsystem, for Gauss-Seidel; empty: Jacobi
};

class ClassicScheme : public Scheme {
 public:
  ~ClassicScheme() override;

  int admissible(int kappa) const override;
  Candidate attempt(const Attempt& attempt, std::span<const double> output_times) final;
  void accept() override;
  void reject() override;
  bool ends_early() const override { return lanes_.ends_early(); }
  [[nodiscard]] Events fire(PartId culprit) override;
  void restart() override;
  [[nodiscard]] bool renew() override;
  PointView point() const override { return {u_, u_pre_, y_, cut_error_}; }
  std::span<const double> variables() const override { return history_.values(0); }
  double variable_at(std::size_t variable, double t, bool held) const override;
  AttemptCost cost() const override;
  CouplingId worst() const override;
  void archive(Archive& a) override;
  void archive_coupling(Archive& a, std::size_t coupling) override;
  void archive_part(Archive& a, std::size_t part) override { lanes_.archive(a, part); }
  void resume() override;

  /// A coupling variable that follows an input from outside: its course is known.
  struct Known {
    std::size_t variable = 0, input = 0;
  };
  void follow(std::shared_ptr<OuterInputs> outer, std::vector<Known> known);
  /// Norms for the controller, of the accepted history and step size H.
  const DerivativeNorms& derivative_norms(double H);
  const History& history() const { return history_; }
  /// Estimated local errors of the last attempt: of the coupling bodies' states (exLE, exMD, imMD), or per
  /// coupling variable (exCV, imCV, waCV).
  const CutStates& estimated_states() const { return estimate_; }
  std::span<const double> estimated_coupling() const { return u_error_; }

  /// How many macro points back a step of this order looks.
  std::size_t memory_points(int kappa) const;
  /// What a step depends on besides the lanes' own states: the histories, as plain numbers, macro point after
  /// macro point from the oldest. With the states they make up the recurrence of a scheme
  /// (scheme/recurrence.hpp). `points`: how many macro points, at least memory_points().
  std::size_t memory_size(std::size_t points) const;
  void read_memory(std::size_t points, std::span<double> numbers) const;
  /// Replaces the histories by points on an equidistant grid that ends at `t`, where the lanes stand.
  void write_memory(double t, double H, std::size_t points, std::span<const double> numbers);

 protected:
  ClassicScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                const ClassicOptions& options);

  /// From the predicted inputs to states y_ of the coupling bodies and variables u_ at the end of the
  /// window. False: the candidate says why not.
  virtual bool solve(Candidate& candidate) = 0;
  /// What becomes of an error that the inputs' courses made in the states, when the coupling answers to it
  /// within the same step.
  virtual void close_loop(CutStates& /*error*/) {}
  bool judges_variables() const {
    return options_.estimator == Estimator::exCV || options_.estimator == Estimator::imCV ||
           options_.estimator == Estimator::waCV;
  }

  /// Advances every subsystem once with `polynomials_` and leaves the states of the coupling bodies in y_. A
  /// stage after the first takes new ends for its inputs from y_; so does the first one, unless `predicted`
  /// says that the inputs are final. `weight` is that of what they would have been in the sweep before
  /// (2.35). `extra` may ask for comparison lanes and for responses.
  bool sweep(Candidate& candidate, bool predicted, double weight, const LaneStep& extra = {});
  /// One number per coupling variable: those of one coupling.
  void archive_variables(Archive& a, std::size_t coupling, std::span<double> values) const;
  /// Polynomials through these end values.
  void shape_inputs(std::span<const double> ends);
  /// u at the end of the window: consistent with y, or as reported.
  void update(const CutStates& y, std::span<double> u) const;
  /// The final u_ at y_, where outputs that depend on inputs at once are brought into line with it. False
  /// where an algebraic loop has no solution.
  bool settle(Candidate& candidate);
  std::span<const double> reported_with() const;  ///< empty: consistent
  bool gauss_seidel() const { return lanes_.stages() > 1; }
  const ClassicOptions& options() const { return options_; }

  LaneSet& lanes_;
  const CouplingConditions& conditions_;
  Window window_;
  int kappa_ = 0;
  CutStates y_, y_first_;          ///< states of the coupling bodies: newest known, and after the first sweep
  std::vector<double> u_, u_pre_;  ///< coupling variables: final, predicted
  std::vector<double> ends_;       ///< end values of `polynomials_`
  std::vector<Polynomial> polynomials_;  ///< inputs of the actual lanes
  CouplingNorms norms_;
  std::size_t coordinates_in_all_ = 0;  ///< of the ends of all couplings of all ranks
  History history_;

 private:
  class Norms;
  void find_stage_variables();
  void know_ends(std::span<double> u) const;
  void know_courses(std::span<Polynomial> courses) const;
  void begin_anew();
  bool wait_for_event(Candidate& candidate);
  void predict();
  bool whole_course() const;
  void weigh_extrapolation(std::span<double> u) const;
  void predict_states(int degree, CutStates& y);
  void predict_comparison();
  void refine(int stage, double weight);
  void refine_comparison(int stage);
  void finish(Candidate& candidate);
  bool lost_turn(Candidate& candidate);
  void estimate(Candidate& candidate);
  void find_compared();
  void compare_variables(Candidate& candidate);
  void compare_states(const CutStates& other, double pos_factor, double vel_factor, Candidate& candidate);
  void judge_effect(Candidate& candidate);
  void judge_signals(Candidate& candidate);
  void judge_estimate(std::span<const double> accelerations, Candidate& candidate);
  ErrorConstants milne_ratios() const;
  ErrorConstants constants(int k) const;
  std::span<const double> flat(const CutStates& y);

  ClassicOptions options_;
  std::shared_ptr<OuterInputs> outer_;  ///< null: none
  std::vector<Known> known_;
  std::optional<MotionPredictor> motion_;
  std::optional<History> accelerations_;  ///< of the coupling bodies, with `motion`
  std::optional<History> states_;         ///< of the coupling bodies, for Gauss-Seidel without `motion`
  std::vector<std::vector<std::size_t>> stage_variables_;  ///< variables that drive the subsystems of a stage
  CutStates y_start_, y_compare_, estimate_;
  std::vector<double> u_compare_, u_error_, cut_error_, variables_error_, extrapolated_, refined_, flat_,
      next_accelerations_, end_accelerations_;
  std::vector<double> outputs_, old_outputs_;  ///< what states said about u, in this sweep and the one before
  std::vector<Polynomial> compare_;
  bool comparing_ = false;
  bool counts_turns_ = false;  ///< some coupling does, on whichever rank
  std::vector<Switch> switches_;
  double interface_seconds_ = 0, advance_seconds_ = 0;
  double mark_ = 0;  ///< clock after the last advance of this attempt, or at its beginning
  std::span<const double> output_times_;
  std::unique_ptr<Norms> derivative_norms_;
};

}  // namespace cosimo
