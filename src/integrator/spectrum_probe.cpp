#include "integrator/spectrum_probe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "core/random.hpp"
#include "integrator/kinds.hpp"
#include "numerics/sums.hpp"

namespace cosimo {
namespace {

constexpr int iterations = 5;
constexpr double margin = 1.2;
/// Of a displacement against the state: half the digits, as always with differences.
constexpr double relative_size = 1e-7;

constexpr std::size_t few = 5;  ///< responses of a first look
constexpr std::size_t most_responses = iterations + few;
/// Of a direction that is followed, so that what has become fast elsewhere (a contact) comes up in it.
constexpr double newcomers = 1e-3;

double root_mean_square(std::span<const double> x) {
  const double sum = reproducible_sum(x.size(), [x](std::size_t i) { return x[i] * x[i]; });
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(x.size(), 1)));
}

/// What counts as large in a state: its numbers, and never less than where the absolute tolerance rules.
double scale(double x, double atol, double rtol) {
  return std::max({x, atol / rtol, 1e-100});
}

template <class Pair>
double dot(const Pair& u, const Pair& w) {
  return reproducible_sum(u.x.size(), [&](std::size_t j) { return u.x[j] * w.x[j] + u.y[j] * w.y[j]; }) /
         static_cast<double>(std::max<std::size_t>(u.x.size(), 1));
}

double mean_product(std::span<const double> x, std::span<const double> y) {
  return reproducible_sum(x.size(), [&](std::size_t j) { return x[j] * y[j]; }) /
         static_cast<double>(x.size());
}

/// The growth of repeated products with the small matrix H, whose rows are `width` long, and in x what grows.
double dominant(std::span<const double> H, std::size_t width, std::span<double> x) {
  std::array<double, most_responses> next{};
  double growth = 0;
  for (int repeat = 0; repeat < 500; ++repeat) {
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
      next[k] = 0;
      for (std::size_t j = 0; j < x.size(); ++j) next[k] += H[k * width + j] * x[j];
      sum += next[k] * next[k];
    }
    growth = std::sqrt(sum);
    if (!(growth > 0) || !std::isfinite(growth)) return 0;
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = next[k] / growth;
  }
  return growth;
}

/// Its size before.
template <class Pair>
double resize_to_one(Pair& u) {
  const double size = std::sqrt(dot(u, u));
  if (!(size > 0)) return 0;
  for (std::vector<double>* x : {&u.x, &u.y})
    for (double& value : *x) value /= size;
  return size;
}

/// From u, B u / growth and B^2 u / growth, the first two of size one.
template <class Pair>
SpectralBound fastest(const Pair& u, const Pair& once, const Pair& twice, double growth) {
  const double g01 = dot(u, once), b0 = dot(twice, u), b1 = dot(twice, once);
  const double seen = std::sqrt(growth * std::sqrt(dot(twice, twice)));  // mean growth of the two
  const double det = 1 - g01 * g01;
  if (!(det > 1e-12)) return oscillator(seen, g01 < 0 ? 1 : 0);
  const double alpha = (b1 - g01 * b0) / det, beta = growth * (b0 - g01 * b1) / det;
  const double half = 0.5 * alpha, disc = half * half + beta;
  if (disc < 0) {
    const double lambda = std::sqrt(-beta);
    return oscillator(std::max(seen, lambda), -half / lambda);
  }
  const double root = std::sqrt(disc);
  return oscillator(std::max({seen, std::fabs(half - root), std::fabs(half + root)}), half < 0 ? 1 : 0);
}

}  // namespace

template <class Displace>
double SpectrumProbe::power(const ConstrainedSystem& system, const State& state, Displace displace,
                            Counters& counters) {
  const RandomStream start(1, 1);
  for (std::size_t j = 0; j < direction_.size(); ++j) direction_[j] = start.uniform(j, -1, 1);
  double growth = 0;
  for (int k = 0; k < iterations; ++k) {
    const double length = root_mean_square(direction_);
    if (!(length > 0)) break;
    for (std::size_t j = 0; j < direction_.size(); ++j) direction_[j] *= size_[j] / length;
    system.rates(state.q.data(), direction_.data(), displaced_.data());
    std::copy(state.q.begin(), state.q.end(), q_.begin());
    std::copy(state.v.begin(), state.v.end(), v_.begin());
    displace();
    ++counters.evaluations;
    if (!system.evaluate(state.t, {q_.data(), v_.data(), state.z.data(), state.s.data()}, a_.data(),
                         z_rate_.data()))
      break;
    system.lower(state.q.data(), state.v.data(), a_.data(), response_.data());
    for (std::size_t j = 0; j < response_.size(); ++j) direction_[j] = (response_[j] - alpha_[j]) / size_[j];
    const double now = root_mean_square(direction_);
    if (!std::isfinite(now)) break;
    growth = now;
  }
  return margin * growth;
}

void SpectrumProbe::prepare(const ConstrainedSystem& system, const State& state, const double* a) {
  for (auto* x : {&q_, &v_, &a_, &displaced_}) x->resize(system.size());
  z_rate_.resize(system.extent().z);
  for (auto* x : {&alpha_, &direction_, &response_, &size_}) x->resize(system.freedoms());
  system.lower(state.q.data(), state.v.data(), a, alpha_.data());
}

