#include "completion.hpp"

#include <algorithm>
#include <iterator>

namespace cosimo::cli {

const std::vector<std::string>& shells() {
  static const std::vector<std::string> names{"bash", "zsh", "fish"};
  return names;
}

std::string completion(std::string_view shell, const CommandTable& table) {
  const std::vector<ScenarioKey> keys = settable(scenario_keys());
  if (shell == "zsh") return zsh_completion(table, keys);
  if (shell == "fish") return fish_completion(table, keys);
  return bash_completion(table, keys);
}

std::vector<ScenarioKey> settable(const std::vector<ScenarioKey>& keys) {
  std::vector<ScenarioKey> result;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(result),
               [](const ScenarioKey& key) { return !key.in_list; });
  return result;
}

std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  }
  return result + "'";
}

}  // namespace cosimo::cli
