// Seconds on a clock that only goes forward, for the accounting of time; no number of a run depends on it.
#pragma once

#include <chrono>

namespace cosimo {

inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace cosimo
