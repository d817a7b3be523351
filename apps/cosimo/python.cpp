#include "python.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "commands.hpp"
#include "errors.hpp"

namespace cosimo::cli {
namespace {

namespace fs = std::filesystem;

/// The one that NumPy and pandas of Debian belong to, whatever comes first on PATH.
constexpr const char* interpreter = COSIMO_PYTHON_PROGRAM;

/// Where the module of this program is: beside it in a build, below its prefix when installed; empty:
/// nowhere.
fs::path module_folder() {
  std::error_code unknown;
  const fs::path own = fs::read_symlink("/proc/self/exe", unknown);
  if (unknown) return {};
  for (const char* folder : {"python", COSIMO_PYTHON_FOLDER}) {
    const fs::path place = own.parent_path().parent_path() / folder;
    if (fs::exists(place / "cosimo" / "__init__.py", unknown)) return place;
  }
  return {};
}

}  // namespace

void become_python(std::vector<std::string> words) {
  const fs::path folder = module_folder();
  if (folder.empty()) return;
  const char* before = std::getenv("PYTHONPATH");
  const std::string path =
      before != nullptr && *before != 0 ? fmt::format("{}:{}", folder.string(), before) : folder.string();
  setenv("PYTHONPATH", path.c_str(), 1);
  words.insert(words.begin(), interpreter);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(interpreter, argv.data());
}

std::string no_python(const std::string& command) {
  return fmt::format(
      "the Python module, or {}, is not there; `./cosimo {}` installs and builds what is "
      "missing, as does `cmake --build BUILD --target cosimo_python`",
      interpreter, command);
}

void start_python(int argc, char** argv) {
  if (argc > 2 && (std::string_view(argv[2]) == "--help" || std::string_view(argv[2]) == "-h")) return;
  become_python({argv + 2, argv + argc});
}

int python_command(const PythonArguments&) {
  return tell(no_python("python"), run_failed, false);
}

}  // namespace cosimo::cli
