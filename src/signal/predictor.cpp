#include "signal/predictor.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "core/check.hpp"
#include "signal/weights.hpp"

namespace cosimo {
namespace {

static_assert(max_degree == 6, "approximate() lists the degrees");

void check_degree(int degree, int lowest) {
  COSIMO_CHECK(lowest <= degree && degree <= max_degree, "polynomial degree " + std::to_string(degree));
}

/// Coefficients of the basis polynomials of (2.24) in s = (t - T_N) / H, one row per node except
/// T_N itself: row 0 belongs to t_next, row m to T_{N-m}. T_N needs none, since the values enter as
/// differences against u_N.
using Basis = std::array<std::array<double, max_degree + 1>, max_degree>;

Basis make_basis(const History& history, double t_next, std::size_t kappa) {
  std::array<double, max_degree + 1> nodes{}, unit{};
  nodes[0] = t_next;
  for (std::size_t m = 0; m < kappa; ++m) nodes[m + 1] = history.time(m);

  Basis basis{};
  const std::size_t count = kappa + 1, of_newest = 1;
  for (std::size_t node = 0, row = 0; node < count; ++node) {
    if (node == of_newest) continue;
    unit[node] = 1;
    const Polynomial p =
        interpolate({nodes.data(), count}, {unit.data(), count}, nodes[1], t_next - nodes[1]);
    unit[node] = 0;
    std::copy(p.a.begin() + 1, p.a.begin() + static_cast<std::ptrdiff_t>(count), basis[row].begin() + 1);
    ++row;  // its constant coefficient is zero: the basis polynomial vanishes at s = 0
  }
  return basis;
}

/// The constant polynomials u_end.
void hold(const History& history, double t_next, std::span<const double> u_end, std::span<Polynomial> out) {
  const double origin = history.time(0), scale = t_next - origin;
  for (std::size_t i = 0; i < out.size(); ++i) {
    Polynomial& p = out[i];
    p.degree = 0;
    p.origin = origin;
    p.scale = scale;
    p.a.fill(0);
    p.a[0] = u_end[i];
  }
}

/// (2.24) for all variables. The degree is a constant of the loop, so that the compiler unrolls it.
template <std::size_t kappa>
void combine(const History& history, double t_next, std::span<const double> u_end,
             std::span<Polynomial> out) {
  const Basis basis = make_basis(history, t_next, kappa);
  const double origin = history.time(0), scale = t_next - origin;
  std::array<const double*, kappa> u{u_end.data()};
  for (std::size_t m = 1; m < kappa; ++m) u[m] = history.values(m).data();
  const double* const newest = history.values(0).data();
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::array<double, kappa> difference;
    for (std::size_t m = 0; m < kappa; ++m) difference[m] = u[m][i] - newest[i];
    Polynomial& p = out[i];  // filled in place: a temporary would be stored and read back
    p.degree = static_cast<int>(kappa);
    p.origin = origin;
    p.scale = scale;
    p.a[0] = newest[i];
    for (std::size_t c = 1; c <= kappa; ++c) {
      double sum = 0;
      for (std::size_t m = 0; m < kappa; ++m) sum += basis[m][c] * difference[m];
      p.a[c] = sum;
    }
    for (std::size_t c = kappa + 1; c < p.a.size(); ++c) p.a[c] = 0;
  }
}

}  // namespace

int used_degree(const History& history, int kappa) {
  COSIMO_CHECK(history.size() > 0, "no macro point in the history");
  return std::min(kappa, static_cast<int>(history.size()) - 1);
}

void predict(const History& history, double t_next, int kappa, const PredictorOptions& options,
             std::span<double> u_pre) {
  check_degree(kappa, 0);
  const std::size_t exact = static_cast<std::size_t>(kappa) + 1;
  const std::size_t fitted = static_cast<std::size_t>(std::max(options.least_squares_points, 0));
  const bool fit = fitted > exact && fitted <= history.size();
  const PointRow nodes = newest_times(history, fit ? fitted : exact);
  const PointRow weights =
      fit ? fit_weights(nodes.span(), kappa, t_next) : extrapolation_weights(nodes.span(), t_next);
  apply_weights(history, weights, Lead::newest, u_pre);
}

void approximate(const History& history, double t_next, int kappa, std::span<const double> u_end,
                 std::span<Polynomial> out) {
  check_degree(kappa, 0);
  COSIMO_CHECK(
      u_end.size() == history.variables() && out.size() == history.variables(),
      std::to_string(out.size()) + " polynomials for " + std::to_string(history.variables()) + " variables");
  switch (kappa) {
    case 0:
      hold(history, t_next, u_end, out);
      break;
    case 1:
      combine<1>(history, t_next, u_end, out);
      break;
    case 2:
      combine<2>(history, t_next, u_end, out);
      break;
    case 3:
      combine<3>(history, t_next, u_end, out);
      break;
    case 4:
      combine<4>(history, t_next, u_end, out);
      break;
    case 5:
      combine<5>(history, t_next, u_end, out);
      break;
    default:
      combine<6>(history, t_next, u_end, out);
      break;
  }
}

Polynomial end_shape(const History& history, double t_next, int kappa) {
  check_degree(kappa, 0);
  std::array<double, max_degree + 1> nodes{t_next}, values{1};
  for (std::size_t m = 0; m < static_cast<std::size_t>(kappa); ++m) nodes[m + 1] = history.time(m);
  const std::size_t count = static_cast<std::size_t>(kappa) + 1;
  const double origin = history.time(0);
  return interpolate({nodes.data(), count}, {values.data(), count}, origin, t_next - origin);
}

void scaled_derivative(const History& history, int j, double H, std::span<double> out) {
  check_degree(j, 1);
  const PointRow nodes = newest_times(history, static_cast<std::size_t>(j) + 1);
  std::array<double, max_degree> factors{};
  for (int l = 1; l <= j; ++l) factors[static_cast<std::size_t>(l - 1)] = l * H;  // j! H^j
  const PointRow weights = difference_weights(nodes.span(), {factors.data(), static_cast<std::size_t>(j)});
  apply_weights(history, weights, Lead::none, out);
}

void a_priori_error(const History& history, double t_next, int kappa, std::span<double> out) {
  check_degree(kappa, 0);
  check_degree(kappa + 1, 1);
  const auto lower = static_cast<std::size_t>(kappa) + 1;
  const PointRow nodes = newest_times(history, lower + 1);
  std::array<double, max_degree> factors{};
  for (std::size_t l = 0; l < lower; ++l) factors[l] = t_next - nodes[l];
  const PointRow weights = difference_weights(nodes.span(), {factors.data(), lower});
  apply_weights(history, weights, Lead::none, out);
}

}  // namespace cosimo
