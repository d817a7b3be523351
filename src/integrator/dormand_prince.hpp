// The tableau of Dormand and Prince, order 5(4) with 7 stages, first same as last (J. Comput.
// Appl. Math. 6, 1980; Hairer, Norsett, Wanner: Solving ODEs I, Table II.5.2). Stable up to |h lambda| = 1 on
// the imaginary axis and 3.3 on the real axis.
#pragma once

#include <array>
#include <string_view>

namespace cosimo {

struct DormandPrince {
  static constexpr std::string_view name = "rk";
  static constexpr int stages = 7;
  static constexpr int error_order = 5;
  static constexpr bool capped = false;
  static constexpr bool inner_accelerations = true;
  using Row = std::array<double, stages>;

  static constexpr Row c{0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};
  static constexpr std::array<Row, stages> A{
      {{},
       {1. / 5},
       {3. / 40, 9. / 40},
       {44. / 45, -56. / 15, 32. / 9},
       {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
       {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
       {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}}};
  /// Weights of order 5 minus weights of order 4.
  static constexpr Row e{71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40};
};

}  // namespace cosimo
