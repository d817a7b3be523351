#include "integrator/dense_output.hpp"

#include <algorithm>

namespace cosimo {
namespace {

constexpr double inner_points[2] = {1.0 / 3, 2.0 / 3};

/// Coefficients of q1 - q0, h v0, h v1, h^2 a0, h^2 a1 in a quintic Hermite polynomial.
struct Hermite {
  double dq, v0, v1, a0, a1;
};

Hermite hermite_value(double s) {
  const double s2 = s * s, s3 = s2 * s;
  return {s3 * (10 + s * (6 * s - 15)), s + s3 * (s * (8 - 3 * s) - 6), s3 * (s * (7 - 3 * s) - 4),
          0.5 * s2 * (1 + s * (s * (3 - s) - 3)), 0.5 * s3 * (1 + s * (s - 2))};
}

Hermite hermite_slope(double s) {
  const double s2 = s * s;
  return {30 * s2 * (1 + s * (s - 2)), 1 + s2 * (s * (32 - 15 * s) - 18), s2 * (s * (28 - 15 * s) - 12),
          0.5 * s * (2 + s * (s * (12 - 5 * s) - 9)), 0.5 * s2 * (3 + s * (5 * s - 8))};
}

Motion evaluate(const Hermite& value, const Hermite& slope, const Point& from, const Point& to, double h,
                std::size_t i) {
  const double dq = to.q[i] - from.q[i];
  auto sum = [&](const Hermite& x) {
    return x.dq * dq + h * ((x.v0 * from.v[i] + x.v1 * to.v[i]) + h * (x.a0 * from.a[i] + x.a1 * to.a[i]));
  };
  return {from.q[i] + sum(value), sum(slope) / h};
}

/// Integrals from 0 to theta of the Lagrange polynomials on 0, 1/3, 2/3, 1, and of the polynomial that
/// vanishes there, scaled so that it is 1 at the end: it takes up what is missing in y_1 - y_0.
struct Birkhoff {
  double b0, b1, b2, b3, rest;
  explicit Birkhoff(double s) {
    const double s2 = s * s;
    b0 = s + s2 * (-2.75 + s * (3 - 1.125 * s)), b1 = s2 * (4.5 + s * (-7.5 + 3.375 * s));
    b2 = s2 * (-2.25 + s * (6 - 3.375 * s)), b3 = s2 * (0.5 + s * (-1.5 + 1.125 * s));
    rest = s2 * (30 + s * (-110 + s * (135 - 54 * s)));
  }
  /// The values at both ends and h times the slopes at the four points.
  double operator()(double y0, double y1, double h, double a0, double a1, double a2, double a3) const {
    const double missing = (y1 - y0) - h * (0.125 * (a0 + a3) + 0.375 * (a1 + a2));
    return y0 + (h * ((b0 * a0 + b3 * a3) + (b1 * a1 + b2 * a2)) + rest * missing);
  }
};

}  // namespace

bool DenseOutput::prepare(const Point& from, const State& to, double h, Range dofs) {
  const std::size_t n = system_.size();
  if (work_.empty()) work_ = Slab(4, n, 0);
  take(from, to, h);
  if (extent_.states()) return prepare_whole();
  const std::size_t reach = std::min(system_.reach(), n);
  const Range around{dofs.first - std::min(dofs.first, reach), std::min(dofs.last + reach, n)};
  double* const q = work_.row(0).data();
  double* const v = work_.row(1).data();
  for (std::size_t k = 0; k < 2; ++k) {
    const double theta = inner_points[k];
    const Hermite value = hermite_value(theta), slope = hermite_slope(theta);
    for (std::size_t i = around.first; i < around.last; ++i) {
      const Motion m = evaluate(value, slope, from_, to_, h, i);
      q[i] = m.q;
      v[i] = m.v;
    }
    double* const a = work_.row(2 + k).data();
    if (!system_.acceleration(from.t + theta * h, q, v, a, dofs)) return false;
    inner_[k] = a;
  }
  return true;
}

Motion DenseOutput::hermite(double theta, std::size_t dof) const {
  return evaluate(hermite_value(theta), hermite_slope(theta), from_, to_, h_, dof);
}

Motion DenseOutput::at(double theta, std::size_t dof) const {
  const double v =
      Birkhoff(theta)(from_.v[dof], to_.v[dof], h_, from_.a[dof], inner_[0][dof], inner_[1][dof], to_.a[dof]);
  return {hermite(theta, dof).q, v};
}

bool DenseOutput::prepare_whole() {
  const std::size_t n = system_.size(), m = extent_.z;
  if (states_.empty()) states_ = Slab(4, m, 0);
  double* const q = work_.row(0).data();
  double* const v = work_.row(1).data();
  for (int pass = 0; pass < evaluations() / 2; ++pass) {
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t i = 0; i < m; ++i)
        states_.row(k)[i] = pass == 0 ? hermite_z(inner_points[k], i) : z(inner_points[k], i);
    for (std::size_t k = 0; k < 2; ++k) {
      const double theta = inner_points[k];
      const Hermite value = hermite_value(theta), slope = hermite_slope(theta);
      for (std::size_t i = 0; i < n; ++i) {
        const Motion motion = evaluate(value, slope, from_, to_, h_, i);
        q[i] = motion.q;
        v[i] = motion.v;
      }
      double* const a = work_.row(2 + k).data();
      inner_[k] = a;
      if (!system_.evaluate(from_.t + theta * h_, {q, v, states_.row(k).data(), from_.s}, a,
                            states_.row(2 + k).data()))
        return false;
    }
  }
  return true;
}

double DenseOutput::z(double theta, std::size_t k) const {
  return Birkhoff(theta)(from_.z[k], to_.z[k], h_, from_.z_rate[k], states_.row(2)[k], states_.row(3)[k],
                         to_.z_rate[k]);
}

double DenseOutput::hermite_z(double theta, std::size_t k) const {
  const double s = theta, dz = to_.z[k] - from_.z[k];
  const double begin = h_ * from_.z_rate[k] - dz, end = dz - h_ * to_.z_rate[k];
  return from_.z[k] + s * dz + s * (1 - s) * ((1 - s) * begin + s * end);
}

}  // namespace cosimo
