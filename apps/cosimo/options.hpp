// Options with a value, each kind checked in one place, so that every command refuses the same things in the
// same words: numbers that are none, not finite or out of bounds, names that are empty, and
// words that are none of those allowed.
#pragma once

#include <CLI/CLI.hpp>
#include <limits>
#include <string>
#include <vector>

namespace cosimo::cli {

/// What an option takes: finite numbers from `low` to `high`.
struct Numbers {
  double low = 0, high = std::numeric_limits<double>::infinity();
  bool above = false;  ///< `low` itself is too small
  bool whole = false;
};
constexpr Numbers positive{.above = true};
constexpr Numbers not_negative{};
constexpr Numbers threads{.low = 1, .high = 4096, .whole = true};

/// What is wrong with the text of a number; empty: nothing.
std::string number_fault(const std::string& text, const Numbers& allowed);
std::string name_fault(const std::string& text);
std::string word_fault(const std::string& text, const std::vector<std::string>& allowed);

/// `target`: a number, an optional one, or a vector of them for an option with several.
template <class Target>
CLI::Option* add_number(CLI::App& command, const std::string& names, Target& target, const std::string& help,
                        const char* type, const Numbers& allowed) {
  return command.add_option(names, target, help)
      ->check([allowed](const std::string& text) { return number_fault(text, allowed); })
      ->type_name(type);
}

/// A file, a folder, a list: anything that cannot be empty.
template <class Target>
CLI::Option* add_name(CLI::App& command, const std::string& names, Target& target, const std::string& help,
                      const char* type = "") {
  return command.add_option(names, target, help)->check(name_fault)->type_name(type);
}

CLI::Option* add_word(CLI::App& command, const std::string& names, std::string& target,
                      const std::string& help, const std::vector<std::string>& allowed);

/// An option without a value.
CLI::Option* add_flag(CLI::App& command, const std::string& names, bool& target, const std::string& help);

}  // namespace cosimo::cli
