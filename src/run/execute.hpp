// One run from a scenario to a report. The composition root behind cosimo::run().
#pragma once

#include "config/scenario.hpp"
#include "cosimo/cosimo.hpp"
#include "run/session.hpp"

namespace cosimo {

Report execute(const config::Scenario& scenario, const RunOptions& options, const TestHooks& hooks = {});

}  // namespace cosimo
