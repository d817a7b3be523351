// A curve through given points that does not overshoot: piecewise cubic, continuously differentiable, and
// monotone wherever the points are (F. N. Fritsch and J. Butland, SIAM J. Sci. Stat. Comput. 5, 1984; known
// as PCHIP). Where the points turn it is flat there. Beyond the ends it goes on as a straight line.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cosimo {

class MonotoneCubic {
 public:
  /// A value with its exact derivative.
  struct Value {
    double y = 0, slope = 0;
  };

  /// Points (x[i], y[i]): at least two, finite, x strictly ascending.
  MonotoneCubic(std::span<const double> x, std::span<const double> y);

  Value at(double x) const;
  double operator()(double x) const { return at(x).y; }
  /// The second derivative; at a point the one from there on.
  double curvature(double x) const;
  /// Integral from the first point to x.
  double integral(double x) const;

  std::size_t size() const { return knots_.size(); }
  double first() const { return knots_.front().x; }
  double last() const { return knots_.back().x; }

 private:
  struct Knot {
    double x = 0, y = 0, slope = 0;
    double area = 0;  ///< integral up to here
  };
  /// The last knot at or before x; the first one where there is none.
  const Knot& before(double x) const;
  /// Integral from the first point to x, which lies between these two.
  static double area(const Knot& left, const Knot& right, double x);

  std::vector<Knot> knots_;
};

}  // namespace cosimo
