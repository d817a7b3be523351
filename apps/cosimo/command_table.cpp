#include "command_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "cosimo/cosimo.hpp"

namespace cosimo::cli {
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

/// Types and arguments are called after what they stand for; a list of words has bars between them
/// (options.hpp).
Values values_of(const std::string& type, const std::string& argument) {
  if (type.find('|') != type.npos) return Values::words;
  if (type == "KEY=VALUE") return Values::key;
  if (type == "DIR" || argument == "DIR" || argument == "A" || argument == "B") return Values::folder;
  if (type == "FILE" || type == "NEW.yaml") return Values::file;
  if (argument == "FILE") return Values::scenario;
  return type.empty() && argument.empty() ? Values::none : Values::any;
}

OptionEntry entry_of(const CLI::Option& option, const KnownWords& known) {
  constexpr int unlimited = 1000;  // or more
  OptionEntry entry;
  entry.positional = option.get_positional();
  entry.required = option.get_required();
  entry.help = option.get_description();
  entry.several = option.get_items_expected_max() >= unlimited;
  if (entry.positional) {
    entry.flags = {option.get_single_name()};
  } else {
    for (const std::string& name : option.get_snames()) entry.flags.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) entry.flags.push_back("--" + name);
  }
  if (entry.positional || option.get_items_expected_max() > 0) entry.type = option.get_type_name();
  entry.values = values_of(entry.type, entry.positional ? entry.flags.front() : "");
  if (entry.values == Values::words) entry.words = split(entry.type, '|');
  if (const auto words = known.find(&option); words != known.end()) {
    entry.values = Values::words;
    entry.words = words->second;
  }
  return entry;
}

std::vector<OptionEntry> options_of(const CLI::App& command, const KnownWords& known) {
  std::vector<OptionEntry> entries;
  for (const bool positional : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (option->get_positional() == positional) entries.push_back(entry_of(*option, known));
  return entries;
}

nlohmann::ordered_json json_of(const std::vector<OptionEntry>& options) {
  auto list = nlohmann::ordered_json::array();
  for (const OptionEntry& option : options)
    list.push_back({{"names", option.flags},
                    {"value", option.type},
                    {"words", option.words},
                    {"argument", option.positional},
                    {"required", option.required},
                    {"help", option.help}});
  return list;
}

}  // namespace

std::string CommandEntry::usage() const {
  std::string text = "cosimo " + name + " [OPTIONS]";
  for (const OptionEntry& option : options) {
    if (!option.positional) continue;
    const std::string argument = option.flags.front() + (option.several ? "..." : "");
    text += option.required ? " " + argument : " [" + argument + "]";
  }
  return text;
}

CommandTable command_table(const CLI::App& app, const KnownWords& known) {
  CommandTable table{.summary = app.get_description(),
                     .footer = app.get_footer(),
                     .version = std::string(version()),
                     .options = options_of(app, known)};
  for (const CLI::App* command : app.get_subcommands(nullptr))
    table.commands.push_back({.name = command->get_name(),
                              .help = command->get_description(),
                              // Commands without one inherit the program's.
                              .footer = command->get_footer() == table.footer ? "" : command->get_footer(),
                              .options = options_of(*command, known)});
  return table;
}

std::string heading(const OptionEntry& option) {
  std::string text = fmt::format("{}", fmt::join(option.flags, ","));
  if (!option.positional && !option.type.empty()) text += " " + option.type;
  return text;
}

std::string to_json(const CommandTable& table) {
  auto commands = nlohmann::ordered_json::array();
  for (const CommandEntry& command : table.commands)
    commands.push_back({{"name", command.name},
                        {"help", command.help},
                        {"usage", command.usage()},
                        {"options", json_of(command.options)}});
  const nlohmann::ordered_json document = {
      {"version", table.version}, {"options", json_of(table.options)}, {"commands", std::move(commands)}};
  return document.dump(2);
}

}  // namespace cosimo::cli
