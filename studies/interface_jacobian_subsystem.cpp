#include "studies/interface_jacobian_subsystem.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace cosimo::studies {
namespace {

double value(const std::vector<double>& polynomial, double s) {
  double sum = 0;
  for (std::size_t i = polynomial.size(); i-- > 0;) sum = sum * s + polynomial[i];
  return sum;
}

/// Integral of (1 - s)^j / j! s^i over [0, 1]: i! / (i + j + 1)!.
double moment(int i, int j) {
  return std::exp(std::lgamma(i + 1.0) - std::lgamma(i + j + 2.0));
}

double moment(const std::vector<double>& polynomial, int j) {
  double sum = 0;
  for (std::size_t i = 0; i < polynomial.size(); ++i) sum += polynomial[i] * moment(static_cast<int>(i), j);
  return sum;
}

struct Tableau {
  std::size_t stages;
  std::array<std::array<double, 4>, 4> a;
  std::array<double, 4> b, c;
};

const Tableau& tableau(const std::string& method) {
  static const double r6 = std::sqrt(6.0), r15 = std::sqrt(15.0);
  static const Tableau rk2{2, {{{}, {0.5}}}, {0, 1}, {0, 0.5}};
  static const Tableau rk4{
      4, {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}}, {1. / 6, 1. / 3, 1. / 3, 1. / 6}, {0, 0.5, 0.5, 1}};
  static const Tableau radau3{2, {{{5. / 12, -1. / 12}, {0.75, 0.25}}}, {0.75, 0.25}, {1. / 3, 1}};
  static const Tableau radau5{3,
                              {{{(88 - 7 * r6) / 360, (296 - 169 * r6) / 1800, (-2 + 3 * r6) / 225},
                                {(296 + 169 * r6) / 1800, (88 + 7 * r6) / 360, (-2 - 3 * r6) / 225},
                                {(16 - r6) / 36, (16 + r6) / 36, 1. / 9}}},
                              {(16 - r6) / 36, (16 + r6) / 36, 1. / 9},
                              {(4 - r6) / 10, (4 + r6) / 10, 1}};
  static const Tableau gauss6{3,
                              {{{5. / 36, 2. / 9 - r15 / 15, 5. / 36 - r15 / 30},
                                {5. / 36 + r15 / 24, 2. / 9, 5. / 36 - r15 / 24},
                                {5. / 36 + r15 / 30, 2. / 9 + r15 / 15, 5. / 36}}},
                              {5. / 18, 4. / 9, 5. / 18},
                              {0.5 - r15 / 10, 0.5, 0.5 + r15 / 10}};
  if (method == "rk2") return rk2;
  if (method == "rk4") return rk4;
  if (method == "radau3") return radau3;
  return method == "radau5" ? radau5 : gauss6;
}

/// The variational equation over s.
struct Variational {
  OneMass body;
  std::vector<double> newest;
  Course01 course;

  double stiffness(double s) const {
    const double x = course.x ? course.x(s) : 0;
    return (body.c + 3 * body.C * x * x) / body.m;
  }
  double damping(double s) const {
    const double v = course.v ? course.v(s) : 0;
    return (body.d + 3 * body.D * v * v) / body.m;
  }
  double force(double s) const { return value(newest, s) / body.m; }
};

/// Gaussian elimination with row exchange; the solution replaces the last column.
template <std::size_t N>
void eliminate(std::array<std::array<double, N + 1>, N>& rows, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(rows[i][k]) > std::fabs(rows[pivot][k])) pivot = i;
    std::swap(rows[k], rows[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || rows[i][k] == 0) continue;
      const double factor = rows[i][k] / rows[k][k];
      for (std::size_t j = k; j < n; ++j) rows[i][j] -= factor * rows[k][j];
      rows[i][N] -= factor * rows[k][N];
    }
  }
  for (std::size_t k = 0; k < n; ++k) rows[k][N] /= rows[k][k];
}

/// One step from s to s + ds. Unknowns: the accelerations a_i of the stages. With P = A 1 = c and
/// X_i = x + c_i h v + h^2 sum_j (A^2)_ij a_j, V_i = v + h sum_j A_ij a_j.
Gradient step(const Variational& eq, const Tableau& t, Gradient y, double s, double ds) {
  const std::size_t n = t.stages;
  const double h = ds * eq.body.H;
  std::array<std::array<double, 4>, 4> square{};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) square[i][j] += t.a[i][k] * t.a[k][j];
  std::array<std::array<double, 5>, 4> rows{};
  for (std::size_t i = 0; i < n; ++i) {
    const double at = s + t.c[i] * ds, k = eq.stiffness(at), r = eq.damping(at);
    for (std::size_t j = 0; j < n; ++j)
      rows[i][j] = (i == j ? 1 : 0) + k * h * h * square[i][j] + r * h * t.a[i][j];
    rows[i][4] = eq.force(at) - k * (y.x + t.c[i] * h * y.v) - r * y.v;
  }
  eliminate<4>(rows, n);
  Gradient next{y.x + h * y.v, y.v};
  for (std::size_t i = 0; i < n; ++i) {
    double weight = 0;  // (b A)_i
    for (std::size_t k = 0; k < n; ++k) weight += t.b[k] * t.a[k][i];
    next.x += h * h * weight * rows[i][4];
    next.v += h * t.b[i] * rows[i][4];
  }
  return next;
}

