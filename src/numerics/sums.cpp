#include "numerics/sums.hpp"

#include <cmath>
#include <string>

#include "core/check.hpp"

namespace cosimo {

double wrms_norm(std::span<const double> error, std::span<const double> value, double rtol, double atol) {
  COSIMO_CHECK(error.size() == value.size(), "norm of " + std::to_string(error.size()) + " errors of " +
                                                 std::to_string(value.size()) + " values");
  if (error.empty()) return 0;
  const double* const e = error.data();
  const double* const y = value.data();
  const double sum = reproducible_sum(error.size(), [=](std::size_t i) {
    const double weighted = e[i] / (atol + rtol * std::abs(y[i]));
    return weighted * weighted;
  });
  return std::sqrt(sum / static_cast<double>(error.size()));
}

}  // namespace cosimo
