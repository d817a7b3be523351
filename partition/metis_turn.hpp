// METIS draws its random numbers from one stream for the whole process, which every call starts anew from its
// seed. Calls on several threads (ranks of a test, runs of a library user) would draw from each other's: they
// take turns.
//
//   const auto turn = metis_turn();
//   METIS_PartGraphKway(...);
#pragma once

#include <mutex>

namespace cosimo {

inline std::unique_lock<std::mutex> metis_turn() {
  static std::mutex mutex;
  return std::unique_lock(mutex);
}

}  // namespace cosimo
