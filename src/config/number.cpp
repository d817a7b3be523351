#include "config/number.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <system_error>

namespace cosimo::config {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::size_t skip_digits(std::string_view text, std::size_t i) {
  while (i < text.size() && is_digit(text[i])) ++i;
  return i;
}

std::string_view without_sign(std::string_view text) {
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return text;
}

template <std::size_t N>
bool is_one_of(const std::string& text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

Complaint why_not_a_number(std::string_view text) {
  static constexpr std::array<std::string_view, 7> infinite{"nan",      ".nan",   "inf",    ".inf",
                                                            "infinity", "1.#inf", "1.#qnan"};
  static constexpr std::array<std::string_view, 6> truths{"true", "false", "yes", "no", "on", "off"};
  const std::string word = lower(without_sign(text));
  if (is_one_of(word, infinite)) return {"is not a finite number", "write a finite number"};
  if (is_one_of(word, truths)) return {"is a truth value where a number is needed", "write a number"};
  if (word.starts_with("0x") || word.starts_with("0o") || word.starts_with("0b")) {
    return {"is not a decimal number", "write it in decimal digits"};
  }
  if (text.find_first_of("*^/()") != std::string_view::npos &&
      text.find_first_of("0123456789") != std::string_view::npos) {
    return {"is an expression; expressions are not evaluated", "write the number it gives"};
  }
  const std::size_t length = number_length(text);
  if (length == 0) return {"is not a number", "write a number, such as 5 or 1.0e-3"};
  const std::string_view rest = text.substr(length);
  if (rest[0] == ',' && rest.size() > 1 && is_digit(rest[1])) {
    return {"is not a number", "write a decimal point instead of the comma"};
  }
  if (rest[0] == '_' || rest[0] == '\'' || (rest[0] == ' ' && rest.size() > 1 && is_digit(rest[1]))) {
    return {"is not a number", "write the digits without separators"};
  }
  if (rest[0] == '.' || rest[0] == ':') return {"is not a number", "write a number, such as 5 or 1.0e-3"};
  return {"is not a plain number: `" + std::string(rest.substr(rest[0] == ' ' ? 1 : 0)) + "` follows it",
          "write the number alone: it has no unit here"};
}

bool has_ambiguous_zero(std::string_view text) {
  const std::string_view digits = without_sign(text);
  return digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]);
}

}  // namespace

std::size_t number_length(std::string_view text) {
  std::size_t i = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
  const std::size_t integral = i;
  i = skip_digits(text, i);
  std::size_t digits = i - integral;
  if (i < text.size() && text[i] == '.') {
    const std::size_t end = skip_digits(text, i + 1);
    digits += end - (i + 1);
    i = end;
  }
  if (digits == 0) return 0;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t e = i + 1;
    if (e < text.size() && (text[e] == '+' || text[e] == '-')) ++e;
    if (const std::size_t end = skip_digits(text, e); end > e) i = end;
  }
  return i;
}

std::variant<double, Complaint> parse_number(std::string_view text) {
  if (text.empty() || number_length(text) != text.size()) return why_not_a_number(text);
  if (has_ambiguous_zero(text)) {
    return Complaint{"begins with a zero, which some YAML readers take for octal",
                     "write it without leading zeros"};
  }
  if (text[0] == '+') text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) {
    return Complaint{"is beyond the range of numbers (about 1e-307 to 1e308)",
                     "write a representable number"};
  }
  return value;
}

std::variant<std::int64_t, Complaint> parse_integer(std::string_view text) {
  const auto number = parse_number(text);
  if (const auto* complaint = std::get_if<Complaint>(&number)) return *complaint;
  if (text[0] == '+') text.remove_prefix(1);
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (end == text.data() + text.size() && error == std::errc{}) return integer;

  const double value = std::get<double>(number);
  constexpr double exact = 9007199254740992.0;  // 2^53: every whole number below is a double
  if (std::abs(value) > exact) return Complaint{"is too large for a whole number", "write a smaller one"};
  if (value != std::floor(value))
    return Complaint{"is not a whole number", "write a number without fraction"};
  return static_cast<std::int64_t>(value);
}

std::string number_text(double value) {
  std::array<char, 32> buffer{};
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  std::string text(buffer.data(), end);
  // YAML 1.1 readers take 1e+10 for a word; 1.0e+10 is a number to all.
  const std::size_t exponent = text.find('e');
  if (exponent != std::string::npos && text.find('.') == std::string::npos) text.insert(exponent, ".0");
  return text;
}

}  // namespace cosimo::config
