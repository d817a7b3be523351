#include "numerics/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace cosimo {

namespace {

double sign(double x) {
  return x > 0 ? 1.0 : (x < 0 ? -1.0 : x);
}
double unit_step(double x) {
  return x > 0 ? 1.0 : (x <= 0 ? 0.0 : x);
}
Taylor logarithm(double value, double x, double base) {
  return {value, 1 / (x * base), -1 / (x * x * base)};
}
Taylor flat(double value) {
  return {value, 0, 0};
}

using std::numbers::ln10, std::numbers::ln2;

constexpr std::array<Function, 23> functions{{
    {"sin", [](double x) { return std::sin(x); },
     [](double x) -> Taylor {
       return {std::sin(x), std::cos(x), -std::sin(x)};
     }},
    {"cos", [](double x) { return std::cos(x); },
     [](double x) -> Taylor {
       return {std::cos(x), -std::sin(x), -std::cos(x)};
     }},
    {"tan", [](double x) { return std::tan(x); },
     [](double x) -> Taylor {
       const double f = std::tan(x), slope = 1 + f * f;
       return {f, slope, 2 * f * slope};
     }},
    {"asin", [](double x) { return std::asin(x); },
     [](double x) -> Taylor {
       const double slope = 1 / std::sqrt((1 - x) * (1 + x));
       return {std::asin(x), slope, x * slope * slope * slope};
     }},
    {"acos", [](double x) { return std::acos(x); },
     [](double x) -> Taylor {
       const double slope = 1 / std::sqrt((1 - x) * (1 + x));
       return {std::acos(x), -slope, -x * slope * slope * slope};
     }},
    {"atan", [](double x) { return std::atan(x); },
     [](double x) -> Taylor {
       const double slope = 1 / (1 + x * x);
       return {std::atan(x), slope, -2 * x * slope * slope};
     }},
    {"sinh", [](double x) { return std::sinh(x); },
     [](double x) -> Taylor {
       return {std::sinh(x), std::cosh(x), std::sinh(x)};
     }},
    {"cosh", [](double x) { return std::cosh(x); },
     [](double x) -> Taylor {
       return {std::cosh(x), std::sinh(x), std::cosh(x)};
     }},
    {"tanh", [](double x) { return std::tanh(x); },
     [](double x) -> Taylor {
       const double f = std::tanh(x), slope = (1 - f) * (1 + f);
       return {f, slope, -2 * f * slope};
     }},
    {"asinh", [](double x) { return std::asinh(x); },
     [](double x) -> Taylor {
       const double slope = 1 / std::hypot(1, x);
       return {std::asinh(x), slope, -x * slope * slope * slope};
     }},
    {"acosh", [](double x) { return std::acosh(x); },
     [](double x) -> Taylor {
       const double slope = 1 / std::sqrt((x - 1) * (x + 1));
       return {std::acosh(x), slope, -x * slope * slope * slope};
     }},
    {"atanh", [](double x) { return std::atanh(x); },
     [](double x) -> Taylor {
       const double slope = 1 / ((1 - x) * (1 + x));
       return {std::atanh(x), slope, 2 * x * slope * slope};
     }},
    {"exp", [](double x) { return std::exp(x); },
     [](double x) -> Taylor {
       return {std::exp(x), std::exp(x), std::exp(x)};
     }},
    {"log", [](double x) { return std::log(x); }, [](double x) { return logarithm(std::log(x), x, 1); }},
    {"ln", [](double x) { return std::log(x); }, [](double x) { return logarithm(std::log(x), x, 1); }},
    {"log10", [](double x) { return std::log10(x); },
     [](double x) { return logarithm(std::log10(x), x, ln10); }},
    {"log2", [](double x) { return std::log2(x); }, [](double x) { return logarithm(std::log2(x), x, ln2); }},
    {"sqrt", [](double x) { return std::sqrt(x); },
     [](double x) -> Taylor {
       const double f = std::sqrt(x), slope = 0.5 / f;
       return {f, slope, -0.5 * slope / x};
     }},
    {"abs", [](double x) { return std::fabs(x); },
     [](double x) -> Taylor {
       return {std::fabs(x), sign(x), 0};
     }},
    {"floor", [](double x) { return std::floor(x); }, [](double x) { return flat(std::floor(x)); }},
    {"ceil", [](double x) { return std::ceil(x); }, [](double x) { return flat(std::ceil(x)); }},
    {"sign", sign, [](double x) { return flat(sign(x)); }},
    {"step", unit_step, [](double x) { return flat(unit_step(x)); }},
}};

// What the two kinds of numbers that a program runs on do differently.
double value_of(double x) {
  return x;
}
double value_of(const Jet& x) {
  return x.value;
}
bool is_constant(double) {
  return true;
}
bool is_constant(const Jet& x) {
  return x.first == 0 && x.second == 0;
}
double apply(const Function& f, double x) {
  return f.value(x);
}
Jet apply(const Function& f, const Jet& x) {
  return chain(f.at(x.value), x);
}
double apply(const Curve& f, double x) {
  return f(x);
}
Jet apply(const Curve& f, const Jet& x) {
  return chain(f.at(x.value), x);
}
double count_knots(const std::vector<double>& knots, double x) {
  return knot_number(knots, x).value;
}
Jet count_knots(const std::vector<double>& knots, const Jet& x) {
  return chain(knot_number(knots, x.value), x);
}
double power(double x, double y) {
  return std::pow(x, y);
}
double arc_tangent(double y, double x) {
  return std::atan2(y, x);
}
double mean(double x, double) {
  return x;
}

/// One value on top of the stack takes the place of the operands.
template <class Number>
struct Machine {
  Number* top;  ///< one past

