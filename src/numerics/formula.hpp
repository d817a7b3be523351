// A formula as a program for a stack of numbers, and the reader that makes it from text
// (numerics/expression.hpp is what others use).
//
//   const Formula f = read_formula("2*sin(x)", names);
//   double y = f.evaluate(values);
//   Jet dy = f.along(values, 1);   // with derivatives by values[1]
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "numerics/curve.hpp"
#include "numerics/jet.hpp"

namespace cosimo {

enum class Operation : std::uint8_t {
  constant,
  variable,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  invert,
  less,
  greater,
  less_equal,
  greater_equal,
  equal,
  not_equal,
  both,
  either,
  choose,
  arc_tangent,
  modulo,
  least,
  greatest,
  function,
  curve,
  knot,
};

struct Instruction {
  Operation operation;
  std::uint32_t index = 0;  ///< of the variable, of the function, or of the call of a curve
  double number = 0;        ///< the constant

  bool operator==(const Instruction&) const = default;
};

/// Numbers that a program may keep at once: some thirty parentheses within each other.
inline constexpr std::size_t deepest_stack = 64;

/// scale t + shift.
struct OfTime {
  double scale = 0, shift = 0;
  bool holds = true;  ///< false: it is no such thing
};
struct CurveCall {
  std::shared_ptr<const Curve> curve;
  OfTime argument;
  /// The places where it has a kink or a jump, for Operation::knot.
  std::shared_ptr<const std::vector<double>> knots{};
};
/// Between which knots x lies: i at the i-th, from 0, growing steadily; in (-1, 0) before the first one and
/// less than one more than that of the last one behind it.
Taylor knot_number(const std::vector<double>& knots, double x);

struct Formula {
  std::vector<Instruction> program;
  std::vector<CurveCall> calls{};
  /// Formulas whose signs change where this one switches:
  ///   max(a, b), min(a, b)      (a)-(b), for every two arguments
  ///   abs(a), sign(a), step(a)  (a)
  ///   a < b, and all comparisons    (a)-(b)
  ///   if(c, ...), c ? ...       the comparisons of c, or c itself where it has none
  ///   floor(a), ceil(a)         sin(pi a);  mod(a, b): sin(pi a / b)
  ///   f(a), a curve, a no time  sin(pi knot_of_f(a)), a function that only switches know
  std::vector<std::string> switches{};

  double evaluate(std::span<const double> values) const;
  /// Derivatives by one of the variables.
  Jet along(std::span<const double> values, std::size_t variable) const;
};

/// Throws ExpressionError.
Formula read_formula(std::string_view text, std::span<const std::string> variables,
                     std::span<const NamedCurve> curves);

/// Functions of one argument: at() gives the value and two derivatives.
struct Function {
  std::string_view name;
  double (*value)(double);
  Taylor (*at)(double);
};
std::span<const Function> functions_of_one();

}  // namespace cosimo
