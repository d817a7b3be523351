#include "command_faults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <utility>

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

/// The sentence for people, from the parts for programs.
Refusal refusal(Fault fault) {
  std::string text = fault.field;
  if (!fault.value.empty() || text.empty())
    text += fmt::format("{}'{}'", text.empty() ? "" : ": ", fault.value);
  text += ' ' + fault.problem;
  if (!fault.remedy.empty()) text += "; " + fault.remedy;
  return {std::move(text), std::move(fault)};
}

/// Of an option before the command, which has it: where to write it.
std::string behind(const CLI::App& app, const std::string& option, const std::vector<std::string>& words) {
  const std::vector<const CLI::App*> takers = app.get_subcommands(
      [&](const CLI::App* command) { return command->get_option_no_throw(option) != nullptr; });
  if (takers.empty()) return "";
  const auto meant = std::find_if(takers.begin(), takers.end(), [&](const CLI::App* command) {
    return std::find(words.begin(), words.end(), command->get_name()) != words.end();
  });
  return fmt::format("write it behind the command:  {} {}",
                     meant != takers.end() ? call_of(**meant) : call_of(app) + " COMMAND", option);
}

Refusal unknown_option(const CLI::App& command, const std::string& word,
                       const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::string meant = word.starts_with("--") ? nearest(word, names) : "";
  return refusal(
      {.value = word,
       .problem = fmt::format("is not an option of `{}`", call_of(command)),
       .remedy = meant.empty() ? behind(command, word, words) : fmt::format("did you mean '{}'?", meant)});
}

/// The words that nothing took, in the order of the user: the parser has one of its own.
std::vector<std::string> left_over(const CLI::App& command, const std::vector<std::string>& words) {
  const CLI::App* parent = command.get_parent();
  const std::vector<std::string> left = (parent != nullptr ? *parent : command).remaining(true);
  std::vector<std::string> found;
  std::copy_if(words.begin(), words.end(), std::back_inserter(found), [&](const std::string& word) {
    return std::find(left.begin(), left.end(), word) != left.end();
  });
  return found.empty() ? left : found;
}

Refusal unexpected(const CLI::App& command, const std::string& word, const std::vector<std::string>& words) {
  if (word.starts_with('-')) return unknown_option(command, word.substr(0, word.find('=')), words);
  return refusal(
      {.value = word, .problem = "is one argument too many", .remedy = "write  " + usage(command)});
}

/// A mistyped option may be why something else is missing.
Refusal missing(const CLI::App& command, const std::vector<std::string>& words) {
  for (const std::string& word : left_over(command, words))
    if (word.starts_with('-')) return unexpected(command, word, words);
  std::string name = "an argument";
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_required() || option->count() > 0) continue;
    name = option->get_single_name();
    break;
  }
  return refusal({.field = name, .problem = "is missing", .remedy = "write  " + usage(command)});
}

/// Too few values of an option, or too many. `named` begins with its name.
Refusal wrong_count(const CLI::App& command, const std::string& named,
                    const std::vector<std::string>& words) {
  for (const std::string& word : words)
    if (const CLI::Option* option = command.get_option_no_throw(word.substr(0, word.find('=')));
        option != nullptr && word.find('=') != word.npos && option->get_items_expected_max() == 0)
      return refusal({.field = option->get_name(),
                      .problem = "takes no value",
                      .remedy = fmt::format("write  {}  alone, or leave it out", option->get_name())});
  const CLI::Option* option = command.get_option_no_throw(named.substr(0, named.find(':')));
  if (option == nullptr) return {named, {.problem = named}};
  const std::string name = option->get_name();
  const int most = option->get_items_expected_max();
  if (option->count() == 0)
    return refusal({.field = name,
                    .problem = "needs a value",
                    .remedy = fmt::format("write  {} {}", name, option->get_type_name())});
  if (most > 1)
    return refusal(
        {.field = name, .problem = fmt::format("takes {} values at most, not {}", most, option->count())});
  return refusal({.field = name,
                  .problem = fmt::format("is given {} times", option->count()),
                  .remedy = "write it once"});
}

/// Of the checks in options.hpp: "--threads: 'x' is not a number from 1 on", "FILE: the name is empty; write
/// one".
Refusal refused_value(const CLI::App& command, const std::string& text) {
  const std::size_t colon = text.find(": ");
  if (colon == text.npos) return {text, {.problem = text}};
  Fault fault{.field = text.substr(0, colon), .problem = text.substr(colon + 2)};
  const CLI::Option* option = command.get_option_no_throw(fault.field);
  for (const std::string& value : option != nullptr ? option->results() : std::vector<std::string>()) {
    const std::string quoted = fmt::format("'{}' ", value);
    if (!fault.problem.starts_with(quoted)) continue;
    fault.value = value;
    fault.problem.erase(0, quoted.size());
    break;
  }
  constexpr std::string_view refused = "is not a ";
  if (const std::size_t end = fault.problem.find("; "); end != fault.problem.npos) {
    fault.remedy = fault.problem.substr(end + 2);
    fault.problem.erase(end);
  } else if (fault.problem.starts_with(refused)) {
    fault.remedy = "write a " + fault.problem.substr(refused.size());
  }
  return {text, std::move(fault)};
}

}  // namespace

Refusal unknown_command(const CLI::App& app, const std::string& word) {
  constexpr const char* problem = "is not a command";
  const std::string extension = std::filesystem::path(word).extension().string();
  if (extension == ".yaml" || extension == ".yml")
    return refusal({.value = word,
                    .problem = problem,
                    .remedy = fmt::format("to run a scenario file:  cosimo run {}", word)});
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::string meant = nearest(word, names);
  return refusal({.value = word,
                  .problem = problem,
                  .remedy = meant.empty() ? fmt::format("there are: {}", fmt::join(names, ", "))
                                          : fmt::format("did you mean '{}'?", meant)});
}

Refusal wrong_arguments(const CLI::App& command, const CLI::ParseError& fault,
                        const std::vector<std::string>& words) {
  if (dynamic_cast<const CLI::ExtrasError*>(&fault) != nullptr) {
    const std::vector<std::string> left = left_over(command, words);
    return unexpected(command, left.empty() ? "" : left.front(), words);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&fault) != nullptr) return missing(command, words);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&fault) != nullptr)
    return wrong_count(command, fault.what(), words);
  return refused_value(command, fault.what());
}

}  // namespace cosimo::cli
