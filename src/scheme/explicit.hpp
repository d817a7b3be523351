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
  bool solve(Candidate& candidate) override { return sweep(candidate, true, 0.0) && settle(candidate); }
};

}  // namespace cosimo
