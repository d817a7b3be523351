// Completion for shells, made from the command table and the keys of scenario files.
//
//   source <(cosimo completion bash)
//
// The scripts hold all they need: pressing the tabulator starts no program, which from the repository could
// mean a build.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command_table.hpp"
#include "cosimo/scenario_text.hpp"

namespace cosimo::cli {

/// "bash", "zsh", "fish".
const std::vector<std::string>& shells();

/// The script for one of shells().
std::string completion(std::string_view shell, const CommandTable& table);

// The shells, each in its file.
std::string bash_completion(const CommandTable& table, const std::vector<ScenarioKey>& keys);
std::string zsh_completion(const CommandTable& table, const std::vector<ScenarioKey>& keys);
std::string fish_completion(const CommandTable& table, const std::vector<ScenarioKey>& keys);

/// What --set can name: keys with values of their own, outside of lists.
std::vector<ScenarioKey> settable(const std::vector<ScenarioKey>& keys);

/// `text` between single quotes for bash and zsh.
std::string shell_quoted(std::string_view text);

}  // namespace cosimo::cli
