// `model.sensors`, and the names that their formulas contain.
//
//   sensors:
//     - {name: gap, kind: distance, from: arm.tip, to: table}
//     - {name: sum, kind: formula, formula: "2*gap + arm.x - der(arm.y) + pivot.angle"}
//
// Names with a dot, der(...) and sensors before it stand for numbers. Before the check they are replaced by
// ref1, ref2, ..., and `of` lists what these are.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "config/faults.hpp"
#include "config/form.hpp"
#include "config/parameters.hpp"
#include "config/yaml_tree.hpp"

namespace cosimo::config {

struct Value;

inline constexpr std::size_t most_references = 16;
/// t and the references.
std::vector<std::string> sensor_variables(std::size_t references = most_references);

/// "arm.x", "der(arm.x)", "gap".
struct SensorReference {
  std::string_view owner, variable;  ///< the variable is empty: a sensor
  bool derivative = false;
};
SensorReference split_reference(std::string_view text);

/// In `formula` of sensors, and in formulas of forces, where names of sensors stand for numbers as well.
void name_references(Node& model, const Parameters& parameters, Faults& faults);
/// Of a sub-model, before its names become those of an instance: coordinates in formulas of its forces.
void name_coordinates(Node& part, Faults& faults);
/// Then with the body or joint of each such coordinate.
void each_coordinate(Node& part, const std::function<void(std::string&)>& visit);
/// Of formulas of forces: their own variables, then the references.
const std::vector<std::string>& applied_names();
std::vector<std::string> force_variables(std::vector<std::string> own);
/// Formulas of forces are kept with the references written out, in brackets: "2*[gap] + s". From numbered
/// references, and back.
std::string with_brackets(const std::string& formula, const std::vector<std::string>& references);
bool has_brackets(const std::string& formula);
/// What `of` beside a formula lists.
std::vector<std::string> references_of(const Value& entry);
/// Numbers on from those that are there.
std::string with_numbers(const std::string& formula, std::vector<std::string>& references);
/// `of` beside such a formula.
Key references_key(const char* formula);

Key sensors_key();

}  // namespace cosimo::config
