// Enums whose values have words: in the scenario file, in messages and in results. Every word is written
// once, beside its enum; what it is called in the file and what is done about it then cannot differ.
//
//   enum class Update { consistent, none };
//   constexpr auto words_of(Update) {
//     return wording<Update>({{Update::consistent, "consistent"}, {Update::none, "none"}});
//   }
//
//   word_of(Update::none)          // "none"
//   choice_of<Update>("none")      // Update::none
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace cosimo {

template <class E>
struct Word {
  E value;
  std::string_view word;
};

/// The table of an enum, in the order in which its words are told.
template <class E, std::size_t n>
constexpr std::array<Word<E>, n> wording(const Word<E> (&table)[n]) {
  return std::to_array(table);
}

template <class E>
inline constexpr auto word_table = words_of(E{});

/// Empty for a value that no word stands for.
template <class E>
constexpr std::string_view word_of(E value) {
  for (const Word<E>& entry : word_table<E>)
    if (entry.value == value) return entry.word;
  return {};
}

template <class E>
constexpr std::optional<E> choice_of(std::string_view word) {
  for (const Word<E>& entry : word_table<E>)
    if (entry.word == word) return entry.value;
  return std::nullopt;
}

}  // namespace cosimo
