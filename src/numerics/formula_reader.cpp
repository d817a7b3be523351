#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "core/nearest.hpp"
#include "numerics/expression.hpp"
#include "numerics/formula.hpp"

namespace cosimo {

namespace {

constexpr std::string_view pi_text = "3.14159265358979324";

struct Named {
  std::string_view name;
  Operation operation;
};
constexpr Named comparisons[] = {{"<=", Operation::less_equal}, {">=", Operation::greater_equal},
                                 {"==", Operation::equal},      {"!=", Operation::not_equal},
                                 {"<", Operation::less},        {">", Operation::greater}};
constexpr Named functions_of_two[] = {
    {"atan2", Operation::arc_tangent}, {"pow", Operation::power}, {"mod", Operation::modulo}};
constexpr Named functions_of_many[] = {{"min", Operation::least}, {"max", Operation::greatest}};

constexpr std::string_view knot_prefix = "knot_of_";

/// Where the functions are listed for users.
constexpr std::string_view function_page = "docs/formulas.md";

const Named* find(std::span<const Named> list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Named::name);
  return found == list.end() ? nullptr : &*found;
}

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// By recursive descent, weakest operators first.
class Reader {
 public:
  Reader(std::string_view text, std::span<const std::string> variables, std::span<const NamedCurve> curves)
      : text_(text), variables_(variables), curves_(curves) {}

  Formula read() {
    refuse_foreign_syntax();
    choice();
    if (const std::string_view next = peek(); next == ",")
      fail("several formulas separated by commas", "give one");
    else if (!next.empty())
      refuse(next);
    check_depth();
    return std::move(out_);
  }

 private:
  /// Where a part of the formula is in the text.
  struct Operand {
    std::size_t begin = 0, end = 0;
  };

  // --- Tokens ---

