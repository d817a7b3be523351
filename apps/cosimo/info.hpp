// Commands that print what the program knows of itself: help, version, schema, reference, completion.
#pragma once

#include <string>

#include "command_table.hpp"
#include "output.hpp"

namespace cosimo::cli {

struct HelpArguments {
  std::string command;  ///< empty: the whole program
  bool man = false;
  Output output{};
};
int help_command(const HelpArguments& arguments, const CLI::App& app, const CommandTable& table);

int version_command(const Output& output);
int schema_command();
int reference_command(const Output& output);
int completion_command(const std::string& shell, const CommandTable& table);

}  // namespace cosimo::cli
