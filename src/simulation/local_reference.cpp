#include "simulation/local_reference.hpp"

#include <algorithm>
#include <cmath>

#include "model/graphs.hpp"

namespace cosimo {

namespace {

IntegratorOptions tight(const MotionScale& scale) {
  IntegratorOptions options;
  options.tolerances = {1e-12, 0, 0, &scale};
  return options;
}

}  // namespace

LocalReference::LocalReference(const Model& model, const Partition& cut, const CouplingConditions& conditions,
                               const MotionScale& scale)
    : model_(model),
      uncut_(uncut(model)),
      conditions_(conditions),
      couplings_(cut.interface.couplings),
      reference_(conditions.layout()) {
  subsystem_ = std::make_unique<MultibodySubsystem>(model, uncut_.parts.front(), PartId{0}, uncut_.interface,
                                                    tight(scale));
  const std::size_t n = conditions_.layout().count();
  position_error_.resize(n);
  velocity_error_.resize(n);
  coupling_error_.resize(conditions_.size());
  u_reference_.resize(conditions_.size());
  error2_.resize(2 * n);
  first_.resize(2 * n);
  sum_.resize(2 * n);
  sum2_.resize(2 * n);
}

bool LocalReference::advance(const Window& window, std::span<const double> q, std::span<const double> v,
                             std::span<const double> memory) {
  const auto places = subsystem_->places();
  std::vector<double> own_q(q.size()), own_v(v.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    own_q[i] = q[places[i]];
    own_v[i] = v[places[i]];
  }
  lane_ = subsystem_->make_lane(window.begin, own_q, own_v, memory);
  if (lane_->advance(window, {}, {}).status != StepStatus::ok) return false;
  std::vector<double> position(q.size()), velocity(v.size());
  for (std::size_t i = 0; i < q.size(); ++i) {
    position[places[i]] = lane_->position()[i];
    velocity[places[i]] = lane_->velocity()[i];
  }
  for (std::size_t c = 0; c < couplings_.size(); ++c)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const CutEnd& end = side == CutSide::from ? couplings_[c].from : couplings_[c].to;
      const std::size_t first = conditions_.layout().first(c, side),
                        from = model_.coordinates(end.body).first;
      for (std::size_t k = 0; k < end.coordinates; ++k) {
        reference_.x(side)[first + k] = position[from + k];
        reference_.v(side)[first + k] = velocity[from + k];
      }
    }
  conditions_.evaluate(window.end, reference_, u_reference_);
  return true;
}

void LocalReference::measure(const CutStates& y, std::span<const double> u_predicted) {
  const CutLayout& layout = conditions_.layout();
  const std::size_t n = layout.count();
  auto add = [&](std::size_t slot, double value, double reference) {
    const double e = value - reference;
    if (steps_ == 0) first_[slot] = reference;
    const double r = reference - first_[slot];
    error2_[slot] += e * e;
    sum_[slot] += r;
    sum2_[slot] += r * r;
    return e;
  };
  for (std::size_t c = 0; c < couplings_.size(); ++c)
    for (const CutSide side : {CutSide::from, CutSide::to}) {
      const Range coordinates = layout.coordinates(c, side);
      std::size_t i = layout.joint_first(c, side);
      for (std::size_t k = coordinates.first; k < coordinates.last; ++k, ++i) {
        position_error_[i] = add(i, y.x(side)[k], reference_.x(side)[k]);
        velocity_error_[i] = add(n + i, y.v(side)[k], reference_.v(side)[k]);
      }
    }
  for (std::size_t i = 0; i < coupling_error_.size(); ++i)
    coupling_error_[i] = u_predicted[i] - u_reference_[i];
  steps_ += 1;
}

double LocalReference::nrmse(std::size_t offset) const {
  double total = 0;
  for (std::size_t j = offset; j < offset + position_error_.size(); ++j) {
    const double spread = sum2_[j] - sum_[j] * sum_[j] / steps_;
    if (spread > 0) total += error2_[j] / spread;
  }
  return std::sqrt(total);
}

}  // namespace cosimo
