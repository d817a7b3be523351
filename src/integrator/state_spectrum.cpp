#include "integrator/state_spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cosimo {
namespace {

// Even: two states may take turns.
constexpr int settling = 16, measured = 16;

using Values = std::vector<double>;

void add_sizes(const std::vector<SparseEntry>& block, Values& rows) {
  for (const SparseEntry& e : block) rows[static_cast<std::size_t>(e.row)] += std::fabs(e.value);
}

/// y += factor |X| x.
void add_product_of_sizes(const std::vector<SparseEntry>& block, double factor, const Values& x, Values& y) {
  for (const SparseEntry& e : block)
    y[static_cast<std::size_t>(e.row)] += factor * std::fabs(e.value) * x[static_cast<std::size_t>(e.column)];
}

}  // namespace

void StateSpectrum::resize(std::size_t freedoms, std::size_t states) {
  for (Values* x : {&mass_, &omega2_, &delta_, &w_, &next_w_, &alpha_}) x->resize(freedoms);
  for (Values* x : {&z_, &next_z_}) x->resize(states);
  tangent_.a_t.resize(freedoms);
  tangent_.z_t.resize(states);
}

SpectralBound StateSpectrum::estimate(const System& system, const State& state) {
  resize(system.size(), system.extent().z);
  system.state_tangent(state.t, state.whole(), tangent_);
  return joined(mechanical());
}

SpectralBound StateSpectrum::estimate(const ConstrainedSystem& system, const State& state, const double* a,
                                      const SpectralBound& mechanical) {
  if (system.extent().z == 0) return mechanical;
  resize(system.freedoms(), system.extent().z);
  lambda_.assign(system.constraints(), 0.0);  // the blocks of the states do not depend on it
  system.lower(state.q.data(), state.v.data(), a, alpha_.data());
  system.linearise_whole(state.t, state.whole(), alpha_.data(), lambda_.data(), tangent_);
  return joined(mechanical);
}

SpectralBound StateSpectrum::mechanical() {
  for (Values* x : {&mass_, &omega2_, &delta_}) std::fill(x->begin(), x->end(), 0.0);
  add_sizes(tangent_.M, mass_);
  add_sizes(tangent_.K, omega2_);
  add_sizes(tangent_.C, delta_);
  SpectralBound bound;
  for (std::size_t i = 0; i < mass_.size(); ++i) {
    bound.omega = std::max(bound.omega, std::sqrt(omega2_[i] / mass_[i]));
    bound.delta = std::max(bound.delta, delta_[i] / mass_[i]);
  }
  return bound;
}

/// Mean growth of one iteration; zero when all fades.
double StateSpectrum::growth(double own) {
  std::fill(mass_.begin(), mass_.end(), 0.0);
  for (const SparseEntry& e : tangent_.M)
    if (e.row == e.column) mass_[static_cast<std::size_t>(e.row)] += std::fabs(e.value);
  std::fill(w_.begin(), w_.end(), 1.0);
  std::fill(z_.begin(), z_.end(), 1.0);
  double sum = 0;  // of logarithms
  for (int k = 0; k < settling + measured; ++k) {
    std::fill(next_w_.begin(), next_w_.end(), 0.0);
    std::fill(next_z_.begin(), next_z_.end(), 0.0);
    add_product_of_sizes(tangent_.z.f_z, 1, z_, next_w_);
    for (std::size_t i = 0; i < w_.size(); ++i) next_w_[i] = own * w_[i] + next_w_[i] / mass_[i];
    add_product_of_sizes(tangent_.z.z_w, 1, w_, next_z_);
    if (own > 0) add_product_of_sizes(tangent_.z.z_x, 1 / own, w_, next_z_);
    add_product_of_sizes(tangent_.z.z_z, 1, z_, next_z_);
    double largest = 0;
    for (const Values* x : {&next_w_, &next_z_})
      for (const double value : *x) largest = std::max(largest, value);
    if (!(largest > 0) || !std::isfinite(largest)) return 0;
    if (k >= settling) sum += std::log(largest);
    for (Values* x : {&next_w_, &next_z_})
      for (double& value : *x) value /= largest;
    std::swap(w_, next_w_);
    std::swap(z_, next_z_);
  }
  return std::exp(sum / measured);
}

SpectralBound StateSpectrum::joined(const SpectralBound& mechanical) {
  const double own = mechanical.lambda();
  if (z_.empty()) return mechanical;
  const double lambda = std::max(own, growth(own));
  if (lambda == 0) return mechanical;
  double decay = mechanical.delta;
  for (const SparseEntry& e : tangent_.z.z_z)
    if (e.row == e.column) decay = std::max(decay, std::fabs(e.value));
  return oscillator(lambda, decay / lambda);
}

}  // namespace cosimo
