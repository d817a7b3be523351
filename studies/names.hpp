// The names of all studies, for programs without them: shells complete them, and the command that starts them
// knows what was meant. The test StudyNames holds them against the studies.
#pragma once

#include <array>
#include <string_view>

namespace cosimo::studies {

inline constexpr std::array<std::string_view, 16> study_names{
    "convergence", "predictors",    "estimators", "safety",      "tolerances",         "asymmetry",
    "subsystems",  "scaling-order", "impulses",   "micro-steps", "interface-jacobian", "feedthrough",
    "stability",   "n-pendulum",    "network",    "paper-2017"};

}  // namespace cosimo::studies
