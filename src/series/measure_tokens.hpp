// The words of a measure: numbers, names with dots and stars, operators.
//
//   MeasureTokens tokens("2*strut*.Fz");
//   tokens.peek()        "2", and tokens.number() is 2
//   tokens.take("2")     ... then "*", then "strut*.Fz"
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cosimo::series {

class MeasureTokens {
 public:
  explicit MeasureTokens(std::string_view text) : text_(text) {}

  /// The token at the place reached; empty at the end of the text. Throws ExpressionError for what is none.
  std::string_view peek();
  void take(std::string_view token);
  bool take_if(std::string_view token);
  /// Where the next token begins.
  std::size_t here();
  std::size_t end() const { return end_; }  ///< of the token taken last
  void back_to(std::size_t place) { at_ = place; }
  double number() const { return number_; }  ///< the one looked at last

  static bool is_number(std::string_view token);
  static bool is_name(std::string_view token);

  /// Throws ExpressionError at the place reached.
  [[noreturn]] void fail(const std::string& problem, const std::string& remedy) const;
  /// The same for a token that cannot follow what was read.
  [[noreturn]] void refuse(std::string_view token) const;

 private:
  std::string_view number_or_name(std::string_view rest);

  std::string_view text_;
  std::size_t at_ = 0, end_ = 0;
  double number_ = 0;
};

}  // namespace cosimo::series
