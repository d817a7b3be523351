// Changes to checked values where settings follow from others (resolve.cpp, resolve_couple.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/check.hpp"

namespace cosimo::config {

/// Member of a section, also one at fault; null when absent.
Value* member(Value& section, std::string_view name);

/// Sets an absent member; one that is there stays.
void default_word(Value& section, std::string_view name, std::string word);
template <class E>
void default_choice(Value& section, std::string_view name, E value) {
  default_word(section, name, std::string(word_of(value)));
}
void default_number(Value& section, std::string_view name, double number);

/// Replaces whatever stands there by a whole number, one of the forms of the key.
void set_integer(Value& section, std::string_view name, std::int64_t integer);

/// Takes back a default that has no meaning here; what was written stays.
void drop_default(Value& section, std::string_view name);

}  // namespace cosimo::config
