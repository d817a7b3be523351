#include "integrator/root_watch.hpp"

#include <bit>
#include <cmath>

#include "integrator/error_sum.hpp"

namespace cosimo {
namespace {

std::int8_t sign(double x) {
  return static_cast<std::int8_t>(x > 0 ? 1 : (x < 0 ? -1 : 0));
}

bool foreseen(std::int8_t side) {
  return side == 2 || side == -2;
}

}  // namespace

void find_signs(const System& system, double t, const Whole& y, std::span<std::int8_t> sides) {
  if (std::find(sides.begin(), sides.end(), 0) == sides.end()) return;
  std::vector<double> g(sides.size());
  system.roots(t, y, g.data());
  for (std::size_t k = 0; k < g.size(); ++k)
    if (sides[k] == 0) sides[k] = sign(g[k]);
}

RootWatch::RootWatch(const System& system, const Tolerances& tolerances)
    : system_(system),
      tolerances_(tolerances),
      n_(system.size()),
      m_(system.extent().z),
      g_(system.extent().roots) {
  if (idle()) return;
  for (auto* x : {&q_, &v_}) x->resize(n_);
  z_.resize(m_);
  for (auto* x : {&ahead_g_, &shifted_g_, &noise_}) x->resize(g_.size());
  for (auto* x : {&sides_, &passed_}) x->resize(g_.size());
}

/// g_ against the sides; it belongs to the state y.
bool RootWatch::compare(double t, const Whole& y) {
  bool any = false, noise_known = false;
  for (std::size_t k = 0; k < g_.size(); ++k) {
    bool over = g_[k] * sides_[k] < 0;
    if (over && foreseen(sides_[k])) {
      if (!noise_known) find_noise(t, y);
      noise_known = true;
      over = std::fabs(g_[k]) > noise_[k];
    }
    passed_[k] = over ? sign(g_[k]) : std::int8_t{0};
    any = any || over;
  }
  return any;
}

/// By how much the roots change when states change by their tolerances: all together, and all those against
/// the others whose number has a certain bit. Any two are shifted apart in one of these ways.
void RootWatch::find_noise(double t, const Whole& y) {
  const ErrorWeights weights(tolerances_, system_.angles());
  const StateWeights state_weights(tolerances_, system_.nominals());
  const auto bits = static_cast<unsigned>(std::bit_width(n_ + m_));
  std::fill(noise_.begin(), noise_.end(), 0.0);
  for (unsigned bit = 0; bit <= bits; ++bit) {
    const auto direction = [&](std::size_t i) { return bit < bits && ((i >> bit) & 1U) != 0 ? -1.0 : 1.0; };
    for (std::size_t i = 0; i < n_; ++i) {
      q_[i] = y.q[i] + direction(i) * weights.q(i, y.q[i]);
      v_[i] = y.v[i] + direction(i) * weights.v(i, y.v[i]);
    }
    for (std::size_t i = 0; i < m_; ++i) z_[i] = y.z[i] + direction(n_ + i) * state_weights(i, y.z[i]);
    system_.roots(t, {q_.data(), v_.data(), z_.data(), y.s}, shifted_g_.data());
    for (std::size_t k = 0; k < g_.size(); ++k)
      noise_[k] = std::max(noise_[k], std::fabs(shifted_g_[k] - g_[k]));
  }
}

bool RootWatch::crossed(double t, const Whole& y) {
  system_.roots(t, y, g_.data());
  return compare(t, y);
}

bool RootWatch::doubtful(double t, const Whole& from) {
  system_.roots(t, from, g_.data());
  find_noise(t, from);
  for (std::size_t k = 0; k < g_.size(); ++k)
    if (passed_[k] != 0 && std::fabs(g_[k]) <= noise_[k]) return true;
  return false;
}

void RootWatch::confirm() {
  for (std::size_t k = 0; k < g_.size(); ++k)
    if (foreseen(sides_[k]) && g_[k] * sides_[k] > 0) sides_[k] = sign(g_[k]);
}

void RootWatch::evaluate_ahead(double t, const Whole& y, const Rates& rates, double ahead) {
  for (std::size_t i = 0; i < n_; ++i) {
    q_[i] = y.q[i] + ahead * y.v[i];
    v_[i] = y.v[i] + ahead * rates.a[i];
  }
  for (std::size_t i = 0; i < m_; ++i) z_[i] = y.z[i] + ahead * rates.z[i];
  system_.roots(t + ahead, {q_.data(), v_.data(), z_.data(), y.s}, g_.data());
}

bool RootWatch::due(double t, const Whole& y, const Rates& rates, double ahead) {
  evaluate_ahead(t, y, rates, ahead);
  return compare(t, y);
}

void RootWatch::find_unknown(double t, const Whole& y, const Rates& rates, double ahead) {
  const auto fill = [&] {
    bool all = true;
    for (std::size_t k = 0; k < g_.size(); ++k) {
      if (sides_[k] == 0) sides_[k] = sign(g_[k]);
      all = all && sides_[k] != 0;
    }
    return all;
  };
  if (std::find(sides_.begin(), sides_.end(), 0) == sides_.end()) return;
  system_.roots(t, y, g_.data());
  if (fill()) return;
  evaluate_ahead(t, y, rates, ahead);
  if (fill()) return;
  // Zero for a while: either will do.
  std::replace(sides_.begin(), sides_.end(), std::int8_t{0}, std::int8_t{1});
}

void RootWatch::settle(std::span<const std::int8_t> fired, double t, const Whole& y, const Rates& rates,
                       double ahead) {
  evaluate_ahead(t, y, rates, ahead);
  const std::vector<double>& later = ahead_g_;
  std::copy(g_.begin(), g_.end(), ahead_g_.begin());
  system_.roots(t, y, g_.data());
  find_noise(t, y);
  for (std::size_t k = 0; k < g_.size(); ++k) {
    std::int8_t side = sign(later[k]);
    if (fired[k] == 0 || side == 0) continue;
    // Fired a little before its time, and still on its way: it passes.
    const bool on_its_way = std::fabs(later[k]) < std::fabs(g_[k]) && std::fabs(g_[k]) <= noise_[k];
    if (side != fired[k] && on_its_way) side = fired[k];
    sides_[k] = static_cast<std::int8_t>(sign(g_[k]) == side ? side : 2 * side);
  }
}

}  // namespace cosimo
