#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "numerics/expression.hpp"

namespace cosimo {
namespace {

using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

const std::vector<std::string> variables{"t", "x", "y", "z", "maximum"};

std::vector<std::string> switch_formulas(const std::string& text) {
  return Expression(text, variables).switches();
}

TEST(ExpressionSwitches, SmoothFormulasHaveNone) {
  EXPECT_THAT(switch_formulas("2e-3*sin(pi*t) - x^2*exp(-maximum)"), IsEmpty());
}

TEST(ExpressionSwitches, FunctionsTellTheirArguments) {
  EXPECT_THAT(switch_formulas("1e7*max(0, 0.05-abs(x))*sign(x)"),
              UnorderedElementsAre("(0)-(0.05-abs(x))", "(x)"));
  EXPECT_THAT(switch_formulas("min(x, y, 1e-3)"),
              UnorderedElementsAre("(x)-(y)", "(x)-(1e-3)", "(y)-(1e-3)"));
  EXPECT_THAT(switch_formulas("step(t-2.5E+1)"), UnorderedElementsAre("(t-2.5E+1)"));
  EXPECT_THAT(switch_formulas("floor(3*t)"), UnorderedElementsAre("sin(3.14159265358979324*(3*t))"));
  EXPECT_THAT(switch_formulas("mod(t, x)"), UnorderedElementsAre("sin(3.14159265358979324*(t)/(x))"));
}

TEST(ExpressionSwitches, ComparisonsTellTheirDifference) {
  EXPECT_THAT(switch_formulas("if(x > 0.95 && (x+y)*2<=1, -1e5*x, 0)"),
              UnorderedElementsAre("(x)-(0.95)", "((x+y)*2)-(1)"));
  EXPECT_THAT(switch_formulas("x*(y>=sin(t) ? 1 : z != 2)"), UnorderedElementsAre("(y)-(sin(t))", "(z)-(2)"));
}

TEST(ExpressionSwitches, ConditionsWithoutComparisonAreTheirOwn) {
  EXPECT_THAT(switch_formulas("if(x*y, 1, 2) + (t-1 ? 3 : 4)"), UnorderedElementsAre("x*y", "t-1"));
}

TEST(ExpressionSwitches, AreFormulasThemselves) {
  for (const char* text : {"max(0, 0.05 - abs( x ))*sign(x)", "if(x*t, floor(t), x > 1 ? mod(t, 2) : 3)"})
    for (const std::string& formula : switch_formulas(text))
      EXPECT_NO_THROW(Expression(formula, variables)) << formula;
}

}  // namespace
}  // namespace cosimo
