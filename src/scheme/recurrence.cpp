#include "scheme/recurrence.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"

namespace cosimo {

Recurrence::Recurrence(LaneSet& lanes, ClassicScheme& scheme, double H, int kappa)
    : lanes_(lanes), scheme_(scheme), H_(H), kappa_(kappa), points_(scheme.memory_points(kappa)) {
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    COSIMO_CHECK(lanes_.lane(i).position().size() == 1, "one oscillator per subsystem");
}

bool Recurrence::step(std::span<double> z) {
  for (std::size_t i = 0; i < lanes_.size(); ++i)
    lanes_.lane(i).set_state(0, z.subspan(2 * i, 1), z.subspan(2 * i + 1, 1), {});
  lanes_.adopt(0);
  const std::span<double> memory = z.subspan(2 * lanes_.size());
  scheme_.write_memory(0, H_, points_, memory);
  if (!scheme_.attempt({{0, H_}, kappa_}, {}).ok) {
    scheme_.reject();
    return false;
  }
  scheme_.accept();
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    z[2 * i] = lanes_.lane(i).position().front();
    z[2 * i + 1] = lanes_.lane(i).velocity().front();
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
