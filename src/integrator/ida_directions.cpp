#include "integrator/ida_directions.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/check.hpp"
#include "integrator/direction_set.hpp"

namespace cosimo {

namespace {

/// The residual that is good enough, as part of the one before the correction; and at most how many
/// back-substitutions are spent on it.
constexpr double residual_reduction = 1e-4;
constexpr int most_solves = 3;

using Phi = std::array<double*, 6>;

void clear(double* x, Range range) {
  std::fill(x + range.first, x + range.last, 0.0);
}

/// The rows fitted to the step, their sum and its derivative, of order k.
template <std::size_t k>
void predict(const StepFormula& formula, const Phi& phi, Range range, double* y, double* rate) {
  const auto beta = formula.beta, gamma = formula.gamma;
#pragma GCC ivdep
  for (std::size_t i = range.first; i < range.last; ++i) {
    double sum = 0, slope = 0;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((phi[J][i] *= beta[J], sum += phi[J][i], slope += gamma[J] * phi[J][i]), ...);
    }
    (std::make_index_sequence<k + 1>{});
    y[i] = sum;
    rate[i] = slope;
  }
}

/// The rows after the step.
template <std::size_t k>
void complete(const Phi& phi, Range range, const double* correction) {
#pragma GCC ivdep
  for (std::size_t i = range.first; i < range.last; ++i) {
    double sum = correction[i];
    if constexpr (k + 1 < 6) phi[k + 1][i] = sum;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((phi[k - J][i] = sum += phi[k - J][i]), ...);
    }
    (std::make_index_sequence<k + 1>{});
  }
}

/// f(k) with the order as a constant.
template <class F>
void with_order(std::size_t order, F f) {
  COSIMO_CHECK(order >= 1 && order <= 5, "order of a step of IDA");
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    ((order == K + 1 ? f(std::integral_constant<std::size_t, K + 1>{}) : void()), ...);
  }
  (std::make_index_sequence<5>{});
}

/// Cuts off what is negligible beside the largest, in all rows and at both levels.
template <class Rows>
void trim(const Rows& phi, Range& range) {
  const auto size = [&](auto level, std::size_t i) {
    double largest = 0;
    for (const auto& row : phi) largest = std::max(largest, std::abs(level(row)[i]));
    return largest;
  };
  const auto q = [](const auto& row) { return row.q; };
  const auto v = [](const auto& row) { return row.v; };
  double largest_q = 0, largest_v = 0;  // of the direction itself
  for (std::size_t i = range.first; i < range.last; ++i) {
    largest_q = std::max(largest_q, std::abs(phi[0].q[i]));
    largest_v = std::max(largest_v, std::abs(phi[0].v[i]));
  }
  const auto negligible = [&](std::size_t i) {
    return size(q, i) <= negligible_direction * largest_q && size(v, i) <= negligible_direction * largest_v;
  };
  const auto cut = [&](std::size_t i) {
    for (const auto& row : phi) row.q[i] = row.v[i] = 0;
  };
  while (range.first < range.last && negligible(range.first)) cut(range.first++);
  while (range.first < range.last && negligible(range.last - 1)) cut(--range.last);
}

}  // namespace

void IdaDirections::begin(Directions* wanted) {
  wanted_ = wanted;
  fresh_ = false;
  if (wanted == nullptr) return;
  const std::size_t inputs = system_.inputs();
  wanted->q.assign(inputs * wanted->dofs.size(), 0.0);
  wanted->v.assign(inputs * wanted->dofs.size(), 0.0);
  if (histories_.size() != inputs) allocate(inputs);
  for (History& history : histories_) {
    for (const Row& row : history.phi) {
      clear(row.q, history.range);
      clear(row.v, history.range);
    }
    history.range = {};
  }
}

void IdaDirections::allocate(std::size_t inputs) {
  storage_ = Slab(2 * rows * inputs + 11, system_.size(), 0);
  std::size_t next = 0;
  const auto make = [&](Row& row) {
    row.q = storage_.row(next++).data();
    row.v = storage_.row(next++).data();
  };
  histories_.assign(inputs, {});
  for (History& history : histories_) std::for_each(history.phi.begin(), history.phi.end(), make);
  for (Row* row : {&s_, &rate_, &residual_, &correction_, &change_}) make(*row);
  force_ = storage_.row(next).data();
}

IdaDirections::Place IdaDirections::place(std::size_t input, double t, StateView y) const {
  return {t, y, system_.input_effect(input, t, y.q, y.v)};
}

void IdaDirections::clear_work(Range range) {
  for (const Row& row : {s_, rate_, residual_, correction_, change_}) {
    clear(row.q, range);
    clear(row.v, range);
  }
}