  /// The token at the place reached; empty at the end of the text.
  std::string_view peek() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == text_.size()) return {};
    const std::string_view rest = text_.substr(at_);
    std::size_t size = 1;
    if (is_letter(rest[0])) {
      while (size < rest.size() && (is_letter(rest[size]) || is_digit(rest[size]))) ++size;
    } else if (is_digit(rest[0]) || rest[0] == '.') {
      double number = 0;
      const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), number);
      if (read.ec == std::errc{}) {
        size = static_cast<std::size_t>(read.ptr - rest.data());
        number_ = number;
      } else {
        const std::string digits(rest.data(), std::max(read.ptr, rest.data() + 1));
        fail("'" + digits + "' is not a number that can be computed with", "check the number");
      }
    } else {
      for (const std::string_view pair : {"<=", ">=", "==", "!=", "&&", "||"})
        if (rest.starts_with(pair)) size = 2;
      while (size < rest.size() && (static_cast<unsigned char>(rest[size]) & 0xC0U) == 0x80) ++size;  // UTF-8
    }
    return rest.substr(0, size);
  }
  void take(std::string_view token) {
    at_ += token.size();
    end_ = at_;
  }
  bool take_if(std::string_view token) {
    if (peek() != token) return false;
    take(token);
    return true;
  }
  std::string source(const Operand& operand) const {
    return std::string(text_.substr(operand.begin, operand.end - operand.begin));
  }

  // --- Grammar ---

  template <class Inner>
  Operand operand(Inner&& inner) {
    peek();
    Operand out{at_, 0};
    inner();
    out.end = end_;
    return out;
  }

  /// c ? a : b, and all that binds more closely.
  void choice() {
    if (++depth_ > deepest_stack) fail("the formula is nested too deeply", "use fewer parentheses");
    const std::size_t known = comparison_count_;
    const Operand condition = operand([&] { either(); });
    if (take_if("?")) {
      add_condition(condition, known);
      choice();
      if (!take_if(":")) fail("a ':' is missing after '?'", "write condition ? value : other value");
      choice();
      emit(Operation::choose, 3);
    }
    --depth_;
  }
  void either() {
    both();
    while (take_if("||")) both(), emit(Operation::either, 2);
  }
  void both() {
    comparison();
    while (take_if("&&")) comparison(), emit(Operation::both, 2);
  }
  void comparison() {
    const Operand left = operand([&] { sum(); });
    const Named* found = find(comparisons, peek());
    if (found == nullptr) return;
    take(found->name);
    const Operand right = operand([&] { sum(); });
    add_switch(difference(left, right));
    ++comparison_count_;
    emit(found->operation, 2);
    if (find(comparisons, peek()) != nullptr)
      fail("two comparisons in a row", "write them apart, as in a < b && b < c");
  }
  void sum() {
    product();
    for (;;) {
      if (take_if("+"))
        product(), emit(Operation::add, 2);
      else if (take_if("-"))
        product(), emit(Operation::subtract, 2);
      else
        return;
    }
  }
  void product() {
    sign();
    for (;;) {
      if (take_if("*"))
        sign(), emit(Operation::multiply, 2);
      else if (take_if("/"))
        sign(), emit(Operation::divide, 2);
      else
        return;
    }
  }
  void sign() {
    if (++depth_ > deepest_stack) fail("the formula is nested too deeply", "use fewer signs");
    if (take_if("-"))
      sign(), emit(Operation::negate, 1);
    else if (take_if("!"))
      sign(), emit(Operation::invert, 1);
    else if (take_if("+"))
      sign();
    else
      power();
    --depth_;
  }
  void power() {
    primary();
    if (take_if("^")) sign(), emit(Operation::power, 2);
  }
  void primary() {
    const std::string_view token = peek();
    if (token.empty()) fail("the formula ends too early", "complete it");
    if (is_digit(token[0]) || token[0] == '.') {
      out_.program.push_back({.operation = Operation::constant, .number = number_});
      take(token);
    } else if (is_letter(token[0])) {
      name(token);
    } else if (take_if("(")) {
      choice();
      close();
    } else {
      refuse(token);
    }
  }
  void close() {
    if (take_if(")")) return;
    if (const std::string_view next = peek(); !next.empty() && next != ",") refuse(next);
    fail("a closing parenthesis is missing", "close it");
  }

  void name(std::string_view token) {
    const std::size_t begin = at_;
    take(token);
    if (peek() == "(") {
      function(token, begin);
      return;
    }
    const auto found = std::ranges::find(variables_, token);
    if (found != variables_.end())
      out_.program.push_back({.operation = Operation::variable,
                              .index = static_cast<std::uint32_t>(found - variables_.begin())});
    else if (token == "pi")
      out_.program.push_back({.operation = Operation::constant, .number = std::numbers::pi});
    else if (token == "e")
      out_.program.push_back({.operation = Operation::constant, .number = std::numbers::e});
    else
      unknown(token, begin);
  }

  void function(std::string_view token, std::size_t begin) {
    const auto one = std::ranges::find(functions_of_one(), token, &Function::name);
    const Named* two = find(functions_of_two, token);
    const Named* many = find(functions_of_many, token);
    const bool is_one = one != functions_of_one().end(), is_if = token == "if";
    if (!is_one && two == nullptr && many == nullptr && !is_if) {
      if (const auto named = std::ranges::find(curves_, token, &NamedCurve::name); named != curves_.end())
        return curve(*named, begin, Operation::curve);
      if (const auto named = std::ranges::find_if(
              curves_, [&](const NamedCurve& c) { return token == std::string(knot_prefix) + c.name; });
          named != curves_.end())
        return curve(*named, begin, Operation::knot);
      if (std::ranges::find(variables_, token) != variables_.end() || token == "pi" || token == "e")
        fail_at(begin, "'" + std::string(token) + "' is not a function",
                "write " + std::string(token) + "*(...)");
      unknown(token, begin);
    }

    take("(");
    std::vector<Operand> arguments;
    const std::size_t known = comparison_count_;
    while (arguments.empty() ? peek() != ")" : take_if(",")) {
      arguments.push_back(operand([&] { choice(); }));
      if (many != nullptr && arguments.size() > 1) emit(many->operation, 2);
      if (is_if && arguments.size() == 1) add_condition(arguments[0], known);
    }
    close();
    const std::size_t least = is_one || many != nullptr ? 1 : (is_if ? 3 : 2);
    if (arguments.size() < least || (many == nullptr && arguments.size() > least))
      fail_at(begin,
              std::string(arguments.size() < least ? "too few" : "too many") + " arguments of '" +
                  std::string(token) + "'",
              "give " + std::string(many != nullptr ? "one or more" : std::to_string(least)) +
                  "; all functions: " + std::string(function_page));
    add_switches(token, arguments);
    if (is_one)
      emit(Operation::function, 1, static_cast<std::uint32_t>(one - functions_of_one().begin()));
    else if (two != nullptr)
      emit(two->operation, 2);
    else if (is_if)
      emit(Operation::choose, 3);
  }

  void curve(const NamedCurve& named, std::size_t begin, Operation operation) {
    take("(");
    const std::size_t first = out_.program.size();
    const Operand inside = operand([&] { choice(); });
    if (peek() == ",") fail_at(begin, "too many arguments of a curve", "write " + named.name + "(t)");
    close();
    const OfTime argument = of_time(std::span(out_.program).subspan(first));
    out_.program.push_back({.operation = operation, .index = static_cast<std::uint32_t>(out_.calls.size())});
    if (operation == Operation::knot) {
      out_.calls.push_back({named.curve, {}, knots_of(named.curve)});
      return;
    }
    out_.calls.push_back({named.curve, argument});
    if (!argument.holds)
      add_switch("sin(" + std::string(pi_text) + "*" + std::string(knot_prefix) + named.name + "(" +
                 source(inside) + "))");
  }

  /// Of straight lines every kink, of a smooth curve every jump. Without points there are none: they are read
  /// after the formulas.
  static std::shared_ptr<const std::vector<double>> knots_of(const std::shared_ptr<const Curve>& curve) {
    if (curve == nullptr) return std::make_shared<const std::vector<double>>();
    const Timetable kinks = curve->breaks(Breaks::slope);
    const bool smooth = !kinks.instants().empty() && kinks.longest_step(kinks.instants().front()) <
                                                         std::numeric_limits<double>::infinity();
    return std::make_shared<const std::vector<double>>(smooth ? curve->breaks(Breaks::value).instants()
                                                              : kinks.instants());
  }

  /// What a program computes, by the rules for sums, differences, and products and quotients with numbers.
  OfTime of_time(std::span<const Instruction> program) const {
    const auto time = std::ranges::find(variables_, "t") - variables_.begin();
    std::vector<OfTime> stack;
    for (const Instruction& step : program) {
      if (step.operation == Operation::constant) {
        stack.push_back({0, step.number});
      } else if (step.operation == Operation::variable) {
        stack.push_back({1, 0, step.index == time});
      } else if (step.operation == Operation::negate) {
        stack.back() = {-stack.back().scale, -stack.back().shift, stack.back().holds};
      } else {
        const OfTime b = stack.back();
        stack.pop_back();
        if (stack.empty()) return {0, 0, false};
        stack.back() = combined(step.operation, stack.back(), b);
      }
      if (!stack.back().holds) return stack.back();
    }
    return stack.back();
  }
  static OfTime combined(Operation operation, const OfTime& a, const OfTime& b) {
    if (operation == Operation::add) return {a.scale + b.scale, a.shift + b.shift};
    if (operation == Operation::subtract) return {a.scale - b.scale, a.shift - b.shift};
    if (operation == Operation::divide) return {a.scale / b.shift, a.shift / b.shift, b.scale == 0};
    return {a.scale * b.shift + a.shift * b.scale, a.shift * b.shift,
            operation == Operation::multiply && (a.scale == 0 || b.scale == 0)};
  }

  /// An operation on the last results. Known ones are worked out.
  void emit(Operation operation, std::size_t operands, std::uint32_t index = 0) {
    out_.program.push_back({.operation = operation, .index = index});
    const auto last = std::span(out_.program).last(std::min(operands + 1, out_.program.size()));
    if (last.size() <= operands || !std::ranges::all_of(last.first(operands), [](const Instruction& i) {
          return i.operation == Operation::constant;
        }))
      return;
    const Formula known{{last.begin(), last.end()}};
    const double value = known.evaluate({});
    out_.program.resize(out_.program.size() - operands);
    out_.program.back() = {.operation = Operation::constant, .number = value};
  }

  // --- Switches ---

  std::string difference(const Operand& a, const Operand& b) const {
    return "(" + source(a) + ")-(" + source(b) + ")";
  }
  void add_switch(const std::string& formula) {
    if (std::ranges::find(out_.switches, formula) == out_.switches.end()) out_.switches.push_back(formula);
  }
  /// A condition without comparisons is true where it is not zero.
  void add_condition(const Operand& condition, std::size_t comparisons_before) {
    if (comparison_count_ == comparisons_before) add_switch(source(condition));
  }
  void add_switches(std::string_view f, const std::vector<Operand>& arguments) {
    const auto argument = [&](std::size_t k) { return "(" + source(arguments[k]) + ")"; };
    const std::string wave = "sin(" + std::string(pi_text) + "*";
    if (f == "abs" || f == "sign" || f == "step") add_switch(argument(0));
    if (f == "floor" || f == "ceil") add_switch(wave + argument(0) + ")");
    if (f == "mod") add_switch(wave + argument(0) + "/" + argument(1) + ")");
    if (f == "min" || f == "max")
      for (std::size_t a = 0; a < arguments.size(); ++a)
        for (std::size_t b = a + 1; b < arguments.size(); ++b)
          add_switch(difference(arguments[a], arguments[b]));
  }

  // --- What is wrong ---

  [[noreturn]] static void fail_at(std::size_t place, const std::string& problem, const std::string& remedy) {
    throw ExpressionError(problem, remedy, place);
  }
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const {
    fail_at(at_, problem, remedy);
  }
  /// A token that cannot follow what was read.
  [[noreturn]] void refuse(std::string_view token) const {
    const std::string quoted = "'" + std::string(token) + "'";
    if (token == ")") fail("unexpected parenthesis " + quoted, "balance the parentheses");
    const bool known = is_letter(token[0]) || is_digit(token[0]) || find(comparisons, token) != nullptr ||
                       std::string_view("().,+-*/^?:!&|").find(token[0]) != std::string_view::npos;
    if (!known) fail(quoted + " is not understood", "check operators and numbers");
    fail("unexpected " + quoted, "an operator or an operand is missing before it");
  }
  /// "did you mean omega? known: t, omega, pi, e and functions (...)".
  [[noreturn]] void unknown(std::string_view symbol, std::size_t place) const {
    std::vector<std::string_view> names(variables_.begin(), variables_.end());
    for (const char* constant : {"pi", "e"})
      if (std::ranges::find(names, constant) == names.end()) names.emplace_back(constant);
    std::string list;
    for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
    names.insert(names.end(), function_names().begin(), function_names().end());
    for (const NamedCurve& known : curves_) names.emplace_back(known.name);
    const std::string best(nearest(symbol, names));
    const std::string hint =
        best.empty() ? "" : (best == symbol ? "write " + best + "(...); " : "did you mean " + best + "? ");
    fail_at(place, "unknown symbol '" + std::string(symbol) + "'",
            hint + "known: " + list + " and functions (" + std::string(function_page) + ")");
  }
  /// What other languages have and a formula has not.
  void refuse_foreign_syntax() const {
    if (std::ranges::all_of(text_, [](unsigned char c) { return std::isspace(c) != 0; }))
      fail_at(0, "the formula is empty", "write a number or a formula");
    if (const std::size_t quote = text_.find('"'); quote != std::string::npos)
      fail_at(quote, "unexpected '\"'", "formulas contain no text");
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] != '=') continue;
      if (i + 1 < text_.size() && text_[i + 1] == '=') {
        ++i;
        continue;
      }
      if (i > 0 && std::string_view("<>!").find(text_[i - 1]) != std::string_view::npos) continue;
      fail_at(i, "a formula cannot assign", "compare with ==");
    }
  }
  void check_depth() const {
    std::size_t now = 0, deepest = 0;
    for (const Instruction& step : out_.program) {
      if (step.operation == Operation::constant || step.operation == Operation::variable)
        deepest = std::max(deepest, ++now);
      else if (step.operation == Operation::choose)
        now -= 2;
      else if (step.operation != Operation::function && step.operation != Operation::curve &&
               step.operation != Operation::knot && step.operation != Operation::negate &&
               step.operation != Operation::invert)
        --now;
    }
    if (deepest > deepest_stack) fail_at(0, "the formula is nested too deeply", "use fewer parentheses");
  }

  std::string_view text_;
  std::span<const std::string> variables_;
  std::span<const NamedCurve> curves_;
  Formula out_;
  std::size_t at_ = 0, end_ = 0;  ///< place reached, and end of the token taken last
  std::size_t depth_ = 0, comparison_count_ = 0;
  double number_ = 0;  ///< last one looked at
};

}  // namespace

Formula read_formula(std::string_view text, std::span<const std::string> variables,
                     std::span<const NamedCurve> curves) {
  return Reader(text, variables, curves).read();
}

std::span<const std::string_view> function_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Function& f : functions_of_one()) all.push_back(f.name);
    for (const Named& f : functions_of_two) all.push_back(f.name);
    for (const Named& f : functions_of_many) all.push_back(f.name);
    all.emplace_back("if");
    return all;
  }();
  return names;
}

}  // namespace cosimo
