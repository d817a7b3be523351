// The state that a model with bodies begins in: as the file gives it, onto the joints, and to rest on the
// springs where that is wanted.
#pragma once

#include <string>
#include <vector>

#include "config/scenario.hpp"
#include "mechanics/start_shifts.hpp"
#include "model/model.hpp"

namespace cosimo {

/// Brings the initial state of `model` onto its joints as `scenario.start` says, and tells by how much it was
/// moved for that; shifts that come from rounding are left out. Throws Error, with file and line, where the
/// joints cannot be closed, or only by a shift that nobody has asked for.
StartShifts find_start(const config::Scenario& scenario, Model& model);

struct NamedShift {
  std::string quantity;  ///< position | orientation | velocity | angular_velocity
  std::string body;
  double amount = 0;
};
/// One entry for each kind of shift that there is.
std::vector<NamedShift> named_shifts(const StartShifts& shifts, const Model& model);
/// One sentence; empty where nothing was moved.
std::string describe(const StartShifts& shifts, const Model& model);

}  // namespace cosimo
