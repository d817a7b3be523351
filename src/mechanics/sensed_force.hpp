// Forces that users write as formulas of what sensors tell, of coordinates and of their own variables: laws
// over all bodies that they act on or look at (mechanics/force_group.hpp).
//
//   effort  E(frames of both markers, numbers)    as of `applied` or `law`, whose variables come first
//   dE      by the markers, held numbers + (by the numbers) (numbers by all frames,
//   mechanics/sensed_numbers.hpp)
//
// Elements depend on their two ends alone, so such a law is none: its bodies stay in one subsystem, and its
// tangent joins all of them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mechanics/elements.hpp"
#include "mechanics/law_element.hpp"
#include "mechanics/sensed_numbers.hpp"

namespace cosimo {

/// Throw Error for a formula that is none.
std::unique_ptr<ForceGroup> make_sensed_applied(std::string name, const Marker& from, const Marker& to,
                                                const AppliedSpec& spec, SensedNumbers numbers);
std::unique_ptr<ForceGroup> make_sensed_law(std::string name, const Marker& from, const Marker& to,
                                            const LawSpec& spec, SensedNumbers numbers);

}  // namespace cosimo
