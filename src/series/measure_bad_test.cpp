// What is no measure is refused before anything runs: with the place, what is wrong and what to write.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "series/measure.hpp"

namespace cosimo::series {
namespace {

using testing::HasSubstr;

struct Bad {
  const char* text;
  std::size_t position;
  const char* problem;
  const char* remedy;
};

class BadMeasure : public testing::TestWithParam<Bad> {};

TEST_P(BadMeasure, IsRefused) {
  const std::vector<std::string> names{"wheel.x", "der(wheel.x)", "coupler6.Fx", "coupler7.Fx", "7.x"};
  const Bad& bad = GetParam();
  try {
    Measure(bad.text).on(names);
    FAIL() << bad.text << " was taken";
  } catch (const ExpressionError& error) {
    EXPECT_EQ(error.position, bad.position) << bad.text;
    EXPECT_THAT(error.what(), HasSubstr(bad.problem)) << bad.text;
    EXPECT_THAT(error.remedy, HasSubstr(bad.remedy)) << bad.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, BadMeasure,
    testing::Values(Bad{"", 0, "the measure is empty", "write a formula"},
                    Bad{"max(abs(elements.copler7.fx))", 8, "no column 'elements.copler7.fx'",
                        "did you mean coupler7.Fx?"},
                    Bad{"maximum(wheel.x)", 0, "no function 'maximum'", "docs/measures.md"},
                    Bad{"max(wheel.y)", 4, "no column 'wheel.y'", "did you mean wheel.x?"},
                    Bad{"max(engine.temperature)", 4, "no column 'engine.temperature'",
                        "there are wheel.x, der(wheel.x)"},
                    Bad{"max(wheel.rotation)", 4, "no column 'wheel.rotation'", "there are wheel.x"},
                    Bad{"qantile(wheel.x, 0.9)", 0, "no function 'qantile'", "did you mean quantile?"},
                    Bad{"max(wheel.x", 11, "closing parenthesis is missing", "close it"},
                    Bad{"max(wheel.x))", 12, "unexpected parenthesis", "balance"},
                    Bad{"max(wheel.x, form=2)", 13, "no argument 'form='", "did you mean from=?"},
                    Bad{"max(wheel.x, from=1, from=2)", 21, "'from=' is given twice", "once"},
                    Bad{"mean(wheel.x, from=1, 2)", 22, "an argument after from=", "before"},
                    Bad{"rms(3)", 4, "'rms' needs a course", "name a column"},
                    Bad{"rms(wheel.x > 2)", 4, "a condition over time is no number", "duration"},
                    Bad{"wheel.x > 3", 0, "a condition over time is no number", "first(...)"},
                    Bad{"first(wheel.x)", 6, "'first' asks when a condition holds", "first(x > 3)"},
                    Bad{"first(wheel.x == 3)", 14, "equal to something for no time", "compare with <"},
                    Bad{"quantile(wheel.x)", 0, "too few arguments of 'quantile'", "give 2"},
                    Bad{"final(wheel.x, 2)", 0, "too many arguments of 'final'", "give 1"},
                    Bad{"at(wheel.x, wheel.x)", 12, "a course where a number belongs", "max(...)"},
                    Bad{"sum(wheel.x)", 0, "the sum of one course", "integral(x)"},
                    Bad{"abs(coupler*.Fx)", 0, "a star stands for many columns", "sum(...)"},
                    Bad{"sum(coupler*.Fx, wheel.x)", 4, "a star stands for many columns", "call of its own"},
                    Bad{"max(strut*.Fx)", 4, "no column like 'strut*.Fx'", "there are"},
                    Bad{"max(a*.b*.c)", 4, "several stars", "write one"},
                    Bad{"wheel.x[::0]", 7, "a step below 1", "[::10]"},
                    Bad{"wheel.x[1.5]", 8, "'1.5' is not a whole number", "count output times"},
                    Bad{"wheel.x[]", 7, "empty brackets", "from:to:step"},
                    Bad{"3[0]", 1, "only courses have output times", "remove"},
                    Bad{"der(2*wheel.x)", 4, "name of a column", "der(wheel.x)"},
                    Bad{"der(wheel.x + 1)", 0, "not a derivative of formulas", "der(wheel.x)"},
                    Bad{"max(wheel.x) max(7.x)", 13, "unexpected 'max'", "operator"},
                    Bad{"1 < 2 < 3", 6, "two comparisons in a row", "&&"},
                    Bad{"x = 3", 2, "cannot assign", "compare"},
                    Bad{"max(wheel.x) +", 14, "ends too early", "complete"},
                    Bad{"max(wheel.x), 2", 12, "several formulas", "give one"},
                    Bad{"__import__(\"os\")", 11, "unexpected '\"'", "no text"},
                    Bad{"os.system(rm)", 0, "no function 'os.system'", "docs/measures.md"},
                    Bad{"`rm`", 0, "'`' is not understood", "check"},
                    Bad{"lambda: 3", 6, "unexpected ':'", "missing"},
                    Bad{"1e999", 0, "not a number that can be computed with", "check the number"},
                    Bad{"if(wheel.x > 1, 2, 3)", 3, "chooses between numbers", "max(x)"},
                    Bad{"sum(abs(wheel.x), from=2)", 23, "no from= and to=", "mean(x, from=1)"},
                    Bad{"count(wheel.x > 1 && 3)", 21, "not a condition over time", "x > 3"}));

TEST(MeasureReader, RefusesWhatIsTooDeepOrTooLong) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      const Measure measure(text);
    } catch (const ExpressionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem(std::string(5000, '(')), HasSubstr("nested too deeply"));
  EXPECT_THAT(problem(std::string(5000, '-') + "1"), HasSubstr("nested too deeply"));
  EXPECT_EQ(problem(std::string(40, '(') + "1" + std::string(40, ')')), "");
  std::string long_sum = "1";
  for (int i = 0; i < 1000; ++i) long_sum += "+1";
  EXPECT_EQ(problem(long_sum), "");
  for (int i = 0; i < 2000; ++i) long_sum += "+1";
  EXPECT_THAT(problem(long_sum), HasSubstr("too long"));
}

}  // namespace
}  // namespace cosimo::series
