// Why a partition is as it is, in words and numbers for a person: what every part holds and costs, and what
// speaks for and against every cut (cut_cost.hpp).
//
//   CutCosts costs = measure_cuts(model);
//   Explanation why = explain(model, partition, costs);
//   why.cuts[i].reason   "soft: 12x below its stiffest neighbour; equal masses; no load nearby"
#pragma once

#include <span>
#include <string>
#include <vector>

#include "partition/body_graph.hpp"
#include "partition/cut_cost.hpp"
#include "partition/part.hpp"

namespace cosimo {

struct PartFacts {
  std::size_t bodies = 0;
  double freedoms = 0;
  double rate = 0;   ///< of its fastest body, 1/time
  double steps = 0;  ///< expected micro steps, relative to the bulk of the model
  double share = 0;  ///< of the expected cost of all parts; they sum to 1
  std::size_t cuts = 0;
};

struct CutReason {
  ElementId element;
  CutCost cost;
  double neighbours = 0;  ///< rate of the stiffest element beside it, over its own; 0: there is none
  std::string reason;
};

struct Explanation {
  std::vector<PartFacts> parts;
  std::vector<CutReason> cuts;  ///< in the order of the couplings
  double largest_share = 0;     ///< times the number of parts: 1 is perfect balance
};

/// `named`: elements (ascending) that a user had cut; their reason says so first.
Explanation explain(const BodyGraph& model, const Partition& partition, const CutCosts& costs,
                    std::span<const ElementId> named = {});

}  // namespace cosimo
