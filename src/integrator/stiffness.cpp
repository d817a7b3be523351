#include "integrator/stiffness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {
namespace {

constexpr int explicit_window = 16;
constexpr int implicit_window = 8;
constexpr int probe_window = 3;
constexpr int first_back_off = 4;
constexpr int max_back_off = 1024;
/// Where the implicit method's steps can be long they are so within a few: each may be five times the last.
constexpr double hopeless_rate = 0.5;
constexpr double near_limit = 0.8;
constexpr double imaginary_limit = 1.0;
constexpr double real_limit = 3.3;

/// max_i sum_j |X_ij| / m_i for X = C or K.
double row_bound(const TangentPattern& pattern, const AlignedVector& mass, const AlignedVector& diag,
                 const AlignedVector& edge, AlignedVector& rows) {
  const std::size_t n = pattern.size();
  for (std::size_t i = 0; i < n; ++i) rows[i] = std::fabs(diag[i]);
  const auto& edges = pattern.edges();
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const double value = std::fabs(edge[k]);
    rows[static_cast<std::size_t>(edges[k].a)] += value;
    rows[static_cast<std::size_t>(edges[k].b)] += value;
  }
  double bound = 0;
  for (std::size_t i = 0; i < n; ++i) bound = std::max(bound, rows[i] / mass[i]);
  return bound;
}

}  // namespace

double SpectralBound::lambda() const {
  return 0.5 * delta + std::sqrt(0.25 * delta * delta + omega * omega);
}

double SpectralBound::stable_step() const {
  const double lambda_bound = lambda();
  if (lambda_bound == 0) return std::numeric_limits<double>::infinity();
  const double damping_ratio = omega > 0 ? std::min(1.0, 0.5 * delta / omega) : 1.0;
  return (imaginary_limit + (real_limit - imaginary_limit) * damping_ratio) / lambda_bound;
}

SpectralBound gershgorin(const TangentPattern& pattern, const Tangent& tangent, AlignedVector& rows) {
  if (rows.size() != pattern.size()) rows.resize(pattern.size());
  const double omega2 = row_bound(pattern, tangent.mass, tangent.k_diag, tangent.k_edge, rows);
  const double delta = row_bound(pattern, tangent.mass, tangent.c_diag, tangent.c_edge, rows);
  return {std::sqrt(omega2), delta};
}

void MethodChoice::record(double time, double work) {
  steps_ += time > 0 ? 1 : 0;
  time_ += time;
  work_ += work;
}

bool MethodChoice::window_full() const {
  const int first = trial_ == 2 ? probe_window : implicit_window;
  return steps_ >= (implicit ? first : explicit_window);
}

bool MethodChoice::change() {
  implicit = !implicit;
  ++switches;
  return true;
}

bool MethodChoice::decide(const SpectralBound& bound, double explicit_cost) {
  const double rate = time_ / work_, mean_step = time_ / steps_;
  steps_ = 0;
  time_ = work_ = 0;
  if (trial_ > 0) {
    const bool hopeless = implicit && rate < hopeless_rate * left_rate_;
    if (--trial_ > 0 && !hopeless) return false;
    if (rate > left_rate_) {
      back_off_ = first_back_off;
      return false;
    }
    trial_ = 0;
    wait_ = back_off_;
    back_off_ = std::min(2 * back_off_, max_back_off);
    return change();
  }
  if (wait_ > 0) {
    --wait_;
    return false;
  }
  const double stable = bound.stable_step();
  const bool other_seems_better = implicit ? stable / explicit_cost > rate : mean_step >= near_limit * stable;
  if (!other_seems_better) return false;
  left_rate_ = rate;
  trial_ = 2;
  return change();
}

}  // namespace cosimo
