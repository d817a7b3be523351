// cosimo python: Debian's interpreter with the module of this program on its path.
#pragma once

#include <string>
#include <vector>

#include "output.hpp"

namespace cosimo::cli {

struct PythonArguments {
  std::vector<std::string> words;  ///< for the interpreter; none: it is opened
};
int python_command(const PythonArguments& arguments);

/// Becomes the interpreter with these arguments; returns where there is no module, or no interpreter.
void become_python(std::vector<std::string> words);
/// Why become_python() has returned, and what `./cosimo COMMAND` does about it.
std::string no_python(const std::string& command);

/// Becomes the interpreter with the arguments behind `python`; returns where there is no module, or no
/// interpreter, and when help is asked for.
void start_python(int argc, char** argv);

}  // namespace cosimo::cli
