#include "scheme/convergence.hpp"

#include <algorithm>
#include <cmath>

namespace cosimo {

namespace {

constexpr double least_rate = 0.05, slow_rate = 0.3;

/// Changes below this share of tau are noise.
constexpr double noise = 0.1;

}  // namespace

void Convergence::begin() {
  rate_ = kept_rate_;
  last_change_ = 0;
  iterations_ = growing_ = 0;
}

bool Convergence::converged(double change) {
  ++iterations_;
  if (!std::isfinite(change)) {
    growing_ = 2;
    return false;
  }
  if (iterations_ > 1 && last_change_ > 0) {
    rate_ = std::max(least_rate, change / last_change_);
    growing_ = change >= last_change_ ? growing_ + 1 : 0;
  }
  last_change_ = change;
  return rate_ < 1 ? rate_ / (1 - rate_) * change < tau_ : change <= noise * tau_;
}

bool Convergence::slow() const {
  return rate_ > slow_rate;
}

}  // namespace cosimo
