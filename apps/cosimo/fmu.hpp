// cosimo fmu: a scenario as an FMU for other tools.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace cosimo::cli {

struct FmuArguments {
  std::string file;
  std::string out;      ///< empty: the file's stem + ".fmu" in the current folder
  std::string version;  ///< "2" or "3"; empty: both
  std::vector<std::string> overrides;
  int threads = 1;
  Output output{};
};
int fmu_command(const FmuArguments& arguments);

}  // namespace cosimo::cli
