// From checked values to the plain structs of scenario.hpp. Only for values without fault.
#pragma once

#include <array>

#include "config/check.hpp"
#include "config/scenario.hpp"
#include "config/shapes.hpp"

namespace cosimo::config {

/// What stands in files that the scenario names.
struct FilesRead {
  std::vector<NamedCurve> curves;
  ShapeMasses shapes;
};

Scenario read_scenario(const Value& root, FilesRead files);

/// Its part for `model`: what `Scenario::model` says describes it.
void read_model(const Value& model, const ShapeMasses& shapes, Scenario& scenario);
Mechanism read_mechanism(const Value& model, const ShapeMasses& shapes);
Compliance read_compliance(const Value& value);
/// The unit quaternion of `{axis, angle}`, `{quaternion}` or `{euler}`.
std::array<double, 4> read_orientation(const Value& value);
void read_subsystems(const Value& root, Scenario& scenario);  ///< and `connections`

inline Place place_of(const Value& entry) {
  const Position& position = entry.node->position;
  return {position.source, position.line, position.column};
}

}  // namespace cosimo::config
