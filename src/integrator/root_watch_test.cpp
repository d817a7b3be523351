#include "integrator/root_watch.hpp"

#include <gtest/gtest.h>

#include <array>

#include "integrator/whole_testing.hpp"

namespace cosimo {
namespace {

using cosimo::testing::WholeSystem;

struct At {
  std::array<double, 1> q, v, a{0};
  Whole whole() const { return {q.data(), v.data(), nullptr, nullptr}; }
  RootWatch::Rates rates() const { return {a.data(), nullptr}; }
};

class RootWatches : public ::testing::Test {
 protected:
  RootWatches() {
    system_.root_values = [](double, const Whole& y, double* g) { g[0] = y.q[0]; };
    watch_.begin(std::array<std::int8_t, 1>{1});
  }
  void fire(const At& at) { watch_.settle(std::array<std::int8_t, 1>{-1}, 0, at.whole(), at.rates(), 1e-6); }

  WholeSystem system_{1, {.roots = 1}};
  RootWatch watch_{system_, Tolerances{1e-6, 1e-6, 1e-6}};
};

TEST_F(RootWatches, FindWhereASideChanges) {
  At at{{-1}, {0}};
  ASSERT_TRUE(watch_.crossed(0, at.whole()));
  const auto bracket = watch_.locate(0, 1, [&](double theta) {
    at.q[0] = 0.3 - theta;
    return at.whole();
  });
  EXPECT_LE(bracket.before, 0.3);
  EXPECT_GE(bracket.after, 0.3);
  EXPECT_LT(bracket.after - bracket.before, 1e-11);
  EXPECT_EQ(watch_.passed()[0], -1);
}

TEST_F(RootWatches, ZeroIsNoOtherSide) {
  EXPECT_FALSE(watch_.crossed(0, At{{0}, {-1}}.whole()));
}

TEST_F(RootWatches, WhatBouncesStaysAndWhatPassesGoesOver) {
  fire(At{{1e-13}, {2}});
  EXPECT_EQ(watch_.sides()[0], 1);
  fire(At{{-1e-13}, {-2}});
  EXPECT_EQ(watch_.sides()[0], -1);
}

/// It is about to pass, and noise that takes it back a little is no event; what leads away is.
TEST_F(RootWatches, NoiseSetsNothingOffBeforeASideIsConfirmed) {
  fire(At{{1e-13}, {-2}});
  EXPECT_FALSE(watch_.crossed(0, At{{1e-7}, {-2}}.whole()));
  watch_.confirm();
  EXPECT_TRUE(watch_.crossed(0, At{{1e-3}, {-2}}.whole()));
  EXPECT_FALSE(watch_.crossed(0, At{{-1e-9}, {-2}}.whole()));
  watch_.confirm();
  EXPECT_TRUE(watch_.crossed(0, At{{1e-7}, {-2}}.whole()));
}

/// Told to fire before it is there: what goes on to pass does not fire again, what turns back stays.
TEST_F(RootWatches, FiredBeforeItsTime) {
  fire(At{{1e-6}, {-0.1}});
  EXPECT_FALSE(watch_.crossed(0, At{{5e-7}, {-0.1}}.whole()));
  EXPECT_FALSE(watch_.crossed(0, At{{-1e-3}, {-0.1}}.whole()));
  watch_.begin(std::array<std::int8_t, 1>{1});
  fire(At{{1e-6}, {0.1}});
  EXPECT_EQ(watch_.sides()[0], 1);
}

TEST_F(RootWatches, UnknownSidesAreThoseAhead) {
  watch_.begin(std::array<std::int8_t, 1>{0});
  const At at{{0}, {-2}};
  watch_.find_unknown(0, at.whole(), at.rates(), 1e-6);
  EXPECT_EQ(watch_.sides()[0], -1);
}

}  // namespace
}  // namespace cosimo