  Number& last() { return top[-1]; }
  void truth(bool is) { last() = Number{is ? 1.0 : 0.0}; }

  /// x^2 and x^3 are products.
  static Number raised(const Number& x, const Number& y) {
    if (is_constant(y) && value_of(y) == 2) return x * x;
    if (is_constant(y) && value_of(y) == 3) return x * x * x;
    return power(x, y);
  }
  /// Without a value where one of them has none.
  static Number smaller(const Number& a, const Number& b) {
    if (value_of(a) == value_of(b)) return mean(a, b);
    return value_of(b) < value_of(a) || std::isnan(value_of(b)) ? b : a;
  }
  static Number larger(const Number& a, const Number& b) {
    if (value_of(a) == value_of(b)) return mean(a, b);
    return value_of(a) < value_of(b) || std::isnan(value_of(b)) ? b : a;
  }

  void binary(Operation operation) {
    const Number b = *--top;
    Number& a = last();
    const double x = value_of(a), y = value_of(b);
    switch (operation) {
      case Operation::add:
        a = a + b;
        break;
      case Operation::subtract:
        a = a - b;
        break;
      case Operation::multiply:
        a = a * b;
        break;
      case Operation::divide:
        a = a / b;
        break;
      case Operation::power:
        a = raised(a, b);
        break;
      case Operation::less:
        truth(x < y);
        break;
      case Operation::greater:
        truth(x > y);
        break;
      case Operation::less_equal:
        truth(x <= y);
        break;
      case Operation::greater_equal:
        truth(x >= y);
        break;
      case Operation::equal:
        truth(x == y);
        break;
      case Operation::not_equal:
        truth(x != y);
        break;
      case Operation::both:
        truth(x != 0 && y != 0);
        break;
      case Operation::either:
        truth(x != 0 || y != 0);
        break;
      case Operation::arc_tangent:
        a = arc_tangent(a, b);
        break;
      case Operation::modulo:
        a = modulo(a, b);
        break;
      case Operation::least:
        a = smaller(a, b);
        break;
      default:
        a = larger(a, b);
        break;
    }
  }

  template <class Read>
  void run(const Formula& formula, const Read& read) {
    for (const Instruction& step : formula.program) {
      switch (step.operation) {
        case Operation::constant:
          *top++ = Number{step.number};
          break;
        case Operation::variable:
          *top++ = read(step.index);
          break;
        case Operation::function:
          last() = apply(functions[step.index], last());
          break;
        case Operation::curve:
          last() = apply(*formula.calls[step.index].curve, last());
          break;
        case Operation::knot:
          last() = count_knots(*formula.calls[step.index].knots, last());
          break;
        case Operation::negate:
          last() = -last();
          break;
        case Operation::invert:
          truth(value_of(last()) == 0);
          break;
        case Operation::choose:
          top -= 2;
          last() = value_of(last()) != 0 ? top[0] : top[1];
          break;
        default:
          binary(step.operation);
          break;
      }
    }
  }
};

}  // namespace

Taylor knot_number(const std::vector<double>& knots, double x) {
  const auto after = std::ranges::upper_bound(knots, x);
  const auto index = static_cast<double>(after - knots.begin()) - 1;
  if (after != knots.begin() && after != knots.end()) {
    const double width = *after - after[-1];
    return {index + (x - after[-1]) / width, 1 / width, 0};
  }
  // Outside, w d / (w + d) away: it never gets as far as another knot.
  if (knots.empty()) return {-0.5, 0, 0};
  const double edge = after == knots.begin() ? knots.front() : knots.back(), d = std::fabs(x - edge);
  const double w = knots.size() > 1 ? (knots.back() - knots.front()) / static_cast<double>(knots.size() - 1)
                                    : std::max(std::fabs(edge), 1e-30);
  const double way = d / (w + d), slope = w / ((w + d) * (w + d));
  return {after == knots.begin() ? -way : index + way, slope, 0};
}

std::span<const Function> functions_of_one() {
  return functions;
}

double Formula::evaluate(std::span<const double> values) const {
  std::array<double, deepest_stack> stack;
  Machine<double>{stack.data()}.run(*this, [&](std::uint32_t i) { return values[i]; });
  return stack[0];
}

Jet Formula::along(std::span<const double> values, std::size_t variable) const {
  std::array<Jet, deepest_stack> stack;
  Machine<Jet>{stack.data()}.run(*this, [&](std::uint32_t i) {
    return Jet{values[i], i == variable ? 1.0 : 0.0};
  });
  return stack[0];
}

}  // namespace cosimo
