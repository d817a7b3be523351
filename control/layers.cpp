#include "control/layers.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

/// ln A falls by at most this much per step: one quiet step is no reason to give the copies up.
constexpr double forgetting = 0.25;

/// Added to ln A after a rejected step, whose error is the least reliable.
constexpr double caution = 0.7;

/// A macro point costs this part of a micro step: the last step is rarely a full one, and the
/// accelerations around the copies are evaluated again.
constexpr double point_cost = 0.8;

/// Body steps that one macro step costs everywhere and for every subsystem.
constexpr double step_cost = 600, part_cost = 30;

}  // namespace

LayerControl::LayerControl(std::size_t cuts, double first, double safety)
    : cuts_(cuts), margin_(std::log(safety)) {
  for (Cut& cut : cuts_) cut.amplitude = first;
}

void LayerControl::observe(std::size_t cut, double error, double exponent, bool accepted) {
  if (!std::isfinite(exponent) || !std::isfinite(error)) return;
  Cut& c = cuts_[cut];
  // More than a factor e was promised, not even 2 came: what is left has other causes.
  if (exponent < c.last_exponent - 1 && error > 0.5 * c.last_error) c.floor = std::max(c.floor, error);
  c.last_error = error;
  c.last_exponent = exponent;
  if (error <= 1.5 * c.floor) error = std::min(error, std::exp(-margin_));
  const double observed = std::log(std::max(error, 1e-300)) - exponent;
  if (!accepted && error > 1)
    c.amplitude = std::max(c.amplitude, observed + caution);
  else
    c.amplitude = std::max(observed, c.amplitude - forgetting);
}

double LayerControl::level(std::size_t cut) const {
  return cuts_[cut].amplitude + margin_;
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
