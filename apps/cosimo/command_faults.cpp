#include "command_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "core/nearest.hpp"

namespace cosimo::cli {
namespace {

/// The one of `names` that `word` was probably meant to be; empty: none.
std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  return std::string(cosimo::nearest(word, candidates));
}

/// "cosimo run".
std::string call_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return (parent != nullptr ? call_of(*parent) + " " : "") + command.get_name();
}

/// "cosimo run FILE"; without a command of its own: "cosimo COMMAND".
std::string usage(const CLI::App& command) {
  std::string text = call_of(command) + (command.get_parent() == nullptr ? " COMMAND" : "");
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) text += " " + option->get_single_name();
  return text;
}

std::string unknown_option(const CLI::App& command, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string meant = word.starts_with("--") ? nearest(word, names) : "";
  return fmt::format("'{}' is not an option of `{}`{}", word, call_of(command),
                     meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant));
}

std::string unexpected(const CLI::App& command, const std::vector<std::string>& words) {
  const CLI::App* parent = command.get_parent();
  const std::vector<std::string> left = (parent != nullptr ? *parent : command).remaining(true);
  // The parser keeps them in an order of its own.
  const auto first = std::find_first_of(words.begin(), words.end(), left.begin(), left.end());
  const std::string word = first != words.end() ? *first : left.empty() ? "" : left.front();
  if (word.starts_with('-')) return unknown_option(command, word.substr(0, word.find('=')));
  return fmt::format("'{}' is one argument too many; write  {}", word, usage(command));
}

std::string missing(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0)
      return fmt::format("{} is missing; write  {}", option->get_single_name(), usage(command));
  return "an argument is missing; write  " + usage(command);
}

/// Too few values of an option, or too many. `named` begins with its name.
std::string wrong_count(const CLI::App& command, std::string_view named,
                        const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (const CLI::Option* option = command.get_option_no_throw(word.substr(0, word.find('=')));
        option != nullptr && word.find('=') != word.npos && option->get_items_expected_max() == 0)
      return fmt::format("{0} takes no value; write  {0}  alone, or leave it out", option->get_name());
  const CLI::Option* option = command.get_option_no_throw(std::string(named.substr(0, named.find(':'))));
  if (option == nullptr) return std::string(named);
  const std::string name = option->get_name();
  const int most = option->get_items_expected_max();
  if (option->count() == 0)
    return fmt::format("{0} needs a value; write  {0} {1}", name, option->get_type_name());
  if (most > 1) return fmt::format("{} takes {} values at most, not {}", name, most, option->count());
  return fmt::format("{} is given {} times; write it once", name, option->count());
}

}  // namespace

std::string unknown_command(const CLI::App& app, const std::string& word) {
  const std::string extension = std::filesystem::path(word).extension().string();
  if (extension == ".yaml" || extension == ".yml")
    return fmt::format("'{0}' is not a command; to run a scenario file:  cosimo run {0}", word);
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::string meant = nearest(word, names);
  return fmt::format("'{}' is not a command; {}", word,
                     meant.empty() ? fmt::format("there are: {}", fmt::join(names, ", "))
                                   : fmt::format("did you mean '{}'?", meant));
}

std::string wrong_arguments(const CLI::App& command, const CLI::ParseError& fault,
                            const std::vector<std::string>& words) {
  if (dynamic_cast<const CLI::ExtrasError*>(&fault) != nullptr) return unexpected(command, words);
  if (dynamic_cast<const CLI::RequiredError*>(&fault) != nullptr) return missing(command);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&fault) != nullptr)
    return wrong_count(command, fault.what(), words);
  return fault.what();  // of the checks in options.hpp
}

}  // namespace cosimo::cli
