// Opaque memory of whatever can go back to where it was: solvers, lanes.
//
//   auto memory = lane->make_snapshot();
//   lane->save(*memory);  ...  lane->restore(*memory);
//
// It is filled and read by the class that made it (core/checked_cast.hpp).
#pragma once

namespace cosimo {

/// Reused by repeated save() calls without allocation in the steady state.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
};

}  // namespace cosimo
