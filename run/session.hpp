// The moving parts of one run, wired together from a scenario and its assembly: pool, lanes,
// scheme, local reference, and the options of the time loop.
#pragma once

#include <memory>
#include <optional>

#include "config/scenario.hpp"
#include "parallel/pool.hpp"
#include "run/assembly.hpp"
#include "run/local_reference.hpp"
#include "run/time_loop.hpp"
#include "scheme/explicit.hpp"
#include "scheme/lanes.hpp"

namespace cosimo {

struct TestHooks {
  int rollback_every = 0;  ///< see LoopOptions
};

struct Session {
  Estimator estimator = Estimator::none;
  LoopOptions loop;
  Pool pool;
  std::unique_ptr<LaneSet> lanes;
  std::unique_ptr<ExplicitScheme> scheme;
  std::optional<LocalReference> local;

  /// `threads`: at most that many; never more than there are tasks. `assembly` must outlive the session.
  Session(const config::Scenario& scenario, const Assembly& assembly, int threads,
          const TestHooks& hooks = {});
};

}  // namespace cosimo
