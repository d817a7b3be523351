// `ground` and `contacts`: whom a pattern of names means, what is wrong with them, and what they say.
#pragma once

#include <string_view>
#include <vector>

#include "config/check.hpp"
#include "config/faults.hpp"
#include "config/mechanism.hpp"
#include "config/shapes.hpp"

namespace cosimo::config {

/// `*` in the pattern stands for any text, also for none.
bool matches(std::string_view pattern, std::string_view text);

/// Whether a contact may touch the body or the shape of the ground of this name.
bool takes_part(const Value& contact, std::string_view name, bool fixed);

void check_contacts(const Value& model, Faults& faults);
/// The bodies are there already. Of values without fault.
void read_contacts(const Value& model, const ShapeMasses& shapes, Mechanism& mechanism);

}  // namespace cosimo::config
