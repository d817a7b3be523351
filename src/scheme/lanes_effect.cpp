// What errors of coupling variables do to the bodies beside the cuts (docs/decisions/0017).
#include <algorithm>
#include <array>
#include <limits>

#include "scheme/batch.hpp"
#include "scheme/lanes.hpp"

namespace cosimo {

/// Accelerations of a subsystem's outputs with these coupling variables; all NaN when a force overflows.
void LaneSet::push(Slot& slot, double t, std::span<const double> u, std::span<const PortState> shift,
                   std::span<double> a) {
  const auto variables = slot.subsystem->inputs();
  for (std::size_t i = 0; i < variables.size(); ++i) slot.push.u[i] = u[variables[i]];
  if (!slot.actual.lane->accelerations(t, slot.push.u, shift, a))
    std::fill(a.begin(), a.end(), std::numeric_limits<double>::quiet_NaN());
}

void LaneSet::effect(double t, std::span<const double> u, std::span<const double> other, PortState unit,
                     bool held, CutStates& error, std::span<double> a) {
  auto push_one = [&](std::size_t number) {
    Slot& slot = slots_[number];
    auto& [inputs, here, pushed, back, moved] = slot.push;
    const std::size_t n = slot.actual.outputs.size();
    if (!held) {
      push(slot, t, u, {}, here);
      push(slot, t, other, {}, pushed);
      for (std::size_t o = 0; o < n; ++o) pushed[o] -= here[o];
    }
    for (std::size_t o = 0; o < n; ++o) moved[o] = {unit.x * pushed[o], unit.v * pushed[o]};
    if (held) push(slot, t, u, moved, back);
    for (std::size_t o = 0; held && o < n; ++o) {
      const double ratio = (here[o] - back[o]) / pushed[o];
      if (ratio > 0) moved[o] = {moved[o].x / (1 + ratio), moved[o].v / (1 + ratio)};
    }
    for (const Port& port : slot.subsystem->ports())
      for (std::size_t k = 0; k < port.outputs; ++k) {
        const std::size_t at = layout_.first(port.coupling.index(), port.side) + k;
        error.x(port.side)[at] = moved[port.output + k].x;
        error.v(port.side)[at] = moved[port.output + k].v;
        a[layout_.joint_first(port.coupling.index(), port.side) + k] = here[port.output + k];
      }
  };
  pool_.run(slots_.size(), push_one, batch::pushing);
  if (!seam_->single()) share_effect(error, a);
}

/// Of the foreign ends, from their ranks.
void LaneSet::share_effect(CutStates& error, std::span<double> a) {
  constexpr std::size_t width = 3;
  effect_own_.resize(width * seam_->own_coordinates());
  effect_foreign_.resize(width * seam_->foreign_coordinates());
  const auto numbers = [&](const Seam::End& end, std::size_t k) {
    const std::size_t at = layout_.first(end.coupling, end.side) + k;
    return std::array{&error.x(end.side)[at], &error.v(end.side)[at],
                      &a[layout_.joint_first(end.coupling, end.side) + k]};
  };
  for (const Seam::End& end : seam_->own_ends())
    for (std::size_t k = 0; k < end.coordinates; ++k)
      for (std::size_t j = 0; j < width; ++j) effect_own_[width * (end.first + k) + j] = *numbers(end, k)[j];
  seam_->start(effect_own_, width);
  seam_->finish(effect_foreign_);
  for (const Seam::End& end : seam_->foreign_ends())
    for (std::size_t k = 0; k < end.coordinates; ++k)
      for (std::size_t j = 0; j < width; ++j)
        *numbers(end, k)[j] = effect_foreign_[width * (end.first + k) + j];
}

}  // namespace cosimo
