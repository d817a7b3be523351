#include "series/spectrum.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <numbers>
#include <utility>

namespace cosimo::series {

namespace {

using std::numbers::pi;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t fewest_points = 8;

double length(const Course& course) {
  return course.end() - course.begin();
}

/// Of all points: the window at its time, times the time around it.
std::vector<double> weights(const Course& course) {
  const std::vector<double>& t = *course.t;
  std::vector<double> out(t.size());
  for (std::size_t i = 0; i < t.size(); ++i) {
    const double around = (t[std::min(i + 1, t.size() - 1)] - t[i == 0 ? 0 : i - 1]) / 2;
    out[i] = around * std::pow(std::sin(pi * (t[i] - course.begin()) / length(course)), 4);
  }
  return out;
}

/// The fit with one frequency; none: only the straight line.
struct Fit {
  Eigen::Vector4d unknowns;  ///< value in the middle, slope, cosine, sine
  double explained = 0;      ///< weighted square of what it explains
  double amplitude() const { return std::hypot(unknowns[2], unknowns[3]); }
};

Fit fit(const Course& course, const std::vector<double>& weight, double frequency) {
  const double middle = course.begin() + length(course) / 2, half = length(course) / 2;
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const double t = (*course.t)[i] - middle, phase = 2 * pi * frequency * t;
    const Eigen::Vector4d row(1, t / half, std::cos(phase), std::sin(phase));
    matrix.noalias() += weight[i] * row * row.transpose();
    right.noalias() += weight[i] * course.y[i] * row;
  }
  const Eigen::Index size = frequency > 0 ? 4 : 2;
  Fit out{Eigen::Vector4d::Zero()};
  out.unknowns.head(size) = matrix.topLeftCorner(size, size).ldlt().solve(right.head(size));
  out.explained = out.unknowns.dot(right);
  return out;
}

/// The change of frequency that brings the fit nearer to the course, to first order.
double frequency_change(const Course& course, const std::vector<double>& weight, const Fit& at,
                        double frequency) {
  using Vector = Eigen::Matrix<double, 5, 1>;
  const double middle = course.begin() + length(course) / 2, half = length(course) / 2;
  Eigen::Matrix<double, 5, 5> matrix = Eigen::Matrix<double, 5, 5>::Zero();
  Vector right = Vector::Zero();
  for (std::size_t i = 0; i < weight.size(); ++i) {
    const double t = ((*course.t)[i] - middle) / half, phase = 2 * pi * frequency * t * half;
    const double c = std::cos(phase), s = std::sin(phase);
    const Vector row(1, t, c, s, t * (at.unknowns[3] * c - at.unknowns[2] * s));
    matrix.noalias() += weight[i] * row * row.transpose();
    right.noalias() += weight[i] * (course.y[i] - row.head<4>().dot(at.unknowns)) * row;
  }
  return matrix.ldlt().solve(right)[4] / (2 * pi * half);
}

/// The course without its straight line, which it returns beside how much is left of its size.
struct Swinging {
  Course course;
  double size = 0, whole = 0;  ///< weighted squares: of what is left, of everything
};
Swinging without_line(const Course& course, const std::vector<double>& weight) {
  const Fit line = fit(course, weight, 0);
  const double middle = course.begin() + length(course) / 2, half = length(course) / 2;
  Swinging out{course};
  for (std::size_t i = 0; i < weight.size(); ++i) {
    double& y = out.course.y[i];
    out.whole += weight[i] * y * y;
    y -= line.unknowns[0] + line.unknowns[1] * ((*course.t)[i] - middle) / half;
    out.size += weight[i] * y * y;
  }
  return out;
}

/// In place, by halves (Cooley, Tukey 1965); the size is a power of two.
void transform(std::vector<std::complex<double>>& x) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  std::vector<std::complex<double>> root(n / 2);
  for (std::size_t k = 0; k < root.size(); ++k)
    root[k] = std::polar(1.0, -2 * pi * static_cast<double>(k) / static_cast<double>(n));
  for (std::size_t half = 1; half < n; half *= 2)
    for (std::size_t start = 0; start < n; start += 2 * half)
      for (std::size_t k = 0; k < half; ++k) {
        const std::complex<double> odd = root[k * (n / (2 * half))] * x[start + k + half];
        x[start + k + half] = x[start + k] - odd;
        x[start + k] += odd;
      }
}

