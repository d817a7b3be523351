#include "model/term.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "model/power.hpp"

namespace cosimo {

namespace {

/// A coefficient in a loop: a constant, or a row of numbers.
template <bool uniform>
class Row {
 public:
  Row(const AlignedVector& values, std::size_t first) {
    if constexpr (uniform)
      value_ = values[0];
    else
      value_ = values.data() + first;
  }
  double operator[](std::size_t k) const {
    if constexpr (uniform)
      return value_;
    else
      return value_[k];
  }

 private:
  std::conditional_t<uniform, double, const double*> value_;
};

template <class Power, bool uniform>
void slope_loop(const Coefficients& p, std::size_t first, std::size_t n, const double* coordinates,
                double* __restrict out) {
  const double* __restrict x = coordinates + first;
  const Row<uniform> linear(p.linear, first);
  const double exponent = p.exponent;
  if constexpr (std::is_same_v<Power, NoPower>) {
    for (std::size_t k = 0; k < n; ++k) out[k] = linear[k];
  } else {
    const Row<uniform> nonlinear(p.nonlinear, first);
    for (std::size_t k = 0; k < n; ++k) {
      const double y = x[k + 1] - x[k];
      out[k] = linear[k] + (nonlinear[k] * exponent) * Power::at(y, exponent);
    }
  }
}

bool all_equal(const AlignedVector& values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
}

AlignedVector reduced(const AlignedVector& values) {
  AlignedVector one(1);
  if (!values.empty()) one[0] = values[0];
  return one;
}

}  // namespace

template <class Power, bool uniform>
void Term::choose() {
  slope_ = &slope_loop<Power, uniform>;
}

Term::Term() : Term(AlignedVector(1), AlignedVector(1), 1) {}

Term::Term(AlignedVector linear, AlignedVector nonlinear, double exponent) {
  const bool uniform = all_equal(linear) && all_equal(nonlinear);
  const bool absent =
      std::all_of(nonlinear.begin(), nonlinear.end(), [](double value) { return value == 0; });
  coefficients_.exponent = exponent;
  coefficients_.linear = uniform ? reduced(linear) : std::move(linear);
  coefficients_.nonlinear = uniform || absent ? reduced(nonlinear) : std::move(nonlinear);
  if (absent) {
    uniform ? choose<NoPower, true>() : choose<NoPower, false>();
    return;
  }
  with_power(exponent, [&](auto power) {
    using Power = decltype(power);
    uniform ? choose<Power, true>() : choose<Power, false>();
  });
}

}  // namespace cosimo
