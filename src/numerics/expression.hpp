// A formula written by a user, such as "m*g*sin(omega*t)": checked once, evaluated often.
//
//   const std::vector<std::string> names{"t", "x"};
//   Expression f("if(x > 0, -1e5*x, 0) + sin(t)", names);   // throws ExpressionError
//   double y = f(std::array{0.1, 2.0});                      // from any thread
//
// Usual operators, ^ for powers, comparisons, && || !, c ? a : b and if(c, a, b), the usual functions (sin
// ... atan2, sinh ..., exp, log = ln, log2, log10, pow, sqrt, abs, sign, min, max, floor, ceil, mod, step(x)
// = 1 for x > 0), constants pi and e. Derivatives are exact but for rounding (numerics/jet.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/curve.hpp"
#include "numerics/jet.hpp"

namespace cosimo {

/// What is wrong with a formula: one sentence without the formula itself.
class ExpressionError : public std::runtime_error {
 public:
  ExpressionError(const std::string& problem, std::string what_to_write, std::size_t place)
      : std::runtime_error(problem), remedy(std::move(what_to_write)), position(place) {}
  std::string remedy;
  std::size_t position;  ///< place in the text, from 0
};

/// Names of all functions that formulas know.
std::span<const std::string_view> function_names();

class Expression {
 public:
  /// `variables` name the values that it is evaluated with. Throws ExpressionError: bad syntax, a symbol that
  /// is neither a variable nor a constant (the remedy names the nearest known one and lists what there is),
  /// more parentheses within each other than the formula or one of its switches() may have.
  /// `curves` are functions of time: their argument is the variable t, scaled and shifted by numbers.
  Expression(std::string text, std::span<const std::string> variables,
             std::span<const NamedCurve> curves = {});

  const std::string& text() const;
  bool uses(std::size_t variable) const;
  bool is_constant() const;  ///< uses no variable
  /// Whether curves have such arguments; what else asks for the formula needs it.
  bool curves_take_time() const;
  /// The instants where the curves break.
  Timetable breaks(Breaks which) const;
  /// Formulas of the same variables whose signs change where this one switches (numerics/formula.hpp).
  const std::vector<std::string>& switches() const;
  /// Not finite where the formula is not defined; never throws.
  double operator()(std::span<const double> values) const;
  /// Derivatives with respect to the variables; zero for those not used.
  void gradient(std::span<const double> values, std::span<double> out) const;
  /// The value with two derivatives with respect to one variable.
  Jet along(std::span<const double> values, std::size_t variable) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;  ///< copies share it
};

}  // namespace cosimo
