#include "series/measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

namespace cosimo::series {
namespace {

using std::numbers::pi;
using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

/// Results with a few columns over 0 ... 4 s, 1000 output times per second.
struct Results {
  std::vector<std::string> names{"wheel.x",   "der(wheel.x)",   "7.x",
                                 "strut1.Fz", "strut2.Fz",      "strut1.Fy",
                                 "strut2.Fy", "energy.kinetic", "front wheel.x"};
  std::vector<double> t;
  std::vector<std::vector<double>> columns;

  Results() {
    for (int i = 0; i <= 4000; ++i) t.push_back(i / 1000.0);
    column([](double s) { return std::sin(2 * pi * s); });
    column([](double s) { return 2 * pi * std::cos(2 * pi * s); });
    column([](double s) { return s; });
    column([](double s) { return 3 * s; });
    column([](double s) { return -5 * s; });
    column([](double) { return 4.0; });
    column([](double) { return 0.0; });
    column([](double s) { return std::exp(-s); });
    column([](double) { return 8.0; });
  }
  void column(const std::function<double(double)>& f) {
    std::vector<double> y;
    for (const double s : t) y.push_back(f(s));
    columns.push_back(y);
  }

  MeasureResult result(const std::string& text) const {
    const BoundMeasure bound = Measure(text).on(names);
    std::vector<std::span<const double>> needed;
    for (const std::size_t place : bound.columns()) needed.emplace_back(columns[place]);
    return bound.evaluate(t, needed);
  }
  double number(const std::string& text) const {
    const MeasureResult out = result(text);
    EXPECT_EQ(out.problem, "") << text;
    EXPECT_TRUE(out.curve.empty()) << text;
    return out.number;
  }
  std::string problem(const std::string& text) const {
    const MeasureResult out = result(text);
    EXPECT_NE(out.problem, "") << text << " gave " << out.number;
    return out.problem;
  }
};

TEST(Measure, AsksNumbersOfACourse) {
  const Results r;
  EXPECT_DOUBLE_EQ(r.number("max(wheel.x)"), 1);
  EXPECT_DOUBLE_EQ(r.number("min(wheel.x)"), -1);
  EXPECT_NEAR(r.number("mean(wheel.x)"), 0, 1e-15);
  // The trapezoidal rule is exact for whole periods.
  EXPECT_NEAR(r.number("rms(wheel.x)"), std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(r.number("deviation(wheel.x + 3)"), std::sqrt(0.5), 1e-14);
  EXPECT_EQ(r.number("final(7.x)"), 4);
  EXPECT_EQ(r.number("initial(7.x)"), 0);
  EXPECT_DOUBLE_EQ(r.number("at(7.x, 1.50025)"), 1.50025);
  EXPECT_DOUBLE_EQ(r.number("integral(7.x)"), 8);
  EXPECT_NEAR(r.number("integral(energy.kinetic)"), 1 - std::exp(-4), 1e-7);
  EXPECT_DOUBLE_EQ(r.number("quantile(7.x, 0.95)"), 3.8);
  EXPECT_NEAR(r.number("quantile(wheel.x, 0.75)"), std::sin(pi / 4), 1e-6);
  EXPECT_NEAR(r.number("frequency(wheel.x)"), 1, 1e-13);
  EXPECT_NEAR(r.number("spectrum(wheel.x, 1)"), 1, 1e-12);
}

TEST(Measure, LooksAtAWindow) {
  const Results r;
  EXPECT_DOUBLE_EQ(r.number("mean(7.x, from=2)"), 3);
  EXPECT_DOUBLE_EQ(r.number("max(7.x, to=1.2345)"), 1.2345);  // between two output times
  EXPECT_DOUBLE_EQ(r.number("rms(7.x, from=1, to=2)"), std::sqrt((8 - 1) / 3.0 + 1e-6 / 6));
  EXPECT_DOUBLE_EQ(r.number("mean(7.x, from=first(7.x > 3))"), 3.5);
  EXPECT_DOUBLE_EQ(r.number("duration(wheel.x > 0, from=0.25)"), 1.75);
  EXPECT_EQ(r.number("count(wheel.x > 0, from=0.75, to=3.25)"), 3);
}

TEST(Measure, KnowsWhenConditionsHold) {
  const Results r;
  EXPECT_DOUBLE_EQ(r.number("first(7.x > 3.0001)"), 3.0001);
  EXPECT_EQ(r.number("first(7.x >= 0)"), 0);
  EXPECT_EQ(r.number("first(7.x > 9, -1)"), -1);
  EXPECT_NEAR(r.number("first(wheel.x < 0)"), 0.5, 1e-9);
  EXPECT_EQ(r.number("count(wheel.x > 0.5)"), 4);
  EXPECT_EQ(r.number("count(wheel.x > 2)"), 0);
  // A sine is crossed within 5e-7 by lines of a millisecond.
  EXPECT_NEAR(r.number("duration(wheel.x > 0.5)"), 4.0 / 3, 8 * 5e-7);
  EXPECT_NEAR(r.number("duration(wheel.x > 0.5 || wheel.x < -0.5)"), 8.0 / 3, 16 * 5e-7);
  EXPECT_NEAR(r.number("duration(wheel.x > 0.5 && der(wheel.x) > 0)"), 2.0 / 3, 4 * 5e-7);
  EXPECT_NEAR(r.number("duration(!(wheel.x > 0.5 || 7.x >= 2))"), 2 - 2.0 / 3, 4 * 5e-7);
  EXPECT_EQ(r.number("count(7.x > 1 && 7.x < 2 || 7.x > 3)"), 2);
  EXPECT_EQ(r.number("count(7.x < 2 && 7.x > 2)"), 0);
  EXPECT_NEAR(r.number("first(0.5 < wheel.x) * 12"), 1, 1e-5);
}

TEST(Measure, ComputesWithNumbersAndCourses) {
  const Results r;
  EXPECT_DOUBLE_EQ(r.number("max(abs(2*wheel.x - 1))^2"), 9);
  EXPECT_DOUBLE_EQ(r.number("final(7.x) / 2 - -1"), 3);
  EXPECT_DOUBLE_EQ(r.number("max(7.x * t)"), 16);
  EXPECT_DOUBLE_EQ(r.number("max(7.x, 2)[0]"), 2);
  EXPECT_DOUBLE_EQ(r.number("final(min(7.x, 1.5))"), 1.5);
  EXPECT_DOUBLE_EQ(r.number("max(final(7.x), pi, 3.5)"), 4);
  EXPECT_DOUBLE_EQ(r.number("max(3)"), 3);
  EXPECT_DOUBLE_EQ(r.number("2^3^2 + atan2(0, 1) + mod(7, 4)"), 515);
  EXPECT_EQ(r.number("final(7.x) > 3 && !(1 > 2)"), 1);
  EXPECT_EQ(r.number("if(final(7.x) > 3, 10, 20)"), 10);
  EXPECT_NEAR(r.number("sqrt(mean(der(wheel.x)^2)) / rms(wheel.x)"), 2 * pi, 1e-13);
  EXPECT_DOUBLE_EQ(r.number("final(sum(7.x, 2*7.x, 1))"), 13);
  EXPECT_DOUBLE_EQ(r.number("-2^2"), -4);
  EXPECT_DOUBLE_EQ(r.number("7.*2 + .5e1"), 19);
}

TEST(Measure, GivesCurves) {
  const Results r;
  EXPECT_TRUE(Measure("7.x[::10]").gives_curve());
  EXPECT_FALSE(Measure("max(7.x)").gives_curve());
  const MeasureResult tenth = r.result("7.x[::1000] + 1");
  EXPECT_THAT(tenth.t, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(tenth.curve, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(r.result("7.x[-2:]").curve, ElementsAre(3.999, 4));
  EXPECT_THAT(r.result("7.x[1:6:2]").t, ElementsAre(0.001, 0.003, 0.005));
  EXPECT_EQ(r.number("7.x[-1]"), 4);
  EXPECT_EQ(r.number("7.x[1000]"), 1);
  EXPECT_EQ(r.number("max(7.x[:2001])"), 2);
  const MeasureResult all = r.result("spectrum(wheel.x)");
  const auto top = std::ranges::max_element(all.curve) - all.curve.begin();
  EXPECT_NEAR(all.t[static_cast<std::size_t>(top)], 1, 0.125);
  EXPECT_NEAR(r.number("max(spectrum(3*wheel.x, from=1))"), 3, 0.1);
}

TEST(Measure, GathersWhatAStarStandsFor) {
  const Results r;
  EXPECT_EQ(r.number("max(abs(strut*.Fz))"), 20);
  EXPECT_EQ(r.number("max(strut*.Fz)"), 12);
  EXPECT_EQ(r.number("min(elements.strut*.Fz)"), -20);
  EXPECT_DOUBLE_EQ(r.number("final(sum(strut*.Fz))"), -8);
  EXPECT_DOUBLE_EQ(r.number("sum(final(abs(strut*.Fz)))"), 32);
  EXPECT_DOUBLE_EQ(r.number("max(rms(strut*.Fz, from=1))"), r.number("rms(strut2.Fz, from=1)"));
  // The second star stands for what the first one does.
  EXPECT_DOUBLE_EQ(r.number("max(sqrt(strut*.Fz^2 + strut*.Fy^2), to=1)"), 5);
  EXPECT_DOUBLE_EQ(r.number("sum(count(strut*.Fz < -1))"), 1);
  EXPECT_EQ(r.number("max(strut1.F*)"), 12);
  EXPECT_EQ(Measure("sum(final(*.x))").on(r.names).columns().size(), 3U);  // not der(wheel.x)
}

TEST(Measure, FindsColumnsByTheirNames) {
  const Results r;
  EXPECT_EQ(r.number("final(bodies.7.x)"), 4);
  EXPECT_EQ(r.number("final(elements.strut1.fz)"), 12);  // letter case aside
  EXPECT_DOUBLE_EQ(r.number("initial(der(bodies.wheel.x))"), 2 * pi);
  EXPECT_EQ(r.number("final('front wheel.x')"), 8);
  const BoundMeasure twice = Measure("max(wheel.x) - min(bodies.wheel.x) + max(7.x)").on(r.names);
  EXPECT_THAT(twice.columns(), ElementsAre(0, 2));
}

TEST(Measure, ANameInAnotherCaseMustMeanOneColumn) {
  const std::vector<std::string> names{"Rod.x", "rod.x"};
  EXPECT_THAT(Measure("max(Rod.x)").on(names).columns(), ElementsAre(0));
  EXPECT_THAT(Measure("max(rod.x)").on(names).columns(), ElementsAre(1));
  EXPECT_THROW(Measure("max(ROD.x)").on(names), ExpressionError);
}

TEST(Measure, WhatIsNoNumberIsAProblem) {
  const Results r;
  EXPECT_THAT(r.problem("first(wheel.x > 3)"), HasSubstr("first(wheel.x > 3): it never holds"));
  EXPECT_THAT(r.problem("1 + at(wheel.x, 5)"), HasSubstr("at(wheel.x, 5): the results do not reach"));
  EXPECT_THAT(r.problem("mean(wheel.x, from=9)"), HasSubstr("the results go from 0 to 4"));
  EXPECT_THAT(r.problem("mean(wheel.x, from=2, to=1)"), HasSubstr("nothing is between 2 and 1"));
  EXPECT_THAT(r.problem("max(sqrt(wheel.x))"), HasSubstr("sqrt(wheel.x): it is no finite number at 0.501"));
  EXPECT_THAT(r.problem("max(1/7.x)"), HasSubstr("1/7.x: it is no finite number at 0"));
  EXPECT_THAT(r.problem("sqrt(0 - 1)"), HasSubstr("no finite number"));
  EXPECT_THAT(r.problem("7.x[::5] / 0"), HasSubstr("no finite number at 0"));
  EXPECT_THAT(r.problem("count(log(wheel.x) > 0)"), HasSubstr("no finite number"));
  EXPECT_THAT(r.problem("quantile(7.x, 2)"), HasSubstr("from 0 to 1"));
  EXPECT_THAT(r.problem("frequency(7.x)"), HasSubstr("nothing oscillates"));
  EXPECT_THAT(r.problem("spectrum(wheel.x, 0.1)"), HasSubstr("less than one period"));
  EXPECT_THAT(r.problem("7.x[5000]"), HasSubstr("there are 4001 output times"));
  EXPECT_THAT(r.problem("7.x[9:3]"), HasSubstr("no such output times"));
  EXPECT_THAT(r.problem("7.x[::2] + 7.x"), HasSubstr("different times"));
}

TEST(Measure, ResultsThatAreNotFiniteAreAProblem) {
  const std::vector<std::string> names{"a.x"};
  const std::vector<double> t{0, 1, 2};
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const char* text :
         {"max(a.x)", "min(a.x)", "final(a.x)", "quantile(a.x, 0.1)", "a.x", "count(a.x > 0)"}) {
      const std::vector<double> y{1, bad, 3};
      const MeasureResult out = Measure(text).on(names).evaluate(t, std::vector<std::span<const double>>{y});
      EXPECT_THAT(out.problem, HasSubstr("no finite number")) << text;
    }
}

TEST(Measure, OneOutputTimeHasValuesButNoMeans) {
  const std::vector<std::string> names{"a.x"};
  const std::vector<double> t{2}, y{5};
  const std::vector<std::span<const double>> columns{y};
  EXPECT_EQ(Measure("max(a.x) + final(a.x)").on(names).evaluate(t, columns).number, 10);
  EXPECT_THAT(Measure("mean(a.x)").on(names).evaluate(t, columns).problem, HasSubstr("no time passes"));
  EXPECT_THAT(Measure("max(a.x)").on(names).evaluate({}, std::vector<std::span<const double>>{{}}).problem,
              HasSubstr("no output times"));
}

}  // namespace
}  // namespace cosimo::series
