// The cores that this process may use.
#pragma once

#include <sched.h>

#include <algorithm>
#include <thread>

namespace cosimo {

/// Those of the calling thread's mask, at least one. std::thread::hardware_concurrency() counts the
/// machine's.
inline int available_cores() {
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof(mask), &mask) == 0) return std::max(CPU_COUNT(&mask), 1);
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

}  // namespace cosimo
