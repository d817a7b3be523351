// For tests of enums with words.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string_view>

#include "core/choices.hpp"

namespace cosimo {

/// A table that names a value or a word twice would lose one of them. `last` is the greatest value with a
/// word.
template <class E>
void expect_one_to_one(E last) {
  std::set<E> values;
  std::set<std::string_view> found;
  for (const auto& [value, word] : word_table<E>) {
    values.insert(value);
    found.insert(word);
    EXPECT_EQ(word_of(value), word);
    EXPECT_EQ(choice_of<E>(word), value);
  }
  EXPECT_EQ(values.size(), static_cast<std::size_t>(last) + 1) << word_of(last);
  EXPECT_EQ(found.size(), values.size()) << word_of(last);
}

}  // namespace cosimo
