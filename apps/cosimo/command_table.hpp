// The command line as plain data, read from the parser itself: help, completion, the man page and
// `cosimo help --json` all come from it, so none of them can differ from what is accepted.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace cosimo::cli {

/// What a value is, so that shells can offer some.
enum class Values { none, words, scenario, folder, file, key, any };

struct OptionEntry {
  std::vector<std::string> flags;  ///< "-o", "--out"; of a positional argument its name alone: "FILE"
  std::string type;                ///< "DIR"; empty: takes no value
  std::string help;
  std::vector<std::string> words;  ///< allowed values
  Values values = Values::none;
  bool positional = false, required = false, several = false;
};

struct CommandEntry {
  std::string name{}, help{}, footer{};
  std::vector<OptionEntry> options{};  ///< positional arguments first, in their order
  std::string usage() const;           ///< "cosimo run [OPTIONS] FILE"
};

struct CommandTable {
  std::string summary{}, footer{}, version{};
  std::vector<OptionEntry> options{};
  std::vector<CommandEntry> commands{};
};

/// Arguments whose names do not tell what may stand there, with the words that may.
using KnownWords = std::map<const CLI::Option*, std::vector<std::string>>;

CommandTable command_table(const CLI::App& app, const KnownWords& known);

/// "-o,--out DIR", "FILE"
std::string heading(const OptionEntry& option);

/// For programs.
std::string to_json(const CommandTable& table);

}  // namespace cosimo::cli
