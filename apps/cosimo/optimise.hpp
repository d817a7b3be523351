// `cosimo optimise`: the values of some keys for which measures are best. The methods are those of the Python
// module.
#pragma once

#include <string>

#include "output.hpp"

namespace cosimo::cli {

struct OptimiseArguments {
  std::string file;  ///< of a search
  std::string out;   ///< empty: the file's stem + ".search" in the current folder
  int workers = 0, threads = 0;
  Output output{};
};
/// Checks all of the file and becomes Python's interpreter; returns what went wrong before.
int optimise_command(const OptimiseArguments& arguments);

/// What `cosimo check` says of a file of a search.
int check_search(const std::string& file, const Output& output);

}  // namespace cosimo::cli
