#include "series/machine.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string_view>

namespace cosimo::series {

namespace {

/// The number behind "Name:" in a file of such lines, which count in kB; negative: it is not there.
double kilobytes(const std::string& file, std::string_view name) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(name)) return std::strtod(line.c_str() + name.size(), nullptr);
  return -1;
}

/// MB that a group of processes may still use (cgroup v2, v1); infinite without one.
double group_memory_mb() {
  const auto number = [](const char* file) {
    std::ifstream in(file);
    double value = -1;
    in >> value;  // "max" is no number
    return in ? value : -1;
  };
  double least = std::numeric_limits<double>::infinity();
  const auto limit = [&](double most, double used) {
    if (most > 0 && used >= 0 && most < 1e15) least = std::min(least, std::max(most - used, 0.0) / (1 << 20));
  };
  limit(number("/sys/fs/cgroup/memory.max"), number("/sys/fs/cgroup/memory.current"));
  limit(number("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
        number("/sys/fs/cgroup/memory/memory.usage_in_bytes"));
  return least;
}

}  // namespace

std::string machine_name() {
  char name[256] = "";
  if (gethostname(name, sizeof name - 1) != 0) return "unknown";
  return name;
}

std::string cpu_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) {
      const std::size_t colon = line.find(": ");
      return colon != line.npos ? line.substr(colon + 2) : line;
    }
  return "unknown";
}

double memory_mb(pid_t process) {
  return std::max(kilobytes(fmt::format("/proc/{}/status", process), "VmRSS:"), 0.0) / 1024;
}

double peak_memory_mb() {
  return std::max(kilobytes("/proc/self/status", "VmHWM:"), 0.0) / 1024;
}

void mark_memory() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

double available_memory_mb() {
  const double machine = kilobytes("/proc/meminfo", "MemAvailable:") / 1024;
  return std::min(machine >= 0 ? machine : std::numeric_limits<double>::infinity(), group_memory_mb());
}

}  // namespace cosimo::series
