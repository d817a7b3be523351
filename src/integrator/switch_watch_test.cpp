// Which steps see what switches within them, on motions written down as formulas.
#include "integrator/switch_watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "integrator/testing.hpp"

namespace cosimo {
namespace {

/// A free coordinate; the switches are functions of time and of it.
class Switching final : public System {
 public:
  using Function = std::function<double(double t, double q)>;
  /// `fastest`: the switches change with the coordinate alone, by at most this times its velocity, and tell
  /// their rates.
  explicit Switching(std::vector<Function> switch_functions, bool one_law = false, double fastest = 0)
      : functions_(std::move(switch_functions)), fastest_(fastest) {
    for (std::size_t k = 0; k < functions_.size(); ++k)
      laws_.push_back(one_law ? 0 : static_cast<std::int32_t>(k));
  }

  std::size_t size() const override { return 1; }
  const TangentPattern& pattern() const override { return pattern_; }
  std::size_t reach() const override { return 1; }
  bool acceleration(double, const double*, const double*, double* a, Range) const override {
    a[0] = 0;
    return true;
  }
  void tangent(double, const double*, const double*, Tangent&) const override {}
  void time_derivative(double, const double*, const double*, double*) const override {}
  std::span<const std::int32_t> driven() const override { return {}; }
  double next_breakpoint(double) const override { return std::numeric_limits<double>::infinity(); }

  std::span<const std::int32_t> switch_laws() const override { return laws_; }
  std::span<const std::int32_t> switch_dofs() const override { return dofs_; }
  void switches(double t, const double* q, const double* v, Switch* out) const override {
    ++calls;
    for (std::size_t k = 0; k < functions_.size(); ++k) {
      out[k] = {.value = functions_[k](t, q[0])};
      if (fastest_ == 0) continue;
      const double d = 1e-7;
      out[k].rate = (functions_[k](t, q[0] + d) - functions_[k](t, q[0] - d)) / (2 * d) * v[0];
      out[k].bound = fastest_ * std::fabs(v[0]);
    }
  }

  mutable int calls = 0;

