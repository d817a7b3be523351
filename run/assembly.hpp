// Everything a run is made of, built from a scenario once and then left alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "coupling/conditions.hpp"
#include "coupling/force_laws.hpp"
#include "model/model.hpp"
#include "model/part.hpp"
#include "partition/surroundings.hpp"
#include "record/recorder.hpp"
#include "scheme/lanes.hpp"
#include "scheme/overlap.hpp"
#include "subsystem/subsystem.hpp"

namespace cosimo {

struct Assembly {
  Model model;
  Partition partition;
  std::vector<std::unique_ptr<Subsystem>> subsystems;
  std::vector<Recorded> recorded;          ///< per subsystem
  std::vector<std::int32_t> part_of_body;  ///< subsystem of each body
  /// Coordinates that the time loop collects at output times: those of the recorded bodies; in a mechanism
  /// all, as energies and reactions need them.
  std::vector<std::size_t> collected;
  std::unique_ptr<ForceLaws> laws;
  std::unique_ptr<CouplingConditions> conditions;  ///< of classic cuts
  std::vector<int> stages;                         ///< Gauss-Seidel: of every subsystem; empty: Jacobi
  struct Overlap {
    Surroundings surroundings;
    std::vector<std::int32_t> part_of;  ///< per body
    std::vector<double> breakpoints;    ///< of all loads
    std::vector<Carrier> carriers;      ///< per coupling
  };
  std::unique_ptr<Overlap> overlap;  ///< only when subsystems carry copies
  ResultsLayout layout;              ///< `bodies` are the recorded ones, each once
  bool vtk = false;                  ///< the motion is also written for ParaView
  std::vector<std::string> choices;  ///< what `auto` decided before the start, in words
};

/// Throws Error when the sections of the scenario do not fit each other.
/// `interrupt` reaches every integrator.
std::unique_ptr<Assembly> assemble(const config::Scenario& scenario,
                                   const std::atomic<bool>* interrupt = nullptr);

/// H of the first controlled macro step: a small part of the fastest time scale at the cuts.
double automatic_first_step(const Assembly& assembly, double rtol, double end);

}  // namespace cosimo
