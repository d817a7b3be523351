// Reading /steps: private to results/.
#pragma once

#include <vector>

#include "results/hdf5_handles.hpp"
#include "results/recorder.hpp"

namespace cosimo {

/// The rows that all datasets of /steps have; what older files lack keeps its default. Throws Hdf5Failure.
std::vector<StepRow> read_steps(hid_t file);

}  // namespace cosimo