 private:
  std::vector<Function> functions_;
  double fastest_;
  std::vector<std::int32_t> laws_, dofs_{0};
  TangentPattern pattern_ = testing::path_pattern(1);
};

/// For a step of length 1 from t = 0 in which the coordinate moves like this.
double longest(const Switching& system, const std::function<double(double)>& motion) {
  SwitchWatch watch(system, {1e-6, 1e-9, 1e-6});
  return watch.longest(0, 1, [&](double theta, double* q, double* v) {
    q[0] = motion(theta);
    v[0] = 0;
  });
}

TEST(SwitchWatch, IsIdleWithoutSwitches) {
  EXPECT_TRUE(SwitchWatch(testing::Chain(3, {}), {}).idle());
}

TEST(SwitchWatch, LooksOnlyAFewTimesFarFromSwitches) {
  const Switching wall({[](double, double x) { return x - 10; }});
  EXPECT_EQ(longest(wall, [](double s) { return 3 * s; }), 1);
  EXPECT_EQ(wall.calls, 6);
}

/// A step from t on in which the coordinate moves like 10 t + 3 sin(t).
double longest_from(SwitchWatch& watch, double t, double h) {
  return watch.longest(t, h, [=](double theta, double* q, double* v) {
    const double now = t + theta * h;
    q[0] = 10 * now + 3 * std::sin(now);
    v[0] = 10 + 3 * std::cos(now);
  });
}

TEST(SwitchWatch, LooksOnceAStepAtLawsThatTellTheirRates) {
  const Switching wall({[](double, double x) { return x - 1000; }}, false, 1);
  SwitchWatch watch(wall, {1e-6, 1e-9, 1e-6});
  for (int step = 0; step < 8; ++step) EXPECT_EQ(longest_from(watch, 0.25 * step, 0.25), 1);
  EXPECT_EQ(wall.calls, 9) << "at the begin of the first and at all ends";
  EXPECT_EQ(longest_from(watch, 1.75, 0.125), 1);
  EXPECT_EQ(wall.calls, 10) << "a shorter one from the same begin";
  EXPECT_EQ(longest_from(watch, 0.5, 0.25), 1);
  EXPECT_EQ(wall.calls, 12) << "another begin, after a snapshot was restored";
}

TEST(SwitchWatch, WhatIsKnownOfTheLastStepDoesNotMatter) {
  const Switching waves({[](double, double x) { return std::sin(x); }}, false, 1);
  SwitchWatch kept(waves, {1e-6, 1e-9, 1e-6});
  for (int step = 0; step < 400; ++step) {
    const double t = step / 32.0, h = (1 + step % 5) / 32.0;
    SwitchWatch fresh(waves, {1e-6, 1e-9, 1e-6});
    EXPECT_EQ(longest_from(kept, t, h), longest_from(fresh, t, h)) << step;
  }
}

TEST(SwitchWatch, LawsThatTellTheirRatesMissNothing) {
  // A layer of 0.01 in the way of a parabola that turns in or behind it, begun at any distance.
  for (int i = 0; i < 1000; ++i) {
    const double place = 1.1e-3 * i;
    const Switching layer({[=](double, double x) { return 0.005 - std::fabs(x - place); }}, false, 1);
    SwitchWatch watch(layer, {1e-6, 1e-9, 1e-6});
    const double share = watch.longest(0, 1, [](double s, double* q, double* v) {
      q[0] = 4 * s * (1 - s);
      v[0] = 4 - 8 * s;
    });
    const double at = 4 * share * (1 - share);
    EXPECT_EQ(share < 1, place < 1.005) << place;
    if (place > 0.01 && share < 0.9) {
      EXPECT_NEAR(at, place, 0.0051) << place;
    }
  }
}

TEST(SwitchWatch, EndsTheStepInABranchThatItWouldPass) {
  // Wherever a layer of a thousandth of the way is.
  for (int i = 1; i < 1000; ++i) {
    const double place = 1e-3 * i, half = 5e-4;
    const Switching layer({[=](double, double x) { return half - std::fabs(x - place); }});
    const double share = longest(layer, [](double s) { return s; });
    EXPECT_NEAR(share, std::min(place, 0.9), half) << place;
  }
}

TEST(SwitchWatch, SeesAPulseBetweenTwoSwitchesOfALaw) {
  const auto on = [](double t, double) { return t - 0.5; };
  const auto off = [](double t, double) { return t - 0.501; };
  const double share = longest(Switching({on, off}, true), [](double) { return 0.0; });
  EXPECT_GT(share, 0.5);
  EXPECT_LT(share, 0.501);
  EXPECT_EQ(longest(Switching({on, off}), [](double) { return 0.0; }), 1)
      << "of two laws, each seen at the end";
}

TEST(SwitchWatch, OneSwitchIsSeenAtTheEnd) {
  const Switching wall({[](double, double x) { return x - 0.7; }});
  EXPECT_EQ(longest(wall, [](double s) { return s; }), 1);
}

TEST(SwitchWatch, AnEndAtTheEdgeOfABranchHasNotSeenIt) {
  // It has just come in and would leave on the far side, or has just left and would come back.
  const Switching layer({[](double, double x) { return 0.02 - std::fabs(x - 0.02); }});
  EXPECT_NEAR(longest(layer, [](double s) { return 1e-7 + s; }), 0.02, 0.015);
  const Switching ground({[](double, double x) { return -x; }});
  EXPECT_NEAR(longest(ground, [](double s) { return 1e-7 + 4 * s * (1 - s); }), 0.5, 0.1);
}

TEST(SwitchWatch, NoiseOnASwitchCostsNothing) {
  const Switching wall({[](double, double x) { return 1e7 * x; }});
  EXPECT_EQ(longest(wall, [](double s) { return 1e-10 * std::sin(40 * s); }), 1);
  EXPECT_LT(longest(wall, [](double s) { return 1e-7 * std::sin(40 * s); }), 0.2);
}

TEST(SwitchWatch, FastSwitchesOfTimeShortenTheStep) {
  const Switching pulses({[](double t, double) { return std::sin(3000 * t) - 0.9; }});
  EXPECT_LT(longest(pulses, [](double) { return 0.0; }), 0.1);
}

}  // namespace
}  // namespace cosimo
