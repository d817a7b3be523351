// How the estimators react when mass 1 of M3 strikes the wall ([K] 5.2, last part).
#pragma once

#include <vector>

#include "studies/estimator_runs.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

/// One contact in a run with controlled steps.
struct ContactReaction {
  double t = 0;            ///< of the contact
  bool in_step = false;    ///< an attempt that reached beyond the contact was rejected
  bool one_later = false;  ///< the step across the contact was accepted at once, the next attempt rejected
  double reduction = 1;    ///< macro step before the contact over the smallest one at it
};

/// At all contacts of the run but those in the start phase.
std::vector<ContactReaction> contact_reactions(const ControlledCourse& course);

/// The statements about M3.
void judge_contacts(Finding& finding, const ModelRuns& m);

}  // namespace cosimo::studies
