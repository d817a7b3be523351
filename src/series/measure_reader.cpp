// Reading a measure, by recursive descent, weakest operators first.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <numbers>
#include <utility>

#include "core/nearest.hpp"
#include "series/measure_faults.hpp"
#include "series/measure_tokens.hpp"
#include "series/measure_tree.hpp"

namespace cosimo::series {

namespace {

constexpr std::size_t deepest = 100, most_nodes = 4096;

struct Named {
  std::string_view name;
  Operation operation;
};
constexpr Named comparisons[] = {{"<=", Operation::less_equal}, {">=", Operation::greater_equal},
                                 {"==", Operation::equal},      {"!=", Operation::not_equal},
                                 {"<", Operation::less},        {">", Operation::greater}};
constexpr Named functions_of_two[] = {
    {"atan2", Operation::arc_tangent}, {"pow", Operation::power}, {"mod", Operation::modulo}};
constexpr Named gatherers[] = {
    {"sum", Operation::add}, {"max", Operation::greatest}, {"min", Operation::least}};

const Named* find(std::span<const Named> list, std::string_view name) {
  const auto found = std::ranges::find(list, name, &Named::name);
  return found == list.end() ? nullptr : &*found;
}
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), tokens_(text) {}

  MeasureNode read() {
    if (std::ranges::all_of(text_, [](unsigned char c) { return std::isspace(c) != 0; }))
      fail_at(0, "the measure is empty", "write a formula over results, such as max(abs(wheel.x))");
    if (const std::size_t quote = text_.find('"'); quote != text_.npos)
      fail_at(quote, "unexpected '\"'", "measures contain no text");
    MeasureNode whole = either();
    if (const std::string_view next = tokens_.peek(); !next.empty()) tokens_.refuse(next);
    need_value(whole);
    if (whole.star)
      fail_at(whole.begin, "a star stands for many columns",
              "say what to make of them: sum(...), max(...) or min(...) around it");
    return whole;
  }

 private:
  // --- Grammar ---

  MeasureNode either() {
    if (++depth_ > deepest) tokens_.fail("the measure is nested too deeply", "use fewer parentheses");
    MeasureNode left = both();
    while (tokens_.take_if("||")) left = joined(std::move(left), both(), Act::either, Operation::either);
    --depth_;
    return left;
  }
  MeasureNode both() {
    MeasureNode left = comparison();
    while (tokens_.take_if("&&")) left = joined(std::move(left), comparison(), Act::both, Operation::both);
    return left;
  }
  MeasureNode comparison() {
    MeasureNode left = sum();
    const Named* found = find(comparisons, tokens_.peek());
    if (found == nullptr) {
      if (tokens_.peek() == "=") tokens_.fail("a measure cannot assign", "compare with <, <=, > or >=");
      return left;
    }
    const std::size_t place = tokens_.here();
    tokens_.take(found->name);
    MeasureNode right = sum();
    if (find(comparisons, tokens_.peek()) != nullptr)
      tokens_.fail("two comparisons in a row", "write them apart, as in a < b && b < c");
    need_value(left), need_value(right);
    if (left.gives == Gives::number && right.gives == Gives::number)
      return operation(found->operation, std::move(left), std::move(right));
    if (found->operation == Operation::equal || found->operation == Operation::not_equal)
      fail_at(place, "a course is equal to something for no time", "compare with <, <=, > or >=");
    // left - right > 0 for ">", right - left > 0 for "<".
    const bool turned = found->operation == Operation::less || found->operation == Operation::less_equal;
    const bool closed =
        found->operation == Operation::less_equal || found->operation == Operation::greater_equal;
    if (turned) std::swap(left, right);
    MeasureNode out = node(Act::compare, Gives::condition, std::min(left.begin, right.begin));
    out.closed = closed;
    return with(std::move(out), std::move(left), std::move(right));
  }
  MeasureNode sum() {
    MeasureNode left = product();
    for (;;) {
      if (tokens_.take_if("+"))
        left = operation(Operation::add, std::move(left), product());
      else if (tokens_.take_if("-"))
        left = operation(Operation::subtract, std::move(left), product());
      else
        return left;
    }
  }
  MeasureNode product() {
    MeasureNode left = sign();
    for (;;) {
      if (tokens_.take_if("*"))
        left = operation(Operation::multiply, std::move(left), sign());
      else if (tokens_.take_if("/"))
        left = operation(Operation::divide, std::move(left), sign());
      else
        return left;
    }
  }
  MeasureNode sign() {
    if (++depth_ > deepest) tokens_.fail("the measure is nested too deeply", "use fewer signs");
    const std::size_t begin = tokens_.here();
    MeasureNode out;
    if (tokens_.take_if("-")) {
      out = node(Act::operation, Gives::number, begin);
      out.operation = Operation::negate;
      out = with(std::move(out), valued(sign()));
    } else if (tokens_.take_if("!")) {
      out = inverse(sign(), begin);
    } else if (tokens_.take_if("+")) {
      out = sign();
    } else {
      out = power();
    }
    --depth_;
    return out;
  }
  MeasureNode power() {
    MeasureNode base = postfix();
    if (!tokens_.take_if("^")) return base;
    return operation(Operation::power, std::move(base), sign());
  }
  MeasureNode postfix() {
    MeasureNode out = primary();
    while (tokens_.peek() == "[") out = slice(std::move(out));
    return out;
  }
  MeasureNode primary() {
    const std::string_view token = tokens_.peek();
    const std::size_t begin = tokens_.here();
    if (token.empty()) tokens_.fail("the measure ends too early", "complete it");
    if (MeasureTokens::is_number(token)) {
      MeasureNode out = node(Act::constant, Gives::number, begin);
      out.number = tokens_.number();
      tokens_.take(token);
      return ended(std::move(out));
    }
    if (MeasureTokens::is_name(token)) {
      tokens_.take(token);
      return tokens_.peek() == "(" ? call(token, begin) : name(token, begin);
    }
    if (!tokens_.take_if("(")) tokens_.refuse(token);
    MeasureNode out = either();
    close();
    out.begin = begin;
    return ended(std::move(out));
  }
  void close() {
    if (tokens_.take_if(")")) return;
    if (const std::string_view next = tokens_.peek(); !next.empty() && next != ",") tokens_.refuse(next);
    tokens_.fail("a closing parenthesis is missing", "close it");
  }

