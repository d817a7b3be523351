// From one pilot run to the whole run on 1 to 1000 cores: wall time with a range, where it goes, and memory.
//
// Wall time. Up to the cores of this machine threads are counted, beyond them ranks of one thread each. The
// pilot's macro steps are replayed on them (PilotTimes) and continued to the end of the run. An uncut model
// is shared by a team: of its time the share that was measured on all cores of this machine is divided by the
// threads; ranks cannot share it.
//
// Range. value / f .. value * f with
//
//   f = 1 + 0.05 + spread + (0.05 on several threads | 0.15 on ranks) + unseen (0.1 + |drift| + 0.5 if edges)
//
// where `unseen` is the share of the run that the pilot did not see, `spread` lies between repeated pilot
// runs, `drift` is how much the cost per simulated time changed over the pilot, and `edges` says that loads
// set in or let go later. On ranks it also holds the times with messages as fast as inside this machine, and
// three times slower than said.
//
// Memory of the rank that needs most:
//
//   program + model (a chain's ranks hold their share of it) + share (held - model)
//   + recording: two numbers per column in the rows of a block (131072 numbers, at least 4 rows) in 2.5
//     copies, and two numbers per macro step and subsystem, of at most 2000 steps
//
// `held` is the most that the pilot run added to this process: model, subsystems, lanes, snapshots and what
// building them took. share = ceil(n/R)/n.
#pragma once

#include <cstddef>
#include <vector>

#include "cosimo/plan.hpp"
#include "planning/plan_pilot.hpp"

namespace cosimo {

/// What predictions of all pilot runs have in common.
struct Outlook {
  double end = 0;           ///< of the run
  double uncut_wall_s = 0;  ///< on one core; 0: not known
  std::size_t machine_cores = 1;
  MessageCosts messages;
  double program_bytes = 0, model_bytes = 0;
  bool windowed = false;  ///< ranks hold their share of the model only
  double columns = 0;     ///< that are recorded
  double rows = 0;        ///< output times; 0: every macro point
};

Confidence judge(const Pilot& pilot, const Stretch& stretch, double end);

std::vector<Prediction> predict(const Pilot& pilot, const Stretch& stretch, const Confidence& confidence,
                                const Outlook& outlook);

/// The share of a run that so many members of a team divide, by how much faster they are than one thread
/// (Amdahl); 0 where they are not.
double shared_by_team(double speedup, std::size_t members);

/// Work of one core while `cores` of this machine work.
double slowdown_on(const Outlook& outlook, std::size_t cores);

/// Of the whole run, from what was seen over the stretch: it may stay, or grow with time.
Estimate error_to_end(double seen, double growth, double until, double end);

/// On the most cores of this machine.
const Prediction& prediction_on(const SchemeTrial& trial, std::int64_t cores);

}  // namespace cosimo
