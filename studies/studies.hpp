// Every study there is: a function each, in a file of its name. all_studies.cpp lists them.
#pragma once

#include "studies/study.hpp"

namespace cosimo::studies {

Study convergence();
Study predictors();
Study estimators();
Study safety();
Study tolerances();
Study asymmetry();
Study subsystems();
Study scaling_order();
Study impulses();
Study micro_steps();
Study interface_jacobian();
Study feedthrough();
Study stability_maps();  ///< "stability"
Study n_pendulum();
Study network();
Study paper_2017();

}  // namespace cosimo::studies
