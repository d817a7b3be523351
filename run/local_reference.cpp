#include "run/local_reference.hpp"

#include <algorithm>
#include <cmath>

#include "partition/partition.hpp"

namespace cosimo {

namespace {

IntegratorOptions tight() {
  IntegratorOptions options;
  options.tolerances = {1e-12, 1e-15, 1e-12};
  return options;
}

}  // namespace

LocalReference::LocalReference(const Model& model, const Partition& cut, const CouplingConditions& conditions)
    : uncut_(uncut(model)),
      conditions_(conditions),
      couplings_(cut.interface.couplings),
      reference_(couplings_.size()) {
  subsystem_ =
      std::make_unique<MultibodySubsystem>(model, uncut_.parts.front(), PartId{0}, uncut_.interface, tight());
  const std::size_t n = couplings_.size();
  position_error_.resize(2 * n);
  velocity_error_.resize(2 * n);
  coupling_error_.resize(conditions_.size());
  u_reference_.resize(conditions_.size());
  error2_.resize(4 * n);
  first_.resize(4 * n);
  sum_.resize(4 * n);
  sum2_.resize(4 * n);
}

bool LocalReference::advance(const Window& window, std::span<const double> q, std::span<const double> v) {
  const auto bodies = subsystem_->bodies();
  std::vector<double> own_q(bodies.size()), own_v(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    own_q[i] = q[bodies[i].index()];
    own_v[i] = v[bodies[i].index()];
  }
  lane_ = subsystem_->make_lane(window.begin, own_q, own_v);
  if (lane_->advance(window, {}, {}).status != StepStatus::ok) return false;
  std::vector<double> position(bodies.size()), velocity(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    position[bodies[i].index()] = lane_->position()[i];
    velocity[bodies[i].index()] = lane_->velocity()[i];
  }
  for (std::size_t i = 0; i < couplings_.size(); ++i) {
    const std::size_t from = couplings_[i].from.body.index(), to = couplings_[i].to.body.index();
    reference_.from_x[i] = position[from];
    reference_.from_v[i] = velocity[from];
    reference_.to_x[i] = position[to];
    reference_.to_v[i] = velocity[to];
  }
  conditions_.evaluate(reference_, u_reference_);
  return true;
}

void LocalReference::measure(const CutStates& y, std::span<const double> u_predicted) {
  const std::size_t n = couplings_.size();
  auto add = [&](std::size_t slot, double value, double reference) {
    const double e = value - reference;
    if (steps_ == 0) first_[slot] = reference;
    const double r = reference - first_[slot];
    error2_[slot] += e * e;
    sum_[slot] += r;
    sum2_[slot] += r * r;
    return e;
  };
  for (std::size_t i = 0; i < n; ++i) {
    position_error_[2 * i] = add(2 * i, y.from_x[i], reference_.from_x[i]);
    position_error_[2 * i + 1] = add(2 * i + 1, y.to_x[i], reference_.to_x[i]);
    velocity_error_[2 * i] = add(2 * n + 2 * i, y.from_v[i], reference_.from_v[i]);
    velocity_error_[2 * i + 1] = add(2 * n + 2 * i + 1, y.to_v[i], reference_.to_v[i]);
  }
  for (std::size_t i = 0; i < coupling_error_.size(); ++i)
    coupling_error_[i] = u_predicted[i] - u_reference_[i];
  steps_ += 1;
}

double LocalReference::nrmse(std::size_t offset) const {
  double total = 0;
  for (std::size_t j = offset; j < offset + 2 * couplings_.size(); ++j) {
    const double spread = sum2_[j] - sum_[j] * sum_[j] / steps_;
    if (spread > 0) total += error2_[j] / spread;
  }
  return std::sqrt(total);
}

}  // namespace cosimo