  MeasureNode name(std::string_view token, std::size_t begin) {
    MeasureNode out = node(Act::constant, Gives::number, begin);
    if (token == "pi" || token == "e") {
      out.number = token == "e" ? std::numbers::e : std::numbers::pi;
    } else if (token == "t") {
      out.act = Act::time;
      out.gives = Gives::course;
    } else {
      out.act = Act::column;
      out.gives = Gives::course;
      out.name = token[0] == '\'' ? token.substr(1, token.size() - 2) : token;
      const auto stars = std::ranges::count(out.name, '*');
      if (stars > 1) fail_at(begin, "a name with several stars", "write one");
      out.star = stars > 0;
    }
    return ended(std::move(out));
  }

  // --- Calls ---

  struct Arguments {
    std::vector<MeasureNode> given{};
    std::optional<MeasureNode> from{}, to{};
  };

  MeasureNode call(std::string_view token, std::size_t begin) {
    if (token == "der") return derivative(begin);
    const auto function = std::ranges::find(functions_of_one(), token, &Function::name);
    const Named *two = find(functions_of_two, token), *gatherer = find(gatherers, token);
    const Question* question = find_question(token);
    const bool is_function = function != functions_of_one().end();
    if (!is_function && two == nullptr && gatherer == nullptr && question == nullptr && token != "if")
      fail_function(token, begin);
    Arguments arguments = read_arguments();
    const std::size_t count = arguments.given.size();
    if (gatherer != nullptr && (count > 1 || question == nullptr || gathers_numbers(arguments)))
      return gather(*gatherer, std::move(arguments), begin);
    if (token == "spectrum" && count == 1) return ask(nullptr, token, std::move(arguments), begin);
    if (question != nullptr) return ask(question, token, std::move(arguments), begin);
    refuse_window(arguments, token);
    need_count(token, begin, count, is_function ? 1 : two != nullptr ? 2 : 3);
    if (token == "if") return choice(std::move(arguments), begin);
    if (two != nullptr)
      return ended(operation(two->operation, std::move(arguments.given[0]), std::move(arguments.given[1])),
                   begin);
    MeasureNode out = node(Act::function, Gives::number, begin);
    out.function = &*function;
    return ended(with(std::move(out), valued(std::move(arguments.given[0]))), begin);
  }
  static bool gathers_numbers(const Arguments& arguments) {
    return arguments.given.size() == 1 && arguments.given[0].gives == Gives::number;
  }

