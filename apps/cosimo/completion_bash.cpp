#include <fmt/format.h>

#include "completion.hpp"

namespace cosimo::cli {
namespace {

// The current word is taken from the line itself: readline breaks it at every `=`, which keys have.
constexpr const char* body = R"(
_cosimo() {
  local line=${COMP_LINE:0:COMP_POINT} command="" current previous="" kind="" list="" flags="" word
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  ((${#words[@]} > 1)) || return
  current=${words[-1]}
  ((${#words[@]} > 2)) && previous=${words[-2]} command=${words[1]}
  if [[ $current == --*=* ]]; then
    previous=${current%%=*}
    current=${current#*=}
  fi
  _cosimo_command
  if [[ $current == -* && -z $kind ]]; then kind=words list=$flags; fi
  [[ -n $kind ]] || _cosimo_argument
  COMPREPLY=()
  case $kind in
    words) mapfile -t COMPREPLY < <(compgen -W "$list" -- "$current") ;;
    folder)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      ;;
    file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      ;;
    scenario)
      compopt -o filenames 2>/dev/null
      while IFS= read -r word; do
        if [[ -d $word || $word == *.yaml || $word == *.yml ]]; then COMPREPLY+=("$word"); fi
      done < <(compgen -f -- "$current")
      ;;
    key)
      if [[ $current == *=* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$_cosimo_values" -- "$current")
        COMPREPLY=("${COMPREPLY[@]#"${current%=*}="}")
      else
        compopt -o nospace 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -S = -W "$_cosimo_keys" -- "$current")
      fi
      ;;
  esac
}
complete -F _cosimo cosimo
)";

/// "kind=words list='a b'": what stands at a place.
std::string assignment(const OptionEntry& option) {
  switch (option.values) {
    case Values::words:
      return fmt::format("kind=words list={}", shell_quoted(fmt::format("{}", fmt::join(option.words, " "))));
    case Values::folder:
      return "kind=folder";
    case Values::file:
      return "kind='file'";
    case Values::scenario:
      return "kind=scenario";
    case Values::key:
      return "kind=key";
    case Values::any:
      return "kind=any";
    case Values::none:
      break;
  }
  return ":";
}

std::string flags_of(const std::vector<OptionEntry>& options) {
  std::string text;
  for (const OptionEntry& option : options)
    if (!option.positional)
      text += fmt::format("{}{}", text.empty() ? "" : " ", fmt::join(option.flags, " "));
  return text;
}

/// The branch of a command: its flags, and what the value of the flag before must be.
std::string branch(const std::string& name, const std::vector<OptionEntry>& options) {
  std::string text = fmt::format("    {})\n      flags={}\n", name, shell_quoted(flags_of(options)));
  std::string cases;
  for (const OptionEntry& option : options)
    if (!option.positional && option.values != Values::none)
      cases += fmt::format("        {}) {} ;;\n", fmt::join(option.flags, " | "), assignment(option));
  if (!cases.empty()) text += fmt::format("      case $previous in\n{}      esac\n", cases);
  return text + "      ;;\n";
}

}  // namespace

std::string bash_completion(const CommandTable& table, const std::vector<ScenarioKey>& keys) {
  std::string text = fmt::format(
      "# Completion of cosimo {0} for bash, made by `cosimo completion bash`. In a shell:\n"
      "#   source <(cosimo completion bash)\n\n_cosimo_keys='\n",
      table.version);
  std::string values, commands, arguments;
  for (const ScenarioKey& key : keys) {
    if (!key.section) text += key.key + "\n";
    for (const std::string& word : key.words) values += fmt::format("{}={}\n", key.key, word);
  }
  text += fmt::format("'\n_cosimo_values='\n{}'\n\n_cosimo_command() {{\n  case $command in\n", values);
  text += branch("\"\"", table.options);
  for (const CommandEntry& command : table.commands) {
    commands += (commands.empty() ? "" : " ") + command.name;
    text += branch(command.name, command.options);
    for (const OptionEntry& option : command.options) {
      if (!option.positional) continue;
      arguments += fmt::format("    {}) {} ;;\n", command.name, assignment(option));
      break;  // all arguments of a command are of one kind
    }
  }
  text += fmt::format(
      "  esac\n}}\n\n_cosimo_argument() {{\n  case $command in\n    \"\") kind=words list={} ;;\n{}  "
      "esac\n}}\n",
      shell_quoted(commands), arguments);
  return text + body;
}

}  // namespace cosimo::cli
