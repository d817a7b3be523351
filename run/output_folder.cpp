#include "run/output_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.hpp"

namespace cosimo {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& folder, std::string problem, std::string remedy) {
  throw Error(Fault{"", 0, 0, "--out", folder.string(), std::move(problem), std::move(remedy)});
}

}  // namespace

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::path part = file;
  part += ".part";
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  std::error_code code;
  if (out) std::filesystem::rename(part, file, code);
  if (out && !code) return;
  std::filesystem::remove(part, code);
  throw IoError(fmt::format("{}: cannot be written; check free space and permissions", file.string()));
}

OutputFolder::OutputFolder(const std::filesystem::path& folder) : folder_(folder) {
  if (folder.empty()) return;
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  if (code)
    refuse(folder, "the output folder cannot be made: " + code.message(),
           "name a folder that can be written");
  lock_ = open((folder / ".lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (lock_ < 0)
    refuse(folder, std::string("the output folder cannot be written: ") + std::strerror(errno),
           "name a folder that can be written");
  if (flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    close(lock_);
    refuse(folder, "another run is writing there", "wait for it, or name another folder with --out");
  }
}

void OutputFolder::clear(bool goes_on) {
  if (folder_.empty()) return;
  std::error_code code;
  const std::filesystem::path& folder = folder_;
  for (const char* old :
       {"summary.json", "results.csv", "overview.svg", "timing.h5", "trace.json", "report.html"})
    std::filesystem::remove(folder / old, code);
  if (!goes_on) std::filesystem::remove_all(folder / "vtk", code);
  std::vector<std::filesystem::path> tables;
  for (const auto& entry : std::filesystem::directory_iterator(folder, code)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("results_") && name.ends_with(".csv")) tables.push_back(entry.path());
  }
  for (const auto& table : tables) std::filesystem::remove(table, code);
}

OutputFolder::~OutputFolder() {
  if (lock_ >= 0) close(lock_);
}

}  // namespace cosimo
