// A quantity over the output times, as straight lines between them, and what measures ask of it. All means
// and integrals weigh by time, so that they do not depend on where outputs are dense.
//
//   const Course x = window(course, 2, 10);
//   double ride = std::sqrt(mean_square(x));
//   for (const Stretch& s : above(x, false)) ...     where x > 0
//
// Functions of a course expect at least one point. What is not defined there is NaN.
#pragma once

#include <memory>
#include <vector>

namespace cosimo::series {

struct Course {
  std::shared_ptr<const std::vector<double>> t;  ///< ascending; shared by courses that go together
  std::vector<double> y;

  double begin() const { return t->front(); }
  double end() const { return t->back(); }
};

/// From one time to another, both within the course; a border between two points becomes a point.
Course window(const Course& course, double from, double to);

double integral(const Course& course);     ///< by the trapezoidal rule
double mean(const Course& course);         ///< NaN where no time passes
double mean_square(const Course& course);  ///< of the values at the points, by the trapezoidal rule
double deviation(const Course& course);    ///< from the mean, root mean square
/// The value below which the lines stay for this fraction of the time; exact for straight lines.
double quantile(const Course& course, double fraction);
/// At a time within the course.
double value_at(const Course& course, double t);

struct Stretch {
  double begin = 0, end = 0;
};
using Stretches = std::vector<Stretch>;  ///< apart from each other, ascending

/// Where the course is > 0, or >= 0 when `closed`. Where it only touches zero, closed stretches have no
/// length, and open ones end and begin.
Stretches above(const Course& course, bool closed);
Stretches both(const Stretches& a, const Stretches& b);
Stretches either(const Stretches& a, const Stretches& b);  ///< what touches becomes one

}  // namespace cosimo::series
