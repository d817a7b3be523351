// The explicit scheme with overlapping subsystems:
//
//   fit the overlaps if asked to -> advance all lanes (each takes its copies' states from their
//   owners first) -> compare copies with owners -> estimate the error of the owned bodies
//
// Estimator exOV. At every cut the copy just behind it and its owner have integrated the same body;
// they differ by dx_j, dv_j because of what came in through the copy's far edge. That mismatch, not
// yet on the owned body i, is pushed through the cut element with tangents k, d:
//
//   p_j  = |H dv_j / dx_j|, within 1 and 2 w + 2       the mismatch grew like t^p_j
//   dv_i = 1/m_i sum_j (k H / (p_j + 1) + d) dx_j,     dx_i = dv_i H / (p + 2)
//   error of i: 1 / (1 / |d_i| + 1 / |d_j|)            |.| weighted with the tolerances at i, largest d_j
//
// Where p_j is at a limit, dx_j or dv_j is raised to fit it. The owned bodies next to i get what the same
// loss once more leaves of d_i, weighed with their tolerances: they may be at rest where i is not. The
// weights are atol + rtol times the larger magnitude at the two ends of the step.
//
// A cut may be one-sided: the side with the faster bodies carries copies and advances first, the
// other is driven by the recorded force.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "coupling/force_laws.hpp"
#include "scheme/halos.hpp"
#include "scheme/lanes.hpp"
#include "scheme/scheme.hpp"

namespace cosimo {

/// Which side of a cut carries copies.
enum class Carrier { both, from, to };

/// The model and its cuts as the overlap needs them.
struct OverlapModel {
  const Model& model;
  const Surroundings& surroundings;
  std::span<const std::int32_t> part_of;  ///< per body
  std::span<const Coupling> couplings;
  std::span<const Carrier> carriers;  ///< per coupling; empty: both sides everywhere
};

struct OverlapOptions {
  double rtol = 1e-6, atol_pos = 1e-9, atol_vel = 1e-6;
  double safety = 6;
  std::optional<int> layers;  ///< empty: chosen and adapted
};

class OverlapScheme final : public Scheme {
 public:
  /// The lanes must be those of OverlapSubsystems.
  OverlapScheme(LaneSet& lanes, std::span<const std::unique_ptr<Subsystem>> subsystems,
                const OverlapModel& model, const ForceLaws& laws, const OverlapOptions& options, Pool& pool);
  ~OverlapScheme() override;

  int admissible(int) const override { return 0; }
  Candidate attempt(const Attempt& attempt, std::span<const double> output_times) override;
  void accept() override;
  void reject() override;
  PointView point() const override { return {u_, u_before_, y_, cut_error_, cut_layers_}; }
  AttemptCost cost() const override;

  /// The next attempts are of size H: fit the overlaps to that.
  void plan(double H);
  /// Lets the layers learn from the last attempt.
  void observe(bool accepted);

  /// Counted work per simulated time with macro steps of size H.
  double predicted_cost(double H) const;
  /// The longest H that the present layers hold.
  double longest_step() const;
  /// Rate (1/time) of the fastest motion at the cuts.
  double fastest_rate() const { return halos_->fastest_rate(); }
  /// A fraction of all bodies that are carried as copies, on top of the owned ones.
  double copied_share() const;
  bool fixed_layers() const { return options_.layers.has_value(); }

 private:
  struct CutBody;
  void leave_sides_bare(std::span<const Carrier> carriers);
  std::size_t port_of(std::size_t part, CouplingId coupling) const;
  void set_grids(double H);
  void estimate(double H, Candidate& candidate);
  double push_through(const CutBody& body, double H);
  double coupling_share(std::size_t part, std::size_t port) const;
  PortState mismatch(std::size_t part, std::size_t port) const;
  double weighted(BodyId body, PortState d) const;
  void count_layers();

  LaneSet& lanes_;
  const ForceLaws& laws_;
  OverlapOptions options_;
  std::span<const Coupling> couplings_;
  std::vector<const OverlapSubsystem*> subsystems_;
  std::vector<OverlapLane*> overlap_;
  std::unique_ptr<BodyStates> states_;
  std::unique_ptr<Halos> halos_;
  LayerControl layers_;
  std::vector<RecordedForce> records_;  ///< of one-sided cuts
  std::vector<CutBody> cut_bodies_;

  double planned_ = 0;
  bool refit_ = false;
  double H_ = 0;                     ///< of the last attempt
  std::vector<double> wanted_;       ///< per subsystem: micro step that its error control wants at T_N
  std::vector<double> micro_;        ///< per subsystem: mean micro step of the last accepted step
  std::vector<std::int64_t> steps_;  ///< per subsystem: micro steps up to T_N
  CutStates y_;
  std::vector<double> u_, u_before_, cut_error_;
  std::vector<std::int32_t> cut_layers_;
  std::vector<Polynomial> held_;
  double interface_seconds_ = 0;
};

}  // namespace cosimo
