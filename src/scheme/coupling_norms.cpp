#include "scheme/coupling_norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cosimo {

namespace {

/// Signals that nobody judges have larger nominal values.
constexpr double not_judged = 1e200;

constexpr std::size_t number(Quantity quantity) {
  return static_cast<std::size_t>(quantity);
}

}  // namespace

CouplingNorms::CouplingNorms(const CouplingConditions& conditions, const NormOptions& options,
                             std::span<const double> u, const Seam& seam)
    : conditions_(conditions),
      variables_(conditions.variables()),
      seam_(seam),
      options_(options),
      floor_(conditions.size()) {
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (counts(i)) members_[number(variables_[i].quantity)].push_back(i);
  for (std::size_t q = 0; q < members_.size(); ++q) {
    in_all_[q] = seam_.total(members_[q].size());
    variables_in_all_ += in_all_[q];
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) arm_.push_back(conditions.arm(i));
  if (in_all_[number(Quantity::signal)] > 0) {
    kept_signals_.assign(conditions.size(), 0.0);
    raise_signals(u);
    kept_signals_ = next_signals_;
    for (const double size : kept_signals_)
      off_at_start_.push_back(size < not_judged ? options_.rtol * size : 0);
  }
  floors_of_ = options_.states().absolute();
  find_floors();
  kept_ = next_ = magnitudes(u);
}

/// Signals have units of their own: each is compared with itself.
void CouplingNorms::raise_signals(std::span<const double> u) {
  next_signals_ = kept_signals_;
  for (std::size_t i = 0; i < next_signals_.size(); ++i)
    next_signals_[i] = std::max({next_signals_[i], conditions_.nominal(i), std::fabs(u[i])});
  if (!next_signals_.empty()) conditions_.spread_given(next_signals_);
}

void CouplingNorms::find_floors() {
  conditions_.resolution(options_.states().absolute(), off_at_start_, floor_);
  share_floors();
}

void CouplingNorms::follow() {
  if (options_.scale == nullptr) return;
  const MotionSizes now = options_.states().absolute();
  const auto same = [](const MotionSize& a, const MotionSize& b) {
    return a.position == b.position && a.velocity == b.velocity;
  };
  if (same(now.length, floors_of_.length) && same(now.angle, floors_of_.angle)) return;
  floors_of_ = now;
  find_floors();
}

/// A spring that turns has its largest slope in another component than at the start: those of one force, and
/// of one torque, have the floor of the largest.
void CouplingNorms::share_floors() {
  floors_.assign(variables_.couplings(), {});
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    Floors& own = floors_[variables_[i].coupling.index()];
    if (variables_[i].quantity == Quantity::force) own.force = std::max(own.force, floor_[i]);
    if (variables_[i].quantity == Quantity::torque) own.torque = std::max(own.torque, floor_[i]);
  }
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Floors& own = floors_[variables_[i].coupling.index()];
    if (variables_[i].quantity == Quantity::force) floor_[i] = own.force;
    if (variables_[i].quantity == Quantity::torque) floor_[i] = std::max(own.torque, arm_[i] * own.force);
  }
}

CouplingNorms::Magnitudes CouplingNorms::magnitudes(std::span<const double> u) const {
  std::array<ExactSum, quantities> sums;
  constexpr std::size_t signal = number(Quantity::signal);
  for (std::size_t q = 0; q < members_.size(); ++q)
    for (const std::size_t i : members_[q])
      // Signals have magnitudes of their own: what counts here is whether they are finite.
      if (q != signal || !std::isfinite(u[i])) sums[q].add(u[i] * u[i]);
  seam_.total(sums);
  Magnitudes result{};
  for (std::size_t q = 0; q < members_.size(); ++q)
    if (in_all_[q] > 0) result[q] = std::sqrt(sums[q].value() / static_cast<double>(in_all_[q]));
  return result;
}

bool CouplingNorms::look_at(std::span<const double> u, std::size_t& bad) {
  const Magnitudes seen = magnitudes(u);
  bool finite = true;
  for (std::size_t q = 0; q < seen.size(); ++q) {
    finite = finite && std::isfinite(seen[q]);
    next_[q] = std::max(kept_[q], seen[q]);
  }
  raise_signals(u);
  if (finite) return true;
  const auto found = std::find_if(u.begin(), u.end(), [](double x) { return !std::isfinite(x); });
  bad = found == u.end() ? 0 : static_cast<std::size_t>(found - u.begin());
  return false;
}

double CouplingNorms::atol(std::size_t variable) const {
  const Quantity quantity = variables_[variable].quantity;
  if (quantity == Quantity::signal)
    return options_.rtol * next_signals_[variable] + floor_[variable] + std::numeric_limits<double>::min();
  if (!is_effort(quantity)) return floor_[variable];
  if (options_.atol_u > 0) return options_.atol_u;
  // The smallest positive number keeps 0/0 out where a coupling exerts no force at all.
  const double magnitude = std::max(next_[number(quantity)], arm_[variable] * next_[number(Quantity::force)]);
  return options_.rtol * magnitude + floor_[variable] + std::numeric_limits<double>::min();
}

double CouplingNorms::tolerance(std::size_t variable, double u) const {
  return atol(variable) + options_.rtol * std::fabs(u);
}

double CouplingNorms::weighted(std::size_t variable, double error, double u) const {
  return std::fabs(error) / tolerance(variable, u);
}

ExactSum CouplingNorms::squares(std::span<const double> error, std::span<const double> u) const {
  ExactSum sum;
  for (std::size_t i = 0; i < error.size(); ++i) {
    if (!counts(i)) continue;
    const double e = error[i] / tolerance(i, u[i]);
    sum.add(e * e);
  }
  return sum;
}

double CouplingNorms::norm_of(const ExactSum& sum) const {
  return variables_in_all_ == 0 ? 0 : std::sqrt(sum.value() / static_cast<double>(variables_in_all_));
}

double CouplingNorms::norm(std::span<const double> error, std::span<const double> u) const {
  ExactSum sum = squares(error, u);
  seam_.total(sum);
  return norm_of(sum);
}

double CouplingNorms::signal_norm(std::span<const double> error, std::span<const double> u) const {
  if (!has_signals()) return 0;
  constexpr auto signal = static_cast<std::size_t>(Quantity::signal);
  ExactSum sum;
  for (const std::size_t i : members_[signal]) {
    const double e = error[i] / tolerance(i, u[i]);
    sum.add(e * e);
  }
  seam_.total(sum);
  return std::sqrt(sum.value() / static_cast<double>(in_all_[signal]));
}

double CouplingNorms::magnitude(std::size_t variable) const {
  const Quantity quantity = variables_[variable].quantity;
  return quantity == Quantity::signal ? next_signals_[variable] : next_[number(quantity)];
}

}  // namespace cosimo
