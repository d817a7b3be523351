// The moving parts of one run, wired together from a scenario and its assembly: pool, lanes,
// scheme, local reference, and the options of the time loop.
#pragma once

#include <memory>
#include <optional>

#include "config/scenario.hpp"
#include "network/overlapping.hpp"
#include "parallel/pool.hpp"
#include "scheme/classic.hpp"
#include "scheme/classic_control.hpp"
#include "scheme/lanes.hpp"
#include "scheme/overlap_control.hpp"
#include "simulation/assembly.hpp"
#include "simulation/local_reference.hpp"
#include "simulation/time_loop.hpp"

namespace cosimo {

struct TestHooks {
  int rollback_every = 0;        ///< see LoopOptions
  Exchange* exchange = nullptr;  ///< ranks that are threads of this process
  Wiring wiring{};               ///< components of kinds that no scenario names
  bool crowd = false;            ///< teams may be larger than the machine (Team::hire)
};

struct Session {
  LoopOptions loop;
  Pool pool;
  std::unique_ptr<Overlapping> overlapping;  ///< with overlaps; lanes meet in its states
  std::unique_ptr<LaneSet> lanes;
  std::unique_ptr<Scheme> scheme;
  ClassicScheme* classic = nullptr;  ///< the same, where there are no overlaps
  std::unique_ptr<MacroControl> control;
  std::optional<LocalReference> local;

  /// `threads`: at most that many; never more than there are tasks. `assembly` must outlive the session.
  Session(const config::Scenario& scenario, const Assembly& assembly, int threads,
          const TestHooks& hooks = {});

 private:
  void couple_classic(const Assembly& assembly);
  std::unique_ptr<ClassicScheme> make_classic(const Assembly& assembly);
  bool follow_inputs(const Assembly& assembly);
  void couple_by_overlap(const Assembly& assembly);
};

}  // namespace cosimo
