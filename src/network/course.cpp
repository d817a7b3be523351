#include "network/course.hpp"

#include <string>
#include <utility>

#include "core/check.hpp"

namespace cosimo {

Polynomial on_window(const Polynomial& p, const Window& window) {
  const auto n = static_cast<std::size_t>(p.degree);
  const double shift = (window.begin - p.origin) / p.scale, ratio = window.size() / p.scale;
  Polynomial result = p;
  result.origin = window.begin;
  result.scale = window.size();
  // Taylor shift by repeated synthetic division, then the stretch.
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = n; i-- > j;) result.a[i] += shift * result.a[i + 1];
  double power = 1;
  for (std::size_t j = 0; j <= n; ++j, power *= ratio) result.a[j] *= power;
  return result;
}

Polynomial course_of(double t, std::span<const double> derivatives) {
  COSIMO_CHECK(!derivatives.empty() && derivatives.size() <= max_degree + 1,
               std::to_string(derivatives.size()) + " numbers for a polynomial");
  Polynomial course;
  course.origin = t;
  double factorial = 1;
  for (std::size_t j = 0; j < derivatives.size(); ++j) {
    if (j > 0) factorial *= static_cast<double>(j);
    course.a[j] = derivatives[j] / factorial;
    if (course.a[j] != 0) course.degree = static_cast<int>(j);
  }
  return course;
}

void OuterInputs::add(std::string name, double start) {
  inputs.push_back({std::move(name), start, course_of(0, {&start, 1})});
}

void OuterInputs::begin() {
  for (Input& input : inputs) input.course = course_of(0, {&input.start, 1});
}

void OuterInputs::archive(Archive& a) {
  if (inputs.empty()) return;
  a.section("inputs from outside");
  for (Input& input : inputs) a(input.course.degree, input.course.origin, input.course.scale, input.course.a);
}

}  // namespace cosimo
