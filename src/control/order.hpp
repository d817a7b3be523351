// Order control (Section 3.3): which degree kappa the approximation polynomials of the
// next macro step have. Pure functions; the controller keeps the counts.
#pragma once

#include "control/norms.hpp"
#include "core/settings.hpp"

namespace cosimo {

/// What is known when the order of the next attempt is chosen.
struct OrderState {
  int kappa = 0;    ///< degree of the step just attempted
  int highest = 0;  ///< kappa_max, or less while the history is short
  int n_succ = 0;   ///< consecutive successful steps of this degree without a reduction of H
  int n_fail = 0;   ///< consecutive failed attempts, this one included; 0 after a success
};

/// Listing 3.1 or 3.2. The result differs from kappa by at most one, except that Listing 3.1 may
/// lower it further and repeated failures may (3.2: N_fail > 3 to at most 1, N_fail > 5 to 0).
///
/// A scaled derivative for which the history is still too short gives no reason to change the order.
int next_order(OrderStrategy strategy, const OrderState& state, const DerivativeNorms& sdn);

/// The rule for repeated failures of Listing 3.2 alone.
int order_after_failures(int kappa, int n_fail);

}  // namespace cosimo
