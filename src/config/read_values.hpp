// Access to checked values that are known to be there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/check.hpp"
#include "core/check.hpp"

namespace cosimo::config {

inline const Value& at(const Value& value, std::string_view path) {
  const Value* found = value.find(path);
  COSIMO_CHECK(found != nullptr, "no value at " + value.path + "." + std::string(path));
  return *found;
}

inline double number(const Value& value, std::string_view path) {
  return at(value, path).number;
}

inline std::int64_t integer(const Value& value, std::string_view path) {
  return at(value, path).integer;
}

inline const std::string& word(const Value& value, std::string_view path) {
  return at(value, path).word;
}

/// The value that the word there stands for.
template <class E>
E chosen(const Value& value, std::string_view path) {
  return choice_of<E>(choice_name(&at(value, path))).value();
}
/// `member` stays where nothing is.
template <class E>
void take_choice(const Value& value, std::string_view path, E& member) {
  if (value.find(path) != nullptr) member = chosen<E>(value, path);
}

/// Nothing when a word (`auto`, `none`, `macro`) stands for it.
inline std::optional<double> number_or_word(const Value& value, std::string_view path) {
  const Value& found = at(value, path);
  return found.is(Form::Kind::word) ? std::nullopt : std::optional(found.number);
}

inline std::optional<std::int64_t> integer_or_word(const Value& value, std::string_view path) {
  const Value& found = at(value, path);
  return found.is(Form::Kind::word) ? std::nullopt : std::optional(found.integer);
}

}  // namespace cosimo::config
