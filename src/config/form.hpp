// The vocabulary in which a scenario file is defined: a Key has one or more Forms in
// which its value may be written. config/definition.cpp holds the table; validation
// (check.hpp), the effective file, the JSON Schema and the reference all walk it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/choices.hpp"

namespace cosimo::config {

/// An interval of allowed numbers.
struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;
  bool high_open = false;

  bool contains(double x) const {
    return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high);
  }
  bool has_low() const { return low > -std::numeric_limits<double>::infinity(); }
  bool has_high() const { return high < std::numeric_limits<double>::infinity(); }
};

struct Key;

/// One way to write a value.
struct Form {
  enum class Kind {
    number,
    integer,
    boolean,
    word,        ///< one of `words`
    name,        ///< what a user calls a body, a joint or an element
    text,        ///< any text, such as the name of a file
    formula,     ///< a number, or arithmetic over parameters and the variables `words`
    numbers,     ///< list of numbers within `bounds`
    integers,    ///< list of whole numbers within `bounds`
    labels,      ///< list of whole numbers within `bounds` and names
    list,        ///< of entries, each in one of the forms `entry`
    dictionary,  ///< any names, each with a number or arithmetic over the names before it
    settings,    ///< any names, each with a value in one of the forms `entry`
    section,     ///< any of `keys`
    choice,      ///< exactly one of `keys`
    variants     ///< one of the sections `entry`: the one whose key `kind` knows the word that is given
  };
  Kind kind = Kind::number;
  Bounds bounds;
  std::vector<std::string> words;
  std::vector<Form> entry;
  std::vector<Key> keys;
  std::size_t min_items = 0;
  std::size_t max_items = std::numeric_limits<std::size_t>::max();

  const Key* find(std::string_view key) const;
  /// Of `variants`: the section for this kind, or null.
  const Form* variant(std::string_view kind) const;
};

struct Key {
  std::string name;
  std::vector<Form> forms;
  std::string fallback;     ///< default as YAML; empty: see `required` and `otherwise`
  bool required = false;    ///< must be given
  std::string otherwise;    ///< in words: what holds when it is absent and has no fallback
  std::string description;  ///< one line
  std::string dimension;    ///< "time", "force/length"; empty: a pure number or no number
  std::string type;         ///< name of a set of forms that several keys share
  std::string hint;         ///< remedy that is better than the generated one
  bool available = true;    ///< false: the name is reserved for a later version
  bool arithmetic = false;  ///< numbers in it may be formulas over `model.parameters`
  bool own_unit = false;    ///< the default is a number in the units of the file, not in SI
  bool silent = false;      ///< the default holds without a value of its own: for entries of long lists
};

Form number(Bounds bounds = {});
Form positive_number();  ///< > 0
Form integer(std::int64_t low, std::int64_t high = std::numeric_limits<std::int64_t>::max());
Form boolean();
Form words(std::vector<std::string> names);
/// The words of these values, by default of all, in the order of their table; `first`: a word that leaves the
/// choice open.
template <class E>
Form one_of(std::initializer_list<E> values) {
  std::vector<std::string> names;
  for (const E value : values) names.emplace_back(word_of(value));
  return words(std::move(names));
}
template <class E>
Form one_of(std::string_view first = {}) {
  std::vector<std::string> names;
  if (!first.empty()) names.emplace_back(first);
  for (const Word<E>& entry : word_table<E>) names.emplace_back(entry.word);
  return words(std::move(names));
}
Form numbers(std::size_t min_items, std::size_t max_items = std::numeric_limits<std::size_t>::max());
Form integers(std::size_t min_items, std::int64_t low);
Form name();
Form text();
Form formula(std::vector<std::string> variables);
Form labels(std::size_t min_items, std::int64_t low);
Form dictionary();
/// Where truth values are possible, the first of these forms is `boolean`.
Form settings(std::vector<Form> entry);
Form list(std::vector<Form> entry, std::size_t min_items = 0,
          std::size_t max_items = std::numeric_limits<std::size_t>::max());
Form section(std::vector<Key> keys);
Form choice(std::vector<Key> keys);
/// Each section has a required key `kind` with words of its own.
Form variants(std::vector<Form> sections);
/// Keys: one that must be given, one with a default (as YAML), one whose absence means what the words
/// `otherwise` say, and one alternative of a choice.
Key required(std::string name, std::vector<Form> forms, std::string description, std::string dimension = {});
Key with_default(std::string name, std::vector<Form> forms, std::string fallback, std::string description,
                 std::string dimension = {});
Key derived(std::string name, std::vector<Form> forms, std::string otherwise, std::string description);
Key option(std::string name, std::vector<Form> forms, std::string description);
/// The same with the word of a value as the default or the name.
template <class E>
requires std::is_enum_v<E> Key with_default(std::string name, std::vector<Form> forms, E fallback,
                                            std::string description) {
  return with_default(std::move(name), std::move(forms), std::string(word_of(fallback)),
                      std::move(description));
}
template <class E>
requires std::is_enum_v<E> Key option(E name, std::vector<Form> forms, std::string description) {
  return option(std::string(word_of(name)), std::move(forms), std::move(description));
}
/// With a default that neither the effective file nor the values repeat. Empty: `otherwise` says it in words.
Key silent(std::string name, std::vector<Form> forms, std::string fallback, std::string description,
           std::string dimension = {});
Key silent_derived(std::string name, std::vector<Form> forms, std::string otherwise, std::string description,
                   std::string dimension = {});

/// A key that is reserved for a later version; `instead` says what to do today.
Key later(std::string name, std::string instead);

/// "a number > 0", "a whole number from 1 to 8", "`equal` or `metis`".
std::string describe(const Form& form);
/// All forms, joined by "or".
std::string describe(std::span<const Form> forms);

}  // namespace cosimo::config
