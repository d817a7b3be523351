// `cosimo sweep`: many runs of one scenario, and what has become of them.
#pragma once

#include <string>

#include "output.hpp"

namespace cosimo::cli {

struct SweepArguments {
  std::string file;  ///< series file, or the word `show`
  std::string show;  ///< folder, with that word
  std::string out;   ///< empty: the file's stem + ".sweep" in the current folder
  int workers = 0, threads = 0;
  std::string retry;  ///< "failed"; empty: no variant again
  bool share = false;
  double silence = 30;
  Output output{};
};
int sweep_command(const SweepArguments& arguments);

/// What `cosimo check` says of a series file.
int check_series(const std::string& file, const Output& output);

}  // namespace cosimo::cli
