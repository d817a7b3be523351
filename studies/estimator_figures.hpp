// The figures of [K] 5.2 for one of the models M1 to M3: motion, coupling force, estimated beside real errors
// with fixed and with controlled steps, macro steps, errors and numbers of steps over the tolerance.
#pragma once

#include "studies/estimator_runs.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

void show_estimators(Finding& finding, const ModelRuns& runs);

}  // namespace cosimo::studies