void IdaDirections::restart(double t, StateView y) {
  fresh_ = true;
  tangent_.forget();
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    History& history = histories_[i];
    const Place here = place(i, t, y);
    const auto dof = static_cast<std::size_t>(here.effect.dof);
    const Range range = widened(hull(history.range, {dof, dof + 1}),
                                std::min(system_.reach(), system_.size()), system_.size());
    std::copy_n(history.phi[0].q + range.first, range.size(), s_.q + range.first);
    std::copy_n(history.phi[0].v + range.first, range.size(), s_.v + range.first);
    residual(here, range);
    for (std::size_t j = 1; j < rows; ++j) {
      clear(history.phi[j].q, range);
      clear(history.phi[j].v, range);
    }
    for (std::size_t k = range.first; k < range.last; ++k) {
      history.phi[1].q[k] = -residual_.q[k];  // what is missing to the rates, which are zero
      history.phi[1].v[k] = -residual_.v[k];
    }
    history.range = range;
    clear_work(range);
  }
}

std::int64_t IdaDirections::step(const StepFormula& formula, double t, StateView y, NewtonMatrix& matrix) {
  std::int64_t solves = 0;
  const std::size_t n = system_.size(), reach = std::min(system_.reach(), n);
  tangent_.forget();
  StepFormula fitted = formula;
  if (fresh_) fitted.beta[1] *= formula.h;
  fresh_ = false;
  for (std::size_t i = 0; i < histories_.size(); ++i) {
    History& history = histories_[i];
    const Place here = place(i, t, y);
    const auto dof = static_cast<std::size_t>(here.effect.dof);
    Phi q{}, v{};
    for (std::size_t j = 0; j < rows; ++j)
      std::tie(q[j], v[j]) = std::pair(history.phi[j].q, history.phi[j].v);
    Range range = hull(history.range, {dof, dof + 1});
    with_order(formula.order, [&](auto k) {
      predict<k>(fitted, q, range, s_.q, rate_.q);
      predict<k>(fitted, v, range, s_.v, rate_.v);
    });
    range = widened(range, reach, n);
    residual(here, range);
    solves += correct(here, formula, matrix, range);
    with_order(formula.order, [&](auto k) {
      complete<k>(q, range, correction_.q);
      complete<k>(v, range, correction_.v);
    });
    clear_work(range);
    history.range = range;
    trim(history.phi, history.range);
  }
  return solves;
}

/// What s and its rate leave of the variational equation, divided by the masses.
void IdaDirections::residual(const Place& place, Range range) {
  tangent_.provide(place.t, place.y.q, place.y.v, range);
  const Tangent& tangent = tangent_.values();
  const std::size_t reach = std::min(system_.reach(), system_.size());
  restoring_force({system_.pattern(), range, reach}, tangent, {s_.q, s_.v}, force_);
  force_[static_cast<std::size_t>(place.effect.dof)] += place.effect.force * wanted_->shape(place.t);
  const double *const mass = tangent.mass.data(), *const force = force_;
  const Row r = residual_, s = s_, rate = rate_;
#pragma GCC ivdep
  for (std::size_t i = range.first; i < range.last; ++i) {
    r.q[i] = rate.q[i] - s.v[i];
    r.v[i] = rate.v[i] - force[i] / mass[i];
  }
}

/// The correction; returns the number of back-substitutions. The range grows to where it is not negligible.
int IdaDirections::correct(const Place& place, const StepFormula& formula, NewtonMatrix& matrix,
                           Range& range) {
  const std::size_t n = system_.size(), reach = std::min(system_.reach(), n);
  const double enough = residual_reduction * residual_size(formula.cj, range);
  const double factor = -2 / (1 + formula.cj_ratio), cj = formula.cj;
  const Row r = residual_, d = change_, c = correction_;
  const double* const force = force_;
  for (int solves = 0;; ++solves) {
    if (solves == most_solves || !(residual_size(cj, range) > enough)) return solves;
    clear(d.q, range);
    clear(d.v, range);
    range = widened(hull(range, matrix.solve_near(factor, {r.q, r.v}, d.q, d.v, range)), reach, n);
    tangent_.provide(place.t, place.y.q, place.y.v, range);
    const Tangent& tangent = tangent_.values();
    restoring_force({system_.pattern(), range, reach}, tangent, {d.q, d.v}, force_);
    const double* const mass = tangent.mass.data();
#pragma GCC ivdep
    for (std::size_t i = range.first; i < range.last; ++i) {
      c.q[i] += d.q[i];
      c.v[i] += d.v[i];
      r.q[i] += cj * d.q[i] - d.v[i];
      r.v[i] += cj * d.v[i] - force[i] / mass[i];
    }
  }
}

double IdaDirections::residual_size(double cj, Range range) const {
  double q = 0, v = 0;
  for (std::size_t i = range.first; i < range.last; ++i) {
    q = std::max(q, std::abs(residual_.q[i]));
    v = std::max(v, std::abs(residual_.v[i]));
  }
  return std::max(cj * q, v);
}

void IdaDirections::finish(const Interpolation& at) {
  if (!wanted()) return;
  std::size_t k = 0;
  for (const History& history : histories_) {
    for (const std::int32_t dof : wanted_->dofs) {
      const auto i = static_cast<std::size_t>(dof);
      COSIMO_CHECK(i < system_.size(), "a derivative of a degree of freedom that exists");
      for (std::size_t j = 0; j < at.count; ++j) {
        wanted_->q[k] += at.c[j] * history.phi[j].q[i];
        wanted_->v[k] += at.c[j] * history.phi[j].v[i];
      }
      ++k;
    }
  }
}

}  // namespace cosimo
