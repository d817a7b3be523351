#include "planning/plan_watch.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace cosimo {

namespace {

constexpr double writing_results = 4e6;

double pages_in_memory() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  return file >> all >> resident ? resident * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
}

/// VmHWM of /proc/self/status.
double peak_bytes() {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;)
    if (double kib = 0; word == "VmHWM:" && file >> kib) return 1024 * kib;
  return 0;
}

}  // namespace

double resident_bytes() {
  malloc_trim(0);
  return pages_in_memory();
}

double program_bytes() {
  const auto heap = mallinfo2();
  return std::max(0.0,
                  resident_bytes() - static_cast<double>(heap.uordblks) - static_cast<double>(heap.hblkhd)) +
         writing_results;
}

PeakMemory::PeakMemory() : before_(resident_bytes()) {
  std::ofstream file("/proc/self/clear_refs");
  exact_ = static_cast<bool>(file << "5" << std::flush);
}

double PeakMemory::bytes() const {
  const double now = exact_ ? std::max(peak_bytes(), pages_in_memory()) : pages_in_memory();
  return std::max(0.0, now - before_);
}

}  // namespace cosimo
