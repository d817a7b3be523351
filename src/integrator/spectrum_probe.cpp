#include "integrator/spectrum_probe.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/random.hpp"
#include "integrator/kinds.hpp"
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
double scale(double x, double atol, double rtol) {
  return std::max({x, atol / rtol, 1e-100});
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

SpectralBound SpectrumProbe::estimate(const ConstrainedSystem& system, const State& state,
                                      const Tolerances& tolerances, Counters& counters) {
  for (auto* x : {&q_, &v_, &a_, &displaced_}) x->resize(system.size());
  z_rate_.resize(system.extent().z);
  for (auto* x : {&alpha_, &direction_, &response_, &size_}) x->resize(system.freedoms());
  system.lower(state.q.data(), state.v.data(), state.a.data(), alpha_.data());
  auto add_to = [this](std::vector<double>& x) {
    return [this, &x] {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += displaced_[i];
    };
  };
  const MotionSizes absolute = tolerances.absolute();
  const auto measure = [&](std::span<const double> x, double MotionSize::*level) {
    const auto size = [&](bool angle) {
      return relative_size *
             scale(root_mean_square(x, system.angles(), angle), absolute.of(angle).*level, tolerances.rtol);
    };
    const double length = size(false), angle = size(true);
    for (std::size_t j = 0; j < size_.size(); ++j)
      size_[j] = !system.turning().empty() && system.turning()[j] != 0 ? angle : length;
  };
  measure(state.q, &MotionSize::position);
  const double omega2 = power(system, state, add_to(q_), counters);
  measure(state.v, &MotionSize::velocity);
  const double delta = power(system, state, add_to(v_), counters);
  return {std::sqrt(omega2), delta};
}

}  // namespace cosimo
