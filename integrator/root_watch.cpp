#include "integrator/root_watch.hpp"

namespace cosimo {
namespace {

std::int8_t sign(double x) {
  return static_cast<std::int8_t>(x > 0 ? 1 : (x < 0 ? -1 : 0));
}

}  // namespace

RootWatch::RootWatch(const System& system)
    : system_(system), n_(system.size()), m_(system.extent().z), g_(system.extent().roots) {
  if (idle()) return;
  for (auto* x : {&q_, &v_}) x->resize(n_);
  z_.resize(m_);
  for (auto* x : {&sides_, &passed_}) x->resize(g_.size());
}

bool RootWatch::compare() {
  bool any = false;
  for (std::size_t k = 0; k < g_.size(); ++k) {
    passed_[k] = g_[k] * sides_[k] < 0 ? sign(g_[k]) : std::int8_t{0};
    any = any || passed_[k] != 0;
  }
  return any;
}

bool RootWatch::crossed(double t, const Whole& y) {
  system_.roots(t, y, g_.data());
  return compare();
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
  return compare();
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
  std::replace(sides_.begin(), sides_.end(), std::int8_t{0},
               std::int8_t{1});  // zero for a while: either will do
}

void RootWatch::settle(std::span<const std::int8_t> fired, double t, const Whole& y, const Rates& rates,
                       double ahead) {
  evaluate_ahead(t, y, rates, ahead);
  for (std::size_t k = 0; k < g_.size(); ++k)
    if (fired[k] != 0 && g_[k] != 0) sides_[k] = sign(g_[k]);
}

}  // namespace cosimo
