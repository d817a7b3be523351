// Reading /steps: private to record/.
#pragma once

#include <vector>

#include "record/hdf5_handles.hpp"
#include "record/recorder.hpp"

namespace cosimo {

/// The rows that all datasets of /steps have; what older files lack keeps its default. Throws Hdf5Failure.
std::vector<StepRow> read_steps(hid_t file);

}  // namespace cosimo
