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

SeriesFolder::SeriesFolder(std::filesystem::path path, double patience_s) : path_(std::move(path)) {
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
  if (patience_s > 0)
    lock_shared();
  else
    lock_alone();
  tidy(patience_s <= 0);
  if (patience_s > 0) leases_.emplace(path_, patience_s);
}

SeriesFolder::~SeriesFolder() {
  if (!leases_) return;
  for (const std::string& id : std::set<std::string>(leases_->held())) give_back(id);
}

void SeriesFolder::lock_alone() {
  const auto until = std::chrono::steady_clock::now() + patience;
  const auto wait = [&](const char* problem, const char* remedy) {
    if (std::chrono::steady_clock::now() > until) refuse(path_, problem, remedy);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  };
  while (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
    wait("another series is at work there",
         "wait for it, name another folder with --out, or give --share to both");
  if (const std::string machine = busy_elsewhere(path_); !machine.empty())
    refuse(path_, "a series is at work there on " + machine, "add --share, or wait for it");
  // Workers of a head that was killed.
  for (const std::string& token : names_in(path_ / "heads"))
    while (of_this_machine(token) && !surely_dead(path_, token))
      wait("processes of another series are at work there", "wait for them");
  std::error_code code;
  std::filesystem::remove_all(path_ / "heads", code);
  std::filesystem::remove_all(path_ / "leases", code);
}

void SeriesFolder::lock_shared() {
  const auto until = std::chrono::steady_clock::now() + patience;
  while (::flock(lock_.get(), LOCK_SH | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;  // a disk without locks
    if (std::chrono::steady_clock::now() > until)
      refuse(path_, "a series that does not share is at work there", "wait for it, or start it with --share");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

/// What dead holders have left: runs under way are for who comes next.
void SeriesFolder::tidy(bool alone) const {
  std::error_code code;
  for (const std::string& name : names_in(path_ / "work")) {
    const std::size_t dot = name.find('.'), plus = name.find('+');
    const std::string token = dot != name.npos ? name.substr(dot + 1) : "";
    if (token.empty() && plus == name.npos) continue;
    if (!alone && (token.empty() || !surely_dead(path_, token))) continue;
    const std::filesystem::path plain = path_ / "work" / name.substr(0, dot);
    if (plus == name.npos && !std::filesystem::exists(plain, code))
      std::filesystem::rename(path_ / "work" / name, plain, code);
    else
      drop_work(path_ / "work" / name);
  }
  for (const std::string& token : names_in(path_ / "heads"))
    if (surely_dead(path_, token)) std::filesystem::remove(path_ / "heads" / token, code);
}

void SeriesFolder::beat() {
  if (leases_) leases_->beat();
}

/// A run that was ended in order goes on where it is, with whoever comes next.
void SeriesFolder::give_back(const std::string& name) {
  if (!leases_) return;
  std::error_code code;
  if (std::filesystem::exists(work(name), code))
    std::filesystem::rename(work(name), path_ / "work" / name, code);
  leases_->give_back(name);
}

std::filesystem::path SeriesFolder::work(const std::string& id, bool copy) const {
  return path_ / "work" / ((copy ? id + "+" : id) + (leases_ ? "." + leases_->token() : ""));
}

bool SeriesFolder::inherit(const std::string& id) const {
  std::error_code code;
  if (leases_ && !std::filesystem::exists(work(id), code))
    std::filesystem::rename(path_ / "work" / id, work(id), code);
  return std::filesystem::exists(work(id), code);
}

bool SeriesFolder::has_run(const std::string& id) const {
  std::error_code code;
  return std::filesystem::is_directory(path_ / run_name(id), code);
}

bool SeriesFolder::keep_run(const std::string& id, const std::filesystem::path& work) const {
  std::error_code code;
  if (!std::filesystem::is_directory(work, code)) return false;
  std::filesystem::create_directories(path_ / "runs", code);
  std::filesystem::remove_all(path_ / run_name(id), code);
  std::filesystem::rename(work, path_ / run_name(id), code);
  if (code && shared() && has_run(id))
    drop_work(work);  // another was faster with the same
  else if (code)
    throw IoError(fmt::format("{}: cannot be renamed: {}", work.string(), code.message()));
  return true;
}

void SeriesFolder::drop_work(const std::filesystem::path& work) {
  std::error_code code;
  std::filesystem::remove_all(work, code);
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
