#include "control/order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace cosimo {
namespace {

/// SDN(1), SDN(2), ... as given.
class Norms : public DerivativeNorms {
 public:
  Norms(std::initializer_list<double> sdn) : sdn_(sdn) {}
  int available() const override { return static_cast<int>(sdn_.size()); }
  double scaled_derivative(int j) const override { return sdn_.at(static_cast<std::size_t>(j - 1)); }
  double a_priori(int, double) const override { return 0; }

 private:
  std::vector<double> sdn_;
};

int standard(const OrderState& state, const Norms& sdn) {
  return next_order(OrderStrategy::standard, state, sdn);
}
int conservative(const OrderState& state, const Norms& sdn) {
  return next_order(OrderStrategy::conservative, state, sdn);
}

TEST(StandardOrder, FirstOrderIsLoweredByHalfOfTheNextDerivative) {
  EXPECT_EQ(standard({.kappa = 1, .highest = 5}, {1.0, 2.0}), 0);  // SDN(1) = SDN(2) / 2
  EXPECT_EQ(standard({.kappa = 1, .highest = 5}, {1.0, 1.9}), 1);
  EXPECT_EQ(standard({.kappa = 1, .highest = 5}, {0.0, 0.0}), 0);  // nothing to extrapolate
}

TEST(StandardOrder, HigherOrdersAreLoweredWhenBothLowerDerivativesAreSmaller) {
  EXPECT_EQ(standard({.kappa = 3, .highest = 5}, {9, 2.0, 3.0, 3.0}), 2);
  EXPECT_EQ(standard({.kappa = 3, .highest = 5}, {9, 3.1, 2.0, 3.0}), 3);  // SDN(kappa - 1) is larger
  EXPECT_EQ(standard({.kappa = 3, .highest = 5}, {9, 2.0, 3.1, 3.0}), 3);  // SDN(kappa) is larger
  EXPECT_EQ(standard({.kappa = 2, .highest = 5}, {1.0, 1.0, 1.0}), 1);
}

TEST(StandardOrder, RepeatedFailuresLowerTheOrder) {
  const Norms smooth{1.0, 0.1, 0.01, 0.001, 1e-4};
  for (const int n_fail : {1, 2, 3})
    EXPECT_EQ(standard({.kappa = 4, .highest = 5, .n_fail = n_fail}, smooth), 4);
  EXPECT_EQ(standard({.kappa = 4, .highest = 5, .n_fail = 4}, smooth), 1);
  EXPECT_EQ(standard({.kappa = 0, .highest = 5, .n_fail = 4}, smooth), 0);
  EXPECT_EQ(standard({.kappa = 4, .highest = 5, .n_fail = 5}, smooth), 1);
  EXPECT_EQ(standard({.kappa = 1, .highest = 5, .n_fail = 6}, smooth), 0);
}

TEST(StandardOrder, IncreaseFromZeroNeedsHalf) {
  EXPECT_EQ(standard({.kappa = 0, .highest = 5, .n_succ = 1}, {1.0, 0.49}), 1);
  EXPECT_EQ(standard({.kappa = 0, .highest = 5, .n_succ = 1}, {1.0, 0.5}), 0);
  EXPECT_EQ(standard({.kappa = 0, .highest = 5, .n_succ = 0}, {1.0, 0.1}), 0);  // N_succ > kappa is needed
}

TEST(StandardOrder, IncreaseNeedsASmallerSecondDerivative) {
  EXPECT_EQ(standard({.kappa = 2, .highest = 5, .n_succ = 3}, {1.0, 0.5, 0.3, 0.29}), 3);
  EXPECT_EQ(standard({.kappa = 2, .highest = 5, .n_succ = 3}, {1.0, 0.5, 0.3, 0.3}), 2);
  EXPECT_EQ(standard({.kappa = 2, .highest = 5, .n_succ = 2}, {1.0, 0.5, 0.3, 0.1}), 2);
  EXPECT_EQ(standard({.kappa = 2, .highest = 2, .n_succ = 9}, {1.0, 0.5, 0.3, 0.1}), 2);  // kappa_max
}

TEST(StandardOrder, TheLookAheadMayAlsoLowerTheOrder) {
  // SDN(2) <= min(SDN(3), SDN(4)), though SDN(1) is large enough to pass the first test.
  EXPECT_EQ(standard({.kappa = 2, .highest = 5, .n_succ = 3}, {1.0, 0.3, 0.3, 0.4}), 1);
  EXPECT_EQ(standard({.kappa = 2, .highest = 5, .n_succ = 2}, {1.0, 0.3, 0.3, 0.4}), 2);  // not yet looked at
  EXPECT_EQ(standard({.kappa = 1, .highest = 5, .n_succ = 2}, {0.3, 0.4, 0.3}), 0);
}

TEST(StandardOrder, ShortHistoryGivesNoReasonToChange) {
  EXPECT_EQ(standard({.kappa = 0, .highest = 5, .n_succ = 1}, {}), 0);
  EXPECT_EQ(standard({.kappa = 0, .highest = 5, .n_succ = 1}, {1.0}), 0);
  EXPECT_EQ(standard({.kappa = 1, .highest = 5, .n_fail = 1}, {1.0}), 1);
  EXPECT_EQ(standard({.kappa = 2, .highest = 5, .n_fail = 1}, {1.0, 2.0}), 2);
  EXPECT_EQ(standard({.kappa = 2, .highest = 5, .n_fail = 4}, {1.0, 2.0}), 1);
}

TEST(ConservativeOrder, StaysWhileTheSequenceDecreasesStrictly) {
  EXPECT_EQ(conservative({.kappa = 3, .highest = 5}, {4, 3, 2, 1}), 3);
  EXPECT_EQ(conservative({.kappa = 1, .highest = 5}, {4, 3.9}), 1);
  EXPECT_EQ(conservative({.kappa = 0, .highest = 5}, {4}), 0);
}

TEST(ConservativeOrder, FallsToTheLongestDecreasingStart) {
  EXPECT_EQ(conservative({.kappa = 3, .highest = 5}, {4, 3, 2, 2}), 2);
  EXPECT_EQ(conservative({.kappa = 4, .highest = 5}, {4, 3, 3, 2, 1}), 1);
  EXPECT_EQ(conservative({.kappa = 4, .highest = 5}, {4, 4, 3, 2, 1}), 0);
  // Where the standard strategy sees nothing to do:
  EXPECT_EQ(standard({.kappa = 4, .highest = 5}, {4, 4, 3, 2, 1}), 4);
}

TEST(ConservativeOrder, IncreasesAfterEnoughSteps) {
  EXPECT_EQ(conservative({.kappa = 2, .highest = 5, .n_succ = 3}, {4, 3, 2, 1}), 3);
  EXPECT_EQ(conservative({.kappa = 2, .highest = 5, .n_succ = 2}, {4, 3, 2, 1}), 2);
  EXPECT_EQ(conservative({.kappa = 2, .highest = 5, .n_succ = 3}, {4, 3, 2, 2}), 2);
  EXPECT_EQ(conservative({.kappa = 2, .highest = 2, .n_succ = 3}, {4, 3, 2, 1}), 2);
  EXPECT_EQ(conservative({.kappa = 2, .highest = 5, .n_succ = 3}, {4, 3, 2}), 2);  // SDN(4) is not there
  EXPECT_EQ(conservative({.kappa = 0, .highest = 5, .n_succ = 1}, {4, 3}), 1);
}

TEST(ConservativeOrder, ALoweredOrderIsNotRaisedAgainAtOnce) {
  EXPECT_EQ(conservative({.kappa = 2, .highest = 5, .n_succ = 9}, {4, 3, 3, 1}), 1);
}

}  // namespace
}  // namespace cosimo