/// At equally many times that are equally far apart; itself where they are.
std::vector<double> at_equal_steps(const Course& course) {
  const std::vector<double>& t = *course.t;
  const double step = length(course) / static_cast<double>(t.size() - 1);
  std::vector<double> out = course.y;
  for (std::size_t i = 1; i + 1 < t.size(); ++i) {
    const double place = course.begin() + step * static_cast<double>(i);
    if (std::abs(t[i] - place) > 1e-6 * step) out[i] = value_at(course, place);
  }
  return out;
}

/// What the fit explains has one maximum between these. Golden sections come near it, Gauss-Newton steps get
/// there: the slope of the oscillation by its frequency is one more function to fit.
double refined(const Course& course, const std::vector<double>& weight, double low, double high) {
  const double golden = (std::sqrt(5.0) - 1) / 2, bracket = high - low;
  const auto explained = [&](double f) { return fit(course, weight, f).explained; };
  double a = high - golden * bracket, b = low + golden * bracket;
  double at_a = explained(a), at_b = explained(b);
  while (high - low > 1e-2 * bracket) {
    if (at_a > at_b) {
      high = b, b = a, at_b = at_a;
      at_a = explained(a = high - golden * (high - low));
    } else {
      low = a, a = b, at_a = at_b;
      at_b = explained(b = low + golden * (high - low));
    }
  }
  double frequency = (low + high) / 2;
  for (int step = 0; step < 30; ++step) {
    const double change = frequency_change(course, weight, fit(course, weight, frequency), frequency);
    if (!(std::abs(change) <= bracket)) break;
    frequency += change;
    if (std::abs(change) <= 1e-15 * frequency) break;
  }
  return frequency;
}

}  // namespace

double amplitude(const Course& course, double frequency) {
  if (course.y.size() < fewest_points || !(frequency * length(course) >= 1)) return nan;
  return fit(course, weights(course), frequency).amplitude();
}

Course spectrum(const Course& course) {
  Course out{std::make_shared<const std::vector<double>>(), {}};
  if (course.y.size() < fewest_points) return out;
  const std::vector<double> y = at_equal_steps(without_line(course, weights(course)).course);
  std::vector<std::complex<double>> x(std::bit_ceil(2 * y.size()));
  double sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double window =
        std::pow(std::sin(pi * static_cast<double>(i) / static_cast<double>(y.size() - 1)), 4);
    x[i] = window * y[i];
    sum += window;
  }
  transform(x);
  const double step = length(course) / static_cast<double>(y.size() - 1);
  std::vector<double> frequencies(x.size() / 2);
  out.y.resize(frequencies.size());
  for (std::size_t k = 0; k < frequencies.size(); ++k) {
    frequencies[k] = static_cast<double>(k) / (step * static_cast<double>(x.size()));
    out.y[k] = 2 * std::abs(x[k]) / sum;
  }
  out.t = std::make_shared<const std::vector<double>>(std::move(frequencies));
  return out;
}

double dominant_frequency(const Course& course) {
  const Course all = spectrum(course);
  if (all.y.empty()) return nan;
  const std::vector<double> weight = weights(course);
  const Swinging swinging = without_line(course, weight);
  if (!(swinging.size > 1e-24 * swinging.whole)) return nan;  // what rounding leaves of a straight line
  const std::vector<double>& frequencies = *all.t;
  // Slower than one period there is only drift.
  const auto first = std::ranges::lower_bound(frequencies, 1 / length(course)) - frequencies.begin();
  const auto top =
      static_cast<std::size_t>(std::max_element(all.y.begin() + first, all.y.end()) - all.y.begin());
  const double low = frequencies[top - 1], high = frequencies[std::min(top + 1, frequencies.size() - 1)];
  return refined(swinging.course, weight, low, high);
}

}  // namespace cosimo::series
