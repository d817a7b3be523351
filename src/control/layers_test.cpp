#include "control/layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "control/cone.hpp"

namespace cosimo {
namespace {

constexpr double safety = 6;
constexpr double infinite = std::numeric_limits<double>::infinity();

/// One cut whose overlap always follows the level: exponent = -level, kept while it suffices.
class ClosedLoop {
 public:
  explicit ClosedLoop(double first) : control_(1, first, safety), exponent_(-control_.level(0) - reserve) {}

  /// One step with the true ln A. Repeated until it is accepted, at most 20 times; returns the error.
  double step(double amplitude) {
    double error = 0;
    for (int i = 0; i < 20; ++i) {
      error = std::exp(amplitude + exponent_);
      ++attempts_;
      control_.observe(0, error, exponent_, error <= 1);
      const double needed = control_.level(0);
      if (-exponent_ < needed || -exponent_ > needed + reserve + spare) exponent_ = -needed - reserve;
      if (error <= 1) break;
    }
    return error;
  }
  double exponent() const { return exponent_; }
  double level() const { return control_.level(0); }
  int attempts() const { return attempts_; }

 private:
  static constexpr double reserve = 1, spare = 4;
  LayerControl control_;
  double exponent_;
  int attempts_ = 0;
};

TEST(LayerControl, BeginsWithWhatItIsTold) {
  const LayerControl control(3, 10, safety);
  for (const std::size_t cut : {0, 1, 2}) EXPECT_DOUBLE_EQ(control.level(cut), 10 + std::log(safety));
}

TEST(LayerControl, LearnsTheAmplitudeFromOneStep) {
  LayerControl control(1, 0, safety);
  control.observe(0, 0.5, -12, true);
  EXPECT_NEAR(control.level(0), std::log(0.5) + 12 + std::log(safety), 1e-12);
}

TEST(LayerControl, AFirstErrorThatIsTooLargeWidensTheOverlap) {
  LayerControl control(1, 14, safety);
  control.observe(0, 50, -14 - std::log(safety), false);
  // Enough for the error just seen, and more: the error of a failed step is not to be trusted.
  EXPECT_GT(control.level(0), std::log(50) + 14 + 2 * std::log(safety));
  EXPECT_LT(control.level(0), std::log(50) + 14 + 2 * std::log(safety) + 2);
}

TEST(LayerControl, CutsLearnApart) {
  LayerControl control(2, 5, safety);
  const double before = control.level(0);
  control.observe(1, 0.9, -20, true);
  EXPECT_EQ(control.level(0), before);
  EXPECT_GT(control.level(1), 20);
}

TEST(LayerControl, SettlesBelowTheToleranceWithoutWaste) {
  for (const double first : {6.0, 14.0, 40.0})
    for (const double amplitude : {3.0, 12.0, 25.0}) {
      ClosedLoop loop(first);
      double error = 0;
      for (int i = 0; i < 300; ++i) error = loop.step(amplitude);
      EXPECT_LE(error, 1 / safety) << "first " << first << " amplitude " << amplitude;
      EXPECT_GE(error, std::exp(-6.0) / safety) << "first " << first << " amplitude " << amplitude;
      EXPECT_LE(loop.attempts(), 303);
    }
}

TEST(LayerControl, ForgetsSlowly) {
  LayerControl control(1, 20, safety);
  control.observe(0, 0.1, -22, true);
  const double loud = control.level(0);
  for (int i = 1; i <= 8; ++i) {
    const double before = control.level(0);
    control.observe(0, 1e-9, -22, true);
    EXPECT_LT(control.level(0), before);
    EXPECT_GE(control.level(0), before - 0.5) << "one quiet step is no reason to give the copies up";
  }
  EXPECT_LT(control.level(0), loud - 1);
  for (int i = 0; i < 200; ++i) control.observe(0, 1e-9, -22, true);
  EXPECT_NEAR(control.level(0), std::log(1e-9) + 22 + std::log(safety), 1e-9) << "but in the end it does";
}

TEST(LayerControl, AnImpulseAfterAQuietTimeCostsFewRepetitions) {
  ClosedLoop loop(14);
  for (int i = 0; i < 100; ++i) loop.step(2);
  const double quiet = -loop.exponent();
  const int before = loop.attempts();
  EXPECT_LE(loop.step(16), 1);
  EXPECT_LE(loop.attempts() - before, 3);
  EXPECT_GT(-loop.exponent(), quiet + 10);
  for (int i = 0; i < 20; ++i) EXPECT_LE(loop.step(16), 1);
  EXPECT_LE(loop.attempts() - before, 24);
}

/// A shock outruns the cone of the resting chain: the overlaps widen until it is held.
TEST(LayerControl, RejectionsWidenTheOverlapWithoutEnd) {
  LayerControl control(1, 14, safety);
  double exponent = -16;
  for (int i = 0; i < 10; ++i) {
    control.observe(0, 1e3, exponent, false);
    EXPECT_GT(control.level(0), std::log(1e3) - exponent);
    exponent = -control.level(0);
  }
  EXPECT_GT(control.level(0), 80);
}

TEST(LayerControl, InsideTheConeNothingWasPromised) {
  LayerControl control(1, 3, safety);
  control.observe(0, 40, 12, false);
  control.observe(0, 40, 6, false);  // still inside: no wonder that nothing changed
  EXPECT_GE(control.level(0), std::log(40) + std::log(safety)) << "A is at least what arrives";
}

TEST(LayerControl, TakesNoNoticeOfWhatIsNoNumber) {
  LayerControl control(1, 7, safety);
  const double before = control.level(0);
  control.observe(0, 0.5, -infinite, true);
  control.observe(0, std::nan(""), -3, false);
  control.observe(0, infinite, -3, false);
  EXPECT_EQ(control.level(0), before);
  control.observe(0, 0.0, -3, true);
  EXPECT_TRUE(std::isfinite(control.level(0)));
}

/// Layers one decay apart whose mismatch follows `mismatch(layer)`, layer 1 first.
template <class F>
std::vector<LayerMismatch> profile(int layers, double theta, F mismatch) {
  std::vector<LayerMismatch> result;
  for (int k = 1; k <= layers; ++k) result.push_back({theta * k, mismatch(k)});
  return result;
}

TEST(FarEdgeShare, WhatRisesAsTheConeSaysIsAllFromTheFarEdge) {
  for (const double theta : {0.3, 1.0, 3.0}) {
    const auto layers = profile(12, theta, [&](int k) { return 0.5 * std::exp(theta * (k - 1)); });
    EXPECT_EQ(far_edge_share(layers, 12 * theta), 1);
    // Twice as steep as promised, and half as steep, are no reason for doubt either.
    EXPECT_EQ(far_edge_share(profile(12, theta / 2, [&](int k) { return 0.5 * std::exp(theta * (k - 1)); }),
                             6 * theta),
              1);
    EXPECT_NEAR(far_edge_share(profile(12, 2 * theta, [&](int k) { return 0.5 * std::exp(theta * (k - 1)); }),
                               24 * theta),
                1, 1e-9);
  }
}

TEST(FarEdgeShare, AFlatMismatchIsTheSolvers) {
  const auto layers = profile(12, 1.5, [](int k) { return k < 8 ? 5.0 : 5e4; });
  const double share = far_edge_share(layers, 18);
  EXPECT_LT(share, 0.02);
  EXPECT_GT(share, 0);
}

TEST(FarEdgeShare, AMismatchThatFallsOutwardsIsTheSolvers) {
  const auto layers = profile(12, 1.5, [](int k) { return std::exp(-2.0 * k); });
  EXPECT_LT(far_edge_share(layers, 18), 1e-3);
}

TEST(FarEdgeShare, InsideTheConeNothingRises) {
  // H is so long that the cone has passed all layers: flat, and all of it from the far edge.
  const auto layers = profile(12, 1.5, [](int) { return 40.0; });
  EXPECT_EQ(far_edge_share(layers, 0.5), 1);
  // It has come to the middle: flat outside of it.
  const auto half = profile(12, 1.5, [](int k) { return 0.7 * std::exp(1.5 * (std::min(k, 6) - 1)); });
  EXPECT_EQ(far_edge_share(half, 9), 1);
}

TEST(FarEdgeShare, AMismatchBeyondAnySolverIsAlwaysBelieved) {
  EXPECT_EQ(far_edge_share(profile(12, 1.5, [](int) { return 1e5; }), 18), 1);
}

TEST(FarEdgeShare, LayersOfWhichNothingIsKnownDoNotCount) {
  auto layers = profile(6, 1.0, [](int k) { return 0.5 * std::exp(k - 1); });
  ASSERT_EQ(far_edge_share(layers, 6), 1);
  layers[2] = {};
  EXPECT_EQ(far_edge_share(layers, 6), 1);
}

class Cost : public ::testing::Test {
 protected:
  /// 20 parts of a chain; the copies follow the cone.
  static double at(double H, double owned) {
    const Medium chain{.omega2 = 1.0, .mu = 0.01};
    const OverlapCost part{owned, 2 * cone_layers(chain, H, 15), 0.3};
    return overlap_cost(std::vector<OverlapCost>(20, part), H);
  }
  static double best(double owned) {
    double H = 0.01;
    while (H < 1e4 && at(1.02 * H, owned) < at(H, owned)) H *= 1.02;
    return H;
  }
};

TEST_F(Cost, HasOneMinimumOverH) {
  for (const double owned : {50.0, 500.0, 5000.0}) {
    const double H = best(owned);
    EXPECT_GT(H, 0.3) << "longer than a micro step";
    EXPECT_LT(H, 1000.0);
    for (double x = H; x < 64 * H; x *= 2) EXPECT_LT(at(x, owned), at(2 * x, owned));
    for (double x = H; x > H / 64; x /= 2) EXPECT_LT(at(x, owned), at(x / 2, owned));
  }
}

TEST_F(Cost, GrowsWithEverythingThatIsWork) {
  const std::vector<OverlapCost> parts(4, {100, 20, 0.1});
  auto changed = [&](OverlapCost part) {
    std::vector<OverlapCost> others = parts;
    others[2] = part;
    return overlap_cost(others, 1.0);
  };
  const double plain = overlap_cost(parts, 1.0);
  EXPECT_GT(changed({110, 20, 0.1}), plain);
  EXPECT_GT(changed({100, 30, 0.1}), plain);
  EXPECT_GT(changed({100, 20, 0.05}), plain);
  EXPECT_DOUBLE_EQ(changed({100, 20, 0.1}), plain);
  // A micro step cannot be longer than the macro step.
  EXPECT_DOUBLE_EQ(changed({100, 20, 5.0}), changed({100, 20, 1.0}));
}

TEST(LayerControl, ComesBackFromBytesCutByCut) {
  LayerControl control(3, 10, safety), other(2, 4, safety);
  control.observe(0, 0.5, -12, true);
  control.observe(1, 30, -7, false);
  control.observe(2, 1e-3, -20, true);
  // The first and the last of them, in another order.
  Archive out;
  control.archive_cut(out, 2);
  control.archive_cut(out, 0);
  const auto bytes = out.take();
  Archive in(bytes);
  other.archive_cut(in, 0);
  other.archive_cut(in, 1);
  in.finish();
  EXPECT_EQ(other.level(0), control.level(2));
  EXPECT_EQ(other.level(1), control.level(0));
  other.observe(1, 0.01, -9, true);
  control.observe(0, 0.01, -9, true);
  EXPECT_EQ(other.level(1), control.level(0));
}

}  // namespace
}  // namespace cosimo
