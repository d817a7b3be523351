// States wanted on the way from one instant to another.
#pragma once

#include <cstdint>
#include <span>

namespace cosimo {

/// At each of `times` (ascending, within the interval, its end included) the coordinates `dofs`, written row
/// by row (one row per time).
struct Samples {
  std::span<const double> times;
  std::span<const std::int32_t> dofs;
  std::span<double> position;
  std::span<double> velocity;
  /// First-order states z, as `dofs`; behind them memory s, as it was when the micro step began: what acts
  /// until its end.
  std::span<const std::int32_t> states{};
  std::span<double> state{};
};

}  // namespace cosimo
