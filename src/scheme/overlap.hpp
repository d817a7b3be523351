// The explicit scheme with overlapping subsystems:
//
//   fit the overlaps if asked to -> advance all lanes (each takes its copies' states from their
//   owners first) -> compare copies with owners -> estimate the error of the owned bodies
//
// A cut may be one-sided: the side with the faster bodies carries copies and advances first, the
// other is driven by the recorded force.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "control/layers.hpp"
#include "network/laws.hpp"
#include "parallel/pool.hpp"
#include "scheme/halos.hpp"
#include "scheme/lanes.hpp"
#include "scheme/overlap_model.hpp"
#include "scheme/scheme.hpp"

namespace cosimo {

class OverlapEstimator;

class OverlapScheme final : public Scheme {
 public:
  /// All lanes must be able to carry copies (Lane::copying()).
  OverlapScheme(LaneSet& lanes, std::span<const std::unique_ptr<Component>> subsystems,
                const OverlapModel& model, const Laws& laws, const OverlapOptions& options, Pool& pool);
  ~OverlapScheme() override;

  int admissible(int) const override { return 0; }
  Candidate attempt(const Attempt& attempt, std::span<const double> output_times) override;
  void accept() override;
  void reject() override;
  void abandon() override;
  PointView point() const override { return {u_, u_before_, y_, cut_error_, cut_layers_, widest_}; }
  std::span<const double> variables() const override { return u_; }
  CouplingId worst() const override { return where_worst(lanes_.seam(), cut_error_); }
  AttemptCost cost() const override;

  void archive(Archive& a) override;
  void archive_coupling(Archive& a, std::size_t coupling) override;
  void archive_part(Archive& a, std::size_t part) override;
  void resume() override;
  void restart() override { resume(); }

  /// The next attempts are of size H: fit the overlaps to that.
  void plan(double H);
  /// Lets the layers learn from the last attempt.
  void observe(bool accepted);

  /// Counted work per simulated time with macro steps of each of these sizes.
  std::vector<double> predicted_costs(std::span<const double> sizes);
  /// The longest H that the present layers hold.
  double longest_step() const;
  /// Rate (1/time) of the fastest motion at the cuts.
  double fastest_rate() const { return lanes_.seam().largest(halos_->fastest_rate()); }
  bool fixed_layers() const { return options_.layers.has_value(); }

 private:
  void leave_sides_bare(std::span<const Carrier> carriers);
  void fit_halos();
  void tell_others();
  void hear_ends();
  void merge_cuts();
  void set_grids(double H);
  void count_layers();
  double judge_cuts();
  void look_at_cut(std::size_t c);
  std::vector<double> joint_costs(std::span<const double> sizes, std::span<const double> copies) const;
  void excuse_solver_error(std::size_t c);
  /// Calls work(cuts) for ranges of cuts that cover all, in parallel where there are many.
  template <class Work>
  void over_cuts(Work work);

  LaneSet& lanes_;
  Pool& pool_;
  const Laws& laws_;
  OverlapOptions options_;
  std::span<const Coupling> couplings_;
  Overlapping& physics_;
  BodyStates& states_;
  std::vector<OverlapSide> sides_;
  struct End {
    std::int32_t part = -1, port = 0;  ///< -1: on another rank
  };
  std::vector<std::array<End, 2>> ends_;  ///< of every coupling
  std::unique_ptr<Ghosts> ghosts_;
  std::unique_ptr<Halos> halos_;
  LayerControl layers_;
  std::unique_ptr<OverlapEstimator> estimator_;

  double planned_ = 0;
  bool refit_ = false;
  double H_ = 0;                     ///< of the last attempt
  std::vector<double> wanted_;       ///< per subsystem: micro step that its error control wants at T_N
  std::vector<double> growth_;       ///< per subsystem: how much larger than one macro step before
  std::vector<double> micro_;        ///< scratch, per subsystem: micro step of the next attempt
  std::vector<std::size_t> order_;   ///< scratch: subsystems of all ranks by micro step
  std::vector<double> all_micro_;    ///< scratch: micro_ of all ranks
  std::vector<std::int64_t> grids_;  ///< scratch: and the equal steps they take
  std::vector<double> exponent_;     ///< scratch, per coupling: of the wider-open side
  CutStates y_;
  std::vector<double> u_, u_before_, cut_error_, merged_;
  std::vector<double> measured_error_;                      ///< before solver errors are excused
  std::vector<double> rejected_error_, rejected_exponent_;  ///< of the last rejected attempt at this step
  std::vector<std::int32_t> cut_layers_;
  int widest_ = 0;       ///< of all ranks
  int widest_ever_ = 0;  ///< since the start of the run
  double interface_seconds_ = 0;
};

}  // namespace cosimo
