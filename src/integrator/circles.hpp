// Gershgorin's circles of a system (integrator/stiffness.hpp): how fast its fastest motion is at most.
// Members of a team share the rows; every row adds up its own entries in the same order, so the bound does
// not depend on them.
#pragma once

#include <cstdint>
#include <vector>

#include "integrator/stiffness.hpp"
#include "integrator/system.hpp"
#include "numerics/second_order.hpp"
#include "parallel/shares.hpp"

namespace cosimo {

class Circles {
 public:
  /// The system must outlive it, and have neither constraints nor first-order states.
  explicit Circles(const System& system);

  /// At a state. `team`: null, or where the system is shareable.
  SpectralBound bound(double t, const double* q, const double* v, Team* team);

 private:
  /// Of the sums of rows divided by the masses, for K and C; one of every member.
  struct alignas(64) Largest {
    double k = 0, c = 0;
  };
  void find(const double* diag, const double* edge, Range rows, double& largest) const;

  const System& system_;
  Tangent tangent_;
  /// Edges to earlier degrees of freedom: those of row i are back_[back_first_[i]] up to the next row's; a
  /// path needs no list.
  std::vector<std::int32_t> back_first_, back_;
  std::vector<Largest> largest_;
};

}  // namespace cosimo
