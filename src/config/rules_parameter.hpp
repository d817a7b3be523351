// Rules of values that are one number per body or element, and of the loads on bodies.
#pragma once

#include <cstdint>
#include <string>

#include "config/check.hpp"
#include "config/faults.hpp"

namespace cosimo::config {

/// The number of values a parameter needs, with the reason for the message.
struct Length {
  std::int64_t n = 0;  ///< 0: not known
  std::string reason;
};

/// `value` may be null.
void check_parameter(Faults& faults, const Value* value, const Length& length, bool positive = false);
/// A list, or blocks: its length is fixed.
bool is_row(const Value& value);
/// `loads` of a chain or a lattice with so many bodies (0: not known); may be null. `root`: the scenario.
void check_loads(Faults& faults, const Value* loads, std::int64_t bodies, const Value& root);

}  // namespace cosimo::config
