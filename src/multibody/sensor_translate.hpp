// A sensor of a scenario as one of a mechanism whose bodies, joints and elements are there already.
#pragma once

#include <span>

#include "config/mechanism.hpp"
#include "mechanics/mechanism.hpp"
#include "numerics/curve.hpp"

namespace cosimo {

struct SensorEnds {
  Marker from, to;
};

/// Sensors before it are in `made`.
Sensor make_sensor(const config::Sensor& given, const config::Mechanism& model, const Mechanism& made,
                   const SensorEnds& ends, std::span<const NamedCurve> curves);

}  // namespace cosimo
