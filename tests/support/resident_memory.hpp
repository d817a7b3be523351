// How much memory the process takes: what tests of lazily filled arrays look at.
//
//   const std::size_t before = resident_bytes();
//   ...
//   EXPECT_LT(resident_bytes(), before + limit);
#pragma once

#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace cosimo {

/// Pages of this process that are in memory now, in bytes. Always 0 where that tells nothing: without /proc,
/// and under the thread sanitizer, which keeps notes about every access.
inline std::size_t resident_bytes() {
#ifdef __SANITIZE_THREAD__
  return 0;
#else
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
#endif
}

}  // namespace cosimo
