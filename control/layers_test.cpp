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

  /// One step with the true ln A and an error that no layer reduces. Repeated until it is accepted, at
  /// most 20 times; returns the error.
  double step(double amplitude, double floor = 0) {
    double error = 0;
    for (int i = 0; i < 20; ++i) {
      error = std::exp(amplitude + exponent_) + floor;
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

TEST(LayerControl, AnErrorThatLayersDoNotReduceDoesNotMakeThemGrowForever) {
  for (const double floor : {0.2, 0.5, 0.9}) {
    ClosedLoop loop(14);
    double widest = 0;
    for (int i = 0; i < 500; ++i) {
      loop.step(12, floor);
      widest = std::max(widest, -loop.exponent());
    }
    EXPECT_LT(widest, 14 + std::log(safety) + 12) << "floor " << floor;
  }
}

TEST(LayerControl, AFluctuatingFloorDoesNotMakeThemGrowForever) {
  ClosedLoop loop(14);
  double widest = 0;
  for (int i = 0; i < 1000; ++i) {
    loop.step(12, i % 3 == 0 ? 0.9 : 0.25);
    widest = std::max(widest, -loop.exponent());
  }
  EXPECT_LT(widest, 60);
}

TEST(LayerControl, NoErrorMakesThemWiderThanMotionCan) {
  LayerControl control(1, 14, safety);
  for (int i = 0; i < 100; ++i) control.observe(0, 1e3, -10.0 * i, false);
  EXPECT_LT(control.level(0), 40);
}

TEST(LayerControl, SlowlyGrowingLayersSeeTheFloorToo) {
  LayerControl control(1, 14, safety);
  double exponent = -15;
  for (int i = 0; i < 400; ++i) {  // always only a little more than it has, as if the reserve were nothing
    control.observe(0, 0.6, exponent, true);
    exponent = std::max(exponent - 0.3, -std::max(-exponent, control.level(0)));
  }
  EXPECT_GT(exponent, -30);
}

TEST(LayerControl, AFloorIsForgottenWhenTheErrorFalls) {
  ClosedLoop loop(14);
  for (int i = 0; i < 50; ++i) loop.step(10, 0.8);
  for (int i = 0; i < 50; ++i) loop.step(10, 0);
  const double before = -loop.exponent();
  EXPECT_LE(loop.step(before + std::log(0.7)), 1);
  EXPECT_GT(-loop.exponent(), before + 1) << "0.7 comes from the far edge now";
}

TEST(LayerControl, AFloorIsNotConfusedWithAnImpulse) {
  LayerControl control(1, 14, safety);
  control.observe(0, 1e-3, -20, true);
  control.observe(0, 300, -23, false);  // wider by chance when the impulse comes
  EXPECT_GT(control.level(0), 23 + std::log(300));
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

}  // namespace
}  // namespace cosimo
