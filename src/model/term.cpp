#include "model/term.hpp"

#include <algorithm>
#include <utility>

#include "model/link_kernels.hpp"

namespace cosimo {

namespace {

bool all_equal(const AlignedVector& values) {
  return std::all_of(values.begin(), values.end(), [&](double value) { return value == values[0]; });
}

AlignedVector reduced(const AlignedVector& values) {
  AlignedVector one(1);
  if (!values.empty()) one[0] = values[0];
  return one;
}

}  // namespace

Term::Term() : Term(AlignedVector(1), AlignedVector(1), 1) {}

Term::Term(AlignedVector linear, AlignedVector nonlinear, double exponent) {
  const bool uniform = all_equal(linear) && all_equal(nonlinear);
  const bool absent =
      std::all_of(nonlinear.begin(), nonlinear.end(), [](double value) { return value == 0; });
  coefficients_.exponent = exponent;
  coefficients_.linear = uniform ? reduced(linear) : std::move(linear);
  coefficients_.nonlinear = uniform || absent ? reduced(nonlinear) : std::move(nonlinear);
  coefficients_.powered = !absent;
}

void Term::slope(std::size_t first, std::size_t n, const double* x, double* out) const {
  link_slopes(coefficients_, first, n, x, out);
}

}  // namespace cosimo
