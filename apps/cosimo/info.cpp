#include "info.hpp"

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "completion.hpp"
#include "console.hpp"
#include "cosimo/cosimo.hpp"
#include "cosimo/scenario_text.hpp"
#include "manual.hpp"

namespace cosimo::cli {
namespace {

int show(const std::string& text) {
  say("{}{}", text, text.ends_with('\n') ? "" : "\n");
  return success;
}

}  // namespace

int help_command(const HelpArguments& arguments, const CLI::App& app, const CommandTable& table) {
  if (arguments.man) return show(manual_page(table));
  if (arguments.output.json) return show(to_json(table));
  if (!arguments.command.empty()) return show(app.get_subcommand(arguments.command)->help(app.get_name()));
  // app.help() would be that of the command that was given.
  return show(app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
}

int version_command(const Output& output) {
  if (!output.json) return show("cosimo " + std::string(version()));
  print({{"version", version()}});
  return success;
}

int schema_command() {
  return show(scenario_schema());
}

int reference_command(const Output& output) {
  if (!output.json) return show(scenario_reference());
  auto keys = nlohmann::ordered_json::array();
  for (const ScenarioKey& key : scenario_keys())
    keys.push_back({{"key", key.key},
                    {"meaning", key.meaning},
                    {"value", key.value},
                    {"words", key.words},
                    {"default", key.fallback},
                    {"dimension", key.dimension},
                    {"required", key.required}});
  print(keys);
  return success;
}

int completion_command(const std::string& shell, const CommandTable& table) {
  return show(completion(shell, table));
}

}  // namespace cosimo::cli
