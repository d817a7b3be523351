// Figures and table of the study `subsystems`.
#pragma once

#include <vector>

#include "studies/study.hpp"
#include "studies/subsystems_trials.hpp"

namespace cosimo::studies {

std::vector<Figure> subsystems_figures(const SubsystemsTrials& trials);
Table subsystems_table(const SubsystemsTrials& trials);

}  // namespace cosimo::studies
