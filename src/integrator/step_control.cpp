#include "integrator/step_control.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>

#include "integrator/error_sum.hpp"
#include "numerics/sums.hpp"
#include "parallel/shares.hpp"

namespace cosimo {
namespace {

constexpr double safety = 0.9;
constexpr double shrink_limit = 0.2;
constexpr double growth_limit = 5.0;
/// Where the control comes to rest: safety * e^-(0.7 - 0.4)/order = 1 for order 5.
constexpr double steady_error = 0.2;
constexpr double averaging = 0.2;
constexpr double error_floor = 1e-4;  ///< of the remembered error: better is luck, not a trend
constexpr double trend_floor = 1e-2;  ///< the same for predictive control

struct Weights {
  ErrorWeights weights;
  StateWeights states;
  const Point& at;
  std::size_t count;  ///< of states
  double q(std::size_t i) const { return weights.q(i, at.q[i]); }
  double v(std::size_t i) const { return weights.v(i, at.v[i]); }
  double z(std::size_t i) const { return states(i, at.z[i]); }
};

/// Weighted norm of a vector in the space of (q, v, z). Where squares overflow they are taken of what is left
/// after a division by the largest. The team shares what costs most, the squares, which go through `squares`;
/// they are added up in their order.
template <class Q, class V, class Z>
double norm(const Weights& w, Range judged, Q q, V v, Z z, std::span<double> squares, Team* team) {
  const double terms = 2.0 * static_cast<double>(judged.size()) + static_cast<double>(w.count);
  if (terms == 0) return 0;
  const auto mean_square = [&](double unit) {
    auto work = [&](Share& mine) {
      const std::size_t last = std::min(mine.rows.last, judged.last);
      for (std::size_t i = std::max(mine.rows.first, judged.first); i < last; ++i) {
        const double x = q(i) / w.q(i) / unit, y = v(i) / w.v(i) / unit;
        squares[i] = x * x + y * y;
      }
    };
    in_shares(team, squares.size(), work);
    const double sum =
        reproducible_sum(judged.size(), [&](std::size_t k) { return squares[judged.first + k]; });
    const double more = reproducible_sum(w.count, [&](std::size_t i) {
      const double x = z(i) / w.z(i) / unit;
      return x * x;
    });
    return (sum + more) / terms;
  };
  const double plain = mean_square(1);
  if (std::isfinite(plain)) return std::sqrt(plain);
  double largest = 0;
  for (std::size_t i = judged.first; i < judged.last; ++i)
    largest = std::max({largest, std::fabs(q(i) / w.q(i)), std::fabs(v(i) / w.v(i))});
  for (std::size_t i = 0; i < w.count; ++i) largest = std::max(largest, std::fabs(z(i) / w.z(i)));
  return largest * std::sqrt(mean_square(largest));
}

/// Accelerations a step h of Euler's method ahead, in `scratch`. False when a force overflows.
bool evaluate_ahead(const System& system, const Point& from, double h, State& scratch, Team* team) {
  std::atomic<bool> finite{true};
  const bool by_rows = !system.extent().states() && members_for(team, system.size()) > 1;
  auto work = [&](Share& mine) {
    for (std::size_t i = mine.rows.first; i < mine.rows.last; ++i) {
      scratch.q[i] = from.q[i] + h * from.v[i];
      scratch.v[i] = from.v[i] + h * from.a[i];
    }
    mine.meet();
    if (by_rows &&
        !system.acceleration(from.t + h, scratch.q.data(), scratch.v.data(), scratch.a.data(), mine.rows))
      finite = false;
  };
  in_shares(by_rows ? team : nullptr, system.size(), work);
  if (by_rows) return finite;
  for (std::size_t i = 0; i < scratch.z.size(); ++i) scratch.z[i] = from.z[i] + h * from.z_rate[i];
  const Whole ahead{scratch.q.data(), scratch.v.data(), scratch.z.data(), from.s};
  return system.evaluate(from.t + h, ahead, scratch.a.data(), scratch.z_rate.data());
}

}  // namespace

StepPlan plan_step(double t, double h, double t_stop, double longest) {
  const double left = t_stop - t;
  if (left < 1.1 * h && left <= longest) return {left, t_stop};
  if (left < 2.0 * h) return {0.5 * left, t + 0.5 * left};
  return {h, t + h};
}

double StepMemory::equal_steps(double taken) const {
  if (steady == 0 || steady > 2 * taken) return h;
  return std::min(steady, 1.1 * taken);
}

double StepMemory::growth(double taken, double error, int error_order, Control control) const {
  if (!(error > 0)) return growth_limit;
  if (control == Control::smoothing) {
    const double proportional = 0.7 / error_order, integral = 0.4 / error_order;
    return safety * std::pow(error, -proportional) * std::pow(previous_error, integral);
  }
  const double now = safety * std::pow(error, -1.0 / error_order);
  if (previous_step == 0) return now;
  const double trend =
      taken / previous_step * std::pow(std::max(previous_error, trend_floor) / error, 1.0 / error_order);
  return now * std::min(trend, 1.0);
}

void StepMemory::accepted(double taken, double error, int error_order, double evidence, Control control) {
  double factor = growth(taken, error, error_order, control);
  factor = std::clamp(factor, shrink_limit, growth_limit);
  const double alone = error > 0 ? std::pow(steady_error / error, 1.0 / error_order) : growth_limit;
  const double now = taken * std::clamp(alone, shrink_limit, growth_limit);
  steady = steady == 0 || now > 2 * steady || now < 0.5 * steady ? now : steady + averaging * (now - steady);
  if (after_rejection) factor = std::min(factor, 1.0);
  after_rejection = false;
  if (taken < evidence * h && factor >= 1) {
    // Shortened to meet an end: it says nothing against the step size wanted before.
    h = std::max(h, taken * factor);
    return;
  }
  h = taken * factor;
  previous_error = std::max(error, error_floor);
  previous_step = taken;
}

void StepMemory::rejected(double taken, double error, int error_order) {
  double factor = shrink_limit;
  if (std::isfinite(error))
    factor = std::clamp(safety * std::pow(error, -1.0 / error_order), shrink_limit, 0.9);
  h = taken * factor;
  steady = h;
  after_rejection = true;
}

void StepMemory::shortened(double longest) {
  h = longest;
  after_rejection = true;
}

double suitable_step(double h, double error, int error_order) {
  if (!std::isfinite(error)) return 0;
  return error > 0 ? h * std::pow(steady_error / error, 1.0 / error_order) : growth_limit * h;
}

double minimum_step(double t, double t_end) {
  return std::max({1e-14 * std::fabs(t), 1e-20 * std::fabs(t_end), std::numeric_limits<double>::min()});
}

double initial_step(const System& system, const Point& from, const Tolerances& tolerances, Range judged,
                    int error_order, double limit, State& scratch, Counters& counters, Team* team) {
  const std::size_t m = system.extent().z;
  const Weights w{{tolerances, system.angles()}, {tolerances, system.nominals()}, from, m};
  const double* const a = scratch.a.data();
  const double* const z_rate = scratch.z_rate.data();
  const auto norm_of = [&](auto q, auto v, auto z) { return norm(w, judged, q, v, z, scratch.q, team); };
  const double d0 =
      norm_of([&](std::size_t i) { return from.q[i]; }, [&](std::size_t i) { return from.v[i]; },
              [&](std::size_t i) { return from.z[i]; });
  const double d1 =
      norm_of([&](std::size_t i) { return from.v[i]; }, [&](std::size_t i) { return from.a[i]; },
              [&](std::size_t i) { return from.z_rate[i]; });
  double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6 * limit : std::min(0.01 * d0 / d1, limit);
  for (int tries = 0; tries < 10; ++tries, h0 *= 0.01) {
    ++counters.evaluations;
    if (!evaluate_ahead(system, from, h0, scratch, team)) continue;
    const double change = norm_of([&](std::size_t i) { return h0 * from.a[i]; },
                                  [&](std::size_t i) { return a[i] - from.a[i]; },
                                  [&](std::size_t i) { return z_rate[i] - from.z_rate[i]; });
    if (!std::isfinite(change)) continue;
    // In the state's own unit of time, so that no other one matters: how much first and second derivatives
    // do.
    const double unit = 100 * h0, moved = unit * std::max(d1, 100 * change);
    const double h1 =
        moved * limit <= 1e-10 * unit ? limit : unit * std::pow(0.01 / moved, 1.0 / error_order);
    return std::min(unit, h1);
  }
  return h0;
}

}  // namespace cosimo
