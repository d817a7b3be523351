// What is wrong with a command line, in one sentence that says what to write instead. The parser's own texts
// stay inside.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace cosimo::cli {

struct Refusal {
  std::string text;  ///< the sentence
  Fault fault;       ///< its parts: `field` is the option or argument
};

/// Of a first word that is no command of `app`.
Refusal unknown_command(const CLI::App& app, const std::string& word);

/// Of `words`, the arguments of `command`, which the parser refused.
Refusal wrong_arguments(const CLI::App& command, const CLI::ParseError& fault,
                        const std::vector<std::string>& words);

}  // namespace cosimo::cli
