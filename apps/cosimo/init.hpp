// `cosimo init`: a commented model to begin with.
#pragma once

#include <string>

#include "output.hpp"

namespace cosimo::cli {

struct InitArguments {
  std::string name = "chain";
  std::string out;  ///< empty: NAME.yaml, here; "-": standard output
  bool list = false;
  Output output{};
};
int init_command(const InitArguments& arguments);

}  // namespace cosimo::cli
