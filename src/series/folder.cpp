#include "series/folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>

#include "core/error.hpp"
#include "simulation/output_folder.hpp"

namespace cosimo::series {

namespace {

/// Workers of a head that was killed end with it, but not in the same moment.
constexpr std::chrono::seconds patience{5};

[[noreturn]] void refuse(const std::filesystem::path& folder, std::string problem, std::string remedy) {
  throw Error(Fault{.field = "--out",
                    .value = folder.string(),
                    .problem = std::move(problem),
                    .remedy = std::move(remedy)});
}

}  // namespace

SeriesFolder::SeriesFolder(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code code;
  if (std::filesystem::exists(path_, code) && !std::filesystem::is_directory(path_, code))
    refuse(path_, "is a file, not a folder", "name a folder");
  const bool empty = !std::filesystem::exists(path_, code) || std::filesystem::is_empty(path_, code);
  if (!empty && !std::filesystem::exists(path_ / "journal", code) &&
      !std::filesystem::exists(path_ / ".lock", code))
    refuse(path_, "holds something that is no series", "name another folder with --out");
  if (std::filesystem::exists(path_ / "results.h5", code))
    refuse(path_, "holds the results of a run", "name another folder with --out");
  std::filesystem::create_directories(path_ / "journal", code);
  const std::filesystem::path file = path_ / ".lock";
  lock_ = FileDescriptor(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666));
  if (!lock_)
    refuse(path_, std::string("the folder cannot be written: ") + std::strerror(errno),
           "name a folder that can be written");
  const auto until = std::chrono::steady_clock::now() + patience;
  while (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
    if (std::chrono::steady_clock::now() > until)
      refuse(path_, "another series is at work there", "wait for it, or name another folder with --out");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

bool SeriesFolder::has_run(const std::string& id) const {
  std::error_code code;
  return std::filesystem::is_directory(path_ / run_name(id), code);
}

bool SeriesFolder::keep_run(const std::string& id) const {
  std::error_code code;
  if (!std::filesystem::is_directory(work(id), code)) return false;
  std::filesystem::create_directories(path_ / "runs", code);
  std::filesystem::remove_all(path_ / run_name(id), code);
  std::filesystem::rename(work(id), path_ / run_name(id), code);
  if (code) throw IoError(fmt::format("{}: cannot be renamed: {}", work(id).string(), code.message()));
  return true;
}

void SeriesFolder::drop_work(const std::string& id) const {
  std::error_code code;
  std::filesystem::remove_all(work(id), code);
}

std::string SeriesFolder::write_log(const std::string& id, const std::string& text) const {
  if (text.empty()) return "";
  std::error_code code;
  std::filesystem::create_directories(path_ / "logs", code);
  const std::string name = "logs/" + id + ".log";
  write_text(path_ / name, text);
  return name;
}

}  // namespace cosimo::series
