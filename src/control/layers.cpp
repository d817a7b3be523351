#include "control/layers.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

/// ln A falls by at most this much per step: one quiet step is no reason to give the copies up.
constexpr double forgetting = 0.25;

/// Added to ln A after a rejected step, whose error is the least reliable.
constexpr double caution = 0.7;

/// An error may arrive larger than it was further out, where bodies become lighter, but not by more.
constexpr double focusing = 10;

/// A macro point costs this part of a micro step: states are handed over, accelerations around the
/// copies are evaluated again.
constexpr double point_cost = 0.2;

/// Body steps that one macro step costs everywhere and for every subsystem.
constexpr double step_cost = 600, part_cost = 300;

}  // namespace

LayerControl::LayerControl(std::size_t cuts, double first, double safety)
    : amplitude_(cuts, first), margin_(std::log(safety)) {}

void LayerControl::observe(std::size_t cut, double error, double exponent, bool accepted) {
  if (!std::isfinite(exponent) || !std::isfinite(error)) return;
  exponent = std::min(exponent, 0.0);  // nothing is lost inside the cone, and nothing gained
  double& amplitude = amplitude_[cut];
  const double observed = std::log(std::max(error, 1e-300)) - exponent;
  if (!accepted && error > 1)
    amplitude = std::max(amplitude, observed + caution);
  else
    amplitude = std::max(observed, amplitude - forgetting);
}

double LayerControl::level(std::size_t cut) const {
  return amplitude_[cut] + margin_;
}

double far_edge_share(std::span<const LayerMismatch> layers, double lost) {
  const LayerMismatch& first = layers.front();
  if (!(first.mismatch > 0) || first.mismatch > largest_solver_error) return 1;
  double share = 1, beyond = 0;
  for (std::size_t k = layers.size(); k-- > 0;) {
    if (std::isinf(layers[k].distance)) continue;
    beyond = std::max(beyond, layers[k].mismatch);
    const double rise = std::clamp(std::min(layers[k].distance, lost) - first.distance, 0.0, 600.0);
    double most = focusing * beyond;
    if (rise > 0) most = std::min(most, layers[k].mismatch * std::exp(-0.5 * rise));
    share = std::min(share, most / first.mismatch);
  }
  return share;
}

double overlap_cost(std::span<const OverlapCost> parts, double H) {
  double total = 0, points = step_cost;
  for (const OverlapCost& part : parts) {
    const double bodies = part.owned + part.copies;
    const double micro = std::min(part.micro, H);
    total += bodies / micro;
    points += point_cost * bodies + part_cost;
  }
  return total + points / H;
}

}  // namespace cosimo
