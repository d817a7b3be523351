#include "numerics/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/allocation_counter.hpp"

namespace cosimo {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> names{"t", "x", "omega"};

double value(const std::string& text, double t = 0, double x = 0, double omega = 0) {
  return Expression(text, names)(std::array{t, x, omega});
}

ExpressionError error_of(const std::string& text) {
  try {
    const Expression f(text, names);
  } catch (const ExpressionError& error) {
    return error;
  }
  return {"accepted", "", 0};
}

TEST(Expression, KnowsOperatorsFunctionsAndConstants) {
  EXPECT_DOUBLE_EQ(value("2*x^3 - -1", 0, 2), 17);
  EXPECT_DOUBLE_EQ(value("-x^2", 0, 3), -9);
  EXPECT_DOUBLE_EQ(value("2^3^2"), 512);
  EXPECT_DOUBLE_EQ(value("1e5*sin(pi/6) + 2.5e-1"), 50000.25);
  EXPECT_DOUBLE_EQ(value("log(e^2) + log10(100) + ln(e)"), 5);
  EXPECT_DOUBLE_EQ(value("atan2(1, -1)"), 0.75 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("min(3, x, 4) + max(3, x, 4)", 0, 1), 5);
  EXPECT_DOUBLE_EQ(value("mod(-1, 3) + floor(-0.5) + abs(-3) + sign(-7)"), 3);
  EXPECT_DOUBLE_EQ(value("step(0) + 2*step(1e-9)"), 2);
}

TEST(Expression, RemaindersOfLargeNumbersAreExact) {
  EXPECT_EQ(value("mod(1e17, 3)"), 1);
  EXPECT_EQ(value("mod(-1e17, 3)"), 2);
  EXPECT_EQ(value("mod(1e17, -3)"), -2);
  EXPECT_EQ(value("mod(x, 7)", 0, 0x1p100), 2);  // 2^3 = 1 mod 7
  EXPECT_EQ(value("mod(x, 1e300)", 0, 1e-300), 1e-300);
  EXPECT_EQ(value("mod(4503599627370497, 2)"), 1);
  EXPECT_EQ(value("mod(1, 0.1) + mod(-6, 3)"), 0) << "a quotient that rounds to a whole number is one";
  const Jet jet = Expression("mod(x, 3)", names).along(std::array{0.0, 1e17, 0.0}, 1);
  EXPECT_EQ(jet.value, 1);
  EXPECT_EQ(jet.first, 1);
}

TEST(Expression, ChoosesByConditions) {
  for (const char* text : {"if(x > 0, 5, 7)", "x > 0 ? 5 : 7", "if(!(x <= 0) && t == 0, 5, 7)",
                           "if(x > 0 || x > 1, 5, 7)", "if(!x, 7, if(x != 2, 7, 5))"}) {
    EXPECT_EQ(value(text, 0, 2), 5) << text;
    EXPECT_EQ(value(text, 0, 0), 7) << text;
  }
  EXPECT_EQ(value("if(x > 0, sqrt(x), 0)", 0, -1), 0) << "the branch not taken has no value";
}

TEST(Expression, SaysWhatItUses) {
  const Expression f("0*x + sin(omega)", names);
  EXPECT_EQ(f.text(), "0*x + sin(omega)");
  EXPECT_FALSE(f.uses(0));
  EXPECT_TRUE(f.uses(1));
  EXPECT_TRUE(f.uses(2));
  EXPECT_FALSE(f.is_constant());
  EXPECT_TRUE(Expression("2*pi", names).is_constant());
  EXPECT_EQ(Expression("2*3", {})({}), 6);
}

TEST(Expression, AVariableMayHaveTheNameOfAConstant) {
  const std::vector<std::string> own{"e", "pi"};
  EXPECT_EQ(Expression("e + pi", own)(std::array{1.0, 2.0}), 3);
}

TEST(Expression, UnknownSymbolsAreNamedWithTheNearestKnownOne) {
  const ExpressionError error = error_of("2*x + sin(omgea*t)");
  EXPECT_STREQ(error.what(), "unknown symbol 'omgea'");
  EXPECT_THAT(error.remedy, HasSubstr("did you mean omega?"));
  EXPECT_THAT(error.remedy, HasSubstr("t, x, omega, pi, e"));
  EXPECT_EQ(error.position, 10U);
  EXPECT_THAT(error_of("sinn(t)").remedy, HasSubstr("did you mean sin?"));
  EXPECT_THAT(error_of("2*cos + t").remedy, HasSubstr("write cos(...)"));
  EXPECT_THAT(error_of("t + zebra").remedy, Not(HasSubstr("did you mean")));
}

TEST(Expression, BadSyntaxIsRefused) {
  for (const char* text :
       {"", "  ", "2*", "(t", "t)", "sin()", "sin(t, t)", "t x", "t = 3", "x += 1", "2 ** t", "t, x", "\"t\"",
        "if(t, 1)", "1..2", "t $ x", "min()", "3 t", "a := 2"}) {
    EXPECT_STRNE(error_of(text).what(), "accepted") << text;
    EXPECT_FALSE(error_of(text).remedy.empty()) << text;
  }
  EXPECT_STREQ(error_of("x = 3").what(), "a formula cannot assign");
  EXPECT_EQ(error_of("x = 3").position, 2U);
}

TEST(Expression, WithoutAValueItIsNotFiniteAndDoesNotThrow) {
  for (const char* text : {"1/x", "log(x)", "sqrt(x - 1)", "asin(x + 2)", "exp(1e4 + x)", "mod(1, x)"})
    EXPECT_FALSE(std::isfinite(value(text))) << text;
}

TEST(Expression, DerivativesAreExactToManyDigits) {
  const std::vector<std::string> xs{"x"};
  struct Case {
    const char* text;
    double x, slope;
  };
  const double c = 1.5e5;
  for (const Case& f :
       {Case{"sin(x)", 0.3, std::cos(0.3)}, Case{"sin(1000*x)", 0.7, 1000 * std::cos(700.0)},
        Case{"sin(x)", 1e5, std::cos(1e5)}, Case{"3*x + 1e3", 2, 3}, Case{"exp(-x^2)", 1, -2 / std::exp(1.0)},
        Case{"1e5*max(0, -x)^1.5", -1e-3, -c * std::sqrt(1e-3)}, Case{"log(x)", 1e-2, 100},
        Case{"1e4*max(0, x)", -1e-4, 0}, Case{"if(abs(x) < 1e-3, 1e5*x, 0)", 0, 1e5},
        Case{"step(x - 0.1) + x", 0.1001, 1}, Case{"x^2", 0, 0}}) {
    double slope = 0;
    Expression(f.text, xs).gradient(std::array{f.x}, std::span(&slope, 1));
    EXPECT_NEAR(slope, f.slope, 1e-9 * std::max(1.0, std::fabs(f.slope))) << f.text;
  }
}

TEST(Expression, GradientOfVariablesNotUsedIsZero) {
  std::array<double, 3> slopes{7, 7, 7};
  Expression("x^2*t", names).gradient(std::array{2.0, 3.0, 5.0}, slopes);
  EXPECT_NEAR(slopes[0], 9, 1e-11);
  EXPECT_NEAR(slopes[1], 12, 1e-11);
  EXPECT_EQ(slopes[2], 0);
}

TEST(Expression, DerivativeAtAKinkIsTheMeanOfBothSlopes) {
  for (const char* text : {"max(x, 3*x)", "min(4*x, 0)", "abs(x) + 2*x"}) {
    std::array<double, 3> slopes{};
    Expression(text, names).gradient(std::array{0.0, 0.0, 0.0}, slopes);
    EXPECT_EQ(slopes[1], 2) << text;
  }
}

TEST(Expression, DerivativesFollowFromTheFormulaInAnyUnits) {
  // Differences need a step, and a step needs to know how fast the formula changes.
  for (const double unit : {1e-200, 1e-30, 1e-9, 1e-6, 1.0, 1e9, 1e120}) {
    const Expression f("sin(x/omega) + max(0, (x/omega)^3) + (x < omega ? exp(-x/omega) : 0)", names);
    std::array<double, 3> slopes{};
    f.gradient(std::array{0.0, 0.3 * unit, unit}, slopes);
    EXPECT_NEAR(slopes[1] * unit, std::cos(0.3) + 3 * 0.09 - std::exp(-0.3), 1e-14) << unit;
  }
}

TEST(Expression, JetsAgreeWithDifferences) {
  // Of every function and operation, by values of the formula alone; h^2 against rounding.
  const double h = 1e-4;
  for (const char* text : {"sin(x)",
                           "cos(x)",
                           "tan(x)",
                           "asin(x)",
                           "acos(x)",
                           "atan(x)",
                           "sinh(x)",
                           "cosh(x)",
                           "tanh(x)",
                           "asinh(x)",
                           "acosh(1+x)",
                           "atanh(x)",
                           "exp(x)",
                           "log(x)",
                           "ln(x)",
                           "log10(x)",
                           "log2(x)",
                           "sqrt(x)",
                           "abs(x-1)",
                           "floor(x)",
                           "ceil(x)",
                           "sign(x)",
                           "step(x)",
                           "x^2",
                           "x^3",
                           "x^2.5",
                           "2^x",
                           "x^x",
                           "pow(x, 1/x)",
                           "x^(-1)",
                           "x*sin(x)",
                           "sin(x)/(1+x^2)",
                           "-x^2+x",
                           "atan2(x, 1+x^2)",
                           "mod(3*x, x^2)",
                           "min(x, x^2, 1)",
                           "max(x, x^2)",
                           "if(x > 0.3, x^4, 0)",
                           "x < 0.3 && x > 0 ? x : x^4",
                           "!x + x"}) {
    const Expression f(text, names);
    const auto at = [&](double x) { return f(std::array{0.0, x, 0.0}); };
    for (const double x : {0.21, 0.47, 0.83}) {
      const Jet jet = f.along(std::array{0.0, x, 0.0}, 1);
      EXPECT_EQ(jet.value, at(x)) << text;
      EXPECT_NEAR(jet.first, (at(x + h) - at(x - h)) / (2 * h), 3e-6 * (1 + std::fabs(jet.first))) << text;
      EXPECT_NEAR(jet.second, (at(x + h) - 2 * at(x) + at(x - h)) / (h * h),
                  2e-5 * (1 + std::fabs(jet.second)))
          << text << " at " << x;
    }
  }
}

TEST(Expression, ExponentsThatMoveKeepTheirDerivatives) {
  // 2 and 3 are products where they are constant.
  for (const double x : {2.0, 3.0}) {
    const Jet jet = Expression("2^x", names).along(std::array{0.0, x, 0.0}, 1);
    EXPECT_NEAR(jet.first, std::log(2) * std::pow(2, x), 1e-14);
    EXPECT_NEAR(jet.second, std::log(2) * std::log(2) * std::pow(2, x), 1e-14);
  }
}

TEST(Expression, HasNoValueWhereAnArgumentHasNone) {
  for (const char* text : {"max(0, log(x))", "max(log(x), 0)", "min(1, sqrt(x), 2)", "min(sqrt(x), 1)"})
    EXPECT_TRUE(std::isnan(value(text, 0, -1))) << text;
}

TEST(Expression, OneComparisonAtATime) {
  EXPECT_STREQ(error_of("0 < x < 1").what(), "two comparisons in a row");
  EXPECT_EQ(value("(0 < x) == (x < 1)", 0, 0.5), 1);
  EXPECT_STREQ(error_of("x(2)").what(), "'x' is not a function");
  EXPECT_THAT(error_of("x*\u00b5").what(), HasSubstr("\u00b5"));
}

TEST(Expression, DeepNestingIsRefusedAndNothingElse) {
  const std::string many(10000, '('), some(30, '(');
  EXPECT_STREQ(error_of(many).what(), "the formula is nested too deeply");
  EXPECT_STREQ(error_of(std::string(10000, '-') + "x").what(), "the formula is nested too deeply");
  EXPECT_EQ(value(some + "x" + std::string(30, ')'), 0, 3), 3);
  std::string sum = "x", power = "x";
  for (int i = 0; i < 5000; ++i) sum += "+x";
  EXPECT_EQ(value(sum, 0, 1), 5001);
  for (int i = 0; i < 200; ++i) power += "^x";
  EXPECT_STREQ(error_of(power).what(), "the formula is nested too deeply");
}

TEST(Expression, SwitchesMayNestNoDeeperThanFormulas) {
  const std::string open(31, '('), close(31, ')');
  EXPECT_EQ(value(open + "x" + close, 0, 3), 3);
  // One more in (...)-(0), where it switches.
  EXPECT_STREQ(error_of(open + "x" + close + " > 0").what(), "the formula is nested too deeply");
}

TEST(Expression, WrongNumbersOfArgumentsNameTheFunctionAndThePage) {
  const ExpressionError error = error_of("1 + atan2(x)");
  EXPECT_STREQ(error.what(), "too few arguments of 'atan2'");
  EXPECT_EQ(error.remedy, "give 2; all functions: docs/formulas.md");
  EXPECT_STREQ(error_of("sin(x, t)").what(), "too many arguments of 'sin'");
  EXPECT_THAT(error_of("max()").remedy, HasSubstr("give one or more"));
}

TEST(Expression, EvaluatesFromManyThreadsAlike) {
  const Expression f("sin(x)*exp(-t) + if(omega > 0.5, x^3, t)", names);
  constexpr std::size_t threads = 4, count = 2000;
  const auto point = [](std::size_t i) {
    const double s = static_cast<double>(i) / count;
    return std::array{s, 3 - 5 * s, std::fabs(std::sin(40 * s))};
  };
  std::array<std::vector<double>, threads> results;
  std::vector<std::thread> workers;
  for (auto& result : results)
    workers.emplace_back([&] {
      const Expression shared = f;
      for (std::size_t i = 0; i < count; ++i) result.push_back(shared(point(i)));
    });
  for (std::thread& worker : workers) worker.join();
  for (std::size_t i = 0; i < count; ++i) {
    const auto [t, x, omega] = point(i);
    EXPECT_NEAR(results[0][i], std::sin(x) * std::exp(-t) + (omega > 0.5 ? x * x * x : t), 1e-14 * 40);
    for (const auto& result : results) EXPECT_EQ(result[i], results[0][i]);
  }
}

TEST(Expression, SteadyEvaluationDoesNotAllocate) {
  const Expression f("sin(x)*exp(-t) + if(omega > 0.5, x^3, min(t, x))", names);
  const std::array<double, 3> at{0.1, 0.2, 0.3};
  std::array<double, 3> slopes{};
  double sum = f(at);
  const std::size_t before = allocation_count();
  for (int i = 0; i < 100; ++i) {
    sum += f(at);
    f.gradient(at, slopes);
  }
  EXPECT_EQ(allocation_count(), before);
  EXPECT_TRUE(std::isfinite(sum));
}

}  // namespace
}  // namespace cosimo