void SpectrumProbe::measure(const ConstrainedSystem& system, std::span<const double> x, MotionSizes absolute,
                            double MotionSize::*level, double rtol) {
  const KindSizes found = root_mean_squares(x, system.angles());
  const auto size = [&](bool angle) {
    return relative_size * scale(found.of(angle), absolute.of(angle).*level, rtol);
  };
  const double length = size(false), angle = size(true);
  for (std::size_t j = 0; j < size_.size(); ++j)
    size_[j] = !system.turning().empty() && system.turning()[j] != 0 ? angle : length;
}

SpectralBound SpectrumProbe::estimate(const ConstrainedSystem& system, const State& state,
                                      const Tolerances& tolerances, Counters& counters) {
  prepare(system, state, state.a.data());
  auto add_to = [this](std::vector<double>& x) {
    return [this, &x] {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += displaced_[i];
    };
  };
  const MotionSizes absolute = tolerances.absolute();
  measure(system, state.q, absolute, &MotionSize::position, tolerances.rtol);
  const double omega2 = power(system, state, add_to(q_), counters);
  found_ = direction_;
  measure(system, state.v, absolute, &MotionSize::velocity, tolerances.rtol);
  const double delta = power(system, state, add_to(v_), counters);
  return {std::sqrt(omega2), delta};
}

/// out = B u for u of the size one; false when there is no such acceleration.
bool SpectrumProbe::apply(const ConstrainedSystem& system, const State& state, double s, const Pair& u,
                          Pair& out, Counters& counters) {
  const auto displace = [&](const std::vector<double>& d, double factor, std::span<const double> from,
                            std::vector<double>& to) {
    for (std::size_t j = 0; j < d.size(); ++j) direction_[j] = factor * size_[j] * d[j];
    system.rates(state.q.data(), direction_.data(), displaced_.data());
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + displaced_[i];
  };
  displace(u.x, 1, state.q, q_);
  displace(u.y, s, state.v, v_);
  ++counters.evaluations;
  if (!system.evaluate(state.t, {q_.data(), v_.data(), state.z.data(), state.s.data()}, a_.data(),
                       z_rate_.data()))
    return false;
  system.lower(state.q.data(), state.v.data(), a_.data(), response_.data());
  for (std::size_t j = 0; j < out.y.size(); ++j) {
    out.x[j] = s * u.y[j];
    out.y[j] = (response_[j] - alpha_[j]) / (size_[j] * s);
  }
  return std::isfinite(dot(out, out));
}

/// Turns the displacement u_.x to the fastest one in the space of `steps` responses, by Arnoldi's method, and
/// returns the square of its rate.
double SpectrumProbe::refine(const ConstrainedSystem& system, const State& state, std::size_t most,
                             Counters& counters) {
  const std::size_t n = u_.x.size();
  std::fill(u_.y.begin(), u_.y.end(), 0.0);
  basis_.resize(most_responses);
  std::array<double, most_responses * most_responses> H{};  // row by row
  std::size_t count = 0;
  double response = 0;
  while (count < most) {
    const double size = resize_to_one(u_);
    if (!(size > 1e-6 * response)) break;
    if (count > 0) H[count * most + count - 1] = size;
    basis_[count] = u_.x;
    if (!apply(system, state, 1, u_, once_, counters)) break;
    response = std::sqrt(dot(once_, once_));
    u_.x = once_.y;
    for (std::size_t k = 0; k <= count; ++k) {
      const double part = mean_product(u_.x, basis_[k]);
      for (std::size_t j = 0; j < n; ++j) u_.x[j] -= part * basis_[k][j];
      H[k * most + count] = part;
    }
    ++count;
  }
  std::array<double, most_responses> mode{};
  std::fill_n(mode.begin(), count, 1.0);
  const double rate2 = dominant(H, most, std::span(mode).first(count));
  std::fill(u_.x.begin(), u_.x.end(), 0.0);
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t j = 0; j < n; ++j) u_.x[j] += mode[k] * basis_[k][j];
  return rate2;
}

SpectralBound SpectrumProbe::follow(const ConstrainedSystem& system, const State& state, const double* a,
                                    const Tolerances& tolerances, Start start, State& direction,
                                    Counters& counters) {
  prepare(system, state, a);
  measure(system, state.q, tolerances.absolute(), &MotionSize::position, tolerances.rtol);
  const std::size_t n = system.freedoms();
  for (Pair* u : {&u_, &once_, &twice_})
    for (std::vector<double>* x : {&u->x, &u->y}) x->resize(n);
  const RandomStream random(1, 1);
  double s = direction.t;
  if (start == Start::last && s > 0) {
    for (std::size_t j = 0; j < n; ++j) u_.x[j] = direction.q[j] + newcomers * random.uniform(j, -1, 1);
    std::copy_n(direction.v.begin(), n, u_.y.begin());
  } else {
    for (std::size_t j = 0; j < n; ++j)
      u_.x[j] = start == Start::estimate ? found_[j] : random.uniform(j, -1, 1);
    s = std::sqrt(refine(system, state, start == Start::estimate ? few : most_responses, counters));
  }
  SpectralBound bound;
  if (s > 0 && resize_to_one(u_) > 0 && apply(system, state, s, u_, once_, counters)) {
    const double growth = resize_to_one(once_);
    if (growth > 0 && apply(system, state, s, once_, twice_, counters)) {
      bound = fastest(u_, once_, twice_, growth);
      std::swap(u_, twice_);
      resize_to_one(u_);
    }
  }
  direction.t = s;
  std::copy_n(u_.x.begin(), n, direction.q.begin());
  std::copy_n(u_.y.begin(), n, direction.v.begin());
  return bound;
}

}  // namespace cosimo
