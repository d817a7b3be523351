// Figures and tables of the study `micro-steps`.
#pragma once

#include "studies/micro_steps_trials.hpp"
#include "studies/study.hpp"

namespace cosimo::studies {

std::vector<Figure> micro_steps_figures(const MicroStepsTrials& trials);
std::vector<Table> micro_steps_tables(const MicroStepsTrials& trials);

}  // namespace cosimo::studies
