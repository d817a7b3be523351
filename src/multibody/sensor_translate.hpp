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

/// `before`: all sensors before it. Where the readings of laws over many bodies are, is left to
/// find_readings().
Sensor make_sensor(const config::Sensor& given, const config::Mechanism& model, const Mechanism& made,
                   const SensorEnds& ends, std::span<const NamedCurve> curves,
                   std::span<const Sensor> before);
/// When all laws are made.
void find_readings(const config::Sensor& given, const Mechanism& made, Sensor& sensor);
/// What a reference in a formula means (config/sensors.hpp).
Measured measured(const std::string& text, const Mechanism& made, std::span<const Sensor> sensors);

}  // namespace cosimo
