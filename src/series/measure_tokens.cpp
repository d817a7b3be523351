#include "series/measure_tokens.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "numerics/expression.hpp"

namespace cosimo::series {

namespace {

bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// Letters, digits and _, joined by dots. A star belongs to the name where a dot is before it, where a dot
/// and a letter follow it, and where nothing follows that it could multiply with. 0: this is no name.
std::size_t name_size(std::string_view text) {
  const auto is_part = [&](std::size_t i) {
    return i < text.size() && (is_letter(text[i]) || is_digit(text[i]));
  };
  const auto is_star = [&](std::size_t i) {
    if (i >= text.size() || text[i] != '*') return false;
    const bool goes_on = i + 2 < text.size() && text[i + 1] == '.' && is_letter(text[i + 2]);
    const bool ends = i > 0 && i + 1 < text.size() && std::string_view("),[").find(text[i + 1]) != text.npos;
    return goes_on || ends || (i > 0 && text[i - 1] == '.');
  };
  std::size_t size = 0;
  while (is_part(size) || is_star(size) ||
         (size > 0 && size < text.size() && text[size] == '.' && (is_part(size + 1) || is_star(size + 1))))
    ++size;
  return size;
}

}  // namespace

std::string_view MeasureTokens::peek() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  if (at_ == text_.size()) return {};
  const std::string_view rest = text_.substr(at_);
  if (is_letter(rest[0]) || rest[0] == '*') {
    if (const std::size_t size = name_size(rest); size > 0) return rest.substr(0, size);
  } else if (is_digit(rest[0]) || rest[0] == '.') {
    return number_or_name(rest);
  } else if (rest[0] == '\'') {
    const std::size_t end = rest.find('\'', 1);
    if (end == rest.npos) fail("a quoted name does not end", "close it with '");
    return rest.substr(0, end + 1);
  }
  std::size_t size = 1;
  for (const std::string_view pair : {"<=", ">=", "==", "!=", "&&", "||"})
    if (rest.starts_with(pair)) size = 2;
  while (size < rest.size() && (static_cast<unsigned char>(rest[size]) & 0xC0U) == 0x80) ++size;  // UTF-8
  return rest.substr(0, size);
}

/// "7.x" is a name, "7.5" and "7." are numbers.
std::string_view MeasureTokens::number_or_name(std::string_view rest) {
  double value = 0;
  const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  const auto size = static_cast<std::size_t>(read.ptr - rest.data());
  std::size_t digits = 0;
  while (digits < rest.size() && is_digit(rest[digits])) ++digits;
  const bool dotted = digits + 1 < rest.size() && rest[digits] == '.' && is_letter(rest[digits + 1]);
  if (digits > 0 && dotted && size == digits + 1) return rest.substr(0, name_size(rest));
  if (read.ec != std::errc{})
    fail("'" + std::string(rest.substr(0, std::max<std::size_t>(size, 1))) +
             "' is not a number that can be computed with",
         "check the number");
  number_ = value;
  return rest.substr(0, size);
}

void MeasureTokens::take(std::string_view token) {
  at_ += token.size();
  end_ = at_;
}
bool MeasureTokens::take_if(std::string_view token) {
  if (peek() != token) return false;
  take(token);
  return true;
}
std::size_t MeasureTokens::here() {
  peek();
  return at_;
}

bool MeasureTokens::is_number(std::string_view token) {
  if (token.empty() || !(is_digit(token[0]) || token[0] == '.')) return false;
  double value = 0;
  return std::from_chars(token.data(), token.data() + token.size(), value).ptr == token.data() + token.size();
}
bool MeasureTokens::is_name(std::string_view token) {
  return !token.empty() && !is_number(token) && (token[0] == '\'' || std::ranges::any_of(token, is_letter));
}

void MeasureTokens::fail(const std::string& problem, const std::string& remedy) const {
  throw ExpressionError(problem, remedy, at_);
}

void MeasureTokens::refuse(std::string_view token) const {
  const std::string quoted = "'" + std::string(token) + "'";
  if (token.empty()) fail("the measure ends too early", "complete it");
  if (token == ")") fail("unexpected parenthesis " + quoted, "balance the parentheses");
  if (token == ",") fail("several formulas separated by commas", "give one");
  if (token == "=") fail("a measure cannot assign", "compare with <, <=, > or >=");
  const bool known = is_letter(token[0]) || is_digit(token[0]) ||
                     std::string_view("().,+-*/^!&|[]:'<>=").find(token[0]) != std::string_view::npos;
  if (!known) fail(quoted + " is not understood", "check operators and numbers");
  fail("unexpected " + quoted, "an operator or an operand is missing before it");
}

}  // namespace cosimo::series
