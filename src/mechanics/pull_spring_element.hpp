// A spring that pulls and never pushes: a rope without mass between two points. With its stretch
// p = |r_to - r_from| - length the force along the line is that of mechanics/pull.hpp, on the law (2.9).
// While it is slack it needs no direction: its ends may meet.
#pragma once

#include <memory>
#include <string>

#include "mechanics/elements.hpp"

namespace cosimo {

std::unique_ptr<ForceElement> make_pull_spring(std::string name, const Marker& from, const Marker& to,
                                               const PowerLaw& law, double length);

}  // namespace cosimo
