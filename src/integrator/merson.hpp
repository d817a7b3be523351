// Merson's tableau, order 4(3) with five stages (Hairer, Norsett, Wanner: Solving ODEs I, Table II.4.1); the
// sixth is the new state, whose accelerations the next step begins with. Stable up to |h lambda| = 3.46 on
// the imaginary axis, 0.69 for each evaluation where Dormand and Prince have 0.17; 3.55 on the real axis,
// and 3.04 at a damping ratio of 0.3. For motion that swings with hardly any damping, at tolerances that do
// not ask for shorter steps.
#pragma once

#include <array>
#include <string_view>

namespace cosimo {

struct Merson {
  static constexpr std::string_view name = "merson";
  static constexpr int stages = 6;
  static constexpr int error_order = 4;
  static constexpr bool capped = true;
  /// The quintic of both ends is as good as the ends are (integrator/dense_output.hpp).
  static constexpr bool inner_accelerations = false;
  using Row = std::array<double, stages>;

  static constexpr Row c{0, 1. / 3, 1. / 3, 1. / 2, 1, 1};
  static constexpr std::array<Row, stages> A{{{},
                                              {1. / 3},
                                              {1. / 6, 1. / 6},
                                              {1. / 8, 0, 3. / 8},
                                              {1. / 2, 0, -3. / 2, 2},
                                              {1. / 6, 0, 0, 2. / 3, 1. / 6}}};
  /// Weights of order 4 minus weights of order 3; the error of linear equations goes with h^5.
  static constexpr Row e{1. / 15, 0, -3. / 10, 4. / 15, -1. / 30};
};

}  // namespace cosimo
