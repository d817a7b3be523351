#include "scheme/coupling_norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/sums.hpp"

namespace cosimo {

namespace {

std::size_t number(Quantity quantity) {
  return static_cast<std::size_t>(quantity);
}

}  // namespace

CouplingNorms::CouplingNorms(const CouplingConditions& conditions, const NormOptions& options,
                             std::span<const double> u)
    : variables_(conditions.variables()), options_(options), floor_(conditions.size()) {
  for (std::size_t i = 0; i < variables_.size(); ++i) members_[number(variables_[i].quantity)].push_back(i);
  conditions.resolution(options_.atol_pos, options_.atol_vel, floor_);
  std::vector<double> force_floor(variables_.couplings());
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (variables_[i].quantity == Quantity::force)
      force_floor[variables_[i].coupling.index()] =
          std::max(force_floor[variables_[i].coupling.index()], floor_[i]);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    arm_.push_back(conditions.arm(i));
    floor_[i] = std::max(floor_[i], arm_[i] * force_floor[variables_[i].coupling.index()]);
  }
  kept_ = next_ = magnitudes(u);
}

CouplingNorms::Magnitudes CouplingNorms::magnitudes(std::span<const double> u) const {
  Magnitudes result{};
  for (std::size_t q = 0; q < members_.size(); ++q) {
    const auto& members = members_[q];
    if (members.empty()) continue;
    const double sum =
        reproducible_sum(members.size(), [&](std::size_t i) { return u[members[i]] * u[members[i]]; });
    result[q] = std::sqrt(sum / static_cast<double>(members.size()));
  }
  return result;
}

bool CouplingNorms::look_at(std::span<const double> u, std::size_t& bad) {
  const Magnitudes seen = magnitudes(u);
  bool finite = true;
  for (std::size_t q = 0; q < seen.size(); ++q) {
    finite = finite && std::isfinite(seen[q]);
    next_[q] = std::max(kept_[q], seen[q]);
  }
  if (finite) return true;
  const auto found = std::find_if(u.begin(), u.end(), [](double x) { return !std::isfinite(x); });
  bad = found == u.end() ? 0 : static_cast<std::size_t>(found - u.begin());
  return false;
}

double CouplingNorms::atol(std::size_t variable) const {
  const Quantity quantity = variables_[variable].quantity;
  if (!is_effort(quantity)) return floor_[variable];
  if (options_.atol_u > 0) return options_.atol_u;
  // The smallest positive number keeps 0/0 out where a coupling exerts no force at all.
  const double magnitude = std::max(next_[number(quantity)], arm_[variable] * next_[number(Quantity::force)]);
  return options_.rtol * magnitude + floor_[variable] + std::numeric_limits<double>::min();
}

double CouplingNorms::weighted(std::size_t variable, double error, double u) const {
  return std::fabs(error) / (atol(variable) + options_.rtol * std::fabs(u));
}

double CouplingNorms::norm(std::span<const double> error, std::span<const double> u) const {
  if (error.empty()) return 0;
  const double sum = reproducible_sum(error.size(), [&](std::size_t i) {
    const double e = error[i] / (atol(i) + options_.rtol * std::fabs(u[i]));
    return e * e;
  });
  return std::sqrt(sum / static_cast<double>(error.size()));
}

double CouplingNorms::magnitude(std::size_t variable) const {
  return next_[number(variables_[variable].quantity)];
}

}  // namespace cosimo
