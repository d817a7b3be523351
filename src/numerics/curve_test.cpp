#include "numerics/curve.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "numerics/expression.hpp"

namespace cosimo {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double never = std::numeric_limits<double>::infinity();

TEST(Curve, IsStraightBetweenPointsAndHeldOutside) {
  const Curve f({1, 2, 4}, {3, 5, -1}, {});
  EXPECT_EQ(f(0), 3);
  EXPECT_EQ(f(1.5), 4);
  EXPECT_EQ(f(3), 2);
  EXPECT_EQ(f(9), -1);
  EXPECT_EQ(f.rate(0), 0);
  EXPECT_EQ(f.rate(1.5), 2);
  EXPECT_EQ(f.rate(2), -3) << "at a point the slope from there on";
  EXPECT_EQ(f.rate(4), 0);
}

TEST(Curve, IsZeroOutsideWhereAsked) {
  const Curve f({1, 2}, {3, 5}, {.before = Outside::zero, .after = Outside::zero});
  EXPECT_EQ(f(0.999), 0);
  EXPECT_EQ(f(1), 3);
  EXPECT_NEAR(f(std::nextafter(2.0, 0.0)), 5, 1e-14);
  EXPECT_EQ(f(2), 0) << "what begins there sees what follows";
  EXPECT_THAT(f.breaks(Breaks::value).instants(),
              ElementsAre(std::nextafter(1.0, 0.0), 1, std::nextafter(2.0, 0.0), 2));
}

TEST(Curve, ACubicHasExactDerivatives) {
  const Curve f({0, 1, 3, 4}, {0, 2, 3, 1}, {.between = Between::cubic});
  const double h = 1e-6;
  for (const double t : {0.3, 1.4, 2.6, 3.5}) {
    const Jet y = f.at(t);
    EXPECT_NEAR(y.first, (f(t + h) - f(t - h)) / (2 * h), 1e-8) << t;
    EXPECT_NEAR(y.second, (f.rate(t + h) - f.rate(t - h)) / (2 * h), 1e-8) << t;
  }
  EXPECT_EQ(f(1), 2);
}

TEST(Curve, OnlyKinksAreBreakpoints) {
  // On one line, but for rounding, from 0.1 to 0.4.
  const Curve f({0, 0.1, 0.2, 0.3, 0.4, 0.5}, {0, 0, 0.1, 0.2, 0.3, 0.3}, {});
  EXPECT_THAT(f.breaks(Breaks::slope).instants(), ElementsAre(0.1, 0.4));
  EXPECT_THAT(f.breaks(Breaks::value).instants(), IsEmpty());
  EXPECT_EQ(f.breaks(Breaks::curvature).instants().size(), 6U);
  EXPECT_EQ(f.breaks(Breaks::slope).longest_step(0.2), never);
}

TEST(Curve, ACubicBoundsStepsWithinItsSpan) {
  const Timetable even = Curve({1, 2, 3, 4}, {0, 1, 0, 1}, {.between = Between::cubic}).breaks(Breaks::slope);
  EXPECT_THAT(even.instants(), ElementsAre(1, 2, 4)) << "with the greatest value";
  EXPECT_EQ(even.longest_step(0.9), never);
  EXPECT_EQ(even.longest_step(1), 2);
  EXPECT_EQ(even.longest_step(3.9), 2);
  EXPECT_EQ(even.longest_step(4), never);
  // Points close together are met themselves and do not slow down the rest.
  const Timetable uneven =
      Curve({0, 10, 10.01, 20, 30}, {0, 0, 1, 1, 0}, {.between = Between::cubic}).breaks(Breaks::slope);
  EXPECT_THAT(uneven.instants(), ElementsAre(0, 10, 10.01, 30)) << "the greatest value among them";
  EXPECT_EQ(uneven.longest_step(15), 15);
}

TEST(Curve, NeighbouringTimesAreAJump) {
  const double before = std::nextafter(1.0, 0.0);
  const Curve f({0, before, 1, 2}, {3, 3, 5, 5}, {});
  EXPECT_EQ(f(before), 3);
  EXPECT_EQ(f(1), 5);
  EXPECT_EQ(f.rate(before), 0);
  EXPECT_THAT(f.breaks(Breaks::value).instants(), ElementsAre(before, 1));
  EXPECT_THAT(f.breaks(Breaks::slope).instants(), ElementsAre(before, 1));
  EXPECT_THAT(f.breaks(Breaks::curvature).instants(), ElementsAre(0, 1, 2));
}

TEST(Curve, HasNoValueBeyondAnEndThatIsNoNumber) {
  const double nan = std::nan("");
  for (const Between between : {Between::linear, Between::cubic}) {
    const Curve f({std::nextafter(0.0, -1.0), 0, 1, 2, std::nextafter(2.0, 3.0)}, {nan, 3, 5, 4, nan},
                  {.between = between});
    EXPECT_TRUE(std::isnan(f(-1)));
    EXPECT_EQ(f(0), 3);
    EXPECT_EQ(f(1), 5);
    EXPECT_EQ(f(2), 4);
    EXPECT_TRUE(std::isnan(f(2.1)));
    EXPECT_TRUE(std::isfinite(f.greatest_integral()));
    EXPECT_TRUE(std::isfinite(f.breaks(Breaks::slope).instants().back()));
  }
}

TEST(Curve, DigestTellsPointsAndShapesApart) {
  const Curve f({0, 1, 2}, {0, 1, 0}, {});
  EXPECT_EQ(f.digest(), Curve({0, 1, 2}, {0, 1, 0}, {}).digest());
  EXPECT_NE(f.digest(), Curve({0, 1, 2}, {0, 1, 1e-12}, {}).digest());
  EXPECT_NE(f.digest(), Curve({0, 1, 3}, {0, 1, 0}, {}).digest());
  EXPECT_NE(f.digest(), Curve({0, 1, 2}, {0, 1, 0}, {.between = Between::cubic}).digest());
  EXPECT_NE(f.digest(), Curve({0, 1, 2}, {0, 1, 0}, {.after = Outside::zero}).digest());
}

TEST(Curve, GreatestIntegralIsThatOfTheLargestSwing) {
  EXPECT_DOUBLE_EQ(Curve({0, 1, 2, 4}, {0, 2, 0, -3}, {}).greatest_integral(), 2);
}

TEST(Timetable, MergesAndAnswers) {
  Timetable table({3, 1, 2, 1});
  EXPECT_THAT(table.instants(), ElementsAre(1, 2, 3));
  EXPECT_EQ(table.next(0), 1);
  EXPECT_EQ(table.next(1), 2);
  EXPECT_EQ(table.next(3), never);
  table.bound(2, 5, 0.5);
  Timetable other;
  other.bound(4, 8, 0.1);
  table.merge(other);
  EXPECT_THAT(table.instants(), ElementsAre(1, 2, 3, 4, 5, 8));
  EXPECT_EQ(table.longest_step(4.5), 0.1);
  EXPECT_EQ(table.longest_step(2), 0.5);
}

class CurveFormula : public ::testing::Test {
 protected:
  Expression read(const std::string& text) const {
    static const std::array<std::string, 2> names{"t", "x"};
    return {text, names, curves_};
  }
  const std::vector<NamedCurve> curves_{
      {"push", std::make_shared<const Curve>(std::vector<double>{0, 1, 2}, std::vector<double>{0, 3, 0},
                                             CurveShape{})}};
};

TEST_F(CurveFormula, CallsIt) {
  const Expression f = read("2*x*push(2*t - 1)");
  EXPECT_DOUBLE_EQ(f(std::array{0.75, 7.0}), 2 * 7 * 1.5);
  const Jet y = f.along(std::array{0.75, 7.0}, 0);
  EXPECT_DOUBLE_EQ(y.first, 2 * 7 * 3 * 2);
  EXPECT_DOUBLE_EQ(f.along(std::array{0.75, 7.0}, 1).first, 2 * 1.5);
}

TEST_F(CurveFormula, KnowsWhenTheCurveBreaks) {
  EXPECT_THAT(read("push(t)").breaks(Breaks::slope).instants(), ElementsAre(0, 1, 2));
  EXPECT_THAT(read("x + push(2*t - 1)").breaks(Breaks::slope).instants(), ElementsAre(0.5, 1, 1.5));
  EXPECT_THAT(read("push(-(t/2))").breaks(Breaks::slope).instants(), ElementsAre(-4, -2, 0));
  EXPECT_THAT(read("push(3 - 2)").breaks(Breaks::slope).instants(), IsEmpty());
  EXPECT_THAT(read("x + t").breaks(Breaks::slope).instants(), IsEmpty());
}

TEST_F(CurveFormula, TakesTimeScaledAndShiftedAlone) {
  for (const char* good : {"push(t)", "push((t - 1)/4)", "push(-2*(3 - t))", "sin(push(t))"})
    EXPECT_TRUE(read(good).curves_take_time()) << good;
  for (const char* bad : {"push(x)", "push(t*t)", "push(sin(t))", "push(t + x)", "push(1/t)",
                          "push(if(t > 1, t, 0))", "push(push(t))", "push(2*sin(t))"})
    EXPECT_FALSE(read(bad).curves_take_time()) << bad;
}

TEST_F(CurveFormula, OfAnythingElseSwitchesAtItsKinks) {
  const Expression f = read("push(x) + push(t)");
  EXPECT_DOUBLE_EQ(f(std::array{0.5, 1.5}), 3);
  EXPECT_DOUBLE_EQ(f.along(std::array{0.5, 1.5}, 1).first, -3);
  EXPECT_THAT(f.breaks(Breaks::slope).instants(), ElementsAre(0, 1, 2)) << "those of push(t)";
  ASSERT_EQ(f.switches().size(), 1U);
  const Expression g = read(f.switches()[0]);
  const auto sign = [&](double x) { return g(std::array{0.0, x}) > 0 ? 1 : -1; };
  EXPECT_EQ(sign(-1e9), sign(-0.1));
  EXPECT_NE(sign(-0.1), sign(0.1));
  EXPECT_EQ(sign(0.1), sign(0.9));
  EXPECT_NE(sign(0.9), sign(1.1));
  EXPECT_EQ(sign(1.1), sign(1.9));
  EXPECT_NE(sign(1.9), sign(2.1));
  EXPECT_EQ(sign(2.1), sign(1e9));
}

TEST_F(CurveFormula, RefusesWhatIsNoCall) {
  EXPECT_THROW(read("push"), ExpressionError);
  EXPECT_THROW(read("push()"), ExpressionError);
  EXPECT_THROW(read("push(t, 1)"), ExpressionError);
  try {
    read("pusch(t)");
    FAIL();
  } catch (const ExpressionError& error) {
    EXPECT_THAT(error.remedy, ::testing::HasSubstr("did you mean push"));
  }
}

}  // namespace
}  // namespace cosimo
