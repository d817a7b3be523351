// A polynomial of small degree on one macro step, in the scaled local time
// s = (t - origin) / scale, so that coefficients stay of the size of the values;
// and what the coupling needs of polynomials on a grid of macro-time points.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace cosimo {

/// Highest polynomial degree in use: order control goes to 5, exLE needs one more.
inline constexpr int max_degree = 6;

struct Polynomial {
  int degree = 0;
  double origin = 0;
  double scale = 1;
  std::array<double, max_degree + 1> a{};  ///< value = sum a[j] s^j

  double operator()(double t) const {
    const double s = (t - origin) / scale;
    double r = a[static_cast<std::size_t>(degree)];
    for (int j = degree - 1; j >= 0; --j) r = r * s + a[static_cast<std::size_t>(j)];
    return r;
  }
  /// d/dt at t.
  double rate(double t) const {
    const double s = (t - origin) / scale;
    double r = 0;
    for (int j = degree; j >= 1; --j) r = r * s + j * a[static_cast<std::size_t>(j)];
    return r / scale;
  }
};

/// The polynomial of degree nodes.size()-1 through (nodes[j], values[j]); nodes distinct, any order.
Polynomial interpolate(std::span<const double> nodes, std::span<const double> values, double origin,
                       double scale);

/// Least-squares polynomial of the given degree through nodes.size() > degree points, evaluated at t.
/// Exact for polynomials of that degree.
double least_squares_at(double t, int degree, std::span<const double> nodes, std::span<const double> values);

/// The error constants of (3.11) and (3.15), with H = T_{N+1} - T_N:
///   C_vel^k = 1/H   int_{T_N}^{T_{N+1}} L^k(t) dt,
///   C_pos^k = 1/H^2 int_{T_N}^{T_{N+1}} int_{T_N}^{tau} L^k(t) dt dtau,
///   L^k(t) = prod_{j=0}^{k-1} (t - T_{N-j}) / (T_{N+1} - T_{N-j}).
/// They serve exMD, imMD and the sap interface Jacobian alike.
struct ErrorConstants {
  double pos = 0;  ///< C_pos^k
  double vel = 0;  ///< C_vel^k
};
/// `grid` holds T_{N+1}, T_N, T_{N-1}, ... newest first, at least k + 1 points (and always T_{N+1}, T_N).
ErrorConstants error_constants(int k, std::span<const double> grid);

}  // namespace cosimo
