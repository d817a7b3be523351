// The three-stage Radau IIA method of order 5 (Hairer, Wanner II, Sections IV.5 and IV.8): collocation at
//   c = (4 - sqrt 6)/10, (4 + sqrt 6)/10, 1,
// with everything that follows from it. A = R diag(mu, kappa, conj kappa) L, L = R^-1, where mu is the real
// eigenvalue and kappa the complex one: a vector of stage values x has the components
//   x^ = L_real x (real),   y^ = L_complex x (complex),   and   x_i = R_real,i x^ + 2 Re(R_complex,i y^).
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstddef>

namespace cosimo::radau {

inline constexpr std::size_t stages = 3;
using Row = std::array<double, stages>;
using Matrix = std::array<Row, stages>;
using Complex = std::complex<double>;
using ComplexRow = std::array<Complex, stages>;

inline constexpr double root6 = 2.449489742783178098;
inline constexpr Row c = {(4 - root6) / 10, (4 + root6) / 10, 1};
inline constexpr Matrix A = {{{(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
                              {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
                              {(16 - root6) / 36, (16 + root6) / 36, 1.0 / 9}}};

// Eigenvalues of A, from the cube roots of 9 and 81.
inline constexpr double cbrt9 = 2.080083823051904115, cbrt81 = 4.326748710922225146;
inline constexpr double mu = (6 + cbrt81 - cbrt9) / 30;
inline constexpr double kappa_real = (12 - cbrt81 + cbrt9) / 60;
inline constexpr double kappa_imag = (cbrt81 + cbrt9) * 1.732050807568877294 / 60;

/// The embedded formula of order 3 (IV.8.19 there): with z_i = Y_i - y_0 the error is
///   (I - h mu f')^-1 (h mu f(y_0) + sum e_i z_i).
inline constexpr Row e = {mu / 3 * (-13 - 7 * root6), mu / 3 * (-13 + 7 * root6), -mu / 3};

/// The same for derivatives instead of increments: sum e_i z_i = h sum e_slope_i Y'_i.
inline constexpr Row e_slope = [] {
  Row out{};
  for (std::size_t i = 0; i < stages; ++i)
    for (std::size_t j = 0; j < stages; ++j) out[j] += e[i] * A[i][j];
  return out;
}();

/// Integrals from 0 to theta of the Lagrange polynomials on c.
constexpr Row weights(double theta) {
  Row out{};
  for (std::size_t j = 0; j < stages; ++j) {
    const double a = c[(j + 1) % stages], b = c[(j + 2) % stages];
    const double scale = 1 / ((c[j] - a) * (c[j] - b));
    out[j] = scale * theta * (a * b + theta * (-0.5 * (a + b) + theta / 3));
  }
  return out;
}

/// Right and left eigenvectors of one eigenvalue, left . right = 1 (without conjugation).
struct Eigenvectors {
  ComplexRow right, left;
};

/// Both are cross products: of two rows of A - x I, and of two of its columns.
inline Eigenvectors eigenvectors(Complex x) {
  std::array<ComplexRow, stages> m{};
  for (std::size_t i = 0; i < stages; ++i)
    for (std::size_t j = 0; j < stages; ++j) m[i][j] = A[i][j] - (i == j ? x : Complex{});
  auto cross = [](const ComplexRow& a, const ComplexRow& b) {
    return ComplexRow{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  };
  Eigenvectors out;
  out.right = cross(m[0], m[1]);
  out.left = cross({m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]});
  const Complex product =
      out.left[0] * out.right[0] + out.left[1] * out.right[1] + out.left[2] * out.right[2];
  for (Complex& value : out.left) value /= product;
  return out;
}

}  // namespace cosimo::radau
