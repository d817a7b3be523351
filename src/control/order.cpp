#include "control/order.hpp"

#include <algorithm>

namespace cosimo {
namespace {

/// SDN[degree + 1] < SDN[degree] < ... < SDN[1], as far as the history reaches.
bool decreasing(int degree, const DerivativeNorms& sdn) {
  const int last = std::min(degree + 1, sdn.available());
  for (int j = 1; j < last; ++j)
    if (!(sdn.scaled_derivative(j + 1) < sdn.scaled_derivative(j))) return false;
  return true;
}

/// An increase needs kappa + 1 steps of this degree, and SDN[kappa + 2].
bool may_increase(const OrderState& state, const DerivativeNorms& sdn) {
  return state.kappa < state.highest && state.n_succ > state.kappa && sdn.available() >= state.kappa + 2;
}

int conservative_order(const OrderState& state, const DerivativeNorms& sdn) {
  int kappa = state.kappa;
  while (kappa > 0 && !decreasing(kappa, sdn)) --kappa;
  if (kappa == state.kappa && may_increase(state, sdn) &&
      sdn.scaled_derivative(kappa + 2) < sdn.scaled_derivative(kappa + 1))
    ++kappa;
  return kappa;
}

int lowered_order(int kappa, const DerivativeNorms& sdn) {
  if (kappa == 0 || sdn.available() < kappa + 1) return kappa;
  const double above = sdn.scaled_derivative(kappa + 1);
  const double here = sdn.scaled_derivative(kappa);
  if (kappa == 1) return here <= above / 2 ? 0 : 1;
  return std::max(here, sdn.scaled_derivative(kappa - 1)) <= above ? kappa - 1 : kappa;
}

int standard_order(const OrderState& state, const DerivativeNorms& sdn) {
  const int kappa = order_after_failures(lowered_order(state.kappa, sdn), state.n_fail);
  if (kappa != state.kappa || !may_increase(state, sdn)) return kappa;
  const double next = sdn.scaled_derivative(kappa + 1);
  const double second = sdn.scaled_derivative(kappa + 2);
  if (kappa == 0) return second < next / 2 ? 1 : 0;
  if (sdn.scaled_derivative(kappa) <= std::min(next, second)) return kappa - 1;
  return second < next ? kappa + 1 : kappa;
}

}  // namespace

int order_after_failures(int kappa, int n_fail) {
  if (n_fail > 5) return 0;
  return n_fail > 3 ? std::min(kappa, 1) : kappa;
}

int next_order(OrderStrategy strategy, const OrderState& state, const DerivativeNorms& sdn) {
  return strategy == OrderStrategy::standard ? standard_order(state, sdn) : conservative_order(state, sdn);
}

}  // namespace cosimo
