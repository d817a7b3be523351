// Spring and damper of law (2.9) in the displacement s of `to` along the z axis of the `from` marker
// (mechanics/along.hpp): what a prismatic joint has beside it. Positive s pulls back.
#pragma once

#include <memory>
#include <string>

#include "mechanics/force_element.hpp"
#include "mechanics/power_law.hpp"

namespace cosimo {

/// Without force at s = `unloaded`.
std::unique_ptr<ForceElement> make_slide_spring(std::string name, const Marker& from, const Marker& to,
                                                const PowerLaw& law, double unloaded);

}  // namespace cosimo
