// From `couple:`, `control:` and the cut model to the one plan that the run follows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/scenario.hpp"
#include "model/model.hpp"
#include "network/interface.hpp"
#include "scheme/coupling_plan.hpp"

namespace cosimo {

/// `cuts`: what choose_scheme() and decompose() made of the couplings, empty where nothing is cut. Tolerances
/// that are not given follow `scale`, which must outlive the plan. Throws Error for an interface Jacobian
/// that the model does not have, and for an order of parts that does not name every part once.
/// `interface`: cuts and signals between so many subsystems.
CouplingPlan resolve_coupling(const config::Scenario& scenario, const Model& model,
                              const Interface& interface, std::size_t subsystems,
                              std::vector<CouplingPlan::Cut> cuts, const MotionScale& scale);

/// Its part for the macro step of classic cuts.
ControlOptions control_options(const config::Scenario& scenario);

// In the words of the scenario file.
std::string decomposition_name(const CouplingPlan& plan);   ///< "mixed" when the cuts differ, "none" without
std::string_view estimator_name(const CouplingPlan& plan);  ///< "fixed step" when nothing judges it

}  // namespace cosimo
