#include "numerics/expression.hpp"

#include <muParser.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/nearest.hpp"
#include "numerics/difference.hpp"

namespace cosimo {

namespace {

struct Function1 {
  const char* name;
  double (*f)(double);
};
constexpr std::array<Function1, 23> functions1{{
    {"sin", [](double x) { return std::sin(x); }},
    {"cos", [](double x) { return std::cos(x); }},
    {"tan", [](double x) { return std::tan(x); }},
    {"asin", [](double x) { return std::asin(x); }},
    {"acos", [](double x) { return std::acos(x); }},
    {"atan", [](double x) { return std::atan(x); }},
    {"sinh", [](double x) { return std::sinh(x); }},
    {"cosh", [](double x) { return std::cosh(x); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"asinh", [](double x) { return std::asinh(x); }},
    {"acosh", [](double x) { return std::acosh(x); }},
    {"atanh", [](double x) { return std::atanh(x); }},
    {"exp", [](double x) { return std::exp(x); }},
    {"log", [](double x) { return std::log(x); }},
    {"ln", [](double x) { return std::log(x); }},
    {"log10", [](double x) { return std::log10(x); }},
    {"log2", [](double x) { return std::log2(x); }},
    {"sqrt", [](double x) { return std::sqrt(x); }},
    {"abs", [](double x) { return std::fabs(x); }},
    {"floor", [](double x) { return std::floor(x); }},
    {"ceil", [](double x) { return std::ceil(x); }},
    {"sign", [](double x) { return x > 0 ? 1.0 : (x < 0 ? -1.0 : x); }},
    {"step", [](double x) { return x > 0 ? 1.0 : (x <= 0 ? 0.0 : x); }},
}};

double least(const double* x, int n) {
  return *std::min_element(x, x + n);
}
double greatest(const double* x, int n) {
  return *std::max_element(x, x + n);
}
/// The remainder with the sign of the divisor, as in mod(-1, 3) = 2.
double modulo(double a, double b) {
  return a - b * std::floor(a / b);
}
double choose(double condition, double yes, double no) {
  return condition != 0 ? yes : no;
}
double negated(double x) {
  return x == 0 ? 1.0 : 0.0;
}

/// One parser with the values that it reads. muParser evaluates in buffers of its own: one thread at a time.
class Evaluator {
 public:
  Evaluator(const std::string& text, std::span<const std::string> variables) : values_(variables.size()) {
    parser_.ClearFun();
    parser_.ClearConst();
    for (const Function1& f : functions1) parser_.DefineFun(f.name, f.f);
    parser_.DefineFun("atan2", static_cast<double (*)(double, double)>(
                                   [](double y, double x) { return std::atan2(y, x); }));
    parser_.DefineFun(
        "pow", static_cast<double (*)(double, double)>([](double x, double y) { return std::pow(x, y); }));
    parser_.DefineFun("mod", modulo);
    parser_.DefineFun("min", least);
    parser_.DefineFun("max", greatest);
    parser_.DefineFun("if", choose);
    parser_.DefineInfixOprt("!", negated);
    for (std::size_t i = 0; i < variables.size(); ++i) parser_.DefineVar(variables[i], &values_[i]);
    const auto taken = [&](const char* name) {
      return std::ranges::find(variables, name) != variables.end();
    };
    if (!taken("pi")) parser_.DefineConst("pi", std::numbers::pi);
    if (!taken("e")) parser_.DefineConst("e", std::numbers::e);
    parser_.SetExpr(text);
  }
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  double operator()() { return parser_.Eval(); }
  std::vector<double>& values() { return values_; }
  mu::Parser& parser() { return parser_; }

 private:
  mu::Parser parser_;
  std::vector<double> values_;  ///< never resized: the parser points into it
};

/// "did you mean omega? known: t, omega, pi, e and the usual functions".
std::string remedy_for(const std::string& symbol, std::span<const std::string> variables) {
  std::vector<std::string> names(variables.begin(), variables.end());
  for (const char* constant : {"pi", "e"})
    if (std::ranges::find(names, constant) == names.end()) names.emplace_back(constant);
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  for (const Function1& f : functions1) names.emplace_back(f.name);
  for (const char* name : {"atan2", "pow", "mod", "min", "max", "if"}) names.emplace_back(name);

  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string best(nearest(symbol, candidates));
  const bool is_function = best == symbol;  // it stands there without its arguments
  const std::string hint =
      best.empty() ? "" : (is_function ? "write " + best + "(...); " : "did you mean " + best + "? ");
  return hint + "known: " + list + " and the usual functions";
}

/// The identifier that begins at a place of the text; empty when there is none.
std::string identifier_at(std::string_view text, std::size_t position) {
  std::size_t end = position;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
    ++end;
  return position < text.size() ? std::string(text.substr(position, end - position)) : std::string();
}

ExpressionError translated(const mu::ParserError& error, const std::string& text,
                           std::span<const std::string> variables) {
  const std::size_t position = std::min(static_cast<std::size_t>(std::max(error.GetPos(), 0)), text.size());
  const std::string& token = error.GetToken();
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN: {
      const std::string symbol = identifier_at(text, position);
      if (symbol.empty() || std::isdigit(static_cast<unsigned char>(symbol[0])) != 0)
        return {"'" + token + "' is not understood", "check operators and numbers", position};
      return {"unknown symbol '" + symbol + "'", remedy_for(symbol, variables), position};
    }
    case mu::ecUNEXPECTED_EOF:
      return {"the formula ends too early", "complete it", position};
    case mu::ecMISSING_PARENS:
      return {"a closing parenthesis is missing", "close it", position};
    case mu::ecUNEXPECTED_PARENS:
      return {"unexpected parenthesis '" + token + "'", "balance the parentheses", position};
    case mu::ecTOO_MANY_PARAMS:
      return {"too many arguments of a function", "see the list of functions", position};
    case mu::ecTOO_FEW_PARAMS:
      return {"too few arguments of a function", "see the list of functions", position};
    case mu::ecUNEXPECTED_OPERATOR:
    case mu::ecUNEXPECTED_VAL:
    case mu::ecUNEXPECTED_VAR:
    case mu::ecUNEXPECTED_FUN:
    case mu::ecUNEXPECTED_ARG_SEP:
    case mu::ecUNEXPECTED_ARG:
      return {"unexpected '" + token + "'", "an operator or an operand is missing before it", position};
    default:
      return {error.GetMsg(), "write a formula such as 2*sin(pi*t)", position};
  }
}

/// What muParser would accept but a formula must not contain.
void refuse_foreign_syntax(const std::string& text) {
  if (std::ranges::all_of(text, [](unsigned char c) { return std::isspace(c) != 0; }))
    throw ExpressionError("the formula is empty", "write a number or a formula", 0);
  if (const std::size_t quote = text.find('"'); quote != std::string::npos)
    throw ExpressionError("unexpected '\"'", "formulas contain no text", quote);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    if (i + 1 < text.size() && text[i + 1] == '=') {
      ++i;
      continue;
    }
    if (i > 0 && std::string_view("<>!").find(text[i - 1]) != std::string_view::npos) continue;
    throw ExpressionError("a formula cannot assign", "compare with ==", i);
  }
}

}  // namespace

