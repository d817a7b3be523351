#include <fmt/format.h>

#include "completion.hpp"

namespace cosimo::cli {
namespace {

std::string fish_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// " -x -a '...'": what the value of an option, or an argument, may be.
std::string candidates(const OptionEntry& option) {
  switch (option.values) {
    case Values::words:
      return " -x -a " + fish_quoted(fmt::format("{}", fmt::join(option.words, " ")));
    case Values::folder:
      return " -x -a '(__fish_complete_directories)'";
    case Values::file:
      return " -r -F";
    case Values::scenario:
      return " -x -k -a '(__fish_complete_suffix .yaml)'";
    case Values::key:
      return " -x -a '(__cosimo_keys)'";
    case Values::any:
      return " -x";
    case Values::none:
      break;
  }
  return "";
}

std::string line(const OptionEntry& option, const std::string& condition) {
  std::string text = fmt::format("complete -c cosimo -n {}", fish_quoted(condition));
  for (const std::string& flag : option.flags) {
    if (option.positional) continue;
    text += flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
  }
  text += candidates(option);
  if (!option.positional) text += " -d " + fish_quoted(option.help);
  return text + "\n";
}

}  // namespace

std::string fish_completion(const CommandTable& table, const std::vector<ScenarioKey>& keys) {
  std::string text = fmt::format(
      "# Completion of cosimo {0} for fish, made by `cosimo completion fish`. In a shell:\n"
      "#   cosimo completion fish | source\n\nfunction __cosimo_keys\n  printf '%s\\t%s\\n' \\\n",
      table.version);
  for (const ScenarioKey& key : keys) {
    if (!key.section)
      text += fmt::format("    {} {} \\\n", fish_quoted(key.key + "="), fish_quoted(key.meaning));
    for (const std::string& word : key.words)
      text += fmt::format("    {} '' \\\n", fish_quoted(key.key + "=" + word));
  }
  text += "    ''\nend\n\ncomplete -c cosimo -f\n";
  for (const OptionEntry& option : table.options) text += line(option, "__fish_use_subcommand");
  for (const CommandEntry& command : table.commands) {
    text += fmt::format("complete -c cosimo -n __fish_use_subcommand -a {} -d {}\n", command.name,
                        fish_quoted(command.help));
    for (const OptionEntry& option : command.options)
      text += line(option, "__fish_seen_subcommand_from " + command.name);
  }
  return text;
}

}  // namespace cosimo::cli
