#include "scheme/recurrence.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"

namespace cosimo {

Recurrence::Recurrence(LaneSet& lanes, ClassicScheme& scheme, double H, int kappa)
    : lanes_(lanes), scheme_(scheme), H_(H), kappa_(kappa), points_(scheme.memory_points(kappa)) {
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    auto* lane = dynamic_cast<OscillatorLane*>(&lanes_.lane(i));
    COSIMO_CHECK(lane != nullptr, "a recurrence needs subsystems that are linear and exact");
    oscillators_.push_back(lane);
  }
}

bool Recurrence::step(std::span<double> z) {
  for (std::size_t i = 0; i < oscillators_.size(); ++i) oscillators_[i]->set_state(z[2 * i], z[2 * i + 1]);
  lanes_.adopt();
  const std::span<double> memory = z.subspan(2 * oscillators_.size());
  scheme_.write_memory(0, H_, points_, memory);
  if (!scheme_.attempt({{0, H_}, kappa_}, {}).ok) {
    scheme_.reject();
    return false;
  }
  scheme_.accept();
  for (std::size_t i = 0; i < oscillators_.size(); ++i) {
    z[2 * i] = oscillators_[i]->position().front();
    z[2 * i + 1] = oscillators_[i]->velocity().front();
  }
  scheme_.read_memory(points_, memory);
  return true;
}

std::vector<double> Recurrence::matrix() {
  const std::size_t n = size();
  std::vector<double> a(n * n);
  for (std::size_t j = 0; j < n; ++j) {
    const std::span<double> column(a.data() + j * n, n);
    column[j] = 1;
    if (!step(column)) std::fill(column.begin(), column.end(), std::numeric_limits<double>::infinity());
  }
  return a;
}

}  // namespace cosimo
