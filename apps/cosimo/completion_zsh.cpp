#include <fmt/format.h>

#include "completion.hpp"

namespace cosimo::cli {
namespace {

constexpr const char* key_function = R"(
_cosimo_key() {
  if compset -P '*='; then
    local key=${${IPREFIX%=}##*=}
    compadd -- ${=_cosimo_values[$key]}
  else
    _describe -t keys key _cosimo_keys -S =
  fi
}
)";

/// Without what has a meaning in the specifications of _arguments and _describe.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == ':' || c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string action(const OptionEntry& option) {
  switch (option.values) {
    case Values::words:
      return fmt::format("({})", fmt::join(option.words, " "));
    case Values::folder:
      return "_files -/";
    case Values::file:
      return "_files";
    case Values::scenario:
      return "_files -g \"*.(yaml|yml)\"";
    case Values::key:
      return "_cosimo_key";
    case Values::any:
    case Values::none:
      break;
  }
  return " ";
}

std::string specification(const OptionEntry& option) {
  if (option.positional)
    return fmt::format("      {} \\\n", shell_quoted(fmt::format("{}:{}:{}", option.several ? "*" : "",
                                                                 option.flags.front(), action(option))));
  std::string text;
  const std::string others = option.several ? "*" : fmt::format("({})", fmt::join(option.flags, " "));
  for (const std::string& flag : option.flags) {
    const bool value = option.values != Values::none;
    std::string one = fmt::format("{}{}{}[{}]", others, flag, value && flag.starts_with("--") ? "=" : "",
                                  escaped(option.help));
    if (value) one += fmt::format(":{}:{}", escaped(option.type), action(option));
    text += fmt::format("      {} \\\n", shell_quoted(one));
  }
  return text;
}

std::string specifications(const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options) text += specification(option);
  return text;
}

}  // namespace

std::string zsh_completion(const CommandTable& table, const std::vector<ScenarioKey>& keys) {
  std::string text = fmt::format(
      "#compdef cosimo\n# Completion of cosimo {0} for zsh, made by `cosimo completion zsh`. In a shell:\n"
      "#   source <(cosimo completion zsh)\n\ntypeset -ga _cosimo_keys=(\n",
      table.version);
  std::string values;
  for (const ScenarioKey& key : keys) {
    if (!key.section)
      text +=
          fmt::format("  {}\n", shell_quoted(fmt::format("{}:{}", escaped(key.key), escaped(key.meaning))));
    if (!key.words.empty())
      values += fmt::format("  {} {}\n", key.key, shell_quoted(fmt::format("{}", fmt::join(key.words, " "))));
  }
  text += fmt::format(")\ntypeset -gA _cosimo_values=(\n{})\n{}", values, key_function);
  text += "\n_cosimo() {\n  local curcontext=\"$curcontext\" state line\n  local -a commands\n  commands=(\n";
  for (const CommandEntry& command : table.commands)
    text += fmt::format("    {}\n", shell_quoted(fmt::format("{}:{}", command.name, escaped(command.help))));
  text += fmt::format("  )\n  _arguments -C \\\n{}      '1: :->command' '*:: :->rest'\n",
                      specifications(table.options));
  text +=
      "  case $state in\n    command) _describe -t commands command commands ;;\n    rest) case $words[1] "
      "in\n";
  for (const CommandEntry& command : table.commands)
    text += fmt::format("    {}) _arguments \\\n{}      ;;\n", command.name, specifications(command.options));
  text += "    esac ;;\n  esac\n}\n\n";
  return text + "if [[ $funcstack[1] == _cosimo ]]; then _cosimo \"$@\"; else compdef _cosimo cosimo; fi\n";
}

}  // namespace cosimo::cli
