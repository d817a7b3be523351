#include "series/leases.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "series/machine.hpp"

namespace cosimo::series {

namespace {

namespace fs = std::filesystem;
constexpr std::chrono::duration<double> slowest_beat{2};

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What tells machines apart, also those of one name. Containers of one machine share it, and its locks.
std::string machine_id() {
  const std::string boot = text_of("/proc/sys/kernel/random/boot_id");
  return boot.substr(0, 8);
}

std::string new_token() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return fmt::format("{}~{}~{}-{:x}", machine_name(), machine_id(), ::getpid(),
                     std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

std::string holder_of(const fs::path& lease) {
  std::error_code code;
  return fs::read_symlink(lease, code).string();
}

}  // namespace

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    names.push_back(entry.path().filename().string());
  return names;
}

bool of_this_machine(const std::string& token) {
  return token.find("~" + machine_id() + "~") != token.npos;
}

Leases::Leases(fs::path folder, double patience_s)
    : heads_(folder / "heads"), leases_(folder / "leases"), patience_(patience_s), token_(new_token()) {
  std::error_code code;
  fs::create_directories(heads_, code);
  fs::create_directories(leases_, code);
  const fs::path file = heads_ / token_;
  file_ = FileDescriptor(::open(file.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0666));
  if (!file_) throw IoError(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
  ::flock(file_.get(), LOCK_EX | LOCK_NB);  // where there are no locks, counters tell
  beat();
}

Leases::~Leases() {
  for (const std::string& name : std::set<std::string>(held_)) give_back(name);
  std::error_code code;
  fs::remove(heads_ / token_, code);
}

bool Leases::take(const std::string& name) {
  if (held_.contains(name)) return true;
  if (grasp(name)) return true;
  const fs::path lease = leases_ / name;
  const std::string holder = holder_of(lease);
  if (holder.empty()) return grasp(name);  // given back in this moment
  if (!dead(holder)) return false;
  // One takes over at a time, or what a faster one has just made would be taken from it.
  const FileDescriptor heir(::open((leases_ / ".heir").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666));
  if (heir && ::flock(heir.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  if (holder_of(lease) != holder) return false;
  std::error_code code;
  fs::remove(lease, code);
  return grasp(name);
}

/// Where nobody has it.
bool Leases::grasp(const std::string& name) {
  if (::symlink(token_.c_str(), (leases_ / name).c_str()) != 0) {
    if (errno == EEXIST) return false;
    throw IoError(fmt::format("{}: cannot be written: {}", (leases_ / name).string(), std::strerror(errno)));
  }
  held_.insert(name);
  return true;
}

void Leases::give_back(const std::string& name) {
  held_.erase(name);
  std::error_code code;
  if (holder_of(leases_ / name) == token_) fs::remove(leases_ / name, code);
}

bool Leases::taken(const std::string& name) {
  const std::string holder = holder_of(leases_ / name);
  return !holder.empty() && holder != token_ && !dead(holder);
}

bool Leases::dead(const std::string& holder) {
  if (surely_dead(heads_.parent_path(), holder)) return true;
  const auto now = std::chrono::steady_clock::now();
  std::string counter = text_of(heads_ / holder);
  const auto [at, fresh] = seen_.try_emplace(holder, counter, now);
  if (fresh) return false;
  if (at->second.counter != counter) at->second = {std::move(counter), now};
  return now - at->second.since > patience_;
}

void Leases::beat() {
  const auto now = std::chrono::steady_clock::now();
  if (count_ > 0 && now - beaten_ < std::min(slowest_beat, patience_ / 5)) return;
  beaten_ = now;
  const std::string counter = fmt::format("{:016x}\n", ++count_);
  if (::pwrite(file_.get(), counter.data(), counter.size(), 0) < 0)
    throw IoError(fmt::format("{}: cannot be written: {}", (heads_ / token_).string(), std::strerror(errno)));
}

bool surely_dead(const fs::path& folder, const std::string& token) {
  if (!of_this_machine(token)) return false;
  const FileDescriptor file(::open((folder / "heads" / token).c_str(), O_RDWR | O_CLOEXEC));
  if (!file) return errno == ENOENT;
  return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

std::string busy_elsewhere(const fs::path& folder) {
  std::map<std::string, std::string> counters;
  for (const std::string& token : names_in(folder / "heads"))
    if (!of_this_machine(token)) counters[token] = text_of(folder / "heads" / token);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(6);
  while (!counters.empty() && std::chrono::steady_clock::now() < until) {
    for (const auto& [token, counter] : counters)
      if (const std::string now = text_of(folder / "heads" / token); !now.empty() && now != counter)
        return token.substr(0, token.find('~'));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return "";
}

}  // namespace cosimo::series
