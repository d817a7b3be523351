// What `couple: {scheme: auto}` does: overlap where it pays, classic cuts where a part is given an implicit
// method, otherwise no cut at all. Models given element by element that overlaps do not suit are cut
// nevertheless, by forces: their cuts are few and chosen where they cost little. Decided from the model, its
// initial state and the tolerances alone, never from the machine, so that a scenario gives the same numbers
// everywhere. (Settings that only classic cuts have were resolved when the file was read.)
#pragma once

#include <string>

#include "config/scenario.hpp"
#include "model/model.hpp"
#include "partition/body_graph.hpp"
#include "partition/part.hpp"

namespace cosimo {

struct SchemeChoice {
  enum class Kind { overlap, classic, uncut } kind = Kind::classic;
  std::string reason;   ///< one line for the summary
  double overhead = 1;  ///< work of all subsystems with their copies over that of the uncut model, expected
};

SchemeChoice choose_scheme(const config::Scenario& scenario, const Model& model, const BodyGraph& graph,
                           const Partition& partition);

/// Whether `method: auto` needs an implicit method at hand in a run with overlaps: where there are contacts
/// or loads given by formulas, or where damping is strong at the initial state. Otherwise trials of
/// one would only disturb the common steps. Judges the bodies that the parts list: on ranks that list but
/// their own it is so when any rank says so.
bool may_be_stiff(const Model& model, const BodyGraph& graph, const Partition& partition);

/// Layers that overlaps of this scenario are likely to need.
double expected_layers(const config::Scenario& scenario, const Model& model, const BodyGraph& graph,
                       const Partition& partition);

}  // namespace cosimo
