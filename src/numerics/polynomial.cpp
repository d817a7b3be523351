#include "numerics/polynomial.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/check.hpp"

namespace cosimo {
namespace {

/// Room for the interpolation points of one polynomial, and one more for a difference of the next order.
constexpr std::size_t max_points = max_degree + 2;
using Points = std::array<double, max_points>;

void check_points(std::span<const double> nodes, std::span<const double> values, std::size_t most) {
  COSIMO_CHECK(!nodes.empty() && nodes.size() <= most && nodes.size() == values.size(),
               "interpolation of " + std::to_string(values.size()) + " values at " +
                   std::to_string(nodes.size()) + " nodes, at most " + std::to_string(most) + " allowed");
}

/// In place: c[j] becomes the divided difference over nodes[0..j].
void difference(std::span<const double> nodes, Points& c) {
  const std::size_t n = nodes.size();
  for (std::size_t order = 1; order < n; ++order)
    for (std::size_t j = n - 1; j >= order; --j) c[j] = (c[j] - c[j - 1]) / (nodes[j] - nodes[j - order]);
}

/// Polynomials orthogonal on a set of nodes (Forsythe 1957), by their three-term recurrence
/// p_j+1 = (s - alpha_j) p_j - beta_j p_j-1 in a local time s that is in [-1, 1] on the nodes.
class OrthogonalBasis {
 public:
  using Values = std::array<double, max_degree + 1>;

  OrthogonalBasis(int degree, std::span<const double> nodes) {
    const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end());
    center_ = *low + (*high - *low) / 2;
    half_width_ = *high > *low ? (*high - *low) / 2 : 1.0;
    for (std::size_t j = 0; j <= static_cast<std::size_t>(degree); ++j) {
      double square = 0, moment = 0;
      for (const double t : nodes) {
        const double p = (*this)(j, t)[j];
        square += p * p;
        moment += local(t) * p * p;
      }
      square_[j] = square;
      alpha_[j] = moment / square;
      beta_[j] = j > 0 ? square / square_[j - 1] : 0.0;
    }
  }

  /// p_0 ... p_last at t.
  Values operator()(std::size_t last, double t) const {
    const double s = local(t);
    Values p{1.0};
    for (std::size_t j = 0; j < last; ++j)
      p[j + 1] = (s - alpha_[j]) * p[j] - (j > 0 ? beta_[j] * p[j - 1] : 0.0);
    return p;
  }
  double square(std::size_t j) const { return square_[j]; }

 private:
  double local(double t) const { return (t - center_) / half_width_; }

  double center_ = 0;
  double half_width_ = 1;
  Values alpha_{}, beta_{}, square_{};
};

}  // namespace

Polynomial interpolate(std::span<const double> nodes, std::span<const double> values, double origin,
                       double scale) {
  check_points(nodes, values, max_degree + 1);
  const std::size_t n = nodes.size();
  Points s, c;
  for (std::size_t j = 0; j < n; ++j) s[j] = (nodes[j] - origin) / scale;
  std::copy(values.begin(), values.end(), c.begin());
  difference({s.data(), n}, c);

  // Horner's scheme on Newton's form: multiply by (s - s_j) and add c_j, from the inside out.
  Polynomial p;
  p.degree = static_cast<int>(n) - 1;
  p.origin = origin;
  p.scale = scale;
  p.a[0] = c[n - 1];
  for (std::size_t j = n - 1; j-- > 0;) {
    for (std::size_t i = n - 1 - j; i > 0; --i) p.a[i] = p.a[i - 1] - s[j] * p.a[i];
    p.a[0] = c[j] - s[j] * p.a[0];
  }
  return p;
}

double least_squares_at(double t, int degree, std::span<const double> nodes, std::span<const double> values) {
  COSIMO_CHECK(degree >= 0 && degree <= max_degree && nodes.size() > static_cast<std::size_t>(degree) &&
                   nodes.size() == values.size(),
               "least squares of degree " + std::to_string(degree) + " through " +
                   std::to_string(nodes.size()) + " points");
  const OrthogonalBasis basis(degree, nodes);
  const auto last = static_cast<std::size_t>(degree);
  const auto at_t = basis(last, t);
  // Each coefficient is fitted to what the lower ones leave: rounding errors of the
  // orthogonality then cost nothing.
  OrthogonalBasis::Values coefficient{};
  double result = 0;
  for (std::size_t j = 0; j <= last; ++j) {
    double projection = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const auto p = basis(j, nodes[i]);
      double rest = values[i];
      for (std::size_t l = 0; l < j; ++l) rest -= coefficient[l] * p[l];
      projection += rest * p[j];
    }
    coefficient[j] = projection / basis.square(j);
    result += coefficient[j] * at_t[j];
  }
  return result;
}

ErrorConstants error_constants(int k, std::span<const double> grid) {
  COSIMO_CHECK(
      k >= 0 && k <= max_degree && grid.size() >= 2 && grid.size() > static_cast<std::size_t>(k),
      "error constants of degree " + std::to_string(k) + " on " + std::to_string(grid.size()) + " points");
  const double h = grid[0] - grid[1];
  COSIMO_CHECK(h > 0, "the grid must be given newest first");
  // In s = (t - T_N) / H every node is at or left of zero: all coefficients are
  // positive and no digit is lost.
  std::array<double, max_degree + 1> a{1.0};
  for (std::size_t j = 0; j < static_cast<std::size_t>(k); ++j) {
    const double behind = (grid[1] - grid[j + 1]) / h;
    for (std::size_t i = j + 1; i > 0; --i) a[i] = (a[i - 1] + behind * a[i]) / (1 + behind);
    a[0] *= behind / (1 + behind);
  }
  ErrorConstants c;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(k); ++i) {
    const auto power = static_cast<double>(i + 1);
    c.vel += a[i] / power;
    c.pos += a[i] / (power * (power + 1));
  }
  return c;
}

}  // namespace cosimo
