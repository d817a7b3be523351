// One run from a scenario to a report. The composition root behind cosimo::run().
#pragma once

#include "config/scenario.hpp"
#include "cosimo/cosimo.hpp"
#include "run/output_folder.hpp"
#include "run/session.hpp"

namespace cosimo {

/// What a run wants of its folder.
Claim claim_of(const config::Scenario& scenario, const ResultsLayout& layout, const RunOptions& options);

Report execute(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks = {});

}  // namespace cosimo