/// Through values at s = 0, -1, ..., -degree.
double extrapolated(const std::array<double, 3>& values, int degree, double s) {
  if (degree == 0) return values[0];
  if (degree == 1) return values[0] + s * (values[0] - values[1]);
  return values[0] * (s + 1) * (s + 2) / 2 - values[1] * s * (s + 2) + values[2] * s * (s + 1) / 2;
}

}  // namespace

std::vector<double> newest_polynomial(int kappa, const std::vector<double>& older) {
  std::vector<double> p{1};
  for (int i = 1; i <= kappa; ++i) {
    const double root = i == 1 ? 0 : 1 - older[static_cast<std::size_t>(i - 2)];
    std::vector<double> next(p.size() + 1);
    for (std::size_t j = 0; j < p.size(); ++j) {
      next[j + 1] += p[j] / (1 - root);
      next[j] -= root * p[j] / (1 - root);
    }
    p = std::move(next);
  }
  return p;
}

Gradient first_term(const std::vector<double>& newest) {
  return {moment(newest, 1), moment(newest, 0)};
}

Gradient series(const OneMass& body, int kappa, int terms) {
  const std::vector<double> newest = newest_polynomial(kappa);
  // Powers of the system's matrix on (0, 1): x of power j belongs to term j, v to term j + 1.
  double ax = 0, av = 1;
  Gradient sum;
  double power = body.H / body.m;  // H^(j+1) / m
  for (int j = 0; j <= terms; ++j) {
    const double integral = power * moment(newest, j);
    sum.x += ax * integral;
    if (j < terms) sum.v += av * integral;
    const double next = -body.c / body.m * ax - body.d / body.m * av;
    ax = av;
    av = next;
    power *= body.H;
  }
  return sum;
}

Gradient one_step(const OneMass& body, int kappa, const std::string& method, const Course01& course) {
  return step({body, newest_polynomial(kappa), course}, tableau(method), {}, 0, 1);
}

Gradient newmark(const OneMass& b, int kappa, double beta, double gamma) {
  const std::vector<double> newest = newest_polynomial(kappa);
  const double a0 = value(newest, 0) / b.m, l1 = value(newest, 1) / b.m, H = b.H, k = b.c / b.m,
               r = b.d / b.m;
  const double a1 = (l1 - k * H * H * (0.5 - beta) * a0 - r * H * (1 - gamma) * a0) /
                    (1 + k * H * H * beta + r * H * gamma);
  return {H * H * ((0.5 - beta) * a0 + beta * a1), H * ((1 - gamma) * a0 + gamma * a1)};
}

Gradient exact(const OneMass& body, int kappa, const Course01& course) {
  const Variational eq{body, newest_polynomial(kappa), course};
  double rate = 0;
  for (const double s : {0.0, 0.25, 0.5, 0.75, 1.0})
    rate = std::max({rate, eq.damping(s) * body.H, std::sqrt(eq.stiffness(s)) * body.H});
  const auto steps = static_cast<std::size_t>(std::clamp(std::ceil(8 * rate), 64.0, 4096.0));
  Gradient y;
  for (std::size_t i = 0; i < steps; ++i)
    y = step(eq, tableau("gauss6"), y, static_cast<double>(i) / static_cast<double>(steps),
             1 / static_cast<double>(steps));
  return y;
}

NonlinearStep nonlinear_step(const OneMass& body, const Swing& swing) {
  const auto x = [swing](double s) { return swing.X * std::sin(swing.phase + swing.angle * s); };
  const auto v = [swing, H = body.H](double s) {
    return swing.X * swing.angle / H * std::cos(swing.phase + swing.angle * s);
  };
  NonlinearStep step{.truth = {x, v}, .guesses = {}};
  for (const int degree : {0, 1, 2})
    step.guesses.push_back({[points = std::array{x(0), x(-1), x(-2)}, degree](double s) {
                              return extrapolated(points, degree, s);
                            },
                            [points = std::array{v(0), v(-1), v(-2)}, degree](double s) {
                              return extrapolated(points, degree, s);
                            }});
  return step;
}

double relative(double number, double truth) {
  return std::fabs(number - truth) / std::fabs(truth);
}

}  // namespace cosimo::studies
