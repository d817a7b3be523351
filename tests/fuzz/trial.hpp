// One command of the program in a child process: no start of a program, no dynamic linking, and whatever it
// does, this process goes on. Call it from a process with a single thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cosimo::fuzz {

using Program = std::function<int(int, char**)>;

struct Limits {
  double interrupt_s = 0;  ///< it is told to end (SIGTERM) after that; 0: never
  double patience_s = 20;  ///< and killed so much later
  std::size_t bytes = 0;   ///< of memory; 0: as many as there are
};

struct Trial {
  int code = 0;    ///< exit code, unless there was a signal
  int signal = 0;  ///< that ended it
  bool hung = false;
  double wall_s = 0;
  std::size_t peak_bytes = 0;
  std::string out, err;
};

/// `program` with these arguments in `folder`, which also is the one for its temporary files. Files `stdout`
/// and `stderr` are left there.
Trial attempt(const Program& program, const std::vector<std::string>& arguments,
              const std::filesystem::path& folder, const Limits& limits);

}  // namespace cosimo::fuzz