  Arguments read_arguments() {
    tokens_.take("(");
    Arguments out;
    if (tokens_.peek() == ")") {
      tokens_.take(")");
      return out;
    }
    do {
      const std::string_view token = tokens_.peek();
      const std::size_t begin = tokens_.here();
      if (MeasureTokens::is_name(token)) {
        tokens_.take(token);
        if (tokens_.peek() == "=") {
          tokens_.take("=");
          keyword(token, begin, out);
          continue;
        }
        tokens_.back_to(begin);
      }
      if (out.from || out.to) fail_at(begin, "an argument after from= or to=", "write it before them");
      out.given.push_back(either());
    } while (tokens_.take_if(","));
    close();
    return out;
  }
  void keyword(std::string_view token, std::size_t begin, Arguments& out) {
    if (token != "from" && token != "to") {
      const std::string_view known[] = {"from", "to"};
      const std::string best(nearest(token, known));
      fail_at(begin, "there is no argument '" + std::string(token) + "='",
              best.empty() ? "only from= and to= have names" : "did you mean " + best + "=?");
    }
    std::optional<MeasureNode>& place = token == "from" ? out.from : out.to;
    if (place) fail_at(begin, "'" + std::string(token) + "=' is given twice", "give it once");
    place = numbered(either(), "a time");
  }

  MeasureNode derivative(std::size_t begin) {
    tokens_.take("(");
    const std::string_view inner = tokens_.peek();
    if (!MeasureTokens::is_name(inner))
      tokens_.fail("der(...) is the name of a column",
                   "write the name of a coordinate in it, such as der(wheel.x)");
    const std::size_t place = tokens_.here();
    tokens_.take(inner);
    MeasureNode out = name(inner, place);
    if (out.act != Act::column || tokens_.peek() != ")")
      fail_at(begin, "der(...) is the name of a column, not a derivative of formulas",
              "write the name of a coordinate in it, such as der(wheel.x)");
    tokens_.take(")");
    out.begin = begin;
    out.name = "der(" + out.name + ")";
    return ended(std::move(out));
  }

  MeasureNode ask(const Question* question, std::string_view token, Arguments arguments, std::size_t begin) {
    const std::size_t count = arguments.given.size();
    need_count(token, begin, count, 1 + (question == nullptr ? 0 : question->least),
               1 + (question == nullptr ? 0 : question->most));
    MeasureNode out = node(question == nullptr ? Act::spectrum : Act::ask,
                           question == nullptr ? Gives::course : Gives::number, begin);
    out.question = question;
    const Gives wanted = question == nullptr ? Gives::course : question->of;
    MeasureNode& first = arguments.given[0];
    need_first(first, token, wanted);
    out.gathers = first.star && (token == "max" || token == "min");
    out = with(std::move(out), std::move(first));
    for (std::size_t i = 1; i < count; ++i)
      out = with(std::move(out), numbered(std::move(arguments.given[i]), "a number"));
    if (arguments.from) {
      out.window_from = out.parts.size();
      out = with(std::move(out), std::move(*arguments.from));
    }
    if (arguments.to) {
      out.window_to = out.parts.size();
      out = with(std::move(out), std::move(*arguments.to));
    }
    out.gives = question == nullptr ? Gives::course : Gives::number;
    if (out.gathers) out.star = false;
    return ended(std::move(out), begin);
  }

  MeasureNode gather(const Named& gatherer, Arguments arguments, std::size_t begin) {
    refuse_window(arguments, gatherer.name);
    if (arguments.given.empty()) need_count(gatherer.name, begin, 0, 1);
    MeasureNode out = node(Act::combine, Gives::number, begin);
    out.operation = gatherer.operation;
    const bool one = arguments.given.size() == 1;
    if (one && !arguments.given[0].star && arguments.given[0].gives != Gives::number)
      fail_at(begin, "the sum of one course",
              "write integral(x) for its integral over time, or a star for several columns");
    for (MeasureNode& argument : arguments.given) {
      if (argument.star && !one)
        fail_at(argument.begin, "a star stands for many columns",
                "give it a call of its own, such as sum(abs(strut*.Fz))");
      out = with(std::move(out), valued(std::move(argument)));
    }
    out.gathers = out.star;
    out.star = false;
    return ended(std::move(out), begin);
  }

  MeasureNode choice(Arguments arguments, std::size_t begin) {
    MeasureNode out = node(Act::operation, Gives::number, begin);
    out.operation = Operation::choose;
    for (MeasureNode& argument : arguments.given) {
      if (argument.gives != Gives::number)
        fail_at(argument.begin, "if(...) chooses between numbers",
                "ask numbers of the course first, such as max(x)");
      out = with(std::move(out), std::move(argument));
    }
    return ended(std::move(out), begin);
  }

