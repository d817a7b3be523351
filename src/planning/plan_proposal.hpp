// Where `cosimo plan` proposes to cut a scenario's model: found by the method `auto`, whatever method the
// file names, with its number of parts and its fixed, forbidden and added cuts. Depends on the scenario
// alone; nothing is measured here.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "cosimo/plan.hpp"
#include "model/graphs.hpp"
#include "partition/cut_cost.hpp"
#include "partition/explain.hpp"

namespace cosimo {

struct Proposal {
  std::unique_ptr<const Model> model;
  std::unique_ptr<const BodyGraph> graph;  ///< of the model
  Partition partition;                     ///< as the new scenario makes it
  CutCosts costs;
  Explanation why;
  config::Scenario scenario;  ///< the given one with the proposed cuts, named by hand
  config::Scenario uncut;     ///< and without any; records the same bodies
  std::string setting;        ///< "partition=..." that makes the first of the given one
  double model_bytes = 0;     ///< that the model takes
  std::vector<std::string> remarks;
};

/// `parts`: another number of parts than the file's; 0: that. Throws Error for settings that do not fit the
/// model.
Proposal propose(const config::Scenario& scenario, std::int64_t parts = 0);

/// The file says nothing about the number of parts.
bool parts_are_open(const config::Scenario& scenario);

std::string describe_model(const Proposal& proposal);
std::vector<PlannedPart> planned_parts(const Proposal& proposal);
std::vector<PlannedCut> planned_cuts(const Proposal& proposal);

/// plan.svg: the graph of the bodies, coloured by part.
std::string plan_picture(const Proposal& proposal);

}  // namespace cosimo
