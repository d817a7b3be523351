#include "numerics/expression_switches.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace cosimo {

namespace {

using Tokens = std::vector<std::string_view>;

bool is_in(std::string_view token, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, token) != list.end();
}

bool is_comparison(std::string_view token) {
  return is_in(token, {"<", ">", "<=", ">=", "==", "!="});
}

/// Ends an operand of a comparison.
bool is_weaker(std::string_view token) {
  return is_comparison(token) || is_in(token, {",", "?", ":", "&&", "||"});
}

std::size_t number_end(std::string_view text, std::size_t i) {
  const auto digit = [&](std::size_t k) {
    return k < text.size() && (std::isdigit(static_cast<unsigned char>(text[k])) != 0 || text[k] == '.');
  };
  while (digit(i)) ++i;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t power =
        i + 1 < text.size() && (text[i + 1] == '+' || text[i + 1] == '-') ? i + 2 : i + 1;
    if (digit(power))
      for (i = power; digit(i);) ++i;
  }
  return i;
}

Tokens tokens_of(std::string_view text) {
  Tokens out;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    std::size_t end = i + 1;
    if (std::isspace(c) != 0) {
      ++i;
      continue;
    }
    if (std::isdigit(c) != 0 || c == '.') {
      end = number_end(text, i);
    } else if (std::isalpha(c) != 0 || c == '_') {
      while (end < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_'))
        ++end;
    } else if (is_in(text.substr(i, 2), {"<=", ">=", "==", "!=", "&&", "||"})) {
      end = i + 2;
    }
    out.push_back(text.substr(i, end - i));
    i = end;
  }
  return out;
}

/// The tokens from first to last, as they are in the text.
std::string joined(const Tokens& tokens, std::size_t first, std::size_t last) {
  if (first >= last) return {};
  return {tokens[first].data(), tokens[last - 1].data() + tokens[last - 1].size()};
}

class Finder {
 public:
  /// `text` must outlive it.
  explicit Finder(std::string_view text) : tokens_(tokens_of(text)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (is_comparison(tokens_[i])) add("(" + left_of(i) + ")-(" + right_of(i) + ")");
      if (tokens_[i] == "?") add_condition(begin_left_of(i, true), i);
      if (i + 1 < tokens_.size() && tokens_[i + 1] == "(") add_function(i);
    }
  }

  std::vector<std::string> found;

 private:
  void add(const std::string& formula) {
    if (std::ranges::find(found, formula) == found.end()) found.push_back(formula);
  }

  /// A condition without comparisons is true where it is not zero.
  void add_condition(std::size_t first, std::size_t last) {
    if (std::none_of(tokens_.begin() + static_cast<std::ptrdiff_t>(first),
                     tokens_.begin() + static_cast<std::ptrdiff_t>(last), is_comparison))
      add(joined(tokens_, first, last));
  }

  void add_function(std::size_t name) {
    const std::string_view f = tokens_[name];
    std::vector<std::size_t> commas{name + 1};  // before each argument, and after the last
    std::size_t i = name + 2;
    for (int depth = 1; i < tokens_.size(); ++i) {
      if (tokens_[i] == "(") ++depth;
      if (tokens_[i] == ")" && --depth == 0) break;
      if (tokens_[i] == "," && depth == 1) commas.push_back(i);
    }
    commas.push_back(i);
    const auto argument = [&](std::size_t k) {
      return "(" + joined(tokens_, commas[k] + 1, commas[k + 1]) + ")";
    };
    const std::size_t count = commas.size() - 1;
    if (is_in(f, {"abs", "sign", "step"})) add(argument(0));
    if (is_in(f, {"floor", "ceil"})) add("sin(3.14159265358979324*" + argument(0) + ")");
    if (f == "mod" && count == 2) add("sin(3.14159265358979324*" + argument(0) + "/" + argument(1) + ")");
    if (f == "if") add_condition(commas[0] + 1, commas[1]);
    if (is_in(f, {"min", "max"}))
      for (std::size_t a = 0; a < count; ++a)
        for (std::size_t b = a + 1; b < count; ++b) add(argument(a) + "-" + argument(b));
  }

  /// Where the operand that ends before token i begins. A condition may hold comparisons.
  std::size_t begin_left_of(std::size_t i, bool condition) const {
    for (int depth = 0; i > 0; --i) {
      const std::string_view token = tokens_[i - 1];
      if (token == ")") ++depth;
      if (token == "(" && depth-- == 0) break;
      if (depth == 0 && (condition ? is_in(token, {",", "?", ":"}) : is_weaker(token))) break;
    }
    return i;
  }
  std::string left_of(std::size_t i) const { return joined(tokens_, begin_left_of(i, false), i); }

  std::string right_of(std::size_t i) const {
    std::size_t end = i + 1;
    for (int depth = 0; end < tokens_.size(); ++end) {
      if (tokens_[end] == "(") ++depth;
      if (tokens_[end] == ")" && depth-- == 0) break;
      if (depth == 0 && is_weaker(tokens_[end])) break;
    }
    return joined(tokens_, i + 1, end);
  }

  Tokens tokens_;
};

}  // namespace

std::vector<std::string> switch_formulas(const std::string& text) {
  return Finder(text).found;
}

}  // namespace cosimo
