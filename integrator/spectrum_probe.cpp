#include "integrator/spectrum_probe.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/random.hpp"
#include "numerics/sums.hpp"

namespace cosimo {
namespace {

constexpr int iterations = 5;
constexpr double margin = 1.2;
/// Of a displacement against the state: half the digits, as always with differences.
constexpr double relative_size = 1e-7;

double root_mean_square(std::span<const double> x) {
  const double sum = reproducible_sum(x.size(), [x](std::size_t i) { return x[i] * x[i]; });
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(x.size(), 1)));
}

/// What counts as large in a state: its numbers, and never less than where the absolute tolerance rules.
double scale(std::span<const double> x, double atol, double rtol) {
  return std::max({root_mean_square(x), atol / rtol, 1e-12});
}

}  // namespace

template <class Displace>
double SpectrumProbe::power(const ConstrainedSystem& system, const State& state, double size,
                            Displace displace, Counters& counters) {
  const RandomStream start(1, 1);
  for (std::size_t j = 0; j < direction_.size(); ++j) direction_[j] = start.uniform(j, -1, 1);
  double growth = 0;
  for (int k = 0; k < iterations; ++k) {
    const double length = root_mean_square(direction_);
    if (!(length > 0)) break;
    for (double& x : direction_) x *= size / length;
    system.rates(state.q.data(), direction_.data(), displaced_.data());
    std::copy(state.q.begin(), state.q.end(), q_.begin());
    std::copy(state.v.begin(), state.v.end(), v_.begin());
    displace();
    ++counters.evaluations;
    if (!system.acceleration(state.t, q_.data(), v_.data(), a_.data(), {0, system.size()})) break;
    system.lower(state.q.data(), state.v.data(), a_.data(), response_.data());
    for (std::size_t j = 0; j < response_.size(); ++j) direction_[j] = response_[j] - alpha_[j];
    const double now = root_mean_square(direction_) / size;
    if (!std::isfinite(now)) break;
    growth = now;
  }
  return margin * growth;
}

SpectralBound SpectrumProbe::estimate(const ConstrainedSystem& system, const State& state,
                                      const Tolerances& tolerances, Counters& counters) {
  for (auto* x : {&q_, &v_, &a_, &displaced_}) x->resize(system.size());
  for (auto* x : {&alpha_, &direction_, &response_}) x->resize(system.freedoms());
  system.lower(state.q.data(), state.v.data(), state.a.data(), alpha_.data());
  auto add_to = [this](std::vector<double>& x) {
    return [this, &x] {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += displaced_[i];
    };
  };
  const double size_q = relative_size * scale(state.q, tolerances.atol_pos, tolerances.rtol);
  const double size_v = relative_size * scale(state.v, tolerances.atol_vel, tolerances.rtol);
  const double omega2 = power(system, state, size_q, add_to(q_), counters);
  const double delta = power(system, state, size_v, add_to(v_), counters);
  return {std::sqrt(omega2), delta};
}

}  // namespace cosimo
