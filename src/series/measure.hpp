// A measure: a formula over the results of a run that gives a number, or a curve, to compare runs by.
//
//   const Measure ride("rms(bodies.body.z, from=2)");     throws ExpressionError for what is no formula
//   const BoundMeasure bound = ride.on(names);            ... for a name that results do not have
//   for (const std::size_t place : bound.columns()) ...   what it reads of them: places in `names`
//   const MeasureResult result = bound.evaluate(times, columns);
//   if (!result.problem.empty()) ... the run has no such number, and the sentence says why
//
// Names are those of the results: wheel.x, der(wheel.x), strut.Fz, 7.x, energy.kinetic; bodies., elements. or
// joints. may be written before them, letter case aside where that leaves one name. t is time. What a formula
// knows beside operators and functions of formulas (numerics/expression.hpp):
//
//   max(x) min(x) mean(x) rms(x) deviation(x) quantile(x, 0.95) integral(x) initial(x) final(x) at(x, 1.5)
//   frequency(x)     of the largest oscillation; spectrum(x, f): amplitude of one; spectrum(x): all of them
//   first(x > 3) first(x > 3, otherwise)   when it first holds; count(x > 3): how often it begins to hold;
//   duration(x > 3): how long
//   all of them with from=, to=: only between these times
//   x[::10] x[5:20]  a curve of some output times; x[-1]: one value
//   sum(a, b, ...)   max(a, b), min(a, b): at every time
//   sum(abs(strut*.Fz)), max(...), min(...): over all names with something in the place of the star
//
// A course is straight lines between output times; means and integrals weigh by time. A condition holds from
// and to the times at which these lines cross. Whatever is not a finite number is a problem, never a number.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "numerics/expression.hpp"

namespace cosimo::series {

struct MeasureResult {
  std::string problem{};             ///< a sentence; empty: there is a result
  double number = 0;                 ///< of a measure that gives no curve
  std::vector<double> t{}, curve{};  ///< of one that does; of spectrum(x), t are frequencies
};

struct MeasureNode;

class BoundMeasure {
 public:
  const std::vector<std::size_t>& columns() const { return columns_; }
  /// Columns in the order of columns(), each as long as `time`, which ascends.
  MeasureResult evaluate(std::span<const double> time,
                         std::span<const std::span<const double>> columns) const;

 private:
  friend class Measure;
  std::shared_ptr<const MeasureNode> tree_;
  std::string text_;
  std::vector<std::size_t> columns_;
};

class Measure {
 public:
  explicit Measure(std::string text);

  const std::string& text() const { return text_; }
  bool gives_curve() const;
  BoundMeasure on(std::span<const std::string> names) const;

 private:
  std::string text_;
  std::shared_ptr<const MeasureNode> tree_;
};

}  // namespace cosimo::series
