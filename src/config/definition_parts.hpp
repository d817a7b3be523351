// Pieces of the table that several models share.
#pragma once

#include <string>
#include <vector>

#include "config/form.hpp"

namespace cosimo::config {

/// A key whose value is one number per body or element; required without a fallback.
Key parameter(std::string name, std::string fallback, std::string description, std::string dimension);

/// Law (2.9) of many springs; `description` says what lists mean.
Key spring_key(const std::string& description);
Key loads_key();
/// `curves`.
Key curves_key();

/// Stiffness and damping of a joint as a force element, after other keys of its own.
Key compliant_key(std::vector<Key> own, std::string otherwise, std::string description);

/// `parameters`, `include`, `gravity`, `bodies`, `joints`, `elements`, `start`.
std::vector<Key> mechanism_keys();
/// Of one entry of `bodies`, `joints` and `elements`.
Form body_form();
Form joint_form();
Form element_form();
/// What a body looks like, or something on the ground, which may be a plane.
Form shape_form(bool on_ground);
/// `ground` and `contacts`.
std::vector<Key> contact_keys();
Form rope_form();
/// `{axis, angle}`, `{quaternion}` or `{euler}`.
Form orientation_form();

/// All models but `chain` and `bodies`.
std::vector<Key> generator_keys();

}  // namespace cosimo::config
