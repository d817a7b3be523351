// Elements of the kind `tyre`: their keys, what is wrong with them, and what they say.
#pragma once

#include <memory>

#include "config/check.hpp"
#include "config/form.hpp"
#include "config/mechanism.hpp"
#include "config/rules_mechanism.hpp"

namespace cosimo::config {

/// The ground below a contact or a tyre.
Key road_key();
Form tyre_form();
/// Beside the rules of its body and points.
void check_tyre(const Value& entry, const EndBody& body, MechanismRules& rules);
/// Of values without fault.
std::shared_ptr<const Tyre> read_tyre(const Value& entry);
void read_road(const Value& entry, double& height, std::vector<RoadWave>& waves);

}  // namespace cosimo::config
