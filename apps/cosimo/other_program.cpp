#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "commands.hpp"
#include "errors.hpp"
#include "study.hpp"

namespace cosimo::cli {
namespace {

/// cosimo-study, beside this program; empty when it cannot be told where that is.
std::filesystem::path other_program() {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return unknown ? std::filesystem::path() : own.parent_path() / "cosimo-study";
}

}  // namespace

void start_studies(char** argv) {
  const std::string program = other_program().string();
  if (!program.empty()) execv(program.c_str(), argv);
}

int study_command(const StudyArguments& arguments) {
  return tell(
      fmt::format("the studies are a program of their own, and {} is not there; `./cosimo study` builds it, "
                  "as does `cmake --build BUILD --target cosimo_study`",
                  other_program().string()),
      run_failed, arguments.output.json);
}

}  // namespace cosimo::cli
