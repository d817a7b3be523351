// The local error of a co-simulation (Section 5): after every macro step the uncut model
// is started from the state at T_N, integrated with tight tolerances, and compared at
// T_{N+1}. Costly: meant for studies of small models (`simulate: {local_error: true}`).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "coupling/conditions.hpp"
#include "model/model.hpp"
#include "partition/part.hpp"
#include "subsystem/multibody.hpp"

namespace cosimo {

class LocalReference {
 public:
  LocalReference(const Model& model, const Partition& cut, const CouplingConditions& conditions,
                 const MotionScale& scale);

  /// Integrate the uncut model over the window from the state at its begin; false if that fails. `memory`: as
  /// in MultibodySubsystem::make_lane().
  [[nodiscard]] bool advance(const Window& window, std::span<const double> q, std::span<const double> v,
                             std::span<const double> memory = {});

  /// Errors (co-simulation minus reference): per coupling the coordinates of the `from` and then of the `to`
  /// body; and of the predicted coupling variables. Valid after advance().
  void measure(const CutStates& y, std::span<const double> u_predicted);
  std::span<const double> position_error() const { return position_error_; }
  std::span<const double> velocity_error() const { return velocity_error_; }
  std::span<const double> coupling_error() const { return coupling_error_; }

  /// NRMSE (5.2) of all coupling bodies over all steps measured so far.
  double position_nrmse() const { return nrmse(0); }
  double velocity_nrmse() const { return nrmse(position_error_.size()); }

 private:
  double nrmse(std::size_t offset) const;
  const Model& model_;
  Partition uncut_;
  std::unique_ptr<MultibodySubsystem> subsystem_;
  const CouplingConditions& conditions_;
  std::vector<Coupling> couplings_;
  std::unique_ptr<Lane> lane_;
  CutStates reference_;
  std::vector<double> position_error_, velocity_error_, coupling_error_, u_reference_;
  // Sums over the steps for (5.1), positions first, then velocities; references less their first value,
  // so that a small motion around a large mean keeps its digits.
  std::vector<double> error2_, first_, sum_, sum2_;
  double steps_ = 0;
};

}  // namespace cosimo