  MeasureNode slice(MeasureNode whole) {
    const std::size_t place = tokens_.here();
    tokens_.take("[");
    if (whole.gives != Gives::course)
      fail_at(place, "only courses have output times to choose from", "remove the brackets");
    MeasureNode out = node(Act::slice, Gives::course, whole.begin);
    out.from = whole_number();
    if (tokens_.peek() == "]") {
      if (!out.from) fail_at(place, "empty brackets", "write a place, or from:to:step");
      out.act = Act::element;
    } else {
      if (!tokens_.take_if(":")) tokens_.refuse(tokens_.peek());
      out.to = whole_number();
      if (tokens_.take_if(":")) out.step = whole_number().value_or(1);
      if (out.step < 1) fail_at(place, "a step below 1", "write [::10] for every tenth output time");
    }
    if (!tokens_.take_if("]")) tokens_.fail("a closing bracket is missing", "close it with ]");
    const Gives gives = out.act == Act::element ? Gives::number : Gives::course;
    out = with(std::move(out), std::move(whole));
    out.gives = gives;
    return ended(std::move(out));
  }
  std::optional<long> whole_number() {
    std::string_view token = tokens_.peek();
    const bool negative = token == "-";
    if (negative) tokens_.take(token), token = tokens_.peek();
    if (!MeasureTokens::is_number(token)) {
      if (negative) tokens_.refuse(token);
      return std::nullopt;
    }
    long value = 0;
    const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
    if (read.ec != std::errc{} || read.ptr != token.data() + token.size())
      tokens_.fail("'" + std::string(token) + "' is not a whole number", "count output times, from 0");
    tokens_.take(token);
    return negative ? -value : value;
  }

  // --- Nodes ---

  MeasureNode node(Act act, Gives gives, std::size_t begin) {
    if (++nodes_ > most_nodes) fail_at(0, "the measure is too long", "split it into several measures");
    MeasureNode out;
    out.act = act;
    out.gives = gives;
    out.begin = begin;
    return out;
  }
  MeasureNode ended(MeasureNode out) const {
    out.end = tokens_.end();
    return out;
  }
  MeasureNode ended(MeasureNode out, std::size_t begin) const {
    out.begin = begin;
    out.end = tokens_.end();
    return out;
  }
  /// Numbers that meet a course become one.
  static MeasureNode with(MeasureNode out, MeasureNode part) {
    if (part.gives == Gives::course && out.gives == Gives::number) out.gives = Gives::course;
    out.star = out.star || part.star;
    out.end = std::max(out.end, part.end);
    out.parts.push_back(std::move(part));
    return out;
  }
  static MeasureNode with(MeasureNode out, MeasureNode a, MeasureNode b) {
    return with(with(std::move(out), std::move(a)), std::move(b));
  }
  MeasureNode operation(Operation which, MeasureNode left, MeasureNode right) {
    need_value(left), need_value(right);
    MeasureNode out = node(Act::operation, Gives::number, left.begin);
    out.operation = which;
    return with(std::move(out), std::move(left), std::move(right));
  }
  MeasureNode joined(MeasureNode left, MeasureNode right, Act conditions, Operation numbers) {
    if (left.gives == Gives::number && right.gives == Gives::number)
      return operation(numbers, std::move(left), std::move(right));
    need_condition(left), need_condition(right);
    return with(node(conditions, Gives::condition, left.begin), std::move(left), std::move(right));
  }
  /// A condition that holds where the other one does not.
  MeasureNode inverse(MeasureNode of, std::size_t begin) {
    if (of.gives == Gives::number) {
      MeasureNode out = node(Act::operation, Gives::number, begin);
      out.operation = Operation::invert;
      return with(std::move(out), std::move(of));
    }
    need_condition(of);
    turn(of);
    of.begin = begin;
    return of;
  }
  static void turn(MeasureNode& condition) {
    if (condition.act == Act::compare) {
      std::swap(condition.parts[0], condition.parts[1]);
      condition.closed = !condition.closed;
      return;
    }
    condition.act = condition.act == Act::both ? Act::either : Act::both;
    for (MeasureNode& part : condition.parts) turn(part);
  }

  static MeasureNode valued(MeasureNode part) {
    need_value(part);
    return part;
  }
  static MeasureNode numbered(MeasureNode part, const std::string& what) {
    need_number(part, what);
    return part;
  }
  static void refuse_window(const Arguments& arguments, std::string_view token) {
    for (const auto* time : {&arguments.from, &arguments.to})
      if (*time)
        fail_at((*time)->begin, "'" + std::string(token) + "' of these has no from= and to=",
                "write them where a number is asked of a course, such as mean(x, from=1)");
  }

  std::string_view text_;
  MeasureTokens tokens_;
  std::size_t depth_ = 0, nodes_ = 0;
};

}  // namespace

MeasureNode read_measure(std::string_view text) {
  return Reader(text).read();
}

}  // namespace cosimo::series
