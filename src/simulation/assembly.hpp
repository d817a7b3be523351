// Everything a run is made of, built from a scenario once and then left alone.
//
// Where several ranks share a run, each assembles the same partition and placement, and of the moving parts
// its own ones only: `subsystems`, `recorded`, `laws` and `conditions` are those of this rank
// (scheme/seam.hpp tells how they are numbered), `partition` and `layout` those of the whole. Of a chain that
// is cut into stretches a rank builds its own bodies and some around them (multibody/window.hpp): then the
// parts of other ranks have a size but list no bodies, and `model` and `graph` are what the window has
// reached. What a run changes belongs to objects of their own, beside it: `window` and `scale`.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "core/lazy_array.hpp"
#include "coupling/conditions.hpp"
#include "mechanics/start_shifts.hpp"
#include "model/cut_laws.hpp"
#include "model/model.hpp"
#include "multibody/derived_outputs.hpp"
#include "multibody/window.hpp"
#include "network/component.hpp"
#include "numerics/tolerances.hpp"
#include "parallel/team.hpp"
#include "partition/body_graph.hpp"
#include "partition/part.hpp"
#include "results/recorder.hpp"
#include "scheme/coupling_plan.hpp"
#include "scheme/lanes.hpp"
#include "scheme/overlap.hpp"
#include "scheme/seam.hpp"
#include "simulation/selection.hpp"
#include "simulation/wiring.hpp"

namespace cosimo {

struct Assembly {
  std::shared_ptr<ChainWindow> window;  ///< null: every rank has the whole model
  std::shared_ptr<const Model> model;
  std::shared_ptr<const BodyGraph> graph;  ///< of the model
  StartShifts shifts;                      ///< of the initial state, onto the joints
  Partition partition;
  CouplingPlan plan;
  Placement placement;             ///< rank of every part
  std::vector<double> costs;       ///< expected ones of all components; empty where there is one
  LocalView local;                 ///< parts and couplings as this rank numbers them
  std::unique_ptr<Exchange> none;  ///< of a run of its own
  Exchange* exchange = nullptr;    ///< to the other ranks
  std::unique_ptr<Seam> seam = std::make_unique<Seam>();
  MotionScale scale_at_start;
  /// Read by everything that has tolerances; a Session begins with that of the start, and its time loop
  /// raises it between macro steps.
  std::unique_ptr<MotionScale> scale = std::make_unique<MotionScale>();
  /// Per subsystem the threads that share its steps; empty where several lanes of one run at the same time. A
  /// Session hires as many as there are to use.
  std::vector<std::unique_ptr<Team>> teams;
  Interface interface;               ///< all couplings: the cuts of `partition`, then the signals
  std::vector<std::string> signals;  ///< what each is called
  Wiring wiring;                     ///< components beside the model, numbered after the parts
  std::vector<std::unique_ptr<Component>> subsystems;
  std::vector<Recorded> recorded;  ///< per subsystem; columns are places in `own_columns`
  /// Component of each body, by global number; with a window of the bodies in `layout` only.
  LazyArray<std::int32_t> part_of_body;
  /// Coordinates that the time loop collects at output times: those of the recorded bodies; in a mechanism
  /// all, as energies and reactions need them, behind them what elements remember, and the forces of signals.
  Selection collected;
  /// Where that stands among what all elements remember (Mechanism::memory_offsets(), first all z, then all
  /// s).
  std::vector<std::size_t> remembered;
  /// Outputs of components that are recorded, each once, behind which coupling variable they are.
  struct Output {
    std::string name;
    std::size_t variable = 0;
    bool held = false;
  };
  std::vector<Output> outputs;
  std::vector<Push> pushes;              ///< of these signals, in the order of the couplings
  std::vector<std::size_t> own_columns;  ///< places in `collected` that this rank fills, ascending
  std::shared_ptr<const Laws> laws;
  std::unique_ptr<CouplingConditions> conditions;  ///< of classic cuts
  std::vector<double> breakpoints;                 ///< of all loads of a scalar model
  struct Overlap {
    std::vector<std::int32_t> numbers;  ///< of the part of every body; empty: the window has them
    std::vector<Carrier> carriers;      ///< per coupling of this rank
  };
  std::unique_ptr<Overlap> overlap;  ///< only when subsystems carry copies
  /// `bodies` are the recorded ones, each once; with a window and all recorded, on rank 0 only, as is the
  /// hash.
  ResultsLayout layout;
  bool vtk = false;                  ///< the motion is also written for ParaView
  std::vector<std::string> choices;  ///< what `auto` decided before the start, in words

  /// Something is coupled.
  bool cut() const { return plan.cut(); }
  /// Subsystems of the whole: parts of the model, and components beside it.
  std::size_t components() const { return partition.parts.size() + wiring.components.size(); }
  /// Members of teams that have worked, without the threads that lead them.
  int helpers() const {
    int count = 0;
    for (const auto& team : teams) count += team->largest() - 1;
    return count;
  }
  /// All of them can be part of a checkpoint.
  bool archives() const {
    return std::all_of(wiring.components.begin(), wiring.components.end(),
                       [](const auto& spec) { return spec->capabilities().archives; });
  }
};

/// Throws Error when the sections of the scenario do not fit each other.
/// `interrupt` reaches every integrator. With an exchange the call is collective; what the building of its
/// own bodies tells one rank is wrong, all ranks throw. An Error of the subsystems may come on one rank
/// alone, when all messages are done: call it in together() (simulation/together.hpp).
/// `wiring`: what is there besides what the scenario names.
std::unique_ptr<const Assembly> assemble(const config::Scenario& scenario,
                                         const std::atomic<bool>* interrupt = nullptr,
                                         Exchange* exchange = nullptr, const Wiring& wiring = {});

/// H of the first controlled macro step: a small part of the fastest time scale at the cuts. Collective.
double automatic_first_step(const Assembly& assembly, double rtol, double end);

}  // namespace cosimo
