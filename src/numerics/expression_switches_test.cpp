#include "numerics/expression_switches.hpp"

#include <gtest/gtest.h>

#include "numerics/expression.hpp"

namespace cosimo {
namespace {

using Formulas = std::vector<std::string>;

TEST(ExpressionSwitches, SmoothFormulasHaveNone) {
  EXPECT_EQ(switch_formulas("2e-3*sin(pi*t) - x^2*exp(-maximum)"), Formulas{});
}

TEST(ExpressionSwitches, FunctionsTellTheirArguments) {
  EXPECT_EQ(switch_formulas("1e7*max(0, 0.05-abs(x))*sign(x)"), (Formulas{"(0)-(0.05-abs(x))", "(x)"}));
  EXPECT_EQ(switch_formulas("min(x, y, 1e-3)"), (Formulas{"(x)-(y)", "(x)-(1e-3)", "(y)-(1e-3)"}));
  EXPECT_EQ(switch_formulas("step(t-2.5E+1)"), (Formulas{"(t-2.5E+1)"}));
  EXPECT_EQ(switch_formulas("floor(3*t)"), (Formulas{"sin(3.14159265358979324*(3*t))"}));
  EXPECT_EQ(switch_formulas("mod(t, x)"), (Formulas{"sin(3.14159265358979324*(t)/(x))"}));
}

TEST(ExpressionSwitches, ComparisonsTellTheirDifference) {
  EXPECT_EQ(switch_formulas("if(x > 0.95 && (x+y)*2<=1, -1e5*x, 0)"),
            (Formulas{"(x)-(0.95)", "((x+y)*2)-(1)"}));
  EXPECT_EQ(switch_formulas("x*(y>=sin(t) ? 1 : z != 2)"), (Formulas{"(y)-(sin(t))", "(z)-(2)"}));
}

TEST(ExpressionSwitches, ConditionsWithoutComparisonAreTheirOwn) {
  EXPECT_EQ(switch_formulas("if(x*y, 1, 2) + (t-1 ? 3 : 4)"), (Formulas{"x*y", "t-1"}));
}

TEST(ExpressionSwitches, AreFormulasThemselves) {
  const std::vector<std::string> names{"t", "x"};
  for (const char* text : {"max(0, 0.05 - abs( x ))*sign(x)", "if(x*t, floor(t), x > 1 ? mod(t, 2) : 3)"})
    for (const std::string& formula : switch_formulas(text))
      EXPECT_NO_THROW(Expression(formula, names)) << formula;
}

}  // namespace
}  // namespace cosimo
