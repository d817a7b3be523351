// The explicit scheme (Section 2.4.1): predict, advance once, update.
#pragma once

#include "scheme/classic.hpp"

namespace cosimo {

class ExplicitScheme final : public ClassicScheme {
 public:
  ExplicitScheme(LaneSet& lanes, const CouplingConditions& conditions, double t_start,
                 const ClassicOptions& options)
      : ClassicScheme(lanes, conditions, t_start, options) {}

 protected:
  bool solve(Candidate& candidate) override {
    if (!sweep(candidate, true, 0.0)) return false;
    update(y_, u_);  // (2.25)
    return true;
  }
};

}  // namespace cosimo
