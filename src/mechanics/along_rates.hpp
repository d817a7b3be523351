// How the rates of mechanics/along.hpp change with the places of both frames.
#pragma once

#include "mechanics/along.hpp"

namespace cosimo {

/// By the twelve displacements; by the velocities it changes as `s` does by displacements.
Vec12 rate_by_place(Along along, const Frame& from, const Frame& to);

}  // namespace cosimo