struct Expression::Impl {
  std::string text;
  std::vector<std::string> variables;
  std::vector<bool> used;
  mutable std::mutex mutex;
  mutable std::vector<std::unique_ptr<Evaluator>> idle;  ///< as many as have been at work at once

  /// Lends an evaluator to one thread. The first call on a further thread makes one more.
  class Loan {
   public:
    explicit Loan(const Impl& impl) : impl_(impl) {
      {
        const std::lock_guard lock(impl_.mutex);
        if (!impl_.idle.empty()) {
          evaluator_ = std::move(impl_.idle.back());
          impl_.idle.pop_back();
        }
      }
      if (!evaluator_) evaluator_ = std::make_unique<Evaluator>(impl_.text, impl_.variables);
    }
    ~Loan() {
      const std::lock_guard lock(impl_.mutex);
      impl_.idle.push_back(std::move(evaluator_));
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Evaluator& operator*() const { return *evaluator_; }

   private:
    const Impl& impl_;
    std::unique_ptr<Evaluator> evaluator_;
  };
};

Expression::Expression(std::string text, std::span<const std::string> variables) {
  refuse_foreign_syntax(text);
  auto impl = std::make_shared<Impl>();
  impl->variables.assign(variables.begin(), variables.end());
  impl->used.assign(variables.size(), false);
  try {
    auto evaluator = std::make_unique<Evaluator>(text, variables);
    (*evaluator)();
    if (evaluator->parser().GetNumResults() != 1)
      throw ExpressionError("several formulas separated by commas", "give one", text.find(','));
    for (const auto& [name, place] : evaluator->parser().GetUsedVar()) {
      const auto found = std::ranges::find(variables, name);
      COSIMO_CHECK(found != variables.end(), "variable " + name);
      impl->used[static_cast<std::size_t>(found - variables.begin())] = true;
    }
  } catch (const mu::ParserError& error) {
    throw translated(error, text, variables);
  }
  impl->text = std::move(text);
  const Impl::Loan warm(*impl);  // the first evaluation compiles: not in the first step
  (*warm)();
  impl_ = std::move(impl);
}

const std::string& Expression::text() const {
  return impl_->text;
}

bool Expression::uses(std::size_t variable) const {
  return impl_->used[variable];
}

bool Expression::is_constant() const {
  return std::ranges::find(impl_->used, true) == impl_->used.end();
}

double Expression::operator()(std::span<const double> values) const {
  COSIMO_CHECK(values.size() == impl_->used.size(), "one value per variable of " + impl_->text);
  try {
    const Impl::Loan evaluator(*impl_);
    std::ranges::copy(values, (*evaluator).values().begin());
    return (*evaluator)();
  } catch (const mu::ParserError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

void Expression::gradient(std::span<const double> values, std::span<double> out) const {
  COSIMO_CHECK(values.size() == impl_->used.size() && out.size() == values.size(), impl_->text);
  try {
    const Impl::Loan evaluator(*impl_);
    std::vector<double>& x = (*evaluator).values();
    std::ranges::copy(values, x.begin());
    for (std::size_t i = 0; i < x.size(); ++i) {
      out[i] = 0;
      if (!impl_->used[i]) continue;
      out[i] = derivative(values[i], [&](double xi) {
        x[i] = xi;
        return (*evaluator)();
      });
      x[i] = values[i];
    }
  } catch (const mu::ParserError&) {
    std::ranges::fill(out, std::numeric_limits<double>::quiet_NaN());
  }
}

}  // namespace cosimo
